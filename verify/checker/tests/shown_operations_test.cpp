// Counterexamples speak of the program: of the mutex that it locks and of what it notifies, at the
// line that does so, and of the order in its source.
#include <gmock/gmock.h>

#include <mutex>

#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

std::string text_of(const counterexample& c) {
  text_style style;
  style.width = 160;
  return to_text(c, style);
}

// A flag under a mutex, with a condition variable; the waiter requires that the flag is not set.
void handed_over(bool locked_by_hand) {
  checked::mutex mutex;
  checked::condition_variable changed;
  bool ready = false;
  concurrently(
      [&] {
        std::unique_lock held(mutex);
        changed.wait(held, [&] { return ready; });
        require(!ready, "a claim that is wrong");
      },
      [&] {
        if (locked_by_hand) {
          mutex.lock();
          ready = true;
          mutex.unlock();
        } else {
          const std::lock_guard held(mutex);
          ready = true;
        }
        changed.notify_one();
      });
}

TEST(shown_operations, a_mutex_is_locked_and_unlocked_and_a_waiter_notified) {
  options o;
  o.spurious_wakeups = 0;
  o.priorities = {0, 1, 2};
  const std::string text = text_of(counterexample_in([] { handed_over(true); }, o));
  EXPECT_THAT(
      text, AllOf(HasSubstr("lock mutex"), HasSubstr("unlock mutex\n"), HasSubstr("wait changed\n"),
                  HasSubstr("notify changed\n"), ContainsRegex("woken by #[0-9]+\n"),
                  ContainsRegex("lock mutex, after #[0-9]+\n")));
  EXPECT_THAT(text, AllOf(Not(HasSubstr(":= 0")), Not(HasSubstr("exchange")),
                          Not(HasSubstr("store relaxed")), Not(HasSubstr("load relaxed"))));
}

TEST(shown_operations, a_lock_of_the_standard_library_is_shown_at_its_caller) {
  const counterexample c = counterexample_in([] { handed_over(false); });
  for (const step& s : c.steps)
    EXPECT_EQ(std::string(s.where.file).find("/include/c++/"), std::string::npos)
        << s.text << " at " << s.where.file << ":" << s.where.line;
  EXPECT_THAT(text_of(c), HasSubstr("shown_operations_test.cpp:"));
}

TEST(shown_operations, a_deadlock_is_at_the_line_that_waits) {
  const counterexample c = counterexample_in([] {
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
  });
  EXPECT_EQ(c.kind, violation::liveness);
  EXPECT_THAT(std::string(c.where.file), HasSubstr("shown_operations_test.cpp"));
  EXPECT_THAT(text_of(c), AllOf(HasSubstr("lock a\n"), HasSubstr("lock b\n")));
}

TEST(shown_operations, a_try_lock_that_fails) {
  const std::string text = text_of(counterexample_in([] {
    checked::mutex mutex;
    concurrently([&] { const std::lock_guard held(mutex); },
                 [&] {
                   const bool locked = mutex.try_lock();
                   if (locked) mutex.unlock();
                   require(locked, "a claim that is wrong");
                 });
  }));
  EXPECT_THAT(text, ContainsRegex("try_lock mutex \\(fails\\), after #[0-9]+\n"));
}

TEST(shown_operations, a_futex) {
  options o;
  o.spurious_wakeups = 0;
  o.priorities = {0, 1, 2};
  const std::string text = text_of(counterexample_in(
      [] {
        checked::atomic<std::uint32_t> word{0};
        concurrently(
            [&] {
              checked::futex_wait(word, 0);
              require(word.load(relaxed) != 0, "who is woken need not see the store");
            },
            [&] {
              word.store(1, release);
              checked::futex_wake(word, 1);
            });
      },
      o));
  EXPECT_THAT(text,
              AllOf(HasSubstr("futex_wait word = 0, initial value"), HasSubstr("futex_wake word\n"),
                    HasSubstr("woken by #"), Not(HasSubstr("lock")), Not(HasSubstr("exchange"))));
}

// Each relation is between steps that are shown, and none is from a step to itself.
TEST(shown_operations, relations_are_between_the_steps_that_are_shown) {
  const counterexample c = counterexample_in([] { handed_over(false); });
  for (const edge& e : c.edges) {
    EXPECT_LT(e.from, c.steps.size());
    EXPECT_LT(e.to, c.steps.size());
    EXPECT_NE(e.from, e.to);
  }
  for (std::size_t i = 0; i < c.steps.size(); ++i)
    EXPECT_LT(c.steps[i].reads_from.value_or(0), i + 1);
}

TEST(shown_operations, a_changed_order_says_what_the_source_has) {
  constexpr unsigned stored = __LINE__ + 8;
  const auto body = [] {
    checked::atomic<int> ready{0};
    checked::plain<int> data{0};
    concurrently(
        [&] {
          data.set(42);
          checked::fence(seq_cst);
          ready.store(1, release);
        },
        [&] {
          if (ready.load(acquire) == 1) require(data.get() == 42);
        });
  };
  options o;
  for (const unsigned line : {stored, stored - 1})
    o.changes.push_back({.file = "shown_operations_test.cpp", .line = line, .to = order::relaxed});
  EXPECT_THAT(text_of(counterexample_in(body, o)),
              AllOf(HasSubstr("store relaxed ready := 1 (release in the source)"),
                    HasSubstr("no fence (seq_cst in the source)"),
                    Not(HasSubstr("acquire in the source"))));
}

TEST(shown_operations, memory_is_freed_and_the_closure_of_a_thread_is_not_the_program_s) {
  const std::string text = text_of(counterexample_in([] {
    delete new checked::atomic<int>(0);
    require(false, "a claim that is wrong");
  }));
  EXPECT_THAT(text, ContainsRegex("allocate [0-9]+ bytes\n(.*\n)?#2 *free [0-9]+ bytes\n"));
  const std::string closures = text_of(counterexample_in([] {
    checked::atomic<int> x{0};
    checked::thread t([&] { x.store(1, relaxed); });
    t.join();
    require(x.load(relaxed) == 0, "a claim that is wrong");
  }));
  EXPECT_THAT(closures,
              AllOf(Not(HasSubstr("allocate")), Not(HasSubstr("free ")), HasSubstr("ends\n")));
}

}  // namespace
}  // namespace fencepost::verify::testing
