// What a turn of a loop changes for a moment.
//
// A turn may take a free mutex and give it back: its only effect is that the mutex was held
// meanwhile. It may also change an atomic object and change it back, as a lock that the program
// builds from atomics does. See docs/checker.md, "Loops that wait".
#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace fencepost::verify {

// True if the event is a lock(), a try_lock() that has found the mutex free, or a lock_shared().
[[nodiscard]] bool takes_mutex(const graph&, const event&) noexcept;

// True if the thread that reads a mutex in this way may learn that another thread holds it.
[[nodiscard]] bool learns_of_holders(const graph&, const event&) noexcept;

// Returns the index of the lock() if this event of the thread is the unlock() of one, otherwise 0.
[[nodiscard]] unsigned lock_undone_by(const graph&, unsigned thread, unsigned index);

// True if the event is a read-modify-write that changes an atomic object other than a mutex.
[[nodiscard]] bool changes(const graph&, const event&) noexcept;

// Returns the index of such an event if this event of the thread restores the value that it has
// found, with no other write in between, otherwise 0.
[[nodiscard]] unsigned change_undone_by(const graph&, unsigned thread, unsigned index);

// The thread's events after `begin`, up to `end`, are removable, except for lock() and unlock() and
// changes of atomic objects. True if each of these has its counterpart among them.
[[nodiscard]] bool sections_are_whole(const graph&, unsigned thread, unsigned begin, unsigned end);

// Of whole sections, returns the changes of atomic objects that later ones take back.
[[nodiscard]] std::vector<unsigned> first_changes(const graph&, unsigned thread, unsigned begin,
                                                  unsigned end);

}  // namespace fencepost::verify
