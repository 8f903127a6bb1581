// Results as text, to a given width: what to_text() of result.hpp is made of, for those who know
// more about the reader than it does (a terminal's width, its colours).
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

struct text_style {  // For whom the text is.
  std::size_t width = 100;
  bool color = false;          // ANSI escapes
  bool steps = true;           // false: only what is wrong and where
  bool source = true;          // below each step, its line of code
  std::size_t max_steps = 80;  // of more, the middle is left out, and so is the set-up; 0: all
  bool own_data = true;        // accesses to plain data that no other thread accesses
  const place_names* places = nullptr;  // cites these and functions instead of lines
  bool names_options = true;            // that may help where a limit was hit
};

// The counterexample: what is wrong and where, the steps in the order in which they happen with one
// column a thread, and what this kind of violation means.
std::string to_text(const counterexample&, const text_style&);
std::string to_text(const result&, const text_style&);

// A sentence or two on this execution: which read or access is not ordered after which write, and
// the synchronisation that is missing, or that no memory order would help; "" where there is
// nothing to say.
std::string what_went_wrong(const counterexample&);
// Of load buffering: what compilers make of the accesses, and which processors reorder them; ""
// where no read takes its value from what comes after it.
std::string on_processors(const counterexample&);
// The steps of an execution and nothing else, as in a counterexample.
std::string to_text(const execution&, const text_style&);

// The outcomes that the scenario knows, in its order, with how many executions have them, and those
// that it does not know.
struct outcome_row {
  std::string result;
  std::uint64_t executions = 0;
  std::optional<expect> verdict;  // none where the scenario says nothing of any
  std::string description;
  bool known = false;  // to the scenario
};
std::vector<outcome_row> outcome_rows(const result&);

// One sentence: what this kind of violation means, whatever the program.
std::string_view meaning(violation) noexcept;
// Of a counterexample that did not come again.
std::string_view why_not_shown() noexcept;
// Of a counterexample without a path: why it cannot be replayed.
std::string why_not_replayed(const counterexample&);
// Which limit made a result incomplete.
std::string limit_in_words(std::string_view limit);
// "about 1,200 to 3,400 executions".
std::string in_words(const estimated&);
// The same with what was left out, as far as that can be estimated.
std::string why_incomplete(const result&);
// Of a result that is incomplete: which load-buffering races are not resolved; or which accesses
// make so many runs, and what would help.
std::string about_the_limit(const result&, bool names_options = true);
// "at most 2 preemptions", "100 random executions, seed 1"; "" for all executions.
std::string part_in_words(std::optional<unsigned> preemptions, std::uint64_t samples,
                          std::uint64_t seed);
// "2 atomics and 1 plain object"; where none was plain, that data races are not checked. ""
// where nothing is known of it.
std::string watched(const result&);
// The verdict in one line, with the bounds that the options set.
std::string in_one_line(const result&, const options&);
// Of a result that was verified: whether it holds with load buffering as well, or which accesses
// race so that this is not known.
std::string load_buffering_in_words(const result&);
// What no verdict covers; `load_buffering`: some execution has a load-buffering race.
std::string_view not_covered(bool load_buffering) noexcept;

}  // namespace fencepost::verify
