// The watches of a task_runner: the objects that it watches, and the callables that run when those
// are ready. `System`, polled_descriptors or waited_handles, waits for the objects.
//
// A watch that is about to run is masked, so that it is not posted twice.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/task_runner.hpp"

namespace fencepost::detail {

template <class System>
class watch_list {
 public:
  using watched = typename System::watched;
  using readiness = typename System::readiness;
  using watch = task_runner::watch;

  // Why the object cannot be watched; empty if it can.
  static std::string fault_of(const watched& it) { return System::fault_of(it); }

  explicit watch_list(decltype(watched::object) event) : system_(event) {}

  [[nodiscard]] bool none() const noexcept { return watched_.empty(); }

  void add(const watched& object, watch&& f) {
    if (find(object)) {
      detail::raise<std::invalid_argument>(
          "fencepost::task_runner::add_watch: " + System::name_of(object) +
          " is watched already; call remove_watch() first");
    }
    watched_.push_back({next_++, std::move(f)});
    detail::attempt_or_undo([&] { system_.add(object); }, [&] { watched_.pop_back(); });
  }
  void remove(const watched& object) noexcept {
    if (const auto at = find(object)) erase(*at);
  }
  // For the runner's destructor. The callables are destroyed last: they may call the runner then.
  void clear() noexcept {
    std::vector<entry> rest;
    rest.swap(watched_);
    system_.clear();
  }

  // Waits until an object is ready or the event is signalled; -1: without a time limit.
  void wait(int milliseconds) { system_.wait(milliseconds); }
  [[nodiscard]] bool event_signalled() const noexcept { return system_.event_signalled(); }

  // Calls post(object, identity, readiness) for each watch that is ready. If that throws, the
  // others are ready again after the next wait.
  template <class Post>
  void for_each_ready(Post&& post) {
    for (std::size_t at = 0; at < watched_.size(); ++at) {
      const readiness how = system_.ready(at);
      if (how == System::not_ready) continue;
      post(system_[at], watched_[at].identity, how);
      system_.mask(at);
    }
  }

  // Runs the watch, unless it was removed. While its callable runs, that is not in the list: it may
  // add and remove watches, its own included.
  void run(const watched& object, std::uint64_t identity, readiness how) {
    auto at = find(object);
    if (!at || watched_[*at].identity != identity) return;
    const watch_events events = System::events_of(how);
    watch f = std::move(watched_[*at].f);
    if (events.closed) {
      erase(*at);
      f(events);
      return;
    }
    struct put_back {
      watch_list& self;
      const watched& object;
      std::uint64_t identity;
      watch& f;
      ~put_back() {
        const auto place = self.find(object);
        if (!place || self.watched_[*place].identity != identity) return;
        self.watched_[*place].f = std::move(f);
        self.system_.unmask(*place);
      }
    } const after{*this, object, identity, f};
    f(events);
  }

 private:
  struct entry {
    std::uint64_t identity;
    watch f;
  };

  [[nodiscard]] std::optional<std::size_t> find(const watched& object) const noexcept {
    for (std::size_t at = 0; at < system_.size(); ++at)
      if (system_[at] == object) return at;
    return std::nullopt;
  }
  void erase(std::size_t at) noexcept {
    watch out = std::move(watched_[at].f);  // destroyed last: it may call the runner
    system_.erase(at);
    watched_.erase(watched_.begin() + static_cast<std::ptrdiff_t>(at));
  }

  System system_;
  std::vector<entry> watched_;  // the watch of system_[i]
  std::uint64_t next_ = 0;
};

}  // namespace fencepost::detail
