// The result of exploring a part of the search tree, and the control that it consults meanwhile.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "explore/contention.hpp"
#include "explore/part.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// An entry of result::examples. A list of these has the order in which one process finds them.
struct outcome_example {
  std::string outcome;
  execution shown;
};

[[nodiscard]] inline bool has_example(const std::vector<outcome_example>& all,
                                      const std::string& outcome) {
  return std::any_of(all.begin(), all.end(),
                     [&](const outcome_example& e) { return e.outcome == outcome; });
}

struct part_result {
  enum class ending : std::uint8_t {
    exhausted,  // all of the part was explored, except for what was given away
    stopped,    // by the control, or by options::max_executions
    violated,   // see `kind` and `text`
    learned,    // a run has taught a lesson: everything is to be explored again
    limit,      // one execution reached a limit: see `text`
    lost,       // the program does not have the choices that lead to the part
    over,       // the front end ended the exploration: see `text`
    late,       // ended in the middle of a long run, see `text`: the part is to be explored again
  };
  ending how = ending::exhausted;
  choice_path at;  // the run with which it ended, unless it is exhausted
  violation kind = violation::none;
  std::string text;
  result found;  // what was counted
  std::vector<outcome_example> examples;
  std::vector<observation> observed;
};

class part_control {
 public:
  // Called about every ten milliseconds: true if the exploration is to stop.
  virtual bool is_over(const result& so_far) = 0;
  // Called after each run: true if the exploration is to give a part away.
  virtual bool wants_a_part() = 0;
  virtual void give(const part&) = 0;

 protected:
  ~part_control() = default;
};

}  // namespace fencepost::verify
