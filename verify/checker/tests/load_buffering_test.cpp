// How load-buffering races are reported (which executions have one: litmus_load_buffering_test).
#include <gtest/gtest.h>

#include <string_view>

#include "fencepost/verify/check.hpp"
#include "load_buffering_waits.hpp"

namespace fencepost::verify {
namespace {

using checked = checked_atomics;
constexpr auto relaxed = std::memory_order_relaxed;

// A lock whose critical section only reads; unlock() has the given order.
struct read_under_lock {
  checked::atomic<int> taken{0};
  checked::atomic<int> data{0};

  void lock() {
    while (taken.exchange(1, std::memory_order_acquire) != 0) checked::spin_pause();
  }
  void run(std::memory_order unlock) {
    run_threads(2, [&](unsigned index) {
      lock();
      if (index == 0)
        data.load(relaxed);
      else
        data.store(1, relaxed);
      taken.store(0, unlock);
    });
  }
};

TEST(load_buffering, a_lock_that_is_unlocked_with_release_has_no_race) {
  const result r = check({}, [] { read_under_lock{}.run(std::memory_order_release); });
  EXPECT_TRUE(holds_with_load_buffering(r));
  EXPECT_NE(to_text(r).find("no load-buffering race: holds under xc20"), std::string::npos)
      << to_text(r);
}

TEST(load_buffering, a_race_names_the_read_the_write_and_the_store_that_nothing_keeps) {
  const result r = check({}, [] {
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        a.load(relaxed);      // line 47
        b.store(1, relaxed);  // line 48
      } else if (b.load(relaxed) == 1) {
        a.store(1, relaxed);  // line 50
      }
    });
  });
  ASSERT_EQ(r.outcome, verdict::verified);
  EXPECT_FALSE(holds_with_load_buffering(r));
  ASSERT_EQ(r.load_buffering.size(), 1U);
  EXPECT_EQ(r.load_buffering[0].read.line, 47U);
  EXPECT_EQ(r.load_buffering[0].store.line, 48U);
  EXPECT_EQ(r.load_buffering[0].write.line, 50U);
  EXPECT_NE(to_text(r).find("1 load-buffering race: the read at load_buffering_test.cpp:47 may"),
            std::string::npos)
      << to_text(r);
}

// The races are those of the same accesses in several processes, from resume points and with
// symmetric threads.
TEST(load_buffering, races_are_the_same_however_they_are_found) {
  const auto body = [] { read_under_lock{}.run(relaxed); };
  const result one = check({}, body);
  ASSERT_EQ(one.outcome, verdict::verified);
  EXPECT_FALSE(one.load_buffering.empty());
  options two_processes;
  two_processes.jobs = 2;
  EXPECT_EQ(check(two_processes, body).load_buffering, one.load_buffering);
  options resumed;
  resumed.resume_points = true;
  EXPECT_EQ(check(resumed, body).load_buffering, one.load_buffering);

  const auto symmetric = [] {
    checked::atomic<int> x{0}, y{0}, z{0};
    run_threads(3, [&](unsigned index) {
      if (index < 2) {
        x.load(relaxed);
        y.store(1, relaxed);
        z.load(relaxed);
      } else {
        y.load(relaxed);
        x.store(1, relaxed);
      }
    });
  };
  options all;
  const result every = check(all, symmetric);
  all.symmetric = {.first = 0, .count = 2};
  const result classes = check(all, symmetric);
  EXPECT_LT(classes.executions, every.executions);
  EXPECT_EQ(classes.load_buffering, every.load_buffering);
}

// The path leads through a thread that another one creates.
TEST(load_buffering, the_creation_of_a_thread_leads_to_what_it_writes) {
  const result r = check({}, [] {
    checked::atomic<int> x{0}, y{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        x.load(relaxed);
        y.store(1, relaxed);
      } else if (y.load(relaxed) == 1) {
        checked::thread child([&] { x.store(1, relaxed); });
        child.join();
      }
    });
  });
  ASSERT_EQ(r.outcome, verdict::verified);
  EXPECT_EQ(r.load_buffering.size(), 1U);
}

TEST(load_buffering, who_waits_for_a_mutex_reads_nothing_from_the_future) {
  const result r = check({}, testing::take_a_mutex);
  EXPECT_TRUE(holds_with_load_buffering(r)) << to_text(r);
}

}  // namespace
}  // namespace fencepost::verify
