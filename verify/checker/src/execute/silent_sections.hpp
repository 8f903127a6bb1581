// lock() and unlock() of a mutex in turns of loops.
//
// A turn may take a mutex that is free, and give it back: then nothing of it stays but that the
// mutex was held meanwhile. See docs/checker.md, "Loops that wait".
#pragma once

#include "graph/graph.hpp"

namespace fencepost::verify {

// lock() or try_lock(), which has found the mutex free.
[[nodiscard]] bool takes_mutex(const graph&, const event&) noexcept;

// The event of the thread is an unlock(): the index of its lock(). Otherwise 0.
[[nodiscard]] unsigned lock_undone_by(const graph&, unsigned thread, unsigned index);

// Of the thread's events after `begin`, up to `end`, which are removable but for lock() and
// unlock(): does each of these have its counterpart among them?
[[nodiscard]] bool sections_are_whole(const graph&, unsigned thread, unsigned begin, unsigned end);

}  // namespace fencepost::verify
