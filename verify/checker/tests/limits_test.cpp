// Limits of the exploration: the first to be reached is named, and the result is never verified.
#include <atomic>
#include <chrono>
#include <regex>

#include "long_runs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

void many_executions() {
  integer x{0};
  in_threads(10, [&](unsigned) { x.fetch_add(1); });
}

TEST(limits, on_the_number_of_executions) {
  options o;
  o.max_executions = 1000;
  const result r = check(o, many_executions);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "max_executions");
  EXPECT_EQ(r.executions + r.blocked, 1000U);
  EXPECT_FALSE(r);
  EXPECT_LT(r.fraction, 1);
  EXPECT_NE(to_text(r).find("incomplete"), std::string::npos) << to_text(r);
  EXPECT_NE(to_text(r).find("max_executions"), std::string::npos) << to_text(r);
  EXPECT_EQ(to_text(r).find("exhaustive"), std::string::npos) << to_text(r);
}

TEST(limits, that_are_just_not_reached_leave_the_result_complete) {
  options o;
  o.max_executions = 6;
  const auto body = [] {
    integer x{0};
    in_threads(3, [&](unsigned) { x.fetch_add(1); });
  };
  const result r = check(o, body);
  EXPECT_EQ(r.executions, 6U);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  o.max_executions = 5;
  EXPECT_EQ(check(o, body).outcome, verdict::incomplete);
}

TEST(limits, on_time) {
  options o;
  o.timeout = std::chrono::milliseconds(30);
  const result r = check(o, many_executions);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "timeout");
  EXPECT_GE(r.seconds, 0.03);
}

TEST(limits, a_stop_flag_interrupts) {
  std::atomic<bool> stop{false};
  options o;
  o.stop = &stop;
  std::uint64_t graphs = 0;
  o.on_graph = [&](std::uint64_t) {
    if (++graphs == 100) stop = true;
  };
  const result r = check(o, many_executions);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_NE(r.limit, "");
  EXPECT_GE(r.executions, 100U);
}

TEST(limits, on_time_hold_within_a_long_run) {
  EXPECT_EQ(wrong_long_run_out_of_time(), "");
  EXPECT_EQ(wrong_long_resumed_run(), "");
}

TEST(limits, a_long_run_that_was_ended_is_made_again_in_the_next_sitting) {
  EXPECT_EQ(wrong_long_run_in_sittings(), "");
}

TEST(limits, a_stop_flag_interrupts_a_long_run) { EXPECT_EQ(wrong_long_run_told_to_stop(), ""); }

// Tests one limit of an execution: a program that just stays within it is verified; for one that
// exceeds it, the result is incomplete and says which limit it was, and where.
void just_within_and_beyond(const options& o, const char* limit,
                            const std::function<void(std::uint64_t)>& body, std::uint64_t most) {
  const result within = check(o, [&] { body(most); });
  EXPECT_EQ(within.outcome, verdict::verified) << to_text(within);
  EXPECT_EQ(within.limit, "");
  const result beyond = check(o, [&] { body(most + 1); });
  EXPECT_EQ(beyond.outcome, verdict::incomplete) << to_text(beyond);
  EXPECT_FALSE(beyond.violation);
  EXPECT_NE(beyond.limit.find(limit), std::string::npos) << beyond.limit;
  EXPECT_NE(beyond.limit.find("limits_test.cpp:"), std::string::npos) << beyond.limit;
  EXPECT_NE(to_text(beyond).find(limit), std::string::npos) << to_text(beyond);
}

void store_often(std::uint64_t times) {
  integer x{0};
  for (std::uint64_t i = 0; i < times; ++i) x.store(1, relaxed);
}

TEST(limits, on_the_events_of_a_thread) {
  options o;
  o.max_events = 700;
  just_within_and_beyond(o, "700 events in one execution (max_events", store_often, 700);
  just_within_and_beyond({}, "50000 events in one execution (max_events", store_often, 50'000);
}

// A loop that counts its turns has no end, but the executions grow beyond the first.
TEST(limits, on_the_events_of_a_thread_depend_on_the_first_execution) {
  const auto counted_loop = [](unsigned long most) {
    integer x{0};
    unsigned long turns = 0;
    in_threads(2, [&](unsigned i) {
      if (i == 0) return x.store(1, relaxed);
      while (x.load(relaxed) == 0 && turns < most) ++turns;
    });
  };
  const result endless = check({}, [&] { counted_loop(~0UL); });
  EXPECT_EQ(endless.outcome, verdict::incomplete);
  EXPECT_TRUE(std::regex_search(
      endless.limit, std::regex("reached 200[0-9] events in one execution \\(no more than [1-9] in "
                                "the first one; max_events allows up to 65533\\)")))
      << endless.limit;
  options o;
  o.max_events = 300;
  EXPECT_EQ(check(o, [&] { counted_loop(290); }).outcome, verdict::verified);
  // The first execution may be long.
  const result r = check({}, [] {
    integer x{0};
    in_threads(2, [&](unsigned i) {
      if (i == 0) return x.store(1, relaxed);
      store_often(3'000);
      static_cast<void>(x.load(relaxed));
    });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << r.limit;
}

TEST(limits, on_the_events_of_a_thread_cannot_be_raised_beyond_what_the_explorer_can_count) {
  options o;
  o.max_events = ~std::size_t{0};
  just_within_and_beyond(o, "65533 events in one execution (max_events", store_often, 65'533);
}

TEST(limits, on_the_memory_of_a_thread) {
  options o;
  o.memory_size = std::size_t{1} << 20U;
  // A block has a header, and the body itself uses some of the memory.
  const auto allocate = [](std::uint64_t kilobytes) {
    integer x{0};
    x.store(1);
    const std::vector<char> block(kilobytes << 10U);
  };
  just_within_and_beyond(o, "memory_size", allocate, 1023);
}

TEST(limits, on_steps_that_are_no_events) {
  const auto read_often = [](std::uint64_t times) {
    checked::plain<int> x{0};
    for (std::uint64_t i = 0; i < times; ++i) static_cast<void>(x.get());
  };
  just_within_and_beyond({}, "a million plain accesses", read_often, 999'999);
}

// What lies beyond a limit is not known, but what was found before is.
TEST(limits, of_an_execution_do_not_hide_a_violation_that_was_found_before) {
  options o;
  o.max_events = 100;
  o.keep_going = true;
  const result r = check(o, [] {
    integer x{0};
    in_threads(2, [&](unsigned i) {
      x.fetch_add(1);
      if (i == 0) require(x.load() == 2, "wrong in the first execution or a later one");
      if (i == 1 && x.load() == 1) store_often(200);
    });
  });
  EXPECT_EQ(r.outcome, verdict::violated) << to_text(r);
}

TEST(limits, a_violation_found_before_the_limit_is_told) {
  options o;
  o.max_executions = 1;
  const result r = check(o, [] { require(false, "wrong"); });
  EXPECT_EQ(r.outcome, verdict::violated);
}

TEST(limits, progress_is_told_while_it_runs) {
  options o;
  o.timeout = std::chrono::milliseconds(400);
  unsigned times = 0;
  o.on_progress = [&](const progress& p) {
    ++times;
    EXPECT_EQ(p.fraction, 0) << "nothing is estimated unless it is asked for";
    EXPECT_GT(p.executions, 0U);
  };
  const result r = check(o, many_executions);
  EXPECT_GE(times, 1U);
  EXPECT_EQ(r.outcome, verdict::incomplete);
}

TEST(keep_going, explores_on_after_a_violation) {
  options o;
  o.keep_going = true;
  const result r = check(o, [] {
    integer x{0};
    in_threads(3, [&](unsigned i) {
      if (x.fetch_add(1) == 2) require(i != 0, "the first thread is not the last");
    });
  });
  EXPECT_EQ(r.outcome, verdict::violated);
  EXPECT_EQ(r.executions, 4U) << "those that are right";
}

// The execution that is explored first does more than the violation needs.
TEST(shorten, finds_the_shortest_counterexample) {
  const auto body = [] {
    integer x{0}, y{0};
    in_threads(2, [&](unsigned i) {
      if (i == 1) {
        x.store(1);
      } else if (x.load() == 1) {
        for (int step = 0; step < 8; ++step) y.fetch_add(1);
        require(false, "broken after nine events");
      } else {
        require(false, "broken after two events");
      }
    });
  };
  options o;
  o.shorten = 100;
  const result longest = check({}, body), shortest = check(o, body);
  ASSERT_TRUE(longest.violation && shortest.violation);
  EXPECT_EQ(longest.violation->message, "broken after nine events");
  EXPECT_EQ(longest.violations, 1U);
  EXPECT_EQ(shortest.violation->message, "broken after two events");
  EXPECT_GE(shortest.violations, 2U);
  EXPECT_LT(shortest.violation->steps.size(), longest.violation->steps.size());
}

// Exploring all orders of ten threads would take hours.
TEST(shorten, ends_in_time) {
  const auto body = [] {
    many_executions();
    require(false, "wrong at the end of each execution");
  };
  options o;
  o.shorten = ~std::uint64_t{0};
  o.shorten_within = std::chrono::milliseconds(30);
  const result r = check(o, body);
  EXPECT_EQ(r.outcome, verdict::violated) << to_text(r);
  EXPECT_TRUE(r.limit.empty()) << r.limit;
  o.shorten_within = {};
  o.timeout = std::chrono::milliseconds(30);
  EXPECT_EQ(check(o, body).outcome, verdict::violated);
}

// In another order the violation may be found late, or never.
TEST(shorten, ends_in_time_where_nothing_is_violated) {
  const auto body = [] {
    integer x{0};
    bool first = false;
    in_threads(10, [&](unsigned i) {
      if (x.fetch_add(1) == 0) first = i == 0;
    });
    require(!first, "the first thread is the first");
  };
  options o;
  o.shorten = 1;
  o.shorten_within = std::chrono::milliseconds(30);
  EXPECT_EQ(check(o, body).outcome, verdict::violated);
}

}  // namespace
}  // namespace fencepost::verify::testing
