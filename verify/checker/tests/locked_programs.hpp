// Programs with locks, explored in two ways: with mutexes, whose lock() waits; and with locks that
// are guessed, whose execution does not count where lock() comes before its turn. Both have the
// same graphs, and a guess knows nothing of waiting.
#pragma once

#include <string>
#include <vector>

#include "known_programs.hpp"

namespace fencepost::verify::testing {

// Programs in which a waiter is displaced at a place where something may be lost by it; the
// executions are 0.
std::vector<known_program> programs_of_locks();

// Three or four threads with up to six operations each on two locks and two locations. The same for
// the same seed.
known_program random_locks(unsigned seed);

// The same where threads also look at the lock's word, and share it as the readers of a
// reader-writer lock do, whose changes of the word are not those of lock() and unlock().
known_program random_shared_locks(unsigned seed);

// What is different, or "": with the locks guessed, or with other threads preferred. Deterministic.
std::string wrong_locks(const known_program&);

}  // namespace fencepost::verify::testing
