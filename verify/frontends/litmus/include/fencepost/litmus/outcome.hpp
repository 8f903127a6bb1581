// The outcomes of all executions of a litmus test.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "fencepost/litmus/program.hpp"

namespace fencepost::litmus {

// The state at the end of one execution.
struct final_state {
  std::vector<std::vector<value>> registers;  // by thread
  std::vector<value> memory;                  // by location; a word of halves is high << 32 | low
};

struct outcome_set {
  // The observed values, in the order of observed(program), with the number of executions that end
  // with them.
  std::map<std::vector<value>, std::uint64_t> states;
  std::uint64_t executions = 0;  // consistent, complete, distinct in (paths, rf, mo)
  std::uint64_t positive = 0;    // those that satisfy the condition's proposition
  std::uint64_t negative = 0;    // those that do not
  bool undef = false;            // one of the executions has a data race
  bool cut = false;              // a loop reached its bound: longer executions are left out
  std::string limit;             // if not empty, the reason why the search stopped early
  // An execution has a load-buffering race (verify::load_buffering_race): ISO C++ may allow more
  // executions.
  bool load_buffering = false;

  bool operator==(const outcome_set&) const = default;
};

// Counts complete executions of a program. An execution that does not satisfy the program's filter
// does not count at all, nor does a race in it.
class outcome_counter {
 public:
  explicit outcome_counter(const program&);

  void add(const final_state&, bool race, std::uint64_t times = 1);
  void add_cut() noexcept { result_.cut = true; }
  void add_load_buffering() noexcept { result_.load_buffering = true; }
  void stopped(std::string why) { result_.limit = std::move(why); }

  const outcome_set& result() const noexcept { return result_; }

 private:
  const program* program_;
  std::vector<observable> observed_;
  outcome_set result_;
};

bool satisfies(const final_state&, const proposition&);

// True if the condition holds: for exists, some execution satisfies the proposition; for forall,
// all do; for ~exists, none does.
bool holds(const program&, const outcome_set&);

// Returns a key of outcome_set::states in herd's notation: "0:r0=1; 1:r0=0; [x]=2;".
std::string spell(const program&, const std::vector<value>& state);

}  // namespace fencepost::litmus
