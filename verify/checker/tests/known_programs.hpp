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

// Programs that between them use all that the explorer has choices for; few executions each.
std::vector<known_program> programs_of_every_kind();

// The same behind threads that do nothing, so that its own threads have greater numbers.
known_program after_threads(const known_program&, unsigned idle);

// These return what is wrong, or "".

// The count is the known one, where one is known (not 0), and no graph comes twice: whether reads
// come late or not, which makes other events revisit others.
std::string wrong_count(const known_program&);

// Whichever threads the explorer prefers, the set of graphs is the same.
std::string wrong_under_other_priorities(const known_program&);

// Whatever the bound on preemptions, and whichever threads are preferred, all graphs within it are
// explored; each once; all there are if none was given up.
std::string wrong_within_bounds(const known_program&);

// What is drawn at random is what there is; all of it, if that is not much.
std::string wrong_draws(const known_program&);
// What differs between explorations, and draws, where loops are in deep frames and where they are
// not; or "".
std::string wrong_order_in_deep_frames();
// What is wrong where a violation that comes after a loop in a deep frame is replayed, or "".
std::string wrong_replay_of_deep_frames();

}  // namespace fencepost::verify::testing
