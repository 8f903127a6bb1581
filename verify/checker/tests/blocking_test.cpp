// Primitives that block: mutex, condition variable, futex, the waiting of atomics.
#include <chrono>
#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;
using word = checked::atomic<std::uint32_t>;
using namespace std::chrono_literals;

const auto some_time = std::chrono::steady_clock::time_point{};

options without_timeouts() {
  options o;
  o.timeouts = 0;
  return o;
}

TEST(mutex, excludes) {
  const result r = check({}, [] {
    checked::mutex m;
    plain inside{0};
    in_threads(3, [&](unsigned) {
      m.lock();
      inside.set(inside.get() + 1);
      m.unlock();
    });
    require(inside.get() == 3);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 6U);
}

TEST(mutex, two_in_opposite_order_are_a_deadlock) {
  EXPECT_EQ(found_in([] {
              checked::mutex a, b;
              concurrently(
                  [&] {
                    const std::lock_guard first(a);
                    const std::lock_guard second(b);
                  },
                  [&] {
                    const std::lock_guard first(b);
                    const std::lock_guard second(a);
                  });
            }),
            violation::liveness);
  EXPECT_EQ(found_in([] {
              checked::mutex a, b;
              in_threads(2, [&](unsigned) {
                const std::lock_guard first(a);
                const std::lock_guard second(b);
              });
            }),
            violation::none);
}

TEST(mutex, a_thread_that_locks_twice_waits_for_itself) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              m.lock();
              m.lock();
            }),
            violation::liveness);
}

TEST(mutex, that_is_never_unlocked_blocks_the_next) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              in_threads(2, [&](unsigned) { m.lock(); });
            }),
            violation::liveness);
}

TEST(mutex, try_lock_fails_only_while_it_is_held) {
  const auto seen = outcomes_of({}, [] {
    checked::mutex m;
    bool a = false, b = false;
    concurrently(
        [&] {
          a = m.try_lock();
          if (a) m.unlock();
        },
        [&] {
          b = m.try_lock();
          if (b) m.unlock();
        });
    outcome(a, b);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"0, 1", "1, 0", "1, 1"}));
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              require(m.try_lock(), "free");
              checked::thread([&] { require(!m.try_lock(), "held by another thread"); }).join();
              m.unlock();
              require(m.try_lock(), "free again");
              m.unlock();
            }),
            violation::none);
}

TEST(mutex, try_lock_by_its_owner_is_misuse) {
  EXPECT_EQ(found_in_every_order([] {
              checked::mutex m;
              m.lock();
              static_cast<void>(m.try_lock());
              m.unlock();
            }),
            violation::misuse);
}

TEST(mutex, try_lock_synchronizes_with_the_unlock_before_it) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              plain x{0};
              in_threads(2, [&](unsigned) {
                if (!m.try_lock()) return;
                x.set(x.get() + 1);
                m.unlock();
              });
            }),
            violation::none);
}

TEST(mutex, unlock_by_another_thread_is_misuse) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              m.lock();
              checked::thread t([&] { m.unlock(); });
              t.join();
            }),
            violation::misuse);
}

TEST(mutex, unlock_of_a_free_one_is_misuse) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              m.unlock();
            }),
            violation::misuse);
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              m.lock();
              m.unlock();
              m.unlock();
            }),
            violation::misuse);
}

// ---------------------------------------------------------------------------------------------

enum class waits : std::uint8_t { with_predicate, with_if, without };

void signal_once(waits how, bool holds_the_mutex = true) {
  checked::mutex m;
  checked::condition_variable changed;
  plain ready{0};
  concurrently(
      [&] {
        std::unique_lock lock(m);
        if (how == waits::with_predicate) changed.wait(lock, [&] { return ready.get() == 1; });
        if (how == waits::with_if && ready.get() == 0) changed.wait(lock);
        if (how == waits::without) changed.wait(lock);
        require(ready.get() == 1, "what was waited for");
      },
      [&] {
        {
          const std::lock_guard lock(m);
          ready.set(1);
          if (holds_the_mutex) changed.notify_one();
        }
        if (!holds_the_mutex) changed.notify_one();
      });
}

TEST(condition_variable, with_a_predicate_is_right) {
  EXPECT_EQ(found_in([] { signal_once(waits::with_predicate); }), violation::none);
  EXPECT_EQ(found_in([] { signal_once(waits::with_predicate, false); }), violation::none);
}

TEST(condition_variable, wakes_spuriously) {
  EXPECT_EQ(found_in([] { signal_once(waits::with_if); }), violation::assertion);
  options o;
  o.spurious_wakeups = 0;
  EXPECT_EQ(found_in([] { signal_once(waits::with_if); }, o), violation::none);
}

TEST(condition_variable, forgets_a_notification_that_nobody_waits_for) {
  options o;
  o.spurious_wakeups = 0;
  EXPECT_EQ(found_in([] { signal_once(waits::without); }, o), violation::liveness);
}

TEST(condition_variable, a_change_outside_the_mutex_can_be_missed) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              checked::condition_variable changed;
              integer ready{0};
              concurrently(
                  [&] {
                    std::unique_lock lock(m);
                    changed.wait(lock, [&] { return ready.load() == 1; });
                  },
                  [&] {
                    ready.store(1);
                    changed.notify_one();
                  });
            }),
            violation::liveness);
}

TEST(condition_variable, notify_one_wakes_any_one_and_notify_all_wakes_all) {
  const auto body = [](bool all) {
    checked::mutex m;
    checked::condition_variable changed;
    int ready = 0;
    in_threads(3, [&](unsigned i) {
      std::unique_lock lock(m);
      if (i != 0) return changed.wait(lock, [&] { return ready == 1; });
      ready = 1;
      if (all)
        changed.notify_all();
      else
        changed.notify_one();
    });
  };
  EXPECT_EQ(found_in([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in([&] { body(false); }), violation::liveness) << "the second one sleeps on";
}

TEST(condition_variable, any_of_the_waiters_may_be_the_one_that_is_woken) {
  const auto seen = outcomes_of({}, [] {
    checked::mutex m;
    checked::condition_variable changed;
    int tokens = 0, first = -1, waiting = 0;
    in_threads(3, [&](unsigned i) {
      std::unique_lock lock(m);
      if (i != 2) {
        ++waiting;
        changed.wait(lock, [&] { return tokens > 0; });
        --tokens;
        if (first < 0) first = static_cast<int>(i);
        changed.notify_one();
      } else {
        tokens = 2;
        if (waiting < 2) first = 7;  // only executions in which both wait count
        changed.notify_one();
      }
    });
    outcome(first);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"0", "1", "7"}));
}

TEST(condition_variable, a_timed_wait_ends_in_either_way) {
  const auto seen = [](const options& o, bool notified) {
    return outcomes_of(o, [notified] {
      checked::mutex m;
      checked::condition_variable changed;
      std::cv_status status = std::cv_status::no_timeout;
      concurrently(
          [&] {
            std::unique_lock lock(m);
            status = changed.wait_for(lock, 1ms);
          },
          [&] {
            if (notified) changed.notify_one();
          });
      outcome(status == std::cv_status::timeout);
    });
  };
  options o;
  o.spurious_wakeups = 0;
  EXPECT_EQ(seen(o, true), (std::set<std::string>{"0", "1"}));
  EXPECT_EQ(seen(o, false), (std::set<std::string>{"1"}));
  o.spurious_wakeups = 1;
  EXPECT_EQ(seen(o, false), (std::set<std::string>{"0", "1"}));
}

TEST(condition_variable, holds_the_mutex_again_when_it_wakes) {
  EXPECT_EQ(found_in([] {
              checked::mutex m;
              checked::condition_variable changed;
              plain inside{0};
              in_threads(2, [&](unsigned i) {
                std::unique_lock lock(m);
                if (i == 0) static_cast<void>(changed.wait_until(lock, some_time));
                inside.set(inside.get() + 1);
                changed.notify_all();
              });
            }),
            violation::none);
}

// ---------------------------------------------------------------------------------------------

TEST(futex, a_wake_after_the_store_is_not_lost) {
  for (const auto store : {relaxed, release, seq_cst}) {
    EXPECT_EQ(found_in([store] {
                word w{0};
                concurrently(
                    [&] {
                      w.store(1, store);
                      checked::futex_wake(w, 1);
                    },
                    [&] {
                      while (w.load(relaxed) == 0) checked::futex_wait(w, 0);
                    });
              }),
              violation::none);
  }
}

TEST(futex, a_wake_before_the_store_is_lost) {
  EXPECT_EQ(found_in([] {
              word w{0};
              concurrently(
                  [&] {
                    checked::futex_wake(w, 1);
                    w.store(1);
                  },
                  [&] {
                    while (w.load() == 0) checked::futex_wait(w, 0);
                  });
            }),
            violation::liveness);
}

TEST(futex, a_wait_that_expects_what_is_no_longer_there_returns) {
  EXPECT_EQ(found_in([] {
              word w{1};
              require(checked::futex_wait(w, 0), "not a time-out");
            }),
            violation::none);
}

TEST(futex, whoever_waits_for_the_value_it_just_read_misses_the_wake) {
  // A wait without a comparison: it expects whatever value is there.
  EXPECT_EQ(found_in([] {
              word w{0};
              concurrently(
                  [&] {
                    w.store(1);
                    checked::futex_wake(w, 1);
                  },
                  [&] {
                    if (w.load() == 0) checked::futex_wait(w, w.load());
                  });
            }),
            violation::liveness);
}

TEST(futex, wakes_as_many_as_it_is_told) {
  const auto body = [](unsigned count) {
    word w{0};
    in_threads(3, [&](unsigned i) {
      if (i == 0) {
        w.store(1);
        checked::futex_wake(w, count);
      } else {
        while (w.load() == 0) checked::futex_wait(w, 0);
      }
    });
  };
  EXPECT_EQ(found_in([&] { body(2); }), violation::none);
  EXPECT_EQ(found_in([&] { body(~0U); }), violation::none);
  EXPECT_EQ(found_in([&] { body(1); }), violation::liveness);
}

// The first correct mutex of Drepper's "Futexes Are Tricky".
TEST(futex, a_mutex_of_three_states) {
  const auto body = [](bool remembers_sleepers) {
    word state{0};  // 0 free, 1 held, 2 held and somebody may sleep
    plain inside{0};
    in_threads(2, [&](unsigned) {
      std::uint32_t seen = 0;
      if (!state.compare_exchange_strong(seen, 1, acquire, relaxed)) {
        const std::uint32_t contended = remembers_sleepers ? 2 : 1;
        while (state.exchange(contended, acquire) != 0) checked::futex_wait(state, contended);
      }
      inside.set(inside.get() + 1);
      if (state.exchange(0, release) == 2) checked::futex_wake(state, 1);
    });
    require(inside.get() == 2);
  };
  EXPECT_EQ(found_in([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in([&] { body(false); }), violation::liveness);
}

TEST(futex, a_timed_wait_ends_in_either_way) {
  const auto body = [] {
    word w{0};
    bool woken = false;
    concurrently(
        [&] {
          w.store(1);
          checked::futex_wake(w, 1);
        },
        [&] { woken = checked::futex_wait(w, 0, some_time); });
    outcome(woken);
  };
  EXPECT_EQ(outcomes_of({}, body), (std::set<std::string>{"0", "1"}));
  EXPECT_EQ(outcomes_of(without_timeouts(), body), (std::set<std::string>{"1"}));
}

TEST(futex, a_wake_up_that_only_a_time_out_replaces_is_found_without_time_outs) {
  const auto body = [] {
    word w{0};
    concurrently([&] { w.store(1); },  // and no wake
                 [&] {
                   while (w.load() == 0) checked::futex_wait(w, 0, some_time);
                 });
  };
  EXPECT_EQ(found_in(body), violation::none);
  EXPECT_EQ(found_in(body, without_timeouts()), violation::liveness);
}

TEST(futex, two_words_do_not_wake_each_other) {
  EXPECT_EQ(found_in([] {
              word a{0}, b{0};
              concurrently(
                  [&] {
                    a.store(1);
                    checked::futex_wake(b, 1);
                  },
                  [&] {
                    while (a.load() == 0) checked::futex_wait(a, 0);
                  });
            }),
            violation::liveness);
}

TEST(atomic_wait, is_woken_by_notify) {
  for (const auto order : {relaxed, acquire, seq_cst}) {
    EXPECT_EQ(found_in([order] {
                integer x{0};
                concurrently(
                    [&] {
                      x.store(1, release);
                      x.notify_one();
                    },
                    [&] {
                      x.wait(0, order);
                      require(x.load(relaxed) == 1, "changed");
                    });
              }),
              violation::none);
  }
}

TEST(atomic_wait, hangs_without_notify) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently([&] { x.store(1); }, [&] { x.wait(0); });
            }),
            violation::liveness);
}

TEST(atomic_wait, notify_all_wakes_all) {
  const auto body = [](bool all) {
    integer x{0};
    in_threads(3, [&](unsigned i) {
      if (i != 0) return x.wait(0);
      x.store(1);
      if (all)
        x.notify_all();
      else
        x.notify_one();
    });
  };
  EXPECT_EQ(found_in([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in([&] { body(false); }), violation::liveness);
}

TEST(atomic_wait, is_no_synchronisation_by_itself) {
  const auto body = [](std::memory_order store, std::memory_order wait) {
    integer x{0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          x.store(1, store);
          x.notify_one();
        },
        [&] {
          x.wait(0, wait);
          static_cast<void>(data.get());
        });
  };
  EXPECT_EQ(found_in([&] { body(release, acquire); }), violation::none);
  EXPECT_EQ(found_in([&] { body(relaxed, relaxed); }), violation::data_race);
}

}  // namespace
}  // namespace fencepost::verify::testing
