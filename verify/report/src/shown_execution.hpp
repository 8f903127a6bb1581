// What is shown of an execution, in text and in pictures alike: what its locations and files are
// called, each step in words, its line of code, and which steps say too little to be shown.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cited_places.hpp"
#include "fencepost/verify/result.hpp"
#include "source_names/location_names.hpp"
#include "source_names/source_reader.hpp"

namespace fencepost::verify {

// The checker's own: what runs a scenario creates and joins its threads.
bool is_runner(const step&);
bool reads(step_kind) noexcept;
bool writes(step_kind) noexcept;
// __builtin_FUNCTION gives a bare name; others give whole signatures.
std::string function_name(const char* function);
bool is_lambda(const std::string& function);
std::string thread_name(unsigned thread);
// The explorer numbers the threads; here the first one has a name.
std::string with_main(std::string text);
// Does the step read what is written further down, by load buffering?
bool reads_from_below(const execution&, std::size_t index) noexcept;
// The two steps of a data race, if that is clear: what happened last, and the last conflicting
// access that does not happen before.
std::optional<std::pair<std::size_t, std::size_t>> racing_steps(const counterexample&);

class shown_execution {
 public:
  // At most so many steps, and of the set-up only what is read later; 0: all. Without `own_data`
  // accesses to plain data that one thread alone accesses are private.
  shown_execution(const execution&, std::size_t max_steps, bool own_data = true,
                  const place_names* = nullptr);

  const std::vector<step>& steps() const noexcept { return execution_.steps; }
  const std::vector<edge>& edges() const noexcept { return execution_.edges; }
  bool left_out(std::size_t index) const { return left_out_[index]; }
  // An access to plain data that no other thread accesses, which is left out for that.
  bool is_private(std::size_t index) const { return private_[index]; }
  // Why the steps from this one to before `end` are left out: "5 steps of the set-up left out"; ""
  // where all of them are private.
  std::string left_out_in_words(std::size_t from, std::size_t end) const;

  // "load acquire ready_ = 1".
  std::string access(std::size_t index) const;
  // The same with its source: "load acquire ready_ = 1, from #6 (not #11)".
  std::string words(std::size_t index) const;
  // What the step's location is called, "" for none.
  std::string location(std::size_t index) const { return names_.name(steps()[index]); }
  // The last write further up to what the step reads, and below what it reads from.
  std::optional<std::size_t> passed_over(std::size_t index) const { return passed_over_[index]; }
  bool has_halves() const noexcept { return has_halves_; }
  bool has_private() const noexcept { return has_private_; }

  // "mailbox.hpp:27 receive"; "" where the step has no place that is the program's.
  std::string place(std::size_t index) const;
  // " at mailbox.hpp:27"; "" as above.
  std::string at(std::size_t index) const;
  const cited_places& places() const noexcept { return places_; }
  // Its line of code, of a function in one line the body; "" where it cannot be read.
  std::string code(std::size_t index);
  // Where in its line of code the access begins; 0 where that is not clear.
  std::size_t access_in(std::string_view code, std::size_t index) const {
    return names_.access_in(code, steps()[index]);
  }

 private:
  void leave_out(std::size_t max_steps, bool own_data);
  void leave_out_private();
  void leave_out_turns();

  const execution& execution_;
  source_reader source_;
  cited_places places_;
  location_names names_;
  std::vector<std::optional<std::size_t>> passed_over_;
  std::vector<bool> left_out_;
  std::vector<bool> private_;                 // of those left out
  std::map<std::size_t, std::size_t> turns_;  // left out from here on: turns of this length
  std::size_t set_up_ = 0;  // so many steps are before the first thread is created
  bool has_halves_ = false;
  bool has_private_ = false;
};

}  // namespace fencepost::verify
