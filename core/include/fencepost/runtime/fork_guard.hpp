// Detects that this process is a child, by fork(), of the one that made an object: the object's
// threads do not exist there, and what they were about to do with it will not be done.
//
// Not detected: a child made by vfork(), clone() or _Fork(), which call no handlers of
// pthread_atfork().
//
// Threads: in_child(), any thread. Costs: a call of the library and two loads.
#pragma once

#include <cstdint>
#include <thread>
#include <type_traits>
#include <utility>

namespace fencepost {

namespace detail {

// How many forks lie between this process and the one in which this was called first.
std::uint32_t forks() noexcept;

}  // namespace detail

class fork_guard {
 public:
  bool in_child() const noexcept { return detail::forks() != made_in_; }

 private:
  std::uint32_t made_in_ = detail::forks();
};

// For policies whose threads are not the system's.
struct no_fork_guard {
  static constexpr bool in_child() noexcept { return false; }
};

template <class P>
using fork_guard_for =
    std::conditional_t<std::is_same_v<typename P::thread, std::thread>, fork_guard, no_fork_guard>;

// A part of an object that has threads. In a child it is not destroyed: its state is what those
// threads happened to leave, with locks that will never be released.
template <class T, class Guard = fork_guard>
class kept_in_child {
 public:
  template <class... Arguments>
  explicit kept_in_child(Arguments&&... arguments) : value(std::forward<Arguments>(arguments)...) {}
  ~kept_in_child() {
    if (!guard_.in_child()) value.~T();
  }
  kept_in_child(const kept_in_child&) = delete;
  kept_in_child& operator=(const kept_in_child&) = delete;

  bool in_child() const noexcept { return guard_.in_child(); }
  T& operator*() noexcept { return value; }
  const T& operator*() const noexcept { return value; }
  T* operator->() noexcept { return &value; }
  const T* operator->() const noexcept { return &value; }

 private:
  union {
    T value;
  };
  [[no_unique_address]] Guard guard_;
};

}  // namespace fencepost
