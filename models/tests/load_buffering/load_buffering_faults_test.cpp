// Tests of the components against load buffering: an order that hands something over also prevents
// what comes before it from being observed after it. No scenario has plain data, so that nothing is
// wrong under rc20 without that order. Under xc20, each is violated without it, and holds with it.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include "fencepost/deque/task_slot.hpp"
#include "fencepost/models/chase_lev/items_obtained_once.hpp"
#include "fencepost/models/chase_lev/whole_items.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/queue/refcount_buckets.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/sync/barrier.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/rundown.hpp"
#include "fencepost/sync/worker_sleep.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::models {
namespace {

// Thread 0 reads something for the last time and hands it over; thread 1 writes it once it has it.
template <class P>
struct handed_over {
  void read_last() { seen_ = data_.load(std::memory_order_relaxed); }
  void write() { data_.store(1, std::memory_order_relaxed); }
  void after() { require(seen_ == 0, "it was read before it was handed over"); }

 private:
  typename P::template atomic<int> data_{0};
  int seen_ = 0;
};

template <class P>
struct read_inside : handed_over<P> {
  static constexpr auto about = scenario{.name = "rundown/read_inside"};
  rundown<P> entrance;
  void thread(unsigned index) {
    if (index == 1) {
      entrance.close();
      this->write();
    } else if (entrance.try_enter()) {
      this->read_last();
      entrance.leave();
    }
  }
};

template <class P>
struct read_before_completion : handed_over<P> {
  static constexpr auto about = scenario{.name = "completion/read_before_completion"};
  completion<P> done;
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      done.complete();
    } else {
      done.wait(0);
      this->write();
    }
  }
};

template <class P>
struct read_before_set : handed_over<P> {
  static constexpr auto about = scenario{.name = "core_latch/read_before_set"};
  core_latch<P> latch;
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      static_cast<void>(latch.set());
    } else if (latch.probe()) {
      this->write();
    }
  }
};

template <class P>
struct read_before_the_barrier : handed_over<P> {
  static constexpr auto about = scenario{.name = "barrier/read_before_the_barrier"};
  barrier<P> both{2, 1};
  void thread(unsigned index) {
    if (index == 0) this->read_last();
    both.wait();
    if (index == 1) this->write();
  }
};

template <class P>
struct read_before_the_task_is_done : handed_over<P> {
  static constexpr auto about = scenario{.name = "task_slot/read_before_the_task_is_done"};
  task_slot<int, P> slot;
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      slot.complete();
    } else if (slot.completed()) {
      this->write();
    }
  }
};

template <class P>
struct read_while_held : handed_over<P> {
  static constexpr auto about = scenario{.name = "refcount_buckets/read_while_held"};
  refcount_buckets<P, 1> counts;
  typename refcount_buckets<P, 1>::count* held = nullptr;
  void before() { held = &counts.hold(this); }
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      counts.drop(*held);
    } else if (counts.idle(this)) {
      this->write();
    }
  }
};

template <class P>
struct read_before_submission : handed_over<P> {
  static constexpr auto about = scenario{.name = "external_slots/read_before_submission"};
  external_slots<int, P, 1> slots;
  int record = 0;
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      static_cast<void>(slots.try_submit(record));
    } else if (slots.take() != nullptr) {
      this->write();
    }
  }
};

template <class P>
struct read_before_the_stop : handed_over<P> {
  static constexpr auto about = scenario{.name = "worker_sleep/read_before_the_stop"};
  worker_sleep<P> workers{1};
  void thread(unsigned index) {
    if (index == 0) {
      this->read_last();
      workers.stop();
    } else if (workers.stopping()) {
      this->write();
    }
  }
};

struct fault {
  std::string_view name;
  verify::result (*as_written)(const verify::options&);
  verify::result (*changed)(const verify::options&);
};

// Prints a fault for GoogleTest.
std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.name; }

template <template <class> class Claim, order_change Change>
constexpr fault without(std::string_view name) {
  using wrong = order_fault<"fault", Claim, Change, violation::assertion, "">;
  return {name, &verify::check_scenario<Claim<checked_atomics>>,
          &verify::check_scenario<typename wrong::template on<checked_atomics>>};
}

const fault faults[] = {
    without<chase_lev_scenarios::owner_steals_too, "chase_lev.hpp:full=relaxed">("chase_lev_full"),
    without<chase_lev_scenarios::result_comes_back, "chase_lev.hpp:take_last.back=relaxed">(
        "chase_lev_take_last_back"),
    without<read_inside, "rundown.hpp:leave=relaxed">("rundown_leave"),
    without<read_before_completion, "completion.hpp:complete=relaxed">("completion_complete"),
    without<read_before_completion, "completion.hpp:wake.done=relaxed">("completion_wake_done"),
    without<read_before_set, "core_latch.hpp:set=relaxed">("core_latch_set"),
    without<read_before_the_barrier, "barrier.hpp:arrive=acquire">("barrier_arrive"),
    without<read_before_the_task_is_done, "task_slot.hpp:complete=relaxed">("task_slot_complete"),
    without<read_while_held, "refcount_buckets.hpp:drop=relaxed">("refcount_buckets_drop"),
    without<read_before_submission, "external_slots.hpp:publish=relaxed">("external_slots_publish"),
    without<read_before_the_stop, "worker_sleep.hpp:stop=relaxed">("worker_sleep_stop"),
};

class load_buffering_faults : public ::testing::TestWithParam<fault> {};

TEST_P(load_buffering_faults, are_found_under_xc20_and_only_there) {
  verify::options xc20;
  xc20.model = verify::memory_model::xc20;
  const verify::result right = GetParam().as_written(xc20);
  EXPECT_EQ(right.outcome, verify::verdict::verified) << to_text(right);
  const verify::result unseen = GetParam().changed({});
  EXPECT_EQ(unseen.outcome, verify::verdict::verified) << to_text(unseen);
  const verify::result found = GetParam().changed(xc20);
  ASSERT_EQ(found.outcome, verify::verdict::violated) << to_text(found);
  EXPECT_NE(found.violation->message.find("(load buffering)"), std::string::npos) << to_text(found);
}

INSTANTIATE_TEST_SUITE_P(all, load_buffering_faults, ::testing::ValuesIn(faults),
                         [](const auto& f) { return std::string(f.param.name); });

}  // namespace
}  // namespace fencepost::models
