// The lifetimes of objects that block: the same is found whichever thread is explored first.
#include <gmock/gmock.h>

#include <memory>
#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;
using integer = checked::atomic<int>;
using word = checked::atomic<std::uint32_t>;
using plain = checked::plain<int>;

// Ends the object's life and returns it; a volatile pointer keeps the compiler from warning.
template <class T>
T& after_its_end(std::unique_ptr<T>& object) {
  T* volatile const there = object.get();
  object.reset();
  return *there;
}

options no_spurious() {
  options o;
  o.spurious_wakeups = 0;
  return o;
}

std::string message_of(const std::function<void()>& body, const options& o = {}) {
  const result r = check(o, body);
  return r.violation ? r.violation->message : "";
}

// ---- Condition variables ----

struct gate {
  checked::mutex m;
  checked::condition_variable opened;
  bool open = false;
};

TEST(condition_variable_lifetime, ends_when_all_have_come_back) {
  EXPECT_EQ(found_in_every_order([] {
              auto g = std::make_unique<gate>();
              concurrently(
                  [&] {
                    std::unique_lock lock(g->m);
                    g->opened.wait(lock, [&] { return g->open; });
                  },
                  [&] {
                    const std::lock_guard lock(g->m);
                    g->open = true;
                    g->opened.notify_all();
                  });
            }),
            violation::none);
}

void end_while_a_thread_is_inside(bool notifies) {
  checked::mutex m;
  auto opened = std::make_unique<checked::condition_variable>();
  integer inside{0};
  concurrently(
      [&] {
        std::unique_lock lock(m);
        inside.store(1, relaxed);
        opened->wait(lock);
      },
      [&] {
        while (inside.load(relaxed) == 0) checked::spin_pause();
        const std::lock_guard lock(m);
        if (notifies) opened->notify_all();
        opened.reset();
      });
}

TEST(condition_variable_lifetime, may_end_when_those_that_wait_were_notified) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  checked::mutex m;
                  auto opened = std::make_unique<checked::condition_variable>();
                  bool inside = false;
                  concurrently(
                      [&] {
                        std::unique_lock lock(m);
                        inside = true;
                        opened->wait(lock);
                      },
                      [&] {
                        const std::lock_guard lock(m);
                        if (inside) opened->notify_all();
                        if (inside) opened.reset();
                      });
                },
                no_spurious()),
            violation::liveness)
      << "when nobody notifies";
  EXPECT_EQ(found_in_every_order([] { end_while_a_thread_is_inside(true); }, no_spurious()),
            violation::none);
}

TEST(condition_variable_lifetime, ends_too_early_before_the_notification) {
  EXPECT_EQ(found_in_every_order([] {
              auto opened = std::make_unique<checked::condition_variable>();
              checked::condition_variable& there = *opened;
              concurrently([&] { there.notify_one(); }, [&] { opened.reset(); });
            }),
            violation::use_after_free);
  EXPECT_EQ(found_in_every_order([] {
              auto opened = std::make_unique<checked::condition_variable>();
              after_its_end(opened).notify_all();
            }),
            violation::use_after_free);
}

// The waiter destroys the condition variable that the other thread has yet to notify.
TEST(condition_variable_lifetime,
     ends_too_early_after_a_flag_that_was_set_before_the_notification) {
  const auto body = [](bool notifies_with_the_mutex) {
    auto g = std::make_unique<gate>();
    gate& there = *g;
    concurrently(
        [&] {
          {
            std::unique_lock lock(g->m);
            g->opened.wait(lock, [&] { return g->open; });
          }
          g.reset();
        },
        [&] {
          std::unique_lock lock(there.m);
          there.open = true;
          if (!notifies_with_the_mutex) lock.unlock();
          there.opened.notify_one();
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(false); }), violation::use_after_free);
  // The unlock is the last access, and may not have returned when the mutex is destroyed.
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::none);
}

TEST(condition_variable_lifetime, ends_too_early_with_a_thread_in_it) {
  const auto body = [] { end_while_a_thread_is_inside(false); };
  EXPECT_EQ(found_in_every_order(body, no_spurious()), violation::use_after_free);
  EXPECT_THAT(message_of(body, no_spurious()),
              HasSubstr("destroyed while thread 1 waits for it and has not been notified"));
  EXPECT_EQ(found_in_every_order(body), violation::use_after_free);
}

TEST(condition_variable_lifetime, ends_too_early_with_one_of_two_notified) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  checked::mutex m;
                  auto opened = std::make_unique<checked::condition_variable>();
                  int inside = 0;
                  in_threads(3, [&](unsigned i) {
                    std::unique_lock lock(m);
                    if (i != 0) {
                      if (opened == nullptr) return;
                      ++inside;
                      opened->wait(lock);
                      return;
                    }
                    if (inside < 2) {
                      opened->notify_all();
                    } else {
                      opened->notify_one();
                    }
                    opened.reset();
                  });
                },
                no_spurious()),
            violation::use_after_free);
}

TEST(condition_variable_lifetime, begins_too_late_for_one_that_was_handed_over_relaxed) {
  const auto body = [](std::memory_order publish, std::memory_order look, bool waits) {
    checked::atomic<gate*> there{nullptr};
    std::unique_ptr<gate> g;
    concurrently(
        [&] {
          g = std::make_unique<gate>();
          there.store(g.get(), publish);
        },
        [&] {
          gate* const p = there.load(look);
          if (p == nullptr) return;
          if (!waits) return p->opened.notify_one();
          std::unique_lock lock(p->m);
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(relaxed, relaxed, false); }), violation::data_race);
  EXPECT_EQ(found_in_every_order([&] { body(release, relaxed, false); }), violation::data_race);
  EXPECT_EQ(found_in_every_order([&] { body(relaxed, acquire, true); }), violation::data_race);
  EXPECT_EQ(found_in_every_order([&] { body(release, acquire, false); }), violation::none);
}

TEST(condition_variable_lifetime, is_over_for_those_that_wait_again) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  checked::mutex m;
                  auto opened = std::make_unique<checked::condition_variable>();
                  checked::condition_variable& there = *opened;
                  integer inside{0};
                  int turns = 0;
                  concurrently(
                      [&] {
                        std::unique_lock lock(m);
                        inside.store(1, relaxed);
                        there.wait(lock, [&] { return ++turns == 3; });
                      },
                      [&] {
                        while (inside.load(relaxed) == 0) checked::spin_pause();
                        const std::lock_guard lock(m);
                        opened->notify_all();
                        opened.reset();
                      });
                },
                no_spurious()),
            violation::use_after_free);
}

// ---- Misuse of condition variables ----

TEST(condition_variable_misuse, two_mutexes_at_once) {
  const auto body = [](bool two) {
    checked::mutex a, b;
    checked::condition_variable changed;
    integer waiting{0};
    concurrently(
        [&] {
          std::unique_lock lock(a);
          waiting.fetch_add(1, relaxed);
          changed.wait(lock);
        },
        [&] {
          std::unique_lock lock(two ? b : a);
          waiting.fetch_add(1, relaxed);
          changed.wait(lock);
        },
        [&] {
          while (waiting.load(relaxed) < 2) checked::spin_pause();
          const std::lock_guard first(a);
          const std::lock_guard second(b);
          changed.notify_all();
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }, no_spurious()), violation::misuse);
  EXPECT_THAT(message_of([&] { body(true); }, no_spurious()), HasSubstr("a mutex other than that"));
  EXPECT_EQ(found_in_every_order([&] { body(false); }, no_spurious()), violation::none);
}

TEST(condition_variable_misuse, one_mutex_after_the_other_is_none) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  checked::mutex a, b;
                  checked::condition_variable changed;
                  for (checked::mutex* m : {&a, &b}) {
                    std::unique_lock lock(*m);
                    bool done = false;
                    checked::thread t([&] {
                      const std::lock_guard inside(*m);
                      done = true;
                      changed.notify_one();
                    });
                    changed.wait(lock, [&] { return done; });
                    lock.unlock();
                    t.join();
                  }
                },
                no_spurious()),
            violation::none);
}

TEST(condition_variable_misuse, a_lock_that_holds_nothing) {
  EXPECT_EQ(found_in_every_order([] {
              checked::mutex m;
              checked::condition_variable changed;
              std::unique_lock lock(m, std::defer_lock);
              changed.wait(lock);
            }),
            violation::misuse);
  EXPECT_EQ(found_in_every_order([] {
              checked::condition_variable changed;
              std::unique_lock<checked::mutex> lock;
              changed.wait(lock);
            }),
            violation::misuse);
}

TEST(condition_variable_misuse, a_lock_of_another_thread) {
  EXPECT_EQ(found_in_every_order([] {
              checked::mutex m;
              checked::condition_variable changed;
              std::unique_lock lock(m);
              checked::thread([&] { changed.wait(lock); }).join();
            }),
            violation::misuse);
}

// ---- Mutexes ----

TEST(mutex_lifetime, ends_while_it_is_locked) {
  const auto body = [] {
    auto m = std::make_unique<checked::mutex>();
    m->lock();
    m.reset();
  };
  EXPECT_EQ(found_in_every_order(body), violation::misuse);
  EXPECT_EQ(message_of(body), "a mutex is destroyed while it is locked");
}

TEST(mutex_lifetime, ends_while_another_thread_has_it) {
  EXPECT_EQ(found_in_every_order([] {
              auto m = std::make_unique<checked::mutex>();
              integer locked{0};
              concurrently(
                  [&] {
                    checked::mutex& mine = *m;
                    mine.lock();
                    locked.store(1, release);
                    mine.unlock();
                  },
                  [&] {
                    while (locked.load(acquire) == 0) checked::spin_pause();
                    m.reset();
                  });
            }),
            violation::misuse);
}

TEST(mutex_lifetime, ends_at_a_time_that_nothing_orders) {
  EXPECT_EQ(found_in_every_order([] {
              auto m = std::make_unique<checked::mutex>();
              checked::mutex& there = *m;
              concurrently(
                  [&] {
                    there.lock();
                    there.unlock();
                  },
                  [&] { m.reset(); });
            }),
            violation::use_after_free);
}

// Reference counting: the last user destroys the mutex that the others have just unlocked.
TEST(mutex_lifetime, may_end_right_after_the_last_unlock) {
  EXPECT_EQ(found_in_every_order([] { last_user_destroys<checked::mutex>(); }), violation::none);
}

TEST(mutex_misuse, lock_by_its_owner_is_said) {
  EXPECT_THAT(message_of([] {
                checked::mutex m;
                m.lock();
                m.lock();
              }),
              HasSubstr("that this thread holds already"));
  EXPECT_THAT(message_of([] {
                checked::mutex m;
                m.lock();
                static_cast<void>(m.try_lock());
              }),
              HasSubstr("try_lock() of a mutex that this thread holds already"));
  EXPECT_THAT(message_of([] {
                checked::mutex m;
                checked::thread([&] { m.lock(); }).join();
                m.unlock();
              }),
              HasSubstr("that this thread does not hold"));
}

// ---- Atomics ----

// A latch: the waiter destroys it once it is open, when the setter may still be about to notify.
template <class Wake>
void latch_of_the_waiter(std::memory_order open, Wake wake) {
  auto latch = std::make_unique<word>(0U);
  word& there = *latch;
  concurrently(
      [&] {
        latch->wait(0, acquire);
        latch.reset();
      },
      [&] {
        there.store(1, open);
        wake(there);
      });
}

TEST(atomic_lifetime, notify_after_its_end_is_a_use_after_free) {
  EXPECT_EQ(
      found_in_every_order([] { latch_of_the_waiter(release, [](word& w) { w.notify_one(); }); }),
      violation::use_after_free);
  EXPECT_EQ(
      found_in_every_order([] { latch_of_the_waiter(seq_cst, [](word& w) { w.notify_all(); }); }),
      violation::use_after_free);
  EXPECT_EQ(found_in_every_order([] {
              auto x = std::make_unique<integer>(0);
              after_its_end(x).notify_one();
            }),
            violation::use_after_free);
}

TEST(atomic_lifetime, notify_that_nothing_orders_with_the_end_is_one_too) {
  EXPECT_EQ(found_in_every_order([] {
              auto x = std::make_unique<integer>(0);
              integer& there = *x;
              concurrently([&] { there.notify_one(); }, [&] { x.reset(); });
            }),
            violation::use_after_free);
  // The destroying thread knows that the other one has stored, not that it has notified.
  EXPECT_EQ(found_in_every_order([] {
              auto x = std::make_unique<integer>(0);
              integer& there = *x;
              integer stored{0};
              concurrently(
                  [&] {
                    stored.store(1, release);
                    there.notify_one();
                  },
                  [&] {
                    while (stored.load(acquire) == 0) checked::spin_pause();
                    x.reset();
                  });
            }),
            violation::use_after_free);
}

TEST(atomic_lifetime, notify_that_happens_before_the_end_is_right) {
  EXPECT_EQ(found_in_every_order([] {
              auto x = std::make_unique<integer>(0);
              integer notified{0};
              concurrently(
                  [&] {
                    x->store(1, relaxed);
                    x->notify_one();
                    notified.store(1, release);
                  },
                  [&] {
                    x->wait(0, relaxed);
                    while (notified.load(acquire) == 0) checked::spin_pause();
                    x.reset();
                  });
            }),
            violation::none);
}

TEST(atomic_lifetime, notify_of_one_that_was_handed_over_relaxed_is_a_race) {
  EXPECT_EQ(found_in_every_order([] {
              checked::atomic<integer*> there{nullptr};
              std::unique_ptr<integer> x;
              concurrently(
                  [&] {
                    x = std::make_unique<integer>(0);
                    there.store(x.get(), relaxed);
                  },
                  [&] {
                    if (integer* const p = there.load(relaxed)) p->notify_one();
                  });
            }),
            violation::data_race);
}

TEST(atomic_lifetime, waiting_on_one_that_is_gone_is_a_use_after_free) {
  EXPECT_EQ(found_in_every_order([] {
              auto x = std::make_unique<integer>(0);
              after_its_end(x).wait(0);
            }),
            violation::use_after_free);
}

// ---- Futexes: a wake takes an address and nothing else ----

void futex_latch_of_the_waiter() {
  auto latch = std::make_unique<word>(0U);
  word& there = *latch;
  concurrently(
      [&] {
        while (latch->load(acquire) == 0) checked::futex_wait(*latch, 0);
        latch.reset();
      },
      [&] {
        there.store(1, release);
        checked::futex_wake(there, 1);
      });
}

TEST(futex_lifetime, a_word_may_be_gone_when_it_is_woken) {
  EXPECT_EQ(found_in_every_order(&futex_latch_of_the_waiter), violation::none);
  EXPECT_EQ(found_in_every_order([] {
              auto w = std::make_unique<word>(0U);
              checked::futex_wake(after_its_end(w), 1);
            }),
            violation::none);
}

TEST(futex_lifetime, a_word_may_not_be_gone_when_a_thread_waits_on_it) {
  EXPECT_EQ(found_in_every_order(
                [] {
                  auto w = std::make_unique<word>(0U);
                  checked::futex_wait(after_its_end(w), 0);
                },
                no_spurious()),
            violation::use_after_free);
}

// A late wake may hit the next word at the address, so threads that wait there check it again.
TEST(futex_lifetime, a_late_wake_may_be_for_the_next_word_at_the_address) {
  const auto body = [](bool looks_again) {
    struct slot {
      alignas(word) unsigned char memory[sizeof(word)];
    } slot;
    const auto make = [&] { return new (&slot) word(0U); };
    word* w = make();
    integer stage{0};
    concurrently(
        [&] {
          w->store(1, release);
          checked::futex_wake(*w, 1);  // may come when the next word is already there
        },
        [&] {
          while (w->load(acquire) == 0) checked::futex_wait(*w, 0);
          w->~word();
          w = make();
          stage.store(1, release);
          if (looks_again) {
            while (w->load(acquire) == 0) checked::futex_wait(*w, 0);
          } else {
            checked::futex_wait(*w, 0);
          }
          require(w->load(acquire) == 2, "what was waited for");
          w->~word();
        },
        [&] {
          while (stage.load(acquire) == 0) checked::spin_pause();
          word* const next = reinterpret_cast<word*>(&slot);
          next->store(2, release);
          checked::futex_wake(*next, 1);
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }, no_spurious()), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(false); }, no_spurious()), violation::assertion);
}

}  // namespace
}  // namespace fencepost::verify::testing
