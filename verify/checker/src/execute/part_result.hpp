// What the exploration of a part of the search tree asks and answers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "explore/contention.hpp"
#include "explore/part.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// result::examples, in the order in which one process comes to them.
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
    exhausted,  // all of the part was explored, but for what was given away
    stopped,    // the control wanted it
    violated,   // `kind` and `text`
    learned,    // what is known of the program's loops changed: all is to be explored again
    limit,      // of one execution: `text`
    lost,       // the program does not have the choices that lead to the part
    over,       // the front end wants no more: `text`
  };
  ending how = ending::exhausted;
  choice_path at;  // the run with which it ended, unless all was explored
  violation kind = violation::none;
  std::string text;
  result found;  // what was counted
  std::vector<outcome_example> examples;
  std::vector<observation> observed;
};

class part_control {
 public:
  // Asked about every ten milliseconds.
  virtual bool is_over(const result& so_far) = 0;
  // Asked after each run.
  virtual bool wants_a_part() = 0;
  virtual void give(const part&) = 0;

 protected:
  ~part_control() = default;
};

}  // namespace fencepost::verify
