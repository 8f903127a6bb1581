// What a task_runner's watches wait for, and why one runs.
#pragma once

#include <cstdint>

namespace fencepost {

// Why a watch runs: the events that poll() reports, or what a wait on Windows ended with. At least
// one is set.
struct watch_events {
  bool readable = false;  // read() does not block; on Windows: the object was signalled
  bool writable = false;  // write() of something does not block
  bool hung_up = false;   // the other end is closed; not on Windows
  bool error = false;     // an error of the descriptor, until it is cleared; an abandoned mutex
  bool closed = false;    // it is not open: the watch has been removed
};

// What a watch waits for.
enum class watch_for : std::uint8_t { reading, writing };

namespace detail {
template <class Waitable>
struct watched_object {
  Waitable object;
  watch_for what;
  bool operator==(const watched_object&) const = default;
};
}  // namespace detail

}  // namespace fencepost
