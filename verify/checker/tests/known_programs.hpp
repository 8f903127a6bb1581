// Programs whose number of executions is known, and what must hold of the graphs of any program.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify::testing {

struct known_program {
  std::string name;
  std::uint64_t executions;
  std::function<void()> body;
  options bounds = {};
};

// Each takes well under a second.
std::vector<known_program> programs_of_known_count();

// Programs that between them use every kind of choice that the explorer has; few executions each.
std::vector<known_program> programs_of_every_kind();

// The program behind threads that do nothing, so that its own threads have larger numbers.
known_program after_threads(const known_program&, unsigned idle);

// These return what is wrong, or "".

// The count is the known one, if one is known (not 0), and no graph is visited twice, whether or
// not reads are postponed, which changes what revisits what.
std::string wrong_count(const known_program&);

// Whichever threads the explorer prefers, the set of graphs is the same.
std::string wrong_under_other_priorities(const known_program&);

// Whatever the bound on preemptions, and whichever threads are preferred, each graph within the
// bound is explored exactly once, and every graph is explored if none was given up.
std::string wrong_within_bounds(const known_program&);

// Random executions draw only graphs that exist, and all of them if there are few.
std::string wrong_draws(const known_program&);
// What differs, in explorations and in random draws, between loops in deep frames and other loops.
std::string wrong_order_in_deep_frames();
// What goes wrong in the replay of a violation that comes after a loop in a deep frame.
std::string wrong_replay_of_deep_frames();

}  // namespace fencepost::verify::testing
