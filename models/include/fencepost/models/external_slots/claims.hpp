// The claims of the table of submissions, one scenario each. The scenarios in faults.hpp must be
// violated.
#pragma once

#include <cstddef>
#include <memory>

#include "fencepost/models/external_slots/record.hpp"
#include "fencepost/models/external_slots/table_history.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models {

namespace external_slots_scenarios {

// Takes records, scanning from slot `begin` on, until it has taken `count` of them.
template <class P, class Slots>
void take_all(Slots& slots, unsigned count, std::uint32_t begin = 0) {
  while (count > 0) {
    if (auto* taken = slots.take(begin)) {
      taken->times.set(taken->times.get() + 1);
      --count;
    } else {
      P::spin_pause();
    }
  }
}

template <class P>
struct each_record_once {
  static constexpr auto about = scenario{
      .name = "external_slots/each_record_once",
      .threads = 3,
      .claim = "a worker takes every record of two submitters exactly once, fully published"};
  external_slots<record<P>, P, 2> slots;
  record<P> records[2];
  void thread(unsigned index) {
    if (index == 2) {
      take_all<P>(slots, 2);
    } else {
      require(slots.try_submit(records[index]), "there is room");
    }
  }
  void after() {
    for (auto& r : records) require(r.times.get() == 1, "each record is taken exactly once");
    require(!slots.any() && slots.take() == nullptr, "no record is left");
  }
};

template <class P>
struct two_workers {
  static constexpr auto about =
      scenario{.name = "external_slots/two_workers",
               .threads = 3,
               .claim = "two workers that scan concurrently take every record, and none twice"};
  external_slots<record<P>, P, 2> slots;
  record<P> records[2];
  void thread(unsigned index) {
    if (index == 0) {
      for (auto& r : records) require(slots.try_submit(r), "there is room");
    } else {
      // Each scans twice, from its own slot on, and does not wait.
      for (unsigned look = 0; look < 2; ++look) {
        if (auto* taken = slots.take(index)) taken->times.set(taken->times.get() + 1);
      }
    }
  }
  void after() {
    take_rest();
    for (auto& r : records) require(r.times.get() == 1, "each record is taken exactly once");
    require(!slots.any(), "the count is the number of records");
  }
  void take_rest() {
    while (auto* taken = slots.take()) taken->times.set(taken->times.get() + 1);
  }
};

// One slot for two records: one of the threads is refused, unless the worker is faster.
template <class P>
struct full_table_loses_nothing {
  static constexpr auto about =
      scenario{.name = "external_slots/full_table_loses_nothing",
               .threads = 3,
               .claim = "a submitter that finds the table full and retries loses nothing",
               .symmetric = {.first = 0, .count = 2}};
  external_slots<record<P>, P, 1> slots;
  record<P> records[2];
  void thread(unsigned index) {
    if (index == 2) {
      take_all<P>(slots, 2);
    } else {
      while (!slots.try_submit(records[index])) P::spin_pause();
    }
  }
  void after() {
    for (auto& r : records) require(r.times.get() == 1, "each record is taken exactly once");
  }
};

// Two slots, one in use at first; the submitter finds the free one although it moves.
template <class P>
struct reserved_means_room {
  static constexpr auto about = scenario{
      .name = "external_slots/reserved_means_room",
      .threads = 3,
      .claim =
          "a submitter with a reservation finds a free slot, even if it moves during the search"};
  external_slots<record<P>, P, 2> slots;
  record<P> records[3];
  void before() { require(slots.try_submit(records[2]), "there is room"); }
  void thread(unsigned index) {
    if (index == 2) {
      take_all<P>(slots, 1);
    } else {
      while (!slots.try_submit(records[index])) P::spin_pause();
    }
  }
  void after() {
    take_all<P>(slots, 2);
    for (auto& r : records) require(r.times.get() == 1, "each record is taken exactly once");
  }
};

// A submission as it is meant to be used: a record on the submitter's stack, a worker that runs it.
template <class P>
struct job {
  typename P::template plain<int> argument{0};
  typename P::template plain<int> result{0};
  completion<P> done;
};

template <class P>
void run_job(job<P>& j) {
  j.result.set(j.argument.get() + 1);
  j.done.complete();  // from here on the record is the submitter's
}

template <class P>
struct round_trip {
  static constexpr auto about = scenario{.name = "external_slots/round_trip",
                                         .threads = 2,
                                         .claim =
                                             "the worker observes the task, the submitter the "
                                             "result, and may then destroy the record"};
  external_slots<job<P>, P, 2> slots;
  void thread(unsigned index) {
    if (index == 0) {
      const auto mine = std::make_unique<job<P>>();
      mine->argument.set(41);
      require(slots.try_submit(*mine), "there is room");
      mine->done.wait(0);
      require(mine->result.get() == 42, "the complete result is visible");
    } else {
      job<P>* taken = nullptr;
      while ((taken = slots.take()) == nullptr) P::spin_pause();
      run_job(*taken);
    }
  }
};

// Three roles: two submitters, and a worker that sleeps while there is nothing to do.
template <class P>
struct sleeping_worker_is_woken {
  static constexpr auto about =
      scenario{.name = "external_slots/sleeping_worker_is_woken",
               .threads = 3,
               .claim = "a worker that sleeps while the count is zero misses no submission",
               .timeouts = 0};
  external_slots<record<P>, P, 2> slots;
  event_count<P> idle;
  record<P> records[2];
  void thread(unsigned index) {
    if (index == 2) {
      for (unsigned taken = 0; taken < 2;) {
        idle.await([this] { return slots.any(); });
        if (auto* r = slots.take()) {
          r->times.set(1);
          ++taken;
        } else {
          P::spin_pause();  // reserved, and not yet published
        }
      }
    } else {
      require(slots.try_submit(records[index]), "there is room");
      idle.notify_one();
    }
  }
  void after() {
    for (auto& r : records) require(r.times.get() == 1, "each record is taken");
  }
};

}  // namespace external_slots_scenarios

using external_slots_claims_list = scenario_list<
    external_slots_scenarios::each_record_once, external_slots_scenarios::two_workers,
    external_slots_scenarios::full_table_loses_nothing,
    external_slots_scenarios::reserved_means_room, external_slots_scenarios::round_trip,
    external_slots_scenarios::sleeping_worker_is_woken, external_slots_scenarios::linearizable,
    external_slots_scenarios::linearizable_when_full>;

}  // namespace fencepost::models
