// What people build from blocking primitives, right and wrong, each with its known verdict.
#include <memory>
#include <mutex>

#include "judged_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using word = checked::atomic<std::uint32_t>;
using plain = checked::plain<int>;

options early_returns(unsigned n) {
  options o;
  o.spurious_wakeups = n;
  return o;
}

TEST(programs_that_block, have_the_verdicts_that_are_known) {
  for (const judged_program& p : programs_that_block()) EXPECT_EQ(wrong_verdict(p), "");
}

// The threads each add one with the lock held.
template <class Lock>
void count(unsigned threads) {
  Lock lock;
  plain inside{0};
  in_threads(threads, [&](unsigned) {
    lock.lock();
    inside.set(inside.get() + 1);
    lock.unlock();
  });
  require(static_cast<unsigned>(inside.get()) == threads, "each of them has counted");
}

// ---- The three mutexes of Drepper's "Futexes Are Tricky" ----

// The first one: unlock() always wakes. lock() increments the value, and waits while it is what the
// increment has made it: so an unlock between the two is noticed. But the value keeps growing, and
// a thread that comes in between sees a lock that nobody holds.
struct drepper_first {
  word value{0};
  void lock() {
    std::uint32_t c = 0;
    while ((c = value.fetch_add(1, acquire)) != 0) checked::futex_wait(value, c + 1);
  }
  void unlock() {
    value.store(0, release);
    checked::futex_wake(value, 1);
  }
};

TEST(drepper, the_first_mutex_excludes_two) {
  EXPECT_EQ(found_in_every_order([] { count<drepper_first>(2); }), violation::none);
}

// The second one: 0 free, 1 held, 2 held and a thread may be waiting.
template <bool ReleaseOfTwo>
struct drepper_second {
  word value{0};
  static std::uint32_t exchange(word& w, std::uint32_t expected, std::uint32_t desired) {
    w.compare_exchange_strong(expected, desired, acq_rel, acquire);
    return expected;
  }
  void lock() {
    std::uint32_t c = exchange(value, 0, 1);
    if (c == 0) return;
    do {
      if (c == 2 || exchange(value, 1, 2) != 0) checked::futex_wait(value, 2);
    } while ((c = exchange(value, 0, ReleaseOfTwo ? 2 : 1)) != 0);
  }
  void unlock() {
    if (value.fetch_sub(1, acq_rel) != 1) {
      value.store(0, release);
      checked::futex_wake(value, 1);
    }
  }
};

// The third one, with an exchange in the loop.
struct drepper_third {
  word value{0};
  void lock() {
    std::uint32_t c = 0;
    if (value.compare_exchange_strong(c, 1, acquire, relaxed)) return;
    if (c != 2) c = value.exchange(2, acquire);
    while (c != 0) {
      checked::futex_wait(value, 2);
      c = value.exchange(2, acquire);
    }
  }
  void unlock() {
    if (value.fetch_sub(1, release) != 1) {
      value.store(0, release);
      checked::futex_wake(value, 1);
    }
  }
};

TEST(drepper, the_second_and_third_mutex_exclude) {
  EXPECT_EQ(found_in_every_order([] { count<drepper_second<true>>(2); }), violation::none);
  EXPECT_EQ(found_in_every_order([] { count<drepper_third>(2); }), violation::none);
}

TEST(drepper, one_that_takes_it_as_uncontended_after_its_sleep_forgets_the_third_thread) {
  EXPECT_EQ(found_in([] { count<drepper_second<false>>(3); }, early_returns(0)),
            violation::liveness);
}

// The last thread to unlock destroys the mutex: the wake of the thread before may go to an address
// that no longer exists, which a futex allows.
TEST(drepper, the_third_mutex_may_be_destroyed_after_the_last_unlock) {
  // Not so the second store of unlock(): another thread may have had the lock by then.
  EXPECT_EQ(found_in([] {
              last_user_destroys<drepper_third>(
                  [](drepper_third& m) { static_cast<void>(m.value.load(relaxed)); });
            }),
            violation::use_after_free);
}

// With one exchange for all of unlock(), the wake is the only thing that comes late.
struct exchanging_mutex {
  word value{0};
  void lock() {
    std::uint32_t c = 0;
    if (value.compare_exchange_strong(c, 1, acquire, relaxed)) return;
    while (value.exchange(2, acquire) != 0) checked::futex_wait(value, 2);
  }
  void unlock() {
    if (value.exchange(0, release) == 2) checked::futex_wake(value, 1);
  }
};

TEST(futex_mutex, may_be_destroyed_after_the_last_unlock) {
  EXPECT_EQ(found_in_every_order([] { last_user_destroys<exchanging_mutex>(); }), violation::none);
}

TEST(futex_mutex, excludes) {
  EXPECT_EQ(found_in_every_order([] { count<exchanging_mutex>(2); }), violation::none);
}

// ---- Semaphores ----

// Made of a mutex and a condition variable.
template <bool HoldsTheMutex, bool Loops>
class semaphore {
 public:
  explicit semaphore(int n) : tokens_(n) {}
  void acquire() {
    std::unique_lock lock(m_);
    if (Loops) {
      changed_.wait(lock, [&] { return tokens_ > 0; });
    } else if (tokens_ == 0) {
      changed_.wait(lock);
    }
    require(tokens_ > 0, "there is a token");
    --tokens_;
  }
  void release() {
    std::unique_lock lock(m_);
    ++tokens_;
    if (!HoldsTheMutex) lock.unlock();
    changed_.notify_one();
  }

 private:
  checked::mutex m_;
  checked::condition_variable changed_;
  int tokens_;
};

template <class Semaphore>
void tokens_go_round(unsigned threads) {
  Semaphore s(1);
  plain inside{0};
  in_threads(threads, [&](unsigned) {
    s.acquire();
    inside.set(inside.get() + 1);
    s.release();
  });
}

TEST(semaphore, of_a_condition_variable) {
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<semaphore<true, true>>(2); }),
            violation::none);
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<semaphore<false, true>>(2); }),
            violation::none);
  EXPECT_EQ(found_in([] { tokens_go_round<semaphore<true, true>>(3); }, early_returns(0)),
            violation::none);
}

TEST(semaphore, with_an_if_a_token_is_taken_twice) {
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<semaphore<true, false>>(2); }),
            violation::assertion);
  // Without spurious wake-ups it takes a third thread that comes in between.
  EXPECT_EQ(
      found_in_every_order([] { tokens_go_round<semaphore<true, false>>(2); }, early_returns(0)),
      violation::none);
  EXPECT_EQ(found_in([] { tokens_go_round<semaphore<true, false>>(3); }, early_returns(0)),
            violation::assertion);
}

// The thread that waits for the answer destroys the semaphore.
template <bool HoldsTheMutex>
void answer_on_the_stack() {
  auto answered = std::make_unique<semaphore<HoldsTheMutex, true>>(0);
  auto& there = *answered;
  concurrently(
      [&] {
        answered->acquire();
        answered.reset();
      },
      [&] { there.release(); });
}

TEST(semaphore, that_the_waiter_destroys_must_notify_with_the_mutex) {
  EXPECT_EQ(found_in_every_order(&answer_on_the_stack<true>), violation::none);
  EXPECT_EQ(found_in_every_order(&answer_on_the_stack<false>), violation::use_after_free);
}

// Made of an atomic count that threads wait for.
template <bool NotifiesAlways>
class counting_semaphore {
 public:
  explicit counting_semaphore(int n) : count_(n) {}
  void acquire() {
    for (int seen = count_.load(relaxed);;) {
      if (seen == 0) {
        count_.wait(0, relaxed);
        seen = count_.load(relaxed);
      } else if (count_.compare_exchange_strong(seen, seen - 1, testing::acquire, relaxed)) {
        return;
      }
    }
  }
  void release() {
    const int before = count_.fetch_add(1, testing::release);
    if (NotifiesAlways || before == 0) count_.notify_one();
  }

 private:
  integer count_;
};

TEST(semaphore, of_an_atomic) {
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<counting_semaphore<true>>(2); }),
            violation::none);
}

// Two releases and two waiters: the second release finds a token and wakes nobody.
TEST(semaphore, that_notifies_only_the_first_token_loses_a_wake_up) {
  const auto body = [](auto make) {
    auto s = make();
    concurrently([&] { s->acquire(); }, [&] { s->acquire(); },
                 [&] {
                   s->release();
                   s->release();
                 });
  };
  EXPECT_EQ(found_in([&] { body([] { return std::make_unique<counting_semaphore<true>>(0); }); }),
            violation::none);
  EXPECT_EQ(found_in([&] { body([] { return std::make_unique<counting_semaphore<false>>(0); }); }),
            violation::liveness);
}

// Made of a futex, with a count of the waiters.
template <bool Fences>
class waiters_semaphore {
 public:
  explicit waiters_semaphore(std::uint32_t n) : count_(n) {}
  void acquire() {
    if (try_acquire()) return;
    waiters_.fetch_add(1, relaxed);
    if (Fences) checked::fence(seq_cst);
    while (!try_acquire()) checked::futex_wait(count_, 0);
    waiters_.fetch_sub(1, relaxed);
  }
  void release() {
    count_.fetch_add(1, testing::release);
    if (Fences) checked::fence(seq_cst);
    if (waiters_.load(relaxed) != 0) checked::futex_wake(count_, 1);
  }

 private:
  bool try_acquire() {
    std::uint32_t seen = count_.load(relaxed);
    while (seen != 0)
      if (count_.compare_exchange_strong(seen, seen - 1, testing::acquire, relaxed)) return true;
    return false;
  }
  word count_, waiters_{0};
};

TEST(semaphore, of_a_futex_with_a_count_of_sleepers_needs_its_fences) {
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<waiters_semaphore<true>>(2); }),
            violation::none);
  EXPECT_EQ(found_in_every_order([] { tokens_go_round<waiters_semaphore<false>>(2); }),
            violation::liveness);
}

// ---- Event counts ----

template <bool FenceOfTheWaker, bool FenceOfTheSleeper, bool TicketFirst>
class events {
 public:
  template <class Ready>
  void await(Ready ready) {
    for (;;) {
      std::uint32_t ticket = 0;
      if (TicketFirst) ticket = sequence_.load(acquire);
      sleepers_.fetch_add(1, relaxed);
      if (FenceOfTheSleeper) checked::fence(seq_cst);
      const bool now = ready();
      if (!TicketFirst) ticket = sequence_.load(acquire);
      if (!now) checked::futex_wait(sequence_, ticket);
      sleepers_.fetch_sub(1, relaxed);
      if (now) return;
    }
  }
  void notify() {
    if (FenceOfTheWaker) checked::fence(seq_cst);
    if (sleepers_.load(relaxed) == 0) return;
    sequence_.fetch_add(1, release);
    checked::futex_wake(sequence_, ~0U);
  }

 private:
  word sequence_{0}, sleepers_{0};
};

template <class Events>
void one_waits_for_work() {
  Events idle;
  integer work{0};
  concurrently([&] { idle.await([&] { return work.load(relaxed) == 1; }); },
               [&] {
                 work.store(1, relaxed);
                 idle.notify();
               });
}

TEST(event_count, of_a_futex) {
  EXPECT_EQ(found_in_every_order(&one_waits_for_work<events<true, true, true>>), violation::none);
  EXPECT_EQ(found_in_every_order(&one_waits_for_work<events<false, true, true>>),
            violation::liveness);
  EXPECT_EQ(found_in_every_order(&one_waits_for_work<events<true, false, true>>),
            violation::liveness);
  EXPECT_EQ(found_in_every_order(&one_waits_for_work<events<true, true, false>>),
            violation::liveness)
      << "a ticket that is drawn after the look is one for the next event";
}

// ---- Latches, barriers, events ----

// A notification at zero is enough: a thread that waits with an older value can continue as well.
TEST(latch, of_an_atomic) {
  const auto body = [](bool all) {
    integer left{2};
    plain data[2];
    in_threads(all ? 3 : 4, [&](unsigned i) {
      if (i >= 2) {
        for (int n; (n = left.load(acquire)) != 0;) left.wait(n, acquire);
        require(data[0].get() + data[1].get() == 3, "both are done");
        return;
      }
      data[i].set(static_cast<int>(i) + 1);
      if (left.fetch_sub(1, acq_rel) != 1) return;
      if (all)
        left.notify_all();
      else
        left.notify_one();
    });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in([&] { body(false); }), violation::liveness) << "the other one sleeps on";
}

TEST(latch, of_an_atomic_whose_waiters_wait_for_each_value) {
  EXPECT_EQ(found_in_every_order([] {
              integer left{2};
              in_threads(3, [&](unsigned i) {
                if (i == 2) {
                  for (int n; (n = left.load(acquire)) != 0;) left.wait(n, acquire);
                  return;
                }
                left.fetch_sub(1, release);
                left.notify_all();
              });
            }),
            violation::none);
}

// A barrier made of a mutex, a condition variable and a generation.
template <bool Generations>
class meeting {
 public:
  explicit meeting(int n) : n_(n), left_(n) {}
  void wait() {
    std::unique_lock lock(m_);
    if (--left_ == 0) {
      left_ = n_;
      ++generation_;
      all_.notify_all();
    } else if (Generations) {
      const int mine = generation_;
      all_.wait(lock, [&] { return generation_ != mine; });
    } else {
      all_.wait(lock, [&] { return left_ == n_; });
    }
  }

 private:
  checked::mutex m_;
  checked::condition_variable all_;
  int n_, left_, generation_ = 0;
};

template <class Meeting>
void two_phases() {
  Meeting together(2);
  plain cells[2];
  in_threads(2, [&](unsigned i) {
    cells[i].set(1);
    together.wait();
    require(cells[1 - i].get() == 1, "the other one was there");
    together.wait();
  });
}

TEST(barrier, of_a_condition_variable) {
  EXPECT_EQ(found_in(&two_phases<meeting<true>>, early_returns(0)), violation::none);
  EXPECT_EQ(found_in(&two_phases<meeting<false>>, early_returns(0)), violation::liveness)
      << "the next phase begins before the last one has left";
}

// An event that resets itself: a set() before any thread waits is remembered.
TEST(event, auto_reset) {
  const auto body = [](bool keeps) {
    checked::mutex m;
    checked::condition_variable changed;
    bool set = false;
    concurrently(
        [&] {
          std::unique_lock lock(m);
          if (keeps) {
            changed.wait(lock, [&] { return set; });
          } else {
            changed.wait(lock);
          }
          set = false;
        },
        [&] {
          const std::lock_guard lock(m);
          set = true;
          changed.notify_one();
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(false); }, early_returns(0)), violation::liveness);
}

// ---- Queues ----

// Threads that wait for room and threads that wait for items share one condition variable: a
// notification may go to the wrong one.
template <bool NotifiesAll>
class one_slot {
 public:
  void put(int v) {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return !full_; });
    full_ = true;
    value_ = v;
    notify();
  }
  int take() {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return full_; });
    full_ = false;
    notify();
    return value_;
  }

 private:
  void notify() {
    if (NotifiesAll)
      changed_.notify_all();
    else
      changed_.notify_one();
  }
  checked::mutex m_;
  checked::condition_variable changed_;
  bool full_ = false;
  int value_ = 0;
};

template <class Slot>
void two_producers_and_a_consumer() {
  Slot slot;
  concurrently([&] { slot.put(1); }, [&] { slot.put(2); },
               [&] { require(slot.take() + slot.take() == 3, "each item once"); });
}

TEST(queue, one_condition_variable_for_both_sides) {
  EXPECT_EQ(found_in(&two_producers_and_a_consumer<one_slot<true>>, early_returns(0)),
            violation::none);
}

TEST(queue, one_condition_variable_for_both_sides_and_notify_one_is_a_lost_wake_up) {
  EXPECT_EQ(found_in(
                [] {
                  one_slot<false> slot;
                  concurrently([&] { slot.put(1); }, [&] { slot.put(2); },
                               [&] { static_cast<void>(slot.take()); },
                               [&] { static_cast<void>(slot.take()); });
                },
                early_returns(0)),
            violation::liveness);
}

// ---- Once, parking, handing over ----

// A token for one thread: an unpark() before park() is remembered (as in Java and Rust).
template <bool Exchange>
class parker {
 public:
  void park() {
    if (state_.exchange(empty, acquire) == notified) return;
    std::uint32_t seen = empty;
    if (!state_.compare_exchange_strong(seen, parked, acquire, acquire)) {
      state_.store(empty, relaxed);
      return;
    }
    for (;;) {
      checked::futex_wait(state_, parked);
      seen = notified;
      if (state_.compare_exchange_strong(seen, empty, acquire, acquire)) return;
    }
  }
  void unpark() {
    if (Exchange) {
      if (state_.exchange(notified, release) == parked) checked::futex_wake(state_, 1);
    } else {
      const bool sleeps = state_.load(relaxed) == parked;
      state_.store(notified, release);
      if (sleeps) checked::futex_wake(state_, 1);
    }
  }

 private:
  static constexpr std::uint32_t empty = 0, notified = 1, parked = 2;
  word state_{empty};
};

template <class Parker>
void hand_over() {
  Parker p;
  plain data{0};
  concurrently(
      [&] {
        p.park();
        require(data.get() == 1, "what was handed over");
      },
      [&] {
        data.set(1);
        p.unpark();
      });
}

TEST(parking, a_token_is_kept) {
  EXPECT_EQ(found_in_every_order(&hand_over<parker<true>>), violation::none);
  EXPECT_EQ(found_in_every_order(&hand_over<parker<false>>), violation::liveness);
}

template <bool WakesAll>
void call_once() {
  word state{0};  // 0 not begun, 1 begun, 2 done
  plain value{0};
  in_threads(3, [&](unsigned) {
    std::uint32_t seen = 0;
    if (state.compare_exchange_strong(seen, 1, acquire, acquire)) {
      value.set(42);
      state.store(2, release);
      checked::futex_wake(state, WakesAll ? ~0U : 1U);
    } else {
      while (state.load(acquire) != 2) checked::futex_wait(state, 1);
    }
    require(value.get() == 42, "made once, and there");
  });
}

TEST(once, wakes_all_that_wait) {
  EXPECT_EQ(found_in(&call_once<true>, early_returns(0)), violation::none);
  EXPECT_EQ(found_in(&call_once<false>, early_returns(0)), violation::liveness);
}

// ---- Readers and writers ----

template <bool WakesAll>
class shared_mutex {
 public:
  void lock() {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return readers_ == 0; });
    readers_ = -1;
  }
  void unlock() {
    const std::lock_guard lock(m_);
    readers_ = 0;
    wake();
  }
  void lock_shared() {
    std::unique_lock lock(m_);
    changed_.wait(lock, [&] { return readers_ >= 0; });
    ++readers_;
  }
  void unlock_shared() {
    const std::lock_guard lock(m_);
    if (--readers_ == 0) wake();
  }

 private:
  void wake() {
    if (WakesAll)
      changed_.notify_all();
    else
      changed_.notify_one();
  }
  checked::mutex m_;
  checked::condition_variable changed_;
  int readers_ = 0;
};

TEST(readers_and_writers, of_a_condition_variable) {
  EXPECT_EQ(found_in(
                [] {
                  shared_mutex<true> m;
                  plain data{0};
                  in_threads(3, [&](unsigned i) {
                    if (i == 0) {
                      m.lock();
                      data.set(1);
                      m.unlock();
                    } else {
                      m.lock_shared();
                      static_cast<void>(data.get());
                      m.unlock_shared();
                    }
                  });
                },
                early_returns(0)),
            violation::none);
}

// ---- A thread that stops another one ----

TEST(stopping, must_be_said_with_the_mutex) {
  const auto body = [](bool with_the_mutex) {
    checked::mutex m;
    checked::condition_variable changed;
    integer stop{0};
    concurrently(
        [&] {
          std::unique_lock lock(m);
          changed.wait(lock, [&] { return stop.load(seq_cst) == 1; });
        },
        [&] {
          std::unique_lock lock(m, std::defer_lock);
          if (with_the_mutex) lock.lock();
          stop.store(1, seq_cst);
          if (with_the_mutex) lock.unlock();
          changed.notify_all();
        });
  };
  EXPECT_EQ(found_in_every_order([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in_every_order([&] { body(false); }), violation::liveness);
}

}  // namespace
}  // namespace fencepost::verify::testing
