// The objects that a task_runner watches on Windows: waits for their signals by
// WaitForMultipleObjects(). See watch_list.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/task_runner.hpp"
#include "windows_api.hpp"

namespace fencepost::detail {

class waited_handles {
 public:
  using watched = watched_object<HANDLE>;
  enum class readiness : std::uint8_t { not_ready, signalled, abandoned, closed };
  static constexpr readiness not_ready = readiness::not_ready;

  // Why the object cannot be watched; empty if it can.
  static std::string fault_of(const watched& it) {
    if (it.what == watch_for::writing) return "objects of Windows are signalled, not writable";
    const bool none = it.object == nullptr || reinterpret_cast<std::intptr_t>(it.object) == -1;
    return none ? "the handle is null or invalid; did the call that created it succeed?" : "";
  }
  static std::string name_of(const watched& it) {
    return "handle " + std::to_string(reinterpret_cast<std::uintptr_t>(it.object));
  }
  // An abandoned mutex is owned by the runner's thread afterwards, as a signalled one is.
  static watch_events events_of(readiness how) noexcept {
    return {.readable = how == readiness::signalled,
            .error = how == readiness::abandoned,
            .closed = how == readiness::closed};
  }

  // `event` ends a wait when it is signalled; it is not a watch.
  explicit waited_handles(HANDLE event) : objects_{{event}} {}

  // Watches are numbered from 0, in the order in which they were added.
  [[nodiscard]] std::size_t size() const noexcept { return objects_.size() - 1; }
  [[nodiscard]] watched operator[](std::size_t at) const noexcept {
    return {objects_[at + 1].handle, watch_for::reading};
  }
  void add(const watched& it) {
    if (objects_.size() == MAXIMUM_WAIT_OBJECTS) {
      detail::raise<std::length_error>(
          "fencepost::task_runner::add_watch: " + std::to_string(size()) +
          " objects are watched already, and Windows cannot wait for more; remove a watch, or use "
          "another runner for some");
    }
    objects_.push_back({it.object});
  }
  void erase(std::size_t at) noexcept {
    objects_.erase(objects_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  void clear() noexcept { objects_.erase(objects_.begin() + 1, objects_.end()); }

  // A masked object is not waited for.
  void mask(std::size_t at) noexcept { objects_[at + 1].masked = true; }
  void unmask(std::size_t at) noexcept { objects_[at + 1].masked = false; }

  // Waits until an object is signalled, the event included; -1: without a time limit. The system
  // reports only the first signalled object, so one that is always signalled would hide those after
  // it: they are checked one by one. A wait may consume the signal of its object, so no object is
  // checked twice.
  void wait(int milliseconds) {
    HANDLE handles[MAXIMUM_WAIT_OBJECTS];
    slot* of[MAXIMUM_WAIT_OBJECTS];
    DWORD count = 0;
    for (slot& each : objects_) {
      each.how = not_ready;
      if (each.masked) continue;
      handles[count] = each.handle;
      of[count++] = &each;
    }
    const DWORD how_long = milliseconds < 0 ? INFINITE : static_cast<DWORD>(milliseconds);
    const DWORD first = WaitForMultipleObjects(count, handles, FALSE, how_long);
    if (first == WAIT_TIMEOUT) return;
    const DWORD why = GetLastError();  // meaningful only if the wait has failed
    bool any = false;
    for (DWORD i = 0; i < count; ++i) {
      slot& each = *of[i];
      if (first == WAIT_OBJECT_0 + i)
        each.how = readiness::signalled;
      else if (first == WAIT_ABANDONED_0 + i)
        each.how = readiness::abandoned;
      else
        each.how = asked(each.handle);
      any = any || each.how != not_ready;
    }
    if (first == WAIT_FAILED && !any) {
      detail::raise<std::system_error>(static_cast<int>(why), std::system_category(),
                                       "fencepost::task_runner::run: WaitForMultipleObjects() of " +
                                           std::to_string(count) + " objects");
    }
  }
  [[nodiscard]] bool event_signalled() const noexcept { return objects_.front().how != not_ready; }
  [[nodiscard]] readiness ready(std::size_t at) const noexcept { return objects_[at + 1].how; }

 private:
  struct slot {
    HANDLE handle;
    bool masked = false;
    readiness how = not_ready;
  };

  static readiness asked(HANDLE handle) noexcept {
    switch (WaitForSingleObject(handle, 0)) {
      case WAIT_OBJECT_0: return readiness::signalled;
      case WAIT_ABANDONED_0: return readiness::abandoned;
      case WAIT_FAILED: return readiness::closed;
      default: return not_ready;
    }
  }

  std::vector<slot> objects_;  // the event, and one for each watch
};

}  // namespace fencepost::detail
