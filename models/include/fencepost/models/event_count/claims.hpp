// The claims of the event count, one scenario each. No time-out fires, except in the scenarios of
// timed_waits.hpp: where a wake-up would depend on one, a thread waits for ever, which is a
// violation.
//
// Each scenario takes the event count as a template, so that faults.hpp can substitute a wrong one.
#pragma once

#include <atomic>

#include "fencepost/models/event_count/timed_waits.hpp"
#include "fencepost/models/event_count/work_pile.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models {

namespace event_count_scenarios {

template <class P, template <class> class EventCount>
struct wake_is_not_lost {
  static constexpr auto about =
      scenario{.name = "event_count/wake_is_not_lost",
               .threads = 2,
               .claim = "work published before a notify is never missed by a thread going to sleep",
               .timeouts = 0};
  EventCount<P> idle;
  work_pile<P> pile;
  typename P::template plain<int> work;
  void thread(unsigned index) {
    if (index == 0) {
      work.set(7);
      pile.add();
      idle.notify_one();
    } else {
      idle.await([&] { return pile.take() != 0; });
      require(work.get() == 7, "the work is fully published");
    }
  }
  void after() { require(idle.sleepers() == 0, "only sleeping threads are counted"); }
};

template <class P, template <class> class EventCount>
struct two_wakers {
  static constexpr auto about =
      scenario{.name = "event_count/two_wakers",
               .threads = 3,
               .claim = "a thread that sleeps between two items of work obtains both",
               .timeouts = 0,
               .symmetric = {.first = 1, .count = 2}};
  EventCount<P> idle;
  work_pile<P> pile;
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 2; ++item) {
        idle.await([&] { return pile.take() != 0; });
      }
    } else {
      pile.add();
      idle.notify_one();
    }
  }
  void after() { require(!pile.any(), "no work is left"); }
};

// Both sleepers are registered in before(): the scenarios above cover the registration.
template <class P, template <class> class EventCount>
struct work_for_two_sleepers {
  static constexpr auto about = scenario{
      .name = "event_count/work_for_two_sleepers",
      .threads = 3,
      .claim =
          "two calls of notify_one() wake two waiters, whichever threads go to sleep meanwhile",
      .spurious_wakeups = 0,
      .timeouts = 0,
      .symmetric = {.first = 1, .count = 2}};
  EventCount<P> idle;
  work_pile<P> pile;
  typename EventCount<P>::ticket first_seen{};  // the ticket of both sleepers
  void before() {
    for (unsigned sleeper = 0; sleeper < 2; ++sleeper) first_seen = idle.prepare_wait();
  }
  void thread(unsigned index) {
    if (index == 0) {
      for (unsigned item = 0; item < 2; ++item) {
        pile.add();
        idle.notify_one();
      }
    } else {
      for (auto seen = first_seen; pile.take() == 0; seen = idle.prepare_wait()) idle.wait(seen);
      idle.cancel_wait();
    }
  }
  void after() { require(!pile.any(), "no work is left"); }
};

// Thread 1 prepares to sleep and cancels, whether there is work or not.
template <class P, template <class> class EventCount>
struct cancel_keeps_the_wake_of_another {
  static constexpr auto about =
      scenario{.name = "event_count/cancel_keeps_the_wake_of_another",
               .threads = 3,
               .claim = "a cancelled wait consumes no other waiter's wake-up",
               .timeouts = 0};
  EventCount<P> idle;
  work_pile<P> pile;
  void thread(unsigned index) {
    if (index == 0) {
      pile.add();
      idle.notify_one();
    } else if (index == 1) {
      static_cast<void>(idle.prepare_wait());
      idle.cancel_wait();
    } else {
      idle.await([&] { return pile.take() != 0; });
    }
  }
  void after() { require(idle.sleepers() == 0, "only sleeping threads are counted"); }
};

// One notify for two items. A thread that takes an item and leaves one behind wakes another, and
// only then runs its item; neither item ends before both have been started.
template <class P, template <class> class EventCount, bool WakeFirst>
struct cascade {
  EventCount<P> idle;
  work_pile<P> pile;
  typename P::template atomic<unsigned> started{0};
  void thread(unsigned index) {
    if (index == 0) {
      pile.add(2);
      idle.notify_one();
      return;
    }
    unsigned found = 0;
    idle.await([&] { return (found = pile.take()) != 0; });
    if (WakeFirst && found > 1) idle.notify_one();
    run();
    if (!WakeFirst && found > 1) idle.notify_one();
  }
  void run() {
    started.fetch_add(1, std::memory_order_relaxed);
    while (started.load(std::memory_order_relaxed) < 2) P::spin_pause();
  }
};

template <class P, template <class> class EventCount>
struct cascade_reaches_everybody : cascade<P, EventCount, true> {
  static constexpr auto about = scenario{.name = "event_count/cascade_reaches_everybody",
                                         .threads = 3,
                                         .claim =
                                             "it suffices that a thread which leaves work behind "
                                             "wakes one waiter before running its own",
                                         .timeouts = 0,
                                         .symmetric = {.first = 1, .count = 2}};
};

template <class P, template <class> class EventCount>
struct stop_strands_nobody {
  static constexpr auto about =
      scenario{.name = "event_count/stop_strands_nobody",
               .threads = 3,
               .claim = "every waiter that is asleep or about to sleep observes the stop",
               .timeouts = 0,
               .symmetric = {.first = 1, .count = 2}};
  EventCount<P> idle;
  typename P::template atomic<bool> stop{false};
  void thread(unsigned index) {
    if (index == 0) {
      stop.store(true, std::memory_order_relaxed);
      idle.notify_all();
    } else {
      idle.await([&] { return stop.load(std::memory_order_relaxed); });
    }
  }
  void after() { require(idle.sleepers() == 0, "only sleeping threads are counted"); }
};

// Three roles: one publishes work, one stops, one sleeps.
template <class P, template <class> class EventCount>
struct stop_and_work {
  static constexpr auto about =
      scenario{.name = "event_count/stop_and_work",
               .threads = 3,
               .claim = "work published during a stop is not lost, and does not delay the stop",
               .timeouts = 0};
  EventCount<P> idle;
  work_pile<P> pile;
  typename P::template atomic<bool> stop{false};
  unsigned done = 0;  // written by the sleeper only
  void thread(unsigned index) {
    if (index == 0) {
      pile.add();
      idle.notify_one();
    } else if (index == 1) {
      stop.store(true, std::memory_order_relaxed);
      idle.notify_all();
    } else {
      while (!stop.load(std::memory_order_relaxed)) {
        idle.await([&] { return pile.any() || stop.load(std::memory_order_relaxed); });
        if (pile.take() != 0) ++done;
      }
    }
  }
  void after() { require(done + pile.take() == 1, "the work is done or is still there"); }
};

// An event count that reports how many notifies have observed a waiter.
template <class P, template <class> class EventCount>
struct counting_wakes : EventCount<P> {
  unsigned wakes() const { return this->sequence_.load(std::memory_order_relaxed); }
};

// Each side checks for the other once: has the waiter's last look observed the work, and has the
// notify observed the waiter?
template <class P, template <class> class EventCount>
struct one_sees_the_other {
  static constexpr known_outcome known[] = {
      {"1, 0", expect::allowed, "the notify came first: the waiter finds the work"},
      {"0, 1", expect::allowed, "the waiter came first: it is woken"},
      {"1, 1", expect::interesting, "each observes the other: a needless wake-up"},
      {"0, 0", expect::forbidden, "a lost wake-up: the waiter sleeps although there is work"}};
  static constexpr auto about =
      scenario{.name = "event_count/one_sees_the_other",
               .threads = 2,
               .claim = "either the waiter observes the work, or the notify observes the waiter",
               .timeouts = 0,
               .outcomes = known};
  counting_wakes<P, EventCount> idle;
  typename P::template atomic<unsigned> work{0};
  unsigned seen = 0;  // written by the sleeper only
  void thread(unsigned index) {
    if (index == 0) {
      work.store(1, std::memory_order_relaxed);
      idle.notify_one();
    } else {
      static_cast<void>(idle.prepare_wait());
      seen = work.load(std::memory_order_relaxed);
    }
  }
  void after() {
    outcome(seen, idle.wakes());
    idle.cancel_wait();
  }
};

}  // namespace event_count_scenarios

namespace detail {
template <template <class, template <class> class> class Scenario>
using on_event_count = with_word<Scenario, event_count>;
}  // namespace detail

using event_count_claims_list = scenario_list<
    detail::on_event_count<event_count_scenarios::wake_is_not_lost>::scenario,
    detail::on_event_count<event_count_scenarios::two_wakers>::scenario,
    detail::on_event_count<event_count_scenarios::work_for_two_sleepers>::scenario,
    detail::on_event_count<event_count_scenarios::cancel_keeps_the_wake_of_another>::scenario,
    detail::on_event_count<event_count_scenarios::cascade_reaches_everybody>::scenario,
    detail::on_event_count<event_count_scenarios::stop_strands_nobody>::scenario,
    detail::on_event_count<event_count_scenarios::stop_and_work>::scenario,
    detail::on_event_count<event_count_scenarios::timeout_leaves_nothing_behind>::scenario,
    detail::on_event_count<event_count_scenarios::ready_at_the_deadline>::scenario,
    detail::on_event_count<event_count_scenarios::one_sees_the_other>::scenario>;

}  // namespace fencepost::models
