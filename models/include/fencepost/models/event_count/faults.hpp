// The event count without each of its fences and steps in turn: scenarios that must be violated. In
// each, a thread keeps sleeping although there is work.
#pragma once

#include <atomic>

#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models {

namespace event_count_faults {

using event_count_scenarios::cascade;
using event_count_scenarios::wake_is_not_lost;

enum class fault {
  no_second_look,   // the waiter does not search for work after it is counted
  late_sequence,    // the waiter reads the sequence after its search for work
  no_new_sequence,  // the notifier does not advance the sequence
  early_wake,       // the notifier advances the sequence after the system's wake
};

// The steps of event_count with one of them wrong.
template <class P, fault Fault>
struct faulty_event_count : event_count<P> {
  template <class Ready>
  bool await(Ready&& ready) {
    while (!ready()) {
      typename event_count<P>::ticket seen{this->read_sequence()};
      this->enter();
      if (Fault != fault::no_second_look && ready()) {
        this->leave();
        return true;
      }
      if (Fault == fault::late_sequence) seen = {this->read_sequence()};
      this->wait(seen);
    }
    return true;
  }
  void notify_one() {
    P::fence(std::memory_order_seq_cst);
    if (this->sleepers() == 0) return;
    if (Fault == fault::early_wake) P::futex_wake(this->sequence_, 1);
    if (Fault != fault::no_new_sequence) {
      this->sequence_.fetch_add(1, std::memory_order_release);
    }
    if (Fault != fault::early_wake) P::futex_wake(this->sequence_, 1);
  }
};

template <fault Fault>
struct with {
  template <class P>
  using count = faulty_event_count<P, Fault>;
};

template <class P>
struct no_second_look : wake_is_not_lost<P, with<fault::no_second_look>::count> {
  static constexpr auto about = scenario{
      .name = "event_count/no_second_look",
      .threads = 2,
      .claim = "a waiter that does not search again after it is counted misses earlier work",
      .expected = violation::liveness,
      .timeouts = 0};
};

template <class P>
struct late_sequence : wake_is_not_lost<P, with<fault::late_sequence>::count> {
  static constexpr auto about = scenario{
      .name = "event_count/late_sequence",
      .threads = 2,
      .claim = "a waiter that reads the sequence after its search for work misses a wake-up",
      .expected = violation::liveness,
      .timeouts = 0};
};

template <class P>
struct no_new_sequence : wake_is_not_lost<P, with<fault::no_new_sequence>::count> {
  static constexpr auto about =
      scenario{.name = "event_count/no_new_sequence",
               .threads = 2,
               .claim = "a wake that does not advance the sequence misses a waiter about to sleep",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct early_wake : wake_is_not_lost<P, with<fault::early_wake>::count> {
  static constexpr auto about =
      scenario{.name = "event_count/early_wake",
               .threads = 2,
               .claim = "a wake before the sequence advances misses a waiter about to sleep",
               .expected = violation::liveness,
               .timeouts = 0};
};

template <class P>
struct late_cascade : cascade<P, event_count, false> {
  static constexpr auto about = scenario{
      .name = "event_count/late_cascade",
      .threads = 3,
      .claim = "a thread that runs its own work before waking another may wait for that thread",
      .expected = violation::liveness,
      .timeouts = 0,
      .symmetric = {.first = 1, .count = 2}};
};

template <class P>
struct late_stop {
  static constexpr auto about =
      scenario{.name = "event_count/late_stop",
               .threads = 2,
               .claim = "a stop that is published after its notify strands a sleeping waiter",
               .expected = violation::liveness,
               .timeouts = 0};
  event_count<P> idle;
  typename P::template atomic<bool> stop{false};
  void thread(unsigned index) {
    if (index == 0) {
      idle.notify_all();
      stop.store(true, std::memory_order_relaxed);
    } else {
      idle.await([&] { return stop.load(std::memory_order_relaxed); });
    }
  }
};

}  // namespace event_count_faults

using event_count_faults_list = scenario_list<
    order_fault<"event_count/no_notify_fence",
                detail::on_event_count<event_count_scenarios::wake_is_not_lost>::scenario,
                "event_count.hpp:notify.fence=removed", violation::liveness,
                "without the fence in notify, it misses a waiter that missed the work">::on,
    order_fault<"event_count/no_register_fence",
                detail::on_event_count<event_count_scenarios::wake_is_not_lost>::scenario,
                "event_count.hpp:enter.fence=removed", violation::liveness,
                "without the fence after the count, a waiter misses the work and is missed by the "
                "notify">::on,
    order_fault<"event_count/seq_cst_count",
                detail::on_event_count<event_count_scenarios::wake_is_not_lost>::scenario,
                "event_count.hpp:enter.fence=removed", violation::liveness,
                "a seq_cst count does not replace the fence: the search for work is weaker",
                "event_count.hpp:enter=seq_cst">::on,
    event_count_faults::no_second_look, event_count_faults::late_sequence,
    event_count_faults::no_new_sequence, event_count_faults::early_wake,
    event_count_faults::late_cascade, event_count_faults::late_stop,
    order_fault<
        "event_count/neither_sees_the_other",
        detail::on_event_count<event_count_scenarios::one_sees_the_other>::scenario,
        "event_count.hpp:notify.fence=removed", violation::assertion,
        "without the fence in notify, waiter and notifier miss each other (store buffering)">::on>;

}  // namespace fencepost::models
