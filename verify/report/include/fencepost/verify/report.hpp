// Results as text of a given width: the parts of to_text() of result.hpp, for callers that know
// more about the reader (a terminal's width, its colours).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "fencepost/verify/text.hpp"

namespace fencepost::verify {

// Labels of places in the source, which do not change with the lines around them.
class place_names {
 public:
  place_names() = default;
  place_names(const place_names&) = delete;
  place_names& operator=(const place_names&) = delete;
  virtual ~place_names() = default;
  virtual std::string label_at(const source_location&) const = 0;  // "" for none
};

struct text_style {  // How a text is laid out.
  std::size_t width = 100;
  bool color = false;                   // ANSI escapes
  bool steps = true;                    // false: only what is wrong and where
  bool source = true;                   // below each step, its line of code
  std::size_t max_steps = 80;           // beyond it, the middle and the set-up are left out; 0: all
  bool own_data = true;                 // show accesses to plain data that no other thread accesses
  const place_names* places = nullptr;  // cite places by these and by functions, not by line
  bool names_options = true;            // suggest options that may help if a limit was hit
};

// The counterexample: what is wrong and where, the steps in the order in which they happen with one
// column for each thread, and what this kind of violation means.
std::string to_text(const counterexample&, const text_style&);
std::string to_text(const result&, const text_style&);

// Explains this execution in a sentence or two: which read or access is not ordered after which
// write, and which synchronization is missing, or that no memory order would help; "" if there is
// nothing to say.
std::string what_went_wrong(const counterexample&);
// For load buffering: what compilers make of the accesses, and which processors reorder them; "" if
// no read takes its value from what comes after it.
std::string on_processors(const counterexample&);
// Only the steps of an execution, as in a counterexample.
std::string to_text(const execution&, const text_style&);

// The outcomes that the scenario knows, in its order, with the number of executions that have them,
// followed by those that it does not know.
struct outcome_row {
  std::string result;
  std::uint64_t executions = 0;
  std::optional<expect> verdict;  // none if the scenario lists no outcomes
  std::string description;
  bool known = false;  // to the scenario
};
std::vector<outcome_row> outcome_rows(const result&);

// Says in one sentence what this kind of violation means, whatever the program.
std::string_view meaning(violation) noexcept;
// For a counterexample that did not occur when its execution was run again: why its steps may not
// show it.
std::string_view why_not_shown() noexcept;
// Says why a counterexample without a path cannot be replayed.
std::string why_not_replayed(const counterexample&);
// Says which limit made a result incomplete.
std::string limit_in_words(std::string_view limit);
// "about 1,200 to 3,400 executions".
std::string in_words(const estimated&);
// Says the same of a result, and what was left out, as far as that can be estimated.
std::string why_incomplete(const result&);
// For an incomplete result: which load-buffering races are not resolved; or which accesses cause so
// many runs, and what would help.
std::string about_the_limit(const result&, bool names_options = true);
// "at most 2 preemptions", "100 random executions, seed 1"; "" for all executions.
std::string part_in_words(std::optional<unsigned> preemptions, std::uint64_t samples,
                          std::uint64_t seed);
// "2 atomics and 1 plain object"; if none was plain, that data races are not checked; "" if nothing
// is known of it.
std::string watched(const result&);
// The verdict in one line, with the bounds that the options set.
std::string in_one_line(const result&, const options&);
// For a verified result: whether it holds with load buffering as well, or which accesses race, so
// that this is not known.
std::string load_buffering_in_words(const result&);
// What no verdict covers; `load_buffering`: some execution has a load-buffering race.
std::string_view not_covered(bool load_buffering) noexcept;

}  // namespace fencepost::verify
