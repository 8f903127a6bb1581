// The runner on scenarios made for the test: it counts correctly, observes what can be observed,
// and survives whatever a scenario does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "fencepost/stress/stress_atomics.hpp"
#include "fencepost/stress/stress_run.hpp"

namespace fencepost::stress {
namespace {

using testing::HasSubstr;

options briefly(double seconds = 0.2) {
  options o;
  o.seconds = seconds;
  o.stuck_after = 1;
  return o;
}

std::uint64_t sum_of(const std::vector<seen_outcome>& outcomes) {
  return std::accumulate(outcomes.begin(), outcomes.end(), std::uint64_t{0},
                         [](std::uint64_t n, const seen_outcome& o) { return n + o.count; });
}

bool seen(const result& r, std::string_view outcome) {
  return std::any_of(r.outcomes.begin(), r.outcomes.end(),
                     [&](const seen_outcome& o) { return o.result == outcome; });
}

// Each thread runs once; before() runs first, and after() last.
template <class P, unsigned Threads>
struct all_come {
  static constexpr auto about = scenario{.name = "test/all_come", .threads = Threads};
  int came_before = 0;
  typename P::template atomic<unsigned> came{0};
  void before() { came_before = 1; }
  void thread(unsigned index) {
    require(came_before == 1, "before() comes first");
    came.fetch_add(1U << (8 * index), std::memory_order_relaxed);
  }
  void after() { outcome(came.load(std::memory_order_relaxed)); }
};

template <unsigned Threads>
void expect_all_to_come(unsigned expected) {
  for (const placement p : every_placement) {
    options o = briefly();
    o.placements = {p};
    const result r = run(subject_of<all_come<stress_atomics, Threads>>(), o);
    EXPECT_GT(r.samples, 0U) << to_string(p);
    EXPECT_TRUE(r.broken.empty()) << r.broken.front().what;
    ASSERT_EQ(r.outcomes.size(), 1U);
    EXPECT_EQ(r.outcomes[0].result, std::to_string(expected));
    EXPECT_EQ(r.outcomes[0].count, r.samples);
  }
}

TEST(run, each_thread_comes_once_an_instance) {
  expect_all_to_come<1>(1);
  expect_all_to_come<2>(1 + (1U << 8U));
  expect_all_to_come<3>(1 + (1U << 8U) + (1U << 16U));
  expect_all_to_come<4>(1 + (1U << 8U) + (1U << 16U) + (1U << 24U));
}

TEST(run, more_teams_than_processors_come_to_an_end) {
  options o = briefly();
  o.threads = 4 * processors::of_this_machine().count();
  const result r = run(subject_of<all_come<stress_atomics, 2>>(), o);
  EXPECT_GT(r.samples, 0U);
  EXPECT_EQ(sum_of(r.outcomes), r.samples);
}

// Each thread waits for the others in every instance, whichever comes first.
struct wait_for_each_other {
  static constexpr auto about = scenario{.name = "test/wait_for_each_other", .threads = 4};
  stress_atomics::atomic<unsigned> came{0};
  void thread(unsigned) {
    came.fetch_add(1, std::memory_order_relaxed);
    while (came.load(std::memory_order_relaxed) != 4) stress_atomics::spin_pause();
  }
};

TEST(run, threads_that_wait_for_each_other_get_on_however_few_processors_there_are) {
  for (const placement p : {placement::none, placement::same_core}) {
    options o = briefly();
    o.placements = {p};
    const result r = run(subject_of<wait_for_each_other>(), o);
    EXPECT_GT(r.samples, 0U) << to_string(p);
    EXPECT_TRUE(r.broken.empty());
  }
}

// A counter whose updates can be lost: that shows only if threads meet in an instance.
struct lost_update {
  static constexpr auto about = scenario{.name = "test/lost_update", .threads = 2};
  stress_atomics::atomic<int> count{0};
  void thread(unsigned) {
    count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  }
  void after() {
    const int n = count.load(std::memory_order_relaxed);
    require(n == 2, "no update is lost");
    outcome(n);
  }
};

TEST(run, threads_meet) {
  if (processors::of_this_machine().count() < 2) GTEST_SKIP() << "one processor";
#ifdef FENCEPOST_THREAD_SANITIZER
  GTEST_SKIP() << "an access is over before another one begins, nearly always";
#endif
  result r;
  // Two seconds are many times what it takes, unless other programs use the processors.
  for (int attempt = 0; attempt < 15 && !seen(r, "1"); ++attempt)
    r = run(subject_of<lost_update>(), briefly(2));
  EXPECT_TRUE(seen(r, "1")) << "of " << r.samples;
  ASSERT_EQ(r.broken.size(), 1U);
  EXPECT_EQ(r.broken[0].kind, violation::assertion);
  EXPECT_EQ(r.broken[0].what, "no update is lost");
  EXPECT_THAT(r.broken[0].file, HasSubstr("run_test.cpp"));
  EXPECT_GT(r.broken[0].line, 0U);
  const auto lost = std::find_if(r.outcomes.begin(), r.outcomes.end(),
                                 [](const seen_outcome& o) { return o.result == "1"; });
  EXPECT_EQ(r.broken[0].count, lost->count);
}

#ifdef FENCEPOST_THREAD_SANITIZER
// A message that is published with a fence, or without one.
template <bool Fenced>
struct message {
  static constexpr auto about = scenario{.name = "test/message", .threads = 2};
  alignas(8) int text = 0;
  alignas(8) stress_atomics::atomic<int> flag{0};
  void thread(unsigned index) {
    if (index == 0) {
      text = 1;
      if (Fenced) stress_atomics::fence(std::memory_order_release);
      flag.store(1, std::memory_order_relaxed);
    } else if (flag.load(std::memory_order_acquire) == 1) {
      outcome(text);
    }
  }
};

TEST(run, what_thread_sanitizer_reports_is_broken) {
  // This thread has clocks of its own, which must not end the processes.
  stress_atomics::atomic<int> used{0};
  used.store(1, std::memory_order_relaxed);
  const result silent = run(subject_of<message<true>>(), briefly(1));
  EXPECT_TRUE(silent.broken.empty()) << silent.broken.front().what;
  const result racy = run(subject_of<message<false>>(), briefly(1));
  ASSERT_EQ(racy.broken.size(), 1U);
  EXPECT_EQ(racy.broken[0].kind, violation::data_race);
  EXPECT_GT(racy.broken[0].count, 0U);
}
#endif

struct says_a_lot {
  static constexpr auto about = scenario{.name = "test/says_a_lot", .threads = 1};
  void thread(unsigned) {
    static unsigned n = 0;
    outcome(++n);
  }
};

TEST(run, outcomes_beyond_the_room_are_counted) {
  options o = briefly();
  o.threads = 1;
  const result r = run(subject_of<says_a_lot>(), o);
  EXPECT_TRUE(seen(r, "(any other)"));
  EXPECT_EQ(sum_of(r.outcomes), r.samples);
}

// One of the two threads goes wrong at its 1,000th call, in the manner of `Which`.
enum class fault { hangs, crashes, throws, exits };
template <fault Which>
struct goes_wrong {
  static constexpr auto about = scenario{.name = "test/goes_wrong", .threads = 2};
  void thread(unsigned index) {
    static unsigned n = 0;
    if (index != 1 || ++n != 1000) return;
    if (Which == fault::hangs) std::this_thread::sleep_for(std::chrono::hours(1));
    if (Which == fault::crashes) std::raise(SIGSEGV);
    if (Which == fault::throws) throw std::runtime_error("it had enough");
    if (Which == fault::exits) std::_Exit(7);
  }
  void after() { outcome(1); }
};

template <fault Which>
broken_claim what_comes_of() {
  const result r = run(subject_of<goes_wrong<Which>>(), briefly(60));
  EXPECT_TRUE(seen(r, "1")) << "what was counted before is lost";
  EXPECT_GT(r.samples, 0U);
  EXPECT_LT(r.seconds, 30);
  EXPECT_EQ(r.broken.size(), 1U);
  return r.broken.empty() ? broken_claim{} : r.broken[0];
}

TEST(run, a_scenario_that_hangs_is_stuck) {
  const broken_claim c = what_comes_of<fault::hangs>();
  EXPECT_EQ(c.kind, violation::liveness);
  EXPECT_EQ(c.what, "no thread has returned for 1 second: thread 1 in thread()");
}

TEST(run, a_scenario_that_crashes_is_reported) {
  const broken_claim c = what_comes_of<fault::crashes>();
  EXPECT_EQ(c.kind, violation::crash);
}

TEST(run, an_exception_is_reported) {
  const broken_claim c = what_comes_of<fault::throws>();
  EXPECT_EQ(c.kind, violation::exception);
  EXPECT_EQ(c.what, "it had enough");
}

TEST(run, a_scenario_that_ends_the_process_is_reported) {
  const broken_claim c = what_comes_of<fault::exits>();
  EXPECT_EQ(c.kind, violation::crash);
  EXPECT_THAT(c.what, HasSubstr("status 7"));
}

TEST(run, it_stops_when_it_is_asked_to) {
  std::atomic<bool> stop{false};
  options o = briefly(60);
  o.stop = &stop;
  const result r = run(subject_of<all_come<stress_atomics, 2>>(), o,
                       [&](std::uint64_t samples) { stop = samples != 0; });
  EXPECT_LT(r.seconds, 30);
  EXPECT_EQ(sum_of(r.outcomes), r.samples);
}

// Each scenario runs for at least one round, however short the time is.
TEST(run, one_round_at_least) {
  const result r = run(subject_of<all_come<stress_atomics, 2>>(), briefly(0));
  EXPECT_GT(r.samples, 0U);
}

}  // namespace
}  // namespace fencepost::stress
