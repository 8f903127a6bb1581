// What runtimes record of their workers (worker_trace).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/when_all.hpp"
#include "fencepost/runtime/worker_trace.hpp"
#include "fencepost/sync/worker_sleep.hpp"
#include "message_of.hpp"
#include "trace_reader.hpp"

namespace fencepost {
namespace {

using namespace traces;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// A runtime that does not record has no trace, and pays nothing for it.
struct value_with_trace {
  int value;
  [[no_unique_address]] worker_trace<false> trace;
};
static_assert(std::is_empty_v<worker_trace<false>> && std::is_empty_v<worker_trace<false>::span>);
static_assert(sizeof(value_with_trace) == sizeof(int));
static_assert(!fork_join_features{}.trace && !traced_policy<default_atomics>);
static_assert(traced_policy<traced_atomics>);
static_assert(sizeof(void*) != 8 || sizeof(trace_event) == 32);
static_assert(sizeof(pool_core<>::worker) < sizeof(pool_core<traced_atomics>::worker));
static_assert(sizeof(worker_sleep<>) == sizeof(worker_sleep<traced_atomics>));
static_assert(std::is_same_v<decltype(thread_pool::span("")), worker_trace<false>::span>);

constexpr fork_join_features recorded{.statistics = true, .trace = true};
using traced_fork_join = basic_fork_join<recorded>;
using worker = traced_fork_join::worker;

TEST(worker_trace, the_last_events_are_kept_and_the_others_counted) {
  for (std::uint32_t room = 1; room < 6; ++room) {
    for (std::uint32_t events = 0; events < 20; ++events) {
      worker_trace<true> trace;
      trace.keep("w", room);
      for (std::uint32_t n = 0; n < events; ++n) trace.moment(trace_kind::wake, "wake", n);
      const thread_trace kept = trace.result();
      const std::uint32_t left = std::min(room, events);
      ASSERT_EQ(kept.events.size(), left);
      EXPECT_EQ(kept.lost, events - left);
      for (std::uint32_t n = 0; n < left; ++n) {
        EXPECT_EQ(kept.events[n].other, events - left + n);
        EXPECT_LE(kept.events[n == 0 ? 0 : n - 1].end, kept.events[n].end);
      }
    }
  }
}

TEST(worker_trace, room_for_nothing_is_refused) {
  thread_pool_options options;
  options.trace_events = 0;
  EXPECT_NO_THROW(thread_pool{options});
  EXPECT_THAT(message_of([&] { traced_thread_pool{options}; }), HasSubstr("trace_events is 0"));
  EXPECT_THROW(traced_fork_join({.trace_events = 0}), std::invalid_argument);
}

TEST(worker_trace, a_worker_that_sleeps_is_seen_with_the_one_that_wakes_it) {
  worker_sleep<traced_atomics> sleep{1, {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1}};
  worker_trace<true> sleeper, waker;
  sleeper.keep("sleeper", 100, &sleep);
  waker.keep("waker", 100, &sleep);
  std::thread asleep{[&] {
    traced_atomics::trace::current = &sleeper;
    core_latch<traced_atomics> latch;
    auto idle = sleep.start_looking(0);
    while (sleep.no_work_found(idle, latch, []() noexcept { return false; }) ==
           idle_result::look_again) {
    }
    sleep.work_found();
  }};
  while (sleep.counters().sleeping() == 0) std::this_thread::yield();
  traced_atomics::trace::current = &waker;
  while (!sleep.wake(0)) std::this_thread::yield();
  traced_atomics::trace::current = nullptr;
  asleep.join();
  const auto slept = sleeper.result().events, woke = waker.result().events;
  ASSERT_EQ(slept.size(), 1u);
  ASSERT_EQ(woke.size(), 1u);
  EXPECT_EQ(slept[0].kind, trace_kind::park);
  EXPECT_EQ(woke[0].kind, trace_kind::wake);
  EXPECT_EQ(woke[0].other, 0u);
  EXPECT_LE(slept[0].begin, woke[0].begin);
  EXPECT_LE(woke[0].end, slept[0].end);
}

TEST(thread_pool_trace, each_job_is_there_with_what_it_has_named) {
  traced_thread_pool pool{{.workers = 3}};
  constexpr int jobs = 200;
  for (int n = 0; n < jobs; ++n) {
    pool.post([] {
      const auto all = traced_thread_pool::span("all of it");
      const auto inner = traced_thread_pool::span("a part");
    });
  }
  pool.stop();
  const auto threads = read(written({pool.trace()}));
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(threads[0].name, "fencepost-0");
  EXPECT_EQ(threads[2].name, "fencepost-2");
  EXPECT_EQ(threads[1].process, "thread_pool");
  EXPECT_EQ(all_of(threads, "task").size(), jobs);
  EXPECT_EQ(all_of(threads, "span").size(), 2 * jobs);
  for (const auto& thread : threads) {
    for (std::size_t at = 0; at < thread.events.size(); ++at) {
      if (thread.events[at].name != "job") continue;
      ASSERT_LT(at + 2, thread.events.size());
      EXPECT_EQ(thread.events[at + 1].name, "all of it");
      EXPECT_EQ(thread.events[at + 2].name, "a part");
    }
  }
}

TEST(thread_pool_trace, a_steal_names_the_worker_that_is_robbed) {
  std::promise<void> stolen;
  traced_thread_pool pool{{.workers = 2}};
  pool.call([&] {
    pool.post([&] { stolen.set_value(); });  // is in the deque of this worker, which waits
    stolen.get_future().wait();
  });
  pool.stop();
  const auto threads = read(written({pool.trace()}));
  std::size_t steals = 0;
  for (const auto& thread : threads) {
    for (const auto& each : thread.events) {
      if (each.category != "steal") continue;
      ++steals;
      EXPECT_NE(each.arguments.at("from"), thread.name);
      EXPECT_THAT(thread.arrows_from, ElementsAre(each.arguments.at("from").get<std::string>()));
      EXPECT_THAT(each.arguments.at("from").get<std::string>(), HasSubstr("fencepost-"));
    }
  }
  EXPECT_EQ(steals, 1u);
}

TEST(thread_pool_trace, jobs_that_a_waiting_job_runs_lie_within_its_wait) {
  traced_thread_pool pool{{.workers = 1}};
  pool.call([&] {
    auto other = pool.submit([] {});
    const auto here = traced_thread_pool::span("wants it");
    other.get();
  });
  pool.stop();
  const auto threads = read(written({pool.trace()}));
  std::vector<std::string> names;
  for (const auto& each : threads.at(0).events) {
    if (each.category != "park" && each.category != "wake") names.push_back(each.name);
  }
  EXPECT_THAT(names, ElementsAre("job", "wants it", "wait", "job"));
}

TEST(thread_pool_trace, an_exception_ends_what_it_leaves) {
  traced_thread_pool pool{{.workers = 1}};
  auto thrown = pool.submit([] {
    const auto here = traced_thread_pool::span("throws");
    throw std::runtime_error{"of the job"};
  });
  EXPECT_THROW(thrown.get(), std::runtime_error);
  pool.stop();
  EXPECT_EQ(all_of(read(written({pool.trace()})), "span").size(), 1u);
}

TEST(thread_pool_trace, groups_and_what_follows_are_recorded) {
  traced_thread_pool pool{{.workers = 2}};
  basic_task_group tasks{pool};
  for (int n = 0; n < 10; ++n) tasks.run([] {});
  tasks.wait();
  auto both = when_all(pool.submit([] { return 1; }), pool.submit([] { return 2; }));
  EXPECT_EQ(std::move(both).then(pool, [](auto of) { return std::get<1>(of); }).get(), 2);
  pool.stop();
  EXPECT_EQ(all_of(read(written({pool.trace()})), "task").size(), 13u);
}

TEST(thread_pool_trace, of_more_events_than_there_is_room_for_the_last_are_left) {
  traced_thread_pool pool{{.workers = 1, .trace_events = 10}};
  for (int n = 0; n < 100; ++n) pool.post([] {});
  pool.stop();
  const auto trace = pool.trace();
  EXPECT_EQ(trace.threads.at(0).events.size(), 10u);
  EXPECT_GE(trace.threads.at(0).lost, 90u);
  EXPECT_EQ(all_of(read(written({trace})), "lost").at(0).arguments.at("events"),
            trace.threads.at(0).lost);
}

TEST(thread_pool_trace, is_there_once_the_pool_has_stopped) {
  traced_thread_pool pool{{.workers = 1}};
  EXPECT_THAT(message_of([&] { static_cast<void>(pool.trace()); }), HasSubstr("call stop()"));
  EXPECT_THROW(pool.call([&] { return pool.trace(); }), std::logic_error);
  pool.stop();
  EXPECT_NO_THROW(static_cast<void>(pool.trace()));
  EXPECT_EQ(written({pool.trace()}), written({pool.trace()}));
}

TEST(thread_pool_trace, a_span_elsewhere_is_nothing) {
  traced_thread_pool pool{{.workers = 1}};
  { const auto outside = traced_thread_pool::span("outside"); }
  { const auto untraced = thread_pool::span("untraced"); }
  pool.stop();
  EXPECT_THAT(all_of(read(written({pool.trace()})), "span"), IsEmpty());
}

TEST(thread_pool_trace, a_woken_worker_of_another_pool_is_not_named) {
  std::vector<event> wakes;
  while (wakes.empty()) {  // until the woken worker was asleep
    traced_thread_pool woken{{.workers = 1}}, pool{{.workers = 1}};
    pool.call([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
      woken.call([] {});
    });
    pool.stop();
    wakes = all_of(read(written({pool.trace()})), "wake");
  }
  EXPECT_FALSE(wakes.at(0).arguments.contains("thread")) << wakes.at(0).arguments;
}

TEST(fork_join_trace, each_steal_and_each_sleep_is_there) {
  traced_fork_join pool{{.workers = 3, .search = {.attempts = 1}}};
  while (pool.statistics().sleeps == 0) std::this_thread::yield();
  for (int times = 0; times < 5; ++times) {
    pool.run([](worker& me) {
      const auto here = me.span("sum");
      std::atomic<long> sum{0};
      parallel_for(me, 0, 1000, [&](int i) {
        if (i % 100 == 0) std::this_thread::yield();
        sum += i;
      });
      EXPECT_EQ(sum, 499'500);
    });
  }
  pool.stop();
  const auto counted = pool.statistics();
  const auto threads = read(written({pool.trace()}));
  ASSERT_EQ(threads.size(), 3u);
  EXPECT_EQ(threads[0].process, "fork_join");
  EXPECT_EQ(all_of(threads, "span").size(), 5u);
  EXPECT_EQ(all_of(threads, "steal").size(), counted.steals);
  EXPECT_EQ(all_of(threads, "task").size(), counted.steals + counted.external);
  EXPECT_EQ(all_of(threads, "park").size(), counted.sleeps);
  for (const auto& thread : threads) {
    for (const auto& each : thread.events) {
      if (each.category == "steal") {
        EXPECT_NE(each.arguments.at("from"), thread.name);
      }
    }
  }
}

TEST(fork_join_trace, a_worker_that_waits_for_a_thief_is_seen) {
  traced_fork_join pool{{.workers = 2}};
  pool.run([](worker& me) {
    std::atomic<bool> begun{false};
    auto other = me.spawn([&begun](worker& who) {
      const auto here = who.span("stolen");
      begun = true;
    });
    me.share();
    while (!begun) std::this_thread::yield();
    me.sync(other);
  });
  pool.stop();
  const auto threads = read(written({pool.trace()}));
  const auto waits = all_of(threads, "wait"), tasks = all_of(threads, "task");
  ASSERT_EQ(waits.size(), 1u);
  EXPECT_EQ(waits[0].name, "sync");
  ASSERT_EQ(tasks.size(), 2u);
  const auto& stolen = tasks[0].name == "task" ? tasks[0] : tasks[1];
  EXPECT_EQ(stolen.name, "task");
  EXPECT_LE(stolen.end, waits[0].end);
}

TEST(fork_join_trace, a_worker_that_wakes_another_is_seen) {
  traced_fork_join pool{{.workers = 2, .search = {.attempts = 1}}};
  pool.run([&](worker& me) {
    for (int times = 0; times < 2; ++times) {
      std::atomic<std::uint64_t> sleeps_before{0};
      std::atomic<bool> begun{false};
      auto other = me.spawn([&] {
        sleeps_before = pool.statistics().sleeps;
        begun = true;
      });
      me.share();
      while (!begun) std::this_thread::yield();
      me.sync(other);
      while (pool.statistics().sleeps == sleeps_before) std::this_thread::yield();
    }
  });
  pool.stop();
  const auto threads = read(written({pool.trace()}));
  const auto wakes = all_of(threads, "wake");
  ASSERT_FALSE(wakes.empty());
  EXPECT_EQ(wakes[0].arguments.count("thread"), 0u);  // the system chooses the thread
}

TEST(fork_join_trace, a_frame_is_a_task_of_each_worker) {
  traced_fork_join pool{{.workers = 3}};
  pool.run([](worker& me) { me.together([] {}); });
  pool.stop();
  std::size_t frames = 0;
  for (const auto& each : all_of(read(written({pool.trace()})), "task")) {
    frames += each.name == "frame";
  }
  EXPECT_EQ(frames, 3u);
}

TEST(fork_join_trace, is_there_once_the_pool_has_stopped) {
  traced_fork_join pool{{.workers = 1}};
  EXPECT_THAT(message_of([&] { static_cast<void>(pool.trace()); }), HasSubstr("call stop()"));
  EXPECT_THROW(pool.run([&] { static_cast<void>(pool.trace()); }), std::logic_error);
  pool.stop();
  EXPECT_EQ(pool.trace().threads.size(), 1u);
}

}  // namespace
}  // namespace fencepost
