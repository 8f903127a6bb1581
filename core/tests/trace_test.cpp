// What runtimes record of their workers (worker_trace), and how it is written (chrome_trace).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <future>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/runtime/chrome_trace.hpp"
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
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// Nothing is there unless it is asked for.
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

runtime_trace one_thread(std::vector<trace_event> events, std::uint64_t lost = 0) {
  return {"a runtime", {{"a thread", std::move(events), lost}}};
}

TEST(chrome_trace, an_empty_trace_is_a_file_without_events) {
  EXPECT_EQ(json::parse(written({})).at("traceEvents").size(), 0u);
  EXPECT_THAT(read(written({one_thread({})})), testing::SizeIs(1));
  EXPECT_THAT(read(written({{"no workers", {}}})), IsEmpty());
}

TEST(chrome_trace, times_are_microseconds_since_the_earliest_event_to_the_nanosecond) {
  constexpr std::int64_t base = std::int64_t{1} << 62;
  const std::string text = written({one_thread({{.begin = base, .end = base, .name = "first"},
                                                {.begin = base + 1'000'000'007,
                                                 .end = base + 2'000'000'107,
                                                 .name = "second",
                                                 .kind = trace_kind::task}})});
  for (const char* time : {"0.000", "1000000.007", "2000000.107"}) {
    EXPECT_THAT(text, HasSubstr("\"ts\":" + std::string{time})) << text;
  }
}

TEST(chrome_trace, the_language_of_the_stream_changes_no_number) {
  struct grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto trace = one_thread({{.begin = 0, .end = 1'234'567'890, .name = "long"}}, 12'345);
  std::ostringstream out;
  out.imbue(std::locale{std::locale::classic(), new grouped});
  write_chrome_trace(out, {trace});
  EXPECT_EQ(out.str(), written({trace}));
  EXPECT_THAT(out.str(), HasSubstr("\"ts\":1234567.890"));
}

TEST(chrome_trace, names_are_escaped) {
  auto trace = one_thread({{.name = "say \"a\\b\"\n\t\x01\x1f\x7f /"}});
  trace.name = "für ∀ 𝕏";
  trace.threads[0].name = "}],\"";
  const auto threads = read(written({trace}));
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0].process, "für ∀ 𝕏");
  EXPECT_EQ(threads[0].name, "}],\"");
  EXPECT_EQ(threads[0].events.at(0).name, "say \"a\\b\"\n\t\x01\x1f\x7f /");
}

TEST(chrome_trace, what_is_no_utf8_is_replaced) {
  const std::pair<const char*, const char*> names[] = {
      {"\xff", "\xEF\xBF\xBD"},
      {"\x80z", "\xEF\xBF\xBDz"},
      {"a\xc3", "a\xEF\xBF\xBD"},                                // the end is missing
      {"\xc3(", "\xEF\xBF\xBD("},                                // another follows
      {"\xc0\xaf", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // longer than needed
      {"\xe0\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // the same
      {"\xf0\x80\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},                  // a surrogate
      {"\xf4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // too large
      {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},                                  // the largest
      {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},  // beside the surrogates
  };
  for (const auto& [name, read_as] : names) {
    const auto threads = read(written({one_thread({{.name = name}})}));
    ASSERT_EQ(threads.size(), 1u);
    EXPECT_EQ(threads[0].events.at(0).name, read_as);
  }
}

TEST(chrome_trace, what_encloses_comes_first_at_the_same_moment) {
  // In the order of their ends, as they are recorded.
  const auto threads = read(written({one_thread({{.begin = 1, .end = 2, .name = "inner"},
                                                 {.begin = 1, .end = 4, .name = "middle"},
                                                 {.begin = 1, .end = 4, .name = "outer"}})}));
  ASSERT_EQ(threads.size(), 1u);
  std::vector<std::string> names;
  for (const auto& each : threads[0].events) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("outer", "middle", "inner"));
}

TEST(chrome_trace, what_begins_when_another_ends_lies_beside_it) {
  const auto threads = read(written({one_thread({{.begin = 1, .end = 2, .name = "a"},
                                                 {.begin = 2, .end = 2, .name = "b"},
                                                 {.begin = 2, .end = 3, .name = "c"},
                                                 {.begin = 1, .end = 3, .name = "all"}})}));
  ASSERT_EQ(threads.size(), 1u);
  std::vector<std::string> spans;
  for (const auto& each : threads[0].events) {
    spans.push_back(each.name + std::to_string(each.begin) + std::to_string(each.end));
  }
  EXPECT_THAT(spans, ElementsAre("all02", "a01", "c12", "b11"));
}

// Readers that look for the times with a parser of their own stop at what it does not know in a
// name.
TEST(chrome_trace, names_come_after_the_times) {
  const std::string text = written({one_thread({{.name = "\x01"}})});
  EXPECT_LT(text.find("\"ts\""), text.find("\\u0001"));
  EXPECT_THAT(written({one_thread({{.name = "\x7f"}})}), HasSubstr("\\u007f"));
}

TEST(chrome_trace, lost_events_are_an_event_where_the_rest_begins) {
  const auto threads = read(written({one_thread(
      {{.begin = 5, .end = 7, .name = "a"}, {.begin = 8, .end = 9, .name = "b"}}, 41)}));
  ASSERT_EQ(threads.size(), 1u);
  const auto lost = all_of(threads, "lost");
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].begin, 0);
  EXPECT_EQ(lost[0].arguments.at("events"), 41);
}

TEST(chrome_trace, an_arrow_leads_from_what_the_victim_ran_to_the_thief) {
  const auto steal = [](std::int64_t at, std::uint32_t from) {
    return trace_event{
        .begin = at, .end = at, .name = "steal", .other = from, .kind = trace_kind::steal};
  };
  const auto task = [](std::int64_t begin, std::int64_t end) {
    return trace_event{.begin = begin, .end = end, .name = "task", .kind = trace_kind::task};
  };
  runtime_trace two{"two",
                    {{"victim", {task(12, 14), task(10, 20), task(30, 40)}, 0},
                     {"thief",
                      {steal(10, 0), steal(13, 0), steal(14, 0), steal(19, 0),  // within a task
                       steal(9, 0), steal(20, 0), steal(25, 0), steal(40, 0),   // beside them
                       steal(15, 1), steal(15, 7)},                             // no other thread
                      0}}};
  for (int twice = 0; twice < 2; ++twice) {
    const auto threads = read(written({two, two}));
    ASSERT_EQ(threads.size(), 4u);
    for (const std::size_t thief : {1u, 3u}) {
      EXPECT_THAT(threads[thief].arrows_from, ElementsAre("victim", "victim", "victim", "victim"));
      EXPECT_THAT(threads[thief - 1].arrows_from, IsEmpty());
    }
    two.threads[0].events.pop_back();  // arrows leave after the last event has begun
  }
}

TEST(chrome_trace, a_stream_that_fails_is_an_error) {
  std::ostringstream out;
  out.setstate(std::ios_base::badbit);
  EXPECT_THAT(message_of([&] { write_chrome_trace(out, {}); }), HasSubstr("stream has failed"));
}

TEST(chrome_trace, a_file_is_replaced) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("fencepost_trace_" + std::to_string(std::random_device{}()) + ".json");
  const std::vector<runtime_trace> trace{one_thread({{.begin = 0, .end = 5, .name = "x"}})};
  for (int twice = 0; twice < 2; ++twice) {
    write_chrome_trace(path.string(), trace);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    EXPECT_EQ(text.str(), written(trace));
  }
  std::filesystem::remove(path);
}

TEST(chrome_trace, a_file_that_cannot_be_opened_is_named) {
  const std::string message =
      message_of([] { write_chrome_trace("/nowhere/at/all/run.json", {}); });
  EXPECT_THAT(message, HasSubstr("cannot open '/nowhere/at/all/run.json'"));
  EXPECT_THROW(write_chrome_trace("/nowhere/at/all/run.json", {}), std::system_error);
}

TEST(chrome_trace, a_file_without_room_is_named) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::vector<trace_event> many(10'000);
  for (const auto& trace : {one_thread({}), one_thread(many)}) {
    EXPECT_THAT(message_of([&] { write_chrome_trace("/dev/full", {trace}); }),
                HasSubstr("cannot write '/dev/full'"));
  }
}

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
    pool.post([&] { stolen.set_value(); });  // lies in the deque of this worker, which waits
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
  while (wakes.empty()) {  // until it was asleep
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
  EXPECT_EQ(wakes[0].arguments.count("thread"), 0u);  // the system chooses
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

TEST(chrome_trace, of_several_runtimes_are_processes_of_one_file) {
  std::vector<runtime_trace> traces;
  for (const char* name : {"first", "second"}) {
    traced_thread_pool pool{{.workers = 2, .name = {}}};
    pool.call([] {});
    pool.stop();
    traces.push_back(pool.trace());
    traces.back().name = name;
  }
  basic_fork_join<fork_join_features{.trace = true}> tasks{{.workers = 1, .name = "tasks"}};
  tasks.run([](auto& me) { static_cast<void>(me.index()); });
  tasks.stop();
  traces.push_back(tasks.trace());
  const auto threads = read(written(traces));
  std::vector<std::string> names;
  for (const auto& each : threads) names.push_back(each.process + ' ' + each.name);
  EXPECT_THAT(names, ElementsAre("first worker 0", "first worker 1", "second worker 0",
                                 "second worker 1", "fork_join tasks-0"));
}

}  // namespace
}  // namespace fencepost
