// Programs with locks, explored in two ways: with mutexes, whose lock() waits; and with locks that
// are guessed, whose lock() gives up the execution if it comes before its turn. Both have the same
// graphs, and guessing involves no waiting.
#pragma once

#include <string>
#include <vector>

#include "known_programs.hpp"

namespace fencepost::verify::testing {

// Programs in which a waiter is displaced where this might lose something; their number of
// executions is 0: not known.
std::vector<known_program> programs_of_locks();

// Three or four threads with up to six operations each on two locks and two locations. The same
// seed gives the same program.
known_program random_locks(unsigned seed);

// The same, but threads also look at the lock's word, and share it as the readers of a
// reader-writer lock do, whose changes of the word are not those of lock() and unlock().
known_program random_shared_locks(unsigned seed);

// Returns what differs with guessed locks or other priorities, or "". Deterministic.
std::string wrong_locks(const known_program&);

}  // namespace fencepost::verify::testing
