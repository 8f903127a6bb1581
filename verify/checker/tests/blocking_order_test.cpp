// What wakes and waits order, which is no more than their documentation says.
#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using word = checked::atomic<std::uint32_t>;
using plain = checked::plain<int>;

const std::set<std::string> all_four = {"0, 0", "0, 1", "1, 0", "1, 1"};

// Two threads each store, call `between`, and load what the other one stores.
template <class Between>
std::set<std::string> store_buffering(memory_model m, Between between) {
  return outcomes_of(under(m), [&] {
    word x{0}, y{0};
    std::uint32_t a = 0, b = 0;
    concurrently(
        [&] {
          x.store(1, relaxed);
          between(x, y);
          a = y.load(relaxed);
        },
        [&] {
          y.store(1, relaxed);
          between(y, x);
          b = x.load(relaxed);
        });
    outcome(a, b);
  });
}

TEST(blocking_order, a_notification_is_no_fence) {
  for (const memory_model m : all_models) {
    EXPECT_EQ(store_buffering(m, [](word& mine, word&) { mine.notify_one(); }), all_four);
    EXPECT_EQ(store_buffering(m, [](word& mine, word&) { mine.notify_all(); }), all_four);
    EXPECT_EQ(store_buffering(m, [](word&, word& other) { other.notify_one(); }), all_four);
    EXPECT_EQ(store_buffering(m, [](word& mine, word&) { checked::futex_wake(mine, 1); }),
              all_four);
    EXPECT_EQ(store_buffering(m, [](word&, word& other) { checked::futex_wake(other, 1); }),
              all_four);
  }
}

// The same, but both threads do something to one object in between.
template <class Common, class First, class Second>
std::set<std::string> store_buffering_around(First first, Second second) {
  return outcomes_of({}, [&] {
    Common common{};
    integer x{0}, y{0};
    int a = 0, b = 0;
    concurrently(
        [&] {
          x.store(1, relaxed);
          first(common);
          a = y.load(relaxed);
        },
        [&] {
          y.store(1, relaxed);
          second(common);
          b = x.load(relaxed);
        });
    outcome(a, b);
  });
}

constexpr auto notify_one = [](auto& waited_for) { waited_for.notify_one(); };
constexpr auto notify_all = [](auto& waited_for) { waited_for.notify_all(); };

TEST(blocking_order, one_notified_by_both_is_no_fence_either) {
  EXPECT_EQ(store_buffering_around<integer>(notify_one, notify_one), all_four);
}

TEST(blocking_order, a_condition_variable_notified_by_both_is_no_fence) {
  EXPECT_EQ(store_buffering_around<checked::condition_variable>(notify_one, notify_all), all_four);
}

TEST(blocking_order, a_wait_that_does_not_wait_is_no_fence) {
  for (const memory_model m : all_models) {
    EXPECT_EQ(store_buffering(m, [](word& mine, word&) { mine.wait(0, relaxed); }), all_four);
    EXPECT_EQ(store_buffering(m, [](word& mine, word&) { checked::futex_wait(mine, 0); }),
              all_four);
  }
}

// Even with the program's own fences, and the hidden lock between them, nothing is ordered.
TEST(blocking_order, fences_around_a_notification_do_not_make_it_one) {
  const auto seen = outcomes_of({}, [] {
    integer x{0}, common{0};
    int a = 0;
    concurrently(
        [&] {
          x.store(1, relaxed);
          checked::fence(release);
          common.notify_one();
        },
        [&] {
          common.notify_one();
          checked::fence(acquire);
          a = x.load(relaxed);
        });
    outcome(a);
  });
  EXPECT_EQ(seen, (std::set<std::string>{"0", "1"}));
}

// The woken thread knows nothing of what the waker did, not even with fences on both sides.
TEST(blocking_order, to_be_woken_synchronizes_with_nothing) {
  const auto body = [](bool fences, bool by_futex) {
    plain data{0};
    word x{0};
    concurrently(
        [&] {
          data.set(1);
          if (fences) checked::fence(seq_cst);
          checked::futex_wake(x, 1);
          if (by_futex) return;
          x.store(1, relaxed);
          x.notify_one();
        },
        [&] {
          if (by_futex) {
            if (!checked::futex_wait(x, 0, std::chrono::steady_clock::time_point{})) return;
          } else {
            x.wait(0, relaxed);
          }
          if (fences && by_futex) checked::fence(seq_cst);
          static_cast<void>(data.get());
        });
  };
  for (const bool fences : {false, true}) {
    EXPECT_EQ(found_in_every_order([&] { body(fences, false); }), violation::data_race);
    EXPECT_EQ(found_in_every_order([&] { body(fences, true); }), violation::data_race);
  }
}

TEST(blocking_order, a_condition_variable_without_its_mutex_synchronizes_with_nothing) {
  options o;
  o.spurious_wakeups = 0;
  EXPECT_EQ(found_in_every_order(
                [] {
                  checked::mutex m;
                  checked::condition_variable changed;
                  plain data{0};
                  concurrently(
                      [&] {
                        std::unique_lock lock(m);
                        static_cast<void>(changed.wait_for(lock, std::chrono::seconds(1)));
                        static_cast<void>(data.get());
                      },
                      [&] {
                        data.set(1);
                        changed.notify_one();
                      });
                },
                o),
            violation::data_race);
}

// ---- Dekker: each of two says that it is there, then looks at the other ----

// An event count without fences: the waiter counts itself, then checks the word; the other thread
// stores, notifies something else, and checks whether a waiter is counted.
template <class Between>
void dekker_sleep(Between between) {
  word ready{0}, sleepers{0}, other{0};
  concurrently(
      [&] {
        sleepers.store(1, relaxed);
        between(other);
        while (ready.load(relaxed) == 0) checked::futex_wait(ready, 0);
      },
      [&] {
        ready.store(1, relaxed);
        between(other);
        if (sleepers.load(relaxed) != 0) checked::futex_wake(ready, 1);
      });
}

TEST(blocking_order, dekker_by_notifications_loses_the_wake_up) {
  EXPECT_EQ(found_in_every_order([] { dekker_sleep([](word& w) { w.notify_one(); }); }),
            violation::liveness);
  EXPECT_EQ(found_in_every_order([] { dekker_sleep([](word& w) { checked::futex_wake(w, 1); }); }),
            violation::liveness);
  EXPECT_EQ(found_in_every_order([] { dekker_sleep([](word&) { checked::fence(seq_cst); }); }),
            violation::none);
}

TEST(blocking_order, dekker_by_notifications_excludes_nobody) {
  const auto body = [](bool fence) {
    integer here[2] = {0, 0}, bell{0};
    plain inside{0};
    in_threads(2, [&](unsigned i) {
      here[i].store(1, relaxed);
      bell.notify_one();
      if (fence) checked::fence(seq_cst);
      if (here[1 - i].load(relaxed) == 0) inside.set(inside.get() + 1);
    });
  };
  EXPECT_EQ(found_in_every_order([&] { body(false); }), violation::data_race);
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::none);
}

// ---- What is made sure of ----

TEST(blocking_order, a_wait_after_a_wake_sees_what_the_waker_stored_before) {
  for (const memory_model m : all_models) {
    for (const auto order : {relaxed, release, seq_cst}) {
      EXPECT_EQ(found_in_every_order(
                    [&] {
                      integer x{0};
                      in_threads(3, [&](unsigned i) {
                        if (i != 0) return x.wait(0, relaxed);
                        x.store(1, order);
                        x.notify_all();
                      });
                    },
                    under(m)),
                violation::none);
    }
  }
}

// A notification does not cover a store that the notifying thread has merely read: the standard
// requires that the store happens before the notification. Linux's futex is a memory barrier on
// either side, as far as its own word is concerned: the wait observes what the waker has read.
TEST(blocking_order, a_notification_is_for_what_happens_before_it) {
  const auto body = [](bool futex, std::memory_order seen) {
    word x{0};
    concurrently([&] { x.store(1, release); },
                 [&] {
                   while (x.load(seen) == 0) checked::spin_pause();
                   if (futex)
                     checked::futex_wake(x, 1);
                   else
                     x.notify_one();
                 },
                 [&] {
                   if (!futex) return x.wait(0, relaxed);
                   while (x.load(relaxed) == 0) checked::futex_wait(x, 0);
                 });
  };
  EXPECT_EQ(found_in_every_order([&] { body(false, acquire); }), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(false, relaxed); }), violation::liveness);
  EXPECT_EQ(found_in_every_order([&] { body(true, relaxed); }), violation::none);
}

// A thread is "eligible to be unblocked" if it waits for a value that is no longer the latest.
TEST(blocking_order, a_notification_goes_to_one_that_can_go_on) {
  EXPECT_EQ(found_in_every_order([] {
              integer x{0};
              concurrently(
                  [&] {
                    x.wait(0, relaxed);
                    x.store(2, relaxed);
                    x.notify_all();
                  },
                  [&] { x.wait(1, relaxed); },  // may wait on the value that is notified
                  [&] {
                    x.store(1, relaxed);
                    x.notify_one();
                  });
            }),
            violation::none);
}

TEST(blocking_order, an_atomic_and_a_futex_do_not_wake_each_other) {
  const auto body = [](bool waits_by_futex) {
    word x{0};
    concurrently(
        [&] {
          if (!waits_by_futex) return x.wait(0);
          while (x.load() == 0) checked::futex_wait(x, 0);
        },
        [&] {
          x.store(1);
          if (waits_by_futex)
            x.notify_all();
          else
            checked::futex_wake(x, 1);
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::liveness);
  EXPECT_EQ(found_in_every_order([&] { body(false); }), violation::liveness);
}

// ---- Early returns ----

TEST(futex_returns_early, for_no_reason) {
  const auto body = [] {
    word w{0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          w.store(1, release);
          checked::futex_wake(w, 1);
        },
        [&] {
          if (w.load(acquire) == 0) checked::futex_wait(w, 0);  // an if instead of a while
          while (w.load(acquire) == 0) require(false, "woken, so it is there");
        });
  };
  EXPECT_EQ(found_in_every_order(body), violation::assertion);
}

// A woken thread is not told why: what it reads next may still be old, but what the next wait
// compares is not.
TEST(futex_returns_early, as_often_as_the_budget_says) {
  const auto body = [] {
    word w{0};
    int early = 0;
    concurrently(
        [&] {
          w.store(1, relaxed);
          checked::futex_wake(w, 1);
        },
        [&] {
          while (w.load(relaxed) == 0) {
            checked::futex_wait(w, 0);
            ++early;
          }
        });
    outcome(early);
  };
  options o;
  o.spurious_wakeups = 0;
  EXPECT_EQ(outcomes_of(o, body), (std::set<std::string>{"0", "1", "2"}));
  o.spurious_wakeups = 2;
  EXPECT_EQ(outcomes_of(o, body), (std::set<std::string>{"0", "1", "2", "3", "4"}));
}

TEST(atomic_wait_returns, only_when_the_value_has_changed) {
  options o;
  o.spurious_wakeups = 3;
  EXPECT_EQ(found_in_every_order(
                [] {
                  integer x{0};
                  concurrently(
                      [&] {
                        x.store(1, relaxed);
                        x.notify_one();
                      },
                      [&] {
                        x.wait(0, relaxed);
                        require(x.load(relaxed) == 1, "changed");
                      });
                },
                o),
            violation::none);
}

// A wait that was notified may still report a time-out: a caller that takes this for "nobody has
// notified me" loses the notification.
TEST(condition_variable_times_out, also_when_it_was_notified) {
  options o;
  o.spurious_wakeups = 0;
  const auto seen = outcomes_of(o, [] {
    checked::mutex m;
    checked::condition_variable changed;
    bool ready = false;
    std::cv_status status = std::cv_status::no_timeout;
    concurrently(
        [&] {
          std::unique_lock lock(m);
          if (!ready) status = changed.wait_for(lock, std::chrono::seconds(1));
          outcome(status == std::cv_status::timeout, ready);
        },
        [&] {
          const std::lock_guard lock(m);
          ready = true;
          changed.notify_one();
        });
  });
  EXPECT_EQ(seen, (std::set<std::string>{"0, 1", "1, 0", "1, 1"}));
}

// ---- What several threads record ----

TEST(outcome_of_threads, is_in_the_order_of_the_threads) {
  for (const std::vector<unsigned>& order :
       std::vector<std::vector<unsigned>>{{0, 1, 2}, {0, 2, 1}, {2, 1, 0}, {1, 2, 0}}) {
    options o;
    o.priorities = order;
    const auto seen = outcomes_of(o, [] {
      integer x{0};
      in_threads(2, [&](unsigned i) {
        outcome(static_cast<int>(i), x.exchange(1, relaxed));
        outcome("end");
      });
    });
    EXPECT_EQ(seen, (std::set<std::string>{"0, 0; end; 1, 1; end", "0, 1; end; 1, 0; end"}));
  }
}

TEST(outcome_of_threads, of_threads_of_threads_as_well) {
  std::set<std::string> all;
  std::vector<unsigned> order = {0, 1, 2, 3, 4};
  do {
    options o;
    o.priorities = order;
    for (const std::string& text : outcomes_of(o, [] {
           integer begun{0};
           in_threads(2, [&](unsigned i) {
             begun.store(1, relaxed);
             checked::thread([i] { outcome(static_cast<int>(i), "child"); }).join();
             outcome(static_cast<int>(i));
           });
         }))
      all.insert(text);
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(all.size(), 1U);
}

constexpr known_outcome second_first[] = {
    {"1, 0; 2, 0", expect::forbidden, "both were first"}, {"1, 0; 2, 1"}, {"1, 1; 2, 0"}};

TEST(outcome_of_threads, a_forbidden_one_is_found_in_every_order) {
  const auto body = [] {
    integer x{0};
    in_threads(2, [&](unsigned i) {
      const int seen = x.load(relaxed);
      x.store(1, relaxed);
      outcome(static_cast<int>(i) + 1, seen);
    });
  };
  options o;
  o.outcomes = second_first;
  EXPECT_EQ(found_in_every_order(body, o), violation::assertion);
}

// ---- Values with padding ----

struct padded {
  int number;
  char letter;
};
static_assert(sizeof(padded) == 8);

padded with_padding(int number, char letter, int filling) {
  padded p;
  std::memset(&p, filling, sizeof p);
  p.number = number;
  p.letter = letter;
  return p;
}

TEST(padding, is_not_compared) {
  EXPECT_EQ(found_in_every_order([] {
              checked::atomic<padded> x{with_padding(1, 'a', 0)};
              padded expected = with_padding(1, 'a', 0x5a);
              require(x.compare_exchange_strong(expected, with_padding(2, 'b', 0x11)), "equal");
              expected = with_padding(2, 'b', 0x22);
              require(x.compare_exchange_strong(expected, with_padding(3, 'c', 0)), "equal");
              expected = with_padding(3, 'd', 0);
              require(!x.compare_exchange_strong(expected, with_padding(4, 'd', 0)), "different");
              require(expected.letter == 'c' && expected.number == 3, "what is there");
            }),
            violation::none);
}

TEST(padding, does_not_keep_a_wait_from_waiting) {
  EXPECT_EQ(found_in_every_order([] {
              checked::atomic<padded> x{with_padding(1, 'a', 0)};
              x.wait(with_padding(1, 'a', 0x77));
            }),
            violation::liveness);
}

TEST(padding, of_floating_point_there_is_none) {
  struct pair {
    float x, y;
  };
  EXPECT_EQ(found_in_every_order([] {
              checked::atomic<pair> p{pair{1, 2}};
              pair expected{1, 3};
              require(!p.compare_exchange_strong(expected, pair{5, 6}), "different");
              require(expected.y == 2, "what is there");
              require(p.compare_exchange_strong(expected, pair{5, 6}), "equal");
            }),
            violation::none);
}

}  // namespace
}  // namespace fencepost::verify::testing
