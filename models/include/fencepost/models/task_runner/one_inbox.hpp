// The inbox of a task runner whose event is weaker than any system's: a flag with relaxed orders,
// and no fence in the wait. No time-out ends a sleep, so a thread that misses a wake-up waits for
// ever.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

#include "fencepost/runtime/task_inbox.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::task_runner_scenarios {

template <class P>
class weak_event {
 public:
  void signal() { signalled_.store(1, std::memory_order_relaxed); }
  // For the runner: a poll() that sleeps; look() is what the runner does after each poll().
  void wait() {
    while (signalled_.load(std::memory_order_relaxed) == 0) P::spin_pause();
  }
  void look() {
    if (signalled_.load(std::memory_order_relaxed) != 0) clear();
  }
  void clear() { signalled_.exchange(0, std::memory_order_relaxed); }

 private:
  typename P::template atomic<unsigned> signalled_{0};
};

// An item: the data that its poster wrote before the post, and a flag that the item sets when it is
// moved to its slot in the queue: at that time its ticket is drawn, but it is not yet published. As
// large as task_runner's items, so that the queue's slabs have the same layout.
template <class P>
struct alignas(64) note {
  typename P::template plain<unsigned>* written;
  typename P::template atomic<bool>* drawn = nullptr;

  explicit note(typename P::template plain<unsigned>* by,
                typename P::template atomic<bool>* set = nullptr)
      : written(by), drawn(set) {}
  note(note&& other) noexcept : written(other.written), drawn(std::exchange(other.drawn, nullptr)) {
    if (drawn != nullptr) std::exchange(drawn, nullptr)->store(true, std::memory_order_relaxed);
  }
};

inline constexpr std::uint32_t slots = 2;

template <class P, std::uint32_t Slots>
struct runner_with_slabs_of {
  using wake = wake_point<P, weak_event<P>>;
  using inbox = task_inbox<note<P>, wake, P, Slots, 1>;

  // Takes turns like task_runner's, until `items` have arrived. Returns the sum of their data.
  static unsigned run(inbox& in, wake& point, unsigned items) {
    unsigned sum = 0;
    while (items != 0) {
      if (const auto item = in.pop()) {
        sum += item->written->get();
        --items;
        continue;
      }
      if (in.prepare_sleep()) point.event.wait();
      in.awake();
      point.event.look();
    }
    return sum;
  }
};

template <class P>
using runner = runner_with_slabs_of<P, slots>;
template <class P>
using runner_with_small_slabs = runner_with_slabs_of<P, 1>;

template <class P, template <class> class Runner>
struct one_inbox {
  typename Runner<P>::wake wake;
  typename Runner<P>::inbox inbox{wake};
  typename P::template plain<unsigned> written[2];

  void post(unsigned which, typename P::template atomic<bool>* drawn = nullptr) {
    written[which].set(which + 1);
    inbox.post(note<P>{&written[which], drawn});
  }
  unsigned run(unsigned items) { return Runner<P>::run(inbox, wake, items); }
};

}  // namespace fencepost::models::task_runner_scenarios
