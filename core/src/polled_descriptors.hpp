// The descriptors that a task_runner watches on POSIX systems: waits for them by poll(). See
// watch_list.hpp.
#pragma once

#include <poll.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <system_error>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/task_runner.hpp"

namespace fencepost::detail {

class polled_descriptors {
 public:
  using watched = watched_object<int>;
  using readiness = short;  // poll()'s revents
  static constexpr readiness not_ready = 0;

  // Why the descriptor cannot be watched; empty if it can.
  static std::string fault_of(const watched& it) {
    if (it.object >= 0) return "";
    return std::to_string(it.object) + " is not a descriptor; did open() succeed?";
  }
  static std::string name_of(const watched& it) {
    return "descriptor " + std::to_string(it.object);
  }
  static watch_events events_of(readiness how) noexcept {
    return {.readable = (how & POLLIN) != 0,
            .writable = (how & POLLOUT) != 0,
            .hung_up = (how & POLLHUP) != 0,
            .error = (how & POLLERR) != 0,
            .closed = (how & POLLNVAL) != 0};
  }

  // `event` ends a wait when it is signalled; it is not a watch.
  explicit polled_descriptors(int event) { polled_.push_back({event, POLLIN, 0}); }

  // Watches are numbered from 0, in the order in which they were added.
  [[nodiscard]] std::size_t size() const noexcept { return polled_.size() - 1; }
  [[nodiscard]] watched operator[](std::size_t at) const noexcept {
    const pollfd& entry = polled_[at + 1];
    return {entry.fd < 0 ? ~entry.fd : entry.fd,
            entry.events == POLLOUT ? watch_for::writing : watch_for::reading};
  }
  void add(const watched& it) {
    const short events = it.what == watch_for::writing ? POLLOUT : POLLIN;
    polled_.push_back({it.object, events, 0});
  }
  void erase(std::size_t at) noexcept {
    polled_.erase(polled_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  void clear() noexcept { polled_.erase(polled_.begin() + 1, polled_.end()); }

  // A masked descriptor is not waited for. It is replaced by its complement, which poll() ignores
  // (see masked_descriptor_test.cpp).
  void mask(std::size_t at) noexcept { polled_[at + 1].fd = ~(*this)[at].object; }
  void unmask(std::size_t at) noexcept { polled_[at + 1].fd = (*this)[at].object; }

  // Waits until a descriptor is ready or the event is signalled; -1: without a time limit.
  void wait(int milliseconds) {
    for (auto& each : polled_) each.revents = 0;
    const int count = ::poll(polled_.data(), static_cast<nfds_t>(polled_.size()), milliseconds);
    if (const int error = errno; count < 0 && error != EINTR) {
      detail::raise<std::system_error>(error, std::generic_category(),
                                       "fencepost::task_runner::run: poll() of " +
                                           std::to_string(polled_.size()) + " descriptors");
    }
    if (count < 0) {
      for (auto& each : polled_) each.revents = 0;
    }
  }
  [[nodiscard]] bool event_signalled() const noexcept { return polled_.front().revents != 0; }
  [[nodiscard]] readiness ready(std::size_t at) const noexcept {
    const pollfd& entry = polled_[at + 1];
    return entry.fd < 0 ? not_ready : entry.revents;
  }

 private:
  std::vector<pollfd> polled_;  // the event's, and one for each watch
};

}  // namespace fencepost::detail
