// What is shown of an execution, in text as well as in pictures: the names of its locations and
// files, each step in words, its line of code, and which steps say too little to be shown.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cited_places.hpp"
#include "fencepost/verify/result.hpp"
#include "left_out_steps.hpp"
#include "source_names/location_names.hpp"
#include "source_names/source_reader.hpp"

namespace fencepost::verify {

class shown_execution {
 public:
  // Shows the steps that left_out_steps(steps, max_steps, own_data) does not leave out.
  shown_execution(const execution&, std::size_t max_steps, bool own_data = true,
                  const place_names* = nullptr);

  const std::vector<step>& steps() const noexcept { return execution_.steps; }
  const std::vector<edge>& edges() const noexcept { return execution_.edges; }
  const left_out_steps& left_out() const noexcept { return left_out_; }

  // "load acquire ready_ = 1".
  std::string access(std::size_t index) const;
  // The same with its source: "load acquire ready_ = 1, from #6 (not #11)".
  std::string words(std::size_t index) const;
  // The name of the step's location, "" for none.
  std::string location(std::size_t index) const { return names_.name(steps()[index]); }
  // The last write to the location that is listed between the read's source and the read.
  std::optional<std::size_t> passed_over(std::size_t index) const { return passed_over_[index]; }
  bool has_halves() const noexcept { return has_halves_; }

  // "mailbox.hpp:27 receive"; "" if the step has no place in the program.
  std::string place(std::size_t index) const;
  // " at mailbox.hpp:27"; "" as above.
  std::string at(std::size_t index) const;
  const cited_places& places() const noexcept { return places_; }
  // The step's line of code, or only the body of a function that is on one line; "" if it cannot be
  // read.
  std::string code(std::size_t index);
  // Where in its line of code the access begins; 0 if that is unclear.
  std::size_t access_in(std::string_view code, std::size_t index) const {
    return names_.access_in(code, steps()[index]);
  }

 private:
  const execution& execution_;
  source_reader source_;
  cited_places places_;
  location_names names_;
  std::vector<std::optional<std::size_t>> passed_over_;
  left_out_steps left_out_;
  bool has_halves_ = false;
};

}  // namespace fencepost::verify
