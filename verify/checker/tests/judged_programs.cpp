#include "judged_programs.hpp"

#include <chrono>
#include <memory>
#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;
using word = checked::atomic<std::uint32_t>;
using plain = checked::plain<int>;

const auto some_time = std::chrono::steady_clock::time_point{};

options bounds(unsigned spurious_wakeups) {
  options o;
  o.spurious_wakeups = spurious_wakeups;
  return o;
}

// Spins until the other thread has set the flag, which orders nothing.
void until_set(const integer& flag) {
  while (flag.load(relaxed) == 0) checked::spin_pause();
}

// ---- What wakes and waits order ----

void a_wait_after_a_wake() {
  word x{0};
  concurrently(
      [&] {
        x.store(1, relaxed);
        x.notify_one();
        checked::futex_wake(x, 1);
      },
      [&] { x.wait(0, relaxed); },
      [&] {
        while (x.load(relaxed) == 0) checked::futex_wait(x, 0);
      });
}

void fences_around_a_wake() {
  plain data{0};
  word x{0};
  concurrently(
      [&] {
        data.set(1);
        checked::fence(seq_cst);
        checked::futex_wake(x, 1);
      },
      [&] {
        if (!checked::futex_wait(x, 0, some_time)) return;
        checked::fence(seq_cst);
        static_cast<void>(data.get());
      });
}

void two_wakes_and_a_fence() {
  plain data{0};
  word x{0};
  integer woken{0};
  concurrently(
      [&] {
        data.set(1);
        checked::futex_wake(x, 1);
        woken.store(1, relaxed);
      },
      [&] {
        until_set(woken);
        checked::futex_wake(x, 1);
        checked::fence(acquire);
        static_cast<void>(data.get());
      });
}

void sequentially_consistent_fences_around_a_wake() {
  integer data{0};
  word x{0};
  concurrently(
      [&] {
        data.store(1, relaxed);
        checked::fence(seq_cst);
        checked::futex_wake(x, 1);
      },
      [&] {
        if (!checked::futex_wait(x, 0, some_time)) return;
        checked::fence(seq_cst);
        require(data.load(relaxed) == 1, "what the waker stored");
      });
}

void a_wait_after_a_wait() {
  word x{0};
  integer waited{0};
  concurrently(
      [&] {
        x.store(1, relaxed);
        checked::fence(release);
        checked::futex_wait(x, 99);
        waited.store(1, relaxed);
      },
      [&] {
        until_set(waited);
        checked::futex_wait(x, 0);
      });
}

// The waker has read the store of a third thread, but does not synchronize with it.
void a_wake_of_one_that_has_seen_it(bool futex) {
  word x{0};
  integer woken{0};
  concurrently([&] { x.store(1, relaxed); },
               [&] {
                 while (x.load(relaxed) == 0) checked::spin_pause();
                 if (futex)
                   checked::futex_wake(x, 1);
                 else
                   x.notify_one();
                 woken.store(1, relaxed);
               },
               [&] {
                 until_set(woken);
                 if (futex)
                   checked::futex_wait(x, 0);
                 else
                   x.wait(0, relaxed);
               });
}

void an_atomic_wakes_a_futex() {
  word x{0};
  concurrently(
      [&] {
        x.store(1);
        x.notify_all();
      },
      [&] {
        while (x.load() == 0) checked::futex_wait(x, 0);
      });
}

void one_that_can_go_on() {
  integer x{0};
  concurrently(
      [&] {
        x.wait(0, relaxed);
        x.store(2, relaxed);
        x.notify_all();
      },
      [&] { x.wait(1, relaxed); },
      [&] {
        x.store(1, relaxed);
        x.notify_one();
      });
}

void an_early_return() {
  word x{0};
  require(!checked::futex_wait(x, 0, some_time), "nobody has woken it");
}

// A waiter that reports a time-out may have taken the notification, and does not pass it on.
void notified_and_late() {
  checked::mutex m;
  checked::condition_variable changed;
  integer inside{0};
  concurrently(
      [&] {
        std::unique_lock lock(m);
        inside.fetch_add(1, relaxed);
        if (changed.wait_until(lock, some_time) == std::cv_status::no_timeout) changed.notify_one();
      },
      [&] {
        std::unique_lock lock(m);
        inside.fetch_add(1, relaxed);
        changed.wait(lock);
      },
      [&] {
        while (inside.load(relaxed) < 2) checked::spin_pause();
        const std::lock_guard lock(m);
        changed.notify_one();
      });
}

// ---- Lifetimes ----

struct inside {
  checked::mutex m;
  std::unique_ptr<checked::condition_variable> changed =
      std::make_unique<checked::condition_variable>();
  checked::condition_variable& there = *changed;
  integer waits{0};

  template <class Wait, class End>
  void run(Wait wait, End end) {
    concurrently(
        [&] {
          std::unique_lock lock(m);
          waits.store(1, relaxed);
          wait(lock);
        },
        [&] {
          until_set(waits);
          const std::lock_guard lock(m);
          end();
        });
  }
};

void destroyed_with_a_thread_in_it() {
  inside x;
  x.run([&](auto& lock) { x.there.wait(lock); }, [&] { x.changed.reset(); });
}

void destroyed_after_the_notification() {
  inside x;
  x.run([&](auto& lock) { x.there.wait(lock); },
        [&] {
          x.there.notify_all();
          x.changed.reset();
        });
}

void waited_in_again() {
  inside x;
  int turns = 0;
  x.run([&](auto& lock) { x.there.wait(lock, [&] { return ++turns == 3; }); },
        [&] {
          x.there.notify_all();
          x.changed.reset();
        });
}

void notified_when_it_may_be_gone() {
  auto changed = std::make_unique<checked::condition_variable>();
  checked::condition_variable& there = *changed;
  concurrently([&] { there.notify_one(); }, [&] { changed.reset(); });
}

void an_atomic_notified_when_it_may_be_gone() {
  auto x = std::make_unique<integer>(0);
  integer& there = *x;
  concurrently([&] { there.notify_one(); }, [&] { x.reset(); });
}

void a_word_woken_when_it_may_be_gone() {
  auto x = std::make_unique<word>(0U);
  word& there = *x;
  concurrently([&] { checked::futex_wake(there, 1); }, [&] { x.reset(); });
}

// ---- Misuse ----

void two_mutexes() {
  checked::mutex a, b;
  checked::condition_variable changed;
  in_threads(2, [&](unsigned i) {
    std::unique_lock lock(i == 0 ? a : b);
    changed.wait(lock);
  });
}

void destroyed_while_locked() {
  auto m = std::make_unique<checked::mutex>();
  m->lock();
  m.reset();
}

void tried_by_its_owner() {
  checked::mutex m;
  m.lock();
  static_cast<void>(m.try_lock());
  m.unlock();
}

void waited_for_without_the_mutex() {
  checked::mutex m;
  checked::condition_variable changed;
  std::unique_lock lock(m);
  checked::thread([&] { changed.wait(lock); }).join();
}

// ---- Plain data without a value ----

// The reader comes last, so nothing races.
void read_without_a_value(bool written) {
  checked::plain<int> x;
  integer ready{0};
  in_threads(2, [&](unsigned i) {
    if (i == 1 && ready.load(acquire) == 1) return static_cast<void>(x.get());
    if (i == 0 && written) x.set(1);
    if (i == 0) ready.store(1, release);
  });
}

// The turns of its loop change nothing, and there may be none.
void written_by_a_loop_that_waits() {
  checked::plain<int> x;
  integer ready{0};
  in_threads(2, [&](unsigned i) {
    if (i == 1) return ready.store(1, release);
    while (ready.load(acquire) == 0) x.set(0);
  });
  static_cast<void>(x.get());
}

// ---- Outcomes ----

constexpr known_outcome not_both[] = {{"0, 0; 1, 1"}, {"0, 1; 1, 0"}};

void both_may_be_first() {
  integer x{0};
  in_threads(2, [&](unsigned i) { outcome(i, x.exchange(1, relaxed)); });
}

// One of the last two may go to sleep after the only wake, and the other one waits for it.
void the_one_that_is_woken_waits_for_the_other() {
  integer items{0}, asleep{0}, started{0};
  run_threads(3, [&](unsigned i) {
    if (i == 0) {
      items.fetch_add(2, release);
      return asleep.store(0, release);
    }
    while (items.load(acquire) == 0) {
      asleep.store(1, relaxed);
      while (asleep.load(acquire) != 0) checked::spin_pause();
    }
    started.fetch_add(1, relaxed);
    while (started.load(relaxed) < 2) checked::spin_pause();
  });
}

}  // namespace

std::vector<judged_program> programs_that_block() {
  const auto no_early_returns = bounds(0);
  options last_two_alike = bounds(0);
  last_two_alike.symmetric = {1, 2};
  options last_first = bounds(0);
  last_first.priorities = {0, 2, 1};
  last_first.outcomes = not_both;
  return {
      {"a wait after a wake", violation::none, &a_wait_after_a_wake, no_early_returns},
      {"fences around a wake", violation::data_race, &fences_around_a_wake, no_early_returns},
      {"two wakes and a fence", violation::data_race, &two_wakes_and_a_fence, no_early_returns},
      {"sequentially consistent fences around a wake", violation::assertion,
       &sequentially_consistent_fences_around_a_wake, no_early_returns},
      {"a wait after a wait", violation::liveness, &a_wait_after_a_wait, no_early_returns},
      {"a futex's wake of one that has seen it", violation::none,
       [] { a_wake_of_one_that_has_seen_it(true); }, no_early_returns},
      {"a notification of one that has seen it", violation::liveness,
       [] { a_wake_of_one_that_has_seen_it(false); }, no_early_returns},
      {"an atomic wakes a futex", violation::liveness, &an_atomic_wakes_a_futex, no_early_returns},
      {"one that can go on", violation::none, &one_that_can_go_on, no_early_returns},
      {"an early return", violation::assertion, &an_early_return, bounds(1)},
      {"notified and late", violation::liveness, &notified_and_late, no_early_returns},
      {"destroyed with a thread in it", violation::use_after_free, &destroyed_with_a_thread_in_it,
       no_early_returns},
      {"destroyed after the notification", violation::none, &destroyed_after_the_notification,
       no_early_returns},
      {"waited in again", violation::use_after_free, &waited_in_again, no_early_returns},
      {"notified when it may be gone", violation::use_after_free, &notified_when_it_may_be_gone},
      {"an atomic notified when it may be gone", violation::use_after_free,
       &an_atomic_notified_when_it_may_be_gone},
      {"a word woken when it may be gone", violation::none, &a_word_woken_when_it_may_be_gone},
      {"symmetric ones of which one waits for the other", violation::liveness,
       &the_one_that_is_woken_waits_for_the_other, last_two_alike},
      {"two mutexes", violation::misuse, &two_mutexes, no_early_returns},
      {"destroyed while locked", violation::misuse, &destroyed_while_locked},
      {"tried by its owner", violation::misuse, &tried_by_its_owner},
      {"waited for without the mutex", violation::misuse, &waited_for_without_the_mutex},
      {"read without a value", violation::misuse, [] { read_without_a_value(false); }},
      {"written by a loop that waits", violation::misuse, &written_by_a_loop_that_waits},
      {"read after it was written", violation::none, [] { read_without_a_value(true); }},
      {"outcomes in the order of the threads", violation::none, &both_may_be_first, last_first},
  };
}

std::string wrong_verdict(const judged_program& p) {
  options o = p.bounds;
  o.name = p.name;
  o.max_executions = 1'000'000;
  const std::vector<unsigned> given = o.priorities;
  for (const std::vector<unsigned>& order : {given, {0U, 1U, 2U, 3U}, {3U, 2U, 1U, 0U}}) {
    o.priorities = order;
    const result r = check(o, p.body);
    if (r.outcome == verdict::incomplete) return p.name + ": " + r.limit;
    if (found(r) != p.expected)
      return p.name + ": " + std::string(to_string(found(r))) + " instead of " +
             std::string(to_string(p.expected));
    if (r.violation && !r.violation->came_again) return p.name + ": its steps do not show it";
  }
  return "";
}

}  // namespace fencepost::verify::testing
