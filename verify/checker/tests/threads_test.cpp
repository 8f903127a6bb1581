// Model threads: creation and join anywhere, limits, misuse.
#include <stdexcept>
#include <utility>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;

TEST(threads, may_be_created_and_joined_by_threads) {
  const result r = check({}, [] {
    plain x{0};
    checked::thread outer([&] {
      x.set(1);
      checked::thread inner([&] { x.set(x.get() + 1); });
      inner.join();
      x.set(x.get() + 1);
    });
    outer.join();
    require(x.get() == 3);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1U);
  EXPECT_EQ(r.threads, 3U);
}

TEST(threads, nest_deeply) {
  struct nested {
    static void descend(integer& x, int depth) {
      x.fetch_add(1);
      if (depth == 0) return;
      checked::thread t([&x, depth] { descend(x, depth - 1); });
      t.join();
    }
  };
  EXPECT_EQ(found_in([] {
              integer x{0};
              nested::descend(x, 10);
              require(x.load(relaxed) == 11);
            }),
            violation::none);
}

TEST(threads, created_by_different_threads_run_concurrently) {
  const auto seen = outcomes_of({}, [] {
    integer x{0}, y{0};
    int a = -1, b = -1;
    in_threads(2, [&](unsigned i) {
      checked::thread t([&, i] {
        if (i == 0) {
          x.store(1, relaxed);
          a = y.load(relaxed);
        } else {
          y.store(1, relaxed);
          b = x.load(relaxed);
        }
      });
      t.join();
    });
    outcome(a, b);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"0, 0", "0, 1", "1, 0", "1, 1"}));
}

TEST(threads, created_only_in_some_executions) {
  const auto seen = outcomes_of({}, [] {
    integer x{0};
    int r = -1;
    concurrently([&] { x.store(1); },
                 [&] {
                   if (x.load() == 0) return;
                   checked::thread t([&] { x.store(2); });
                   r = x.load();
                   t.join();
                 });
    outcome(r, x.load());
  });
  EXPECT_EQ(seen, (std::set<std::string>{"-1, 1", "1, 2", "2, 2"}));
}

TEST(threads, results_are_seen_after_the_join) {
  EXPECT_EQ(found_in([] {
              plain results[3];
              in_threads(3, [&](unsigned i) { results[i].set(static_cast<int>(i) + 1); });
              require(results[0].get() + results[1].get() + results[2].get() == 6);
            }),
            violation::none);
  EXPECT_EQ(outcomes_of({},
                        [] {
                          integer x{0};
                          in_threads(
                              2, [&](unsigned i) { x.store(static_cast<int>(i) + 1, relaxed); });
                          outcome(x.load(relaxed));
                        }),
            (std::set<std::string>{"1", "2"}))
      << "the initial value is out of sight";
}

TEST(threads, what_came_before_the_creation_is_seen) {
  EXPECT_EQ(outcomes_of({},
                        [] {
                          integer x{0};
                          x.store(1, relaxed);
                          int r = -1;
                          checked::thread t([&] { r = x.load(relaxed); });
                          t.join();
                          outcome(r);
                        }),
            (std::set<std::string>{"1"}));
}

TEST(threads, may_be_joined_by_another_one_than_the_creator) {
  EXPECT_EQ(found_in([] {
              plain x{0};
              checked::thread first([&] { x.set(1); });
              checked::thread second([&] {
                first.join();
                require(x.get() == 1);
              });
              second.join();
            }),
            violation::none);
}

TEST(threads, can_be_moved) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              checked::thread a([&] { x.fetch_add(1); });
              require(a.joinable());
              checked::thread b(std::move(a));
              // NOLINTNEXTLINE(bugprone-use-after-move)
              require(!a.joinable() && b.joinable());
              a = std::move(b);
              a.join();
              require(!a.joinable() && x.load() == 1);
            }),
            violation::none);
}

TEST(threads, own_what_they_are_made_of) {
  EXPECT_EQ(found_in([] {
              integer watched{0};
              auto text = std::make_unique<std::string>(100, 'x');
              checked::thread t([&, mine = std::move(text)] {
                watched.store(1);
                require(mine->size() == 100);
              });
              t.join();
            }),
            violation::none);
}

// When an execution is run again, the joining thread waits for a thread that waits for another one,
// which can continue since the joining thread has reached its join.
TEST(threads, may_be_joined_after_they_have_met_the_joining_one) {
  const result r = check({}, [] {
    integer sum{0};
    const auto add = [&](int n) {
      int seen = sum.load(std::memory_order_relaxed);
      while (!sum.compare_exchange_weak(seen, seen + n)) {
      }
    };
    checked::thread first([&] { add(1); });
    checked::thread second([&] {
      add(2);
      add(4);
    });
    const int before = sum.exchange(0);
    first.join();
    second.join();
    require(before + sum.load() == 7);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  // Turns in which the exchange fails spuriously, or returns to a value that was expected before,
  // are left out.
  EXPECT_EQ(r.executions, 84U);
}

TEST(threads, that_nobody_joins_are_misuse) {
  const result r = check({}, [] { const checked::thread t([] {}); });
  ASSERT_EQ(found(r), violation::misuse) << to_text(r);
  EXPECT_NE(r.violation->message.find("join"), std::string::npos) << r.violation->message;
}

TEST(threads, that_are_joined_twice_are_misuse) {
  EXPECT_EQ(found_in([] {
              checked::thread t([] {});
              t.join();
              t.join();
            }),
            violation::misuse);
  EXPECT_EQ(found_in([] {
              checked::thread t;
              t.join();
            }),
            violation::misuse);
}

TEST(threads, that_join_each_other_wait_forever) {
  EXPECT_EQ(found_in([] {
              checked::thread a, b;
              integer go{0};
              a = checked::thread([&] {
                while (go.load(acquire) == 0) checked::spin_pause();
                b.join();
              });
              b = checked::thread([&] {
                while (go.load(acquire) == 0) checked::spin_pause();
                a.join();
              });
              go.store(1, release);
              while (go.load() != 2) checked::spin_pause();
            }),
            violation::liveness);
}

TEST(threads, that_join_themselves_wait_forever) {
  EXPECT_EQ(found_in([] {
              checked::thread a;
              integer go{0};
              a = checked::thread([&] {
                while (go.load(acquire) == 0) checked::spin_pause();
                a.join();
              });
              go.store(1, release);
              while (go.load() != 2) checked::spin_pause();
            }),
            violation::liveness);
}

TEST(threads, a_join_of_a_thread_that_waits_forever_names_the_waiting_one) {
  const result r = check({}, [] {
    integer x{0};
    checked::thread t([&] {
      while (x.load() == 0) checked::spin_pause();
    });
    t.join();
  });
  ASSERT_EQ(found(r), violation::liveness);
  EXPECT_EQ(r.violation->thread, 1U);
}

TEST(threads, up_to_sixty_three_beside_the_main_one) {
  for (const unsigned n : {15U, 16U, 17U, 63U}) {
    const result r = check({}, [n] {
      plain x[63];
      in_threads(n, [&](unsigned i) { x[i].set(1); });
      for (unsigned i = 0; i < n; ++i) require(x[i].get() == 1, "all have ended");
    });
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.threads, n + 1);
    EXPECT_EQ(r.executions, 1U);
  }
}

// Threads with large numbers, which clocks record elsewhere, behave as other threads do.
TEST(threads, with_great_numbers_have_the_same_executions) {
  for (const auto& programs : {programs_of_known_count(), programs_of_every_kind()})
    for (const known_program& p : programs)
      for (const unsigned idle : {13U, 20U}) EXPECT_EQ(wrong_count(after_threads(p, idle)), "");
}

TEST(threads, with_great_numbers_race) {
  const auto body = [](std::memory_order o) {
    return [o] {
      checked::atomic<int> ready{0};
      plain x{0};
      in_threads(20, [](unsigned) {});
      concurrently(
          [&] {
            x.set(1);
            ready.store(1, o);
          },
          [&] {
            if (ready.load(acquire) == 1) static_cast<void>(x.get());
          });
    };
  };
  EXPECT_EQ(found_in(body(release)), violation::none);
  EXPECT_EQ(found_in(body(relaxed)), violation::data_race);
}

// Each thread has a number of its own, even if those before it have ended.
TEST(threads, one_after_the_other) {
  const auto in_turn = [](unsigned n) {
    return [n] {
      plain x{0};
      for (unsigned i = 0; i < n; ++i) {
        checked::thread one([&] { x.set(x.get() + 1); });
        one.join();
      }
      require(x.get() == static_cast<int>(n), "each saw what those before it did");
    };
  };
  for (const unsigned n : {30U, 63U}) {
    const result r = check({}, in_turn(n));
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.executions, 1U);
  }
  const result beyond = check({}, in_turn(64));
  EXPECT_EQ(beyond.outcome, verdict::incomplete) << to_text(beyond);
  EXPECT_NE(beyond.limit.find("64 threads"), std::string::npos) << beyond.limit;
}

TEST(threads, beyond_the_limit_are_refused_clearly) {
  const result r = check({}, [] { in_threads(64, [](unsigned) {}); });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(r.limit.find("64 threads"), std::string::npos) << r.limit;
  const result most = check({}, [] { run_threads(~0U, [](unsigned) {}); });
  EXPECT_NE(most.limit.find("64 threads"), std::string::npos) << to_text(most);
}

TEST(threads, an_exception_that_leaves_one_is_found) {
  const result r = check({}, [] {
    checked::thread t([] { throw std::runtime_error("the message of the exception"); });
    t.join();
  });
  ASSERT_EQ(found(r), violation::exception) << to_text(r);
  EXPECT_EQ(r.violation->thread, 1U);
  EXPECT_NE(r.violation->message.find("the message of the exception"), std::string::npos);
}

TEST(threads, an_exception_that_is_caught_is_nobody_elses_business) {
  EXPECT_EQ(found_in([] {
              integer x{0}, caught{0};
              in_threads(2, [&](unsigned i) {
                try {
                  const int seen = x.fetch_add(1);
                  if (i == 0) throw std::runtime_error("thrown");
                  try {
                    x.fetch_add(1);
                    throw int{seen};
                  } catch (const int n) {
                    // A switch to another thread while an exception is being handled.
                    x.fetch_add(n);
                    throw;
                  }
                } catch (const std::runtime_error&) {
                  x.fetch_add(1);
                  caught.fetch_add(1);
                } catch (int) {
                  x.fetch_add(1);
                  caught.fetch_add(1);
                }
              });
              require(caught.load() == 2);
            }),
            violation::none);
}

}  // namespace
}  // namespace fencepost::verify::testing
