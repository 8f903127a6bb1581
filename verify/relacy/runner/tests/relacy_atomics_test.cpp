// The policy on Relacy: what it can show, what it cannot, and which lines its histories cite.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>

#include "fencepost/relacy/simulation.hpp"

namespace fencepost {
namespace {

using policy = relacy_atomics;
using relacy::scheduler;
using relacy::verdict;
using testing::HasSubstr;
using testing::Not;

constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

static_assert(!std::is_assignable_v<policy::plain<int>&, int>);

template <class Scenario>
relacy::result random(std::uint64_t iterations = 2000) {
  return relacy::run<Scenario>({.iterations = iterations});
}

// Expects the scenario to hold, or to be violated in the way that it declares.
template <class Scenario>
void expect_as_stated() {
  for (const scheduler s : {scheduler::random, scheduler::bound, scheduler::full}) {
    SCOPED_TRACE(to_string(s));
    const relacy::result r = relacy::run<Scenario>({.scheduler = s, .iterations = 20'000});
    if (Scenario::about.expected == violation::none) {
      EXPECT_TRUE(r.verdict == verdict::holds || r.verdict == verdict::complete)
          << r.message << "\n"
          << r.history;
    } else {
      EXPECT_EQ(r.verdict, verdict::violated);
      EXPECT_EQ(r.kind, Scenario::about.expected) << r.message;
    }
  }
}

template <std::memory_order Store, std::memory_order Load>
struct message {
  policy::plain<int> data{0};
  policy::atomic<bool> ready{false};
  void thread(unsigned index) {
    if (index == 0) {
      data.set(42);
      ready.store(true, Store);
    } else if (ready.load(Load)) {
      require(data.get() == 42, "the message is whole");
    }
  }
};
struct message_arrives : message<release, acquire> {
  static constexpr auto about = scenario{.name = "test/message", .threads = 2};
};
struct relaxed_message : message<relaxed, acquire> {
  static constexpr auto about =
      scenario{.name = "test/relaxed_message", .threads = 2, .expected = violation::data_race};
};
TEST(relacy_atomics, message_arrives) { expect_as_stated<message_arrives>(); }
TEST(relacy_atomics, race_on_plain_data_is_found) { expect_as_stated<relaxed_message>(); }

TEST(relacy_atomics, history_has_the_lines_of_the_component) {
  const relacy::result r = random<relaxed_message>();
  EXPECT_THAT(r.history, HasSubstr("relacy_atomics_test.cpp"));
  EXPECT_THAT(r.history, HasSubstr("data race"));
  EXPECT_THAT(r.history, Not(HasSubstr("relacy_atomics.hpp")));
}

TEST(relacy_atomics, the_same_options_give_the_same_result) {
  const relacy::result once = random<relaxed_message>(), again = random<relaxed_message>();
  EXPECT_EQ(once.iterations, again.iterations);
  EXPECT_EQ(once.kind, again.kind);
}

TEST(relacy_atomics, full_search_comes_to_an_end) {
  const relacy::result r =
      relacy::run<message_arrives>({.scheduler = scheduler::full, .iterations = 20'000});
  EXPECT_EQ(r.verdict, verdict::complete);
  EXPECT_LT(r.iterations, 20'000u);
}

TEST(relacy_atomics, a_limit_of_iterations_ends_each_scheduler) {
  for (const scheduler s : {scheduler::random, scheduler::bound, scheduler::full}) {
    const relacy::result r = relacy::run<message_arrives>({.scheduler = s, .iterations = 3});
    EXPECT_EQ(r.verdict, verdict::holds);
    EXPECT_EQ(r.iterations, 3u);
  }
}

// Without an explicit initial store, no execution under Relacy would show this outcome.
struct store_buffering {
  static constexpr auto about =
      scenario{.name = "test/sb", .threads = 2, .expected = violation::assertion};
  policy::atomic<int> x, y;
  int a = 0, b = 0;
  void thread(unsigned index) {
    if (index == 0) {
      x.store(1, relaxed);
      a = y.load(relaxed);
    } else {
      y.store(1, relaxed);
      b = x.load(relaxed);
    }
  }
  void after() { require(a + b != 0, "one sees the other"); }
};
TEST(relacy_atomics, initial_value_can_be_seen_late) { expect_as_stated<store_buffering>(); }

struct two_words {
  std::uint32_t a, b;
  bool operator==(const two_words&) const = default;
};
enum class color : std::uint8_t { red, green };
struct every_operation {
  static constexpr auto about = scenario{.name = "test/operations", .threads = 2};
  policy::atomic<unsigned> n{6};
  policy::atomic<int*> p{nullptr};
  policy::atomic<two_words> w{two_words{1, 2}};
  policy::atomic<color> c{color::red};
  policy::atomic<double> d{1.5};
  int array[3] = {};
  void thread(unsigned index) {
    if (index != 0) return;
    require(n.fetch_add(2) == 6 && n.fetch_sub(1) == 8 && n.load() == 7, "adds");
    require(n.fetch_and(6) == 7 && n.fetch_or(1) == 6 && n.fetch_xor(3) == 7, "bits");
    require(n.exchange(9) == 4, "exchanges");
    unsigned expected = 1;
    require(!n.compare_exchange_strong(expected, 2) && expected == 9, "a failed exchange reads");
    require(n.compare_exchange_strong(expected, 2) && n.load() == 2, "exchanges if equal");
    while (!n.compare_exchange_weak(expected = 2, 3)) {
    }
    require(n++ == 3 && ++n == 5 && n-- == 5 && --n == 3, "steps");
    require((n += 4) == 7 && (n -= 1) == 6 && (n |= 1) == 7 && (n &= 3) == 3 && (n ^= 1) == 2,
            "assigns");
    p.store(array);
    require(p.fetch_add(2) == array && p.fetch_sub(1) == array + 2, "pointers");
    require(p.load() == array + 1, "pointers");
    require((p += 1) == array + 2 && (p -= 2) == array && ++p == array + 1, "pointers");
    two_words seen{1, 2};
    require(w.compare_exchange_strong(seen, two_words{3, 4}), "a class");
    require(w.load() == two_words{3, 4}, "a class");
    require(c.exchange(color::green) == color::red, "an enumeration");
    require(d.fetch_add(1) == 1.5 && d.load() == 2.5, "a number with a point");
  }
};
TEST(relacy_atomics, atomics_do_what_those_of_the_library_do) {
  expect_as_stated<every_operation>();
}

struct weak_exchange {
  policy::atomic<int> value{0};
  void thread(unsigned index) {
    int expected = 0;
    if (index == 0) require(value.compare_exchange_weak(expected, 1, relaxed, relaxed), "succeeds");
  }
};
struct weak_exchange_fails : weak_exchange {
  static constexpr auto about =
      scenario{.name = "test/weak_exchange", .threads = 2, .expected = violation::assertion};
};
struct weak_exchange_succeeds : weak_exchange {
  static constexpr auto about =
      scenario{.name = "test/no_spurious_failure", .threads = 2, .spurious_failures = 0};
};
TEST(relacy_atomics, a_weak_exchange_fails_for_no_reason) {
  expect_as_stated<weak_exchange_fails>();
}
TEST(relacy_atomics, a_weak_exchange_succeeds_where_the_scenario_has_no_spurious_failures) {
  expect_as_stated<weak_exchange_succeeds>();
}

struct counted_under_lock {
  static constexpr auto about = scenario{.name = "test/mutex", .threads = 3};
  policy::mutex m;
  policy::plain<int> count{0};
  void thread(unsigned) {
    const std::lock_guard lock{m};
    count.set(count.get() + 1);
  }
  void after() { require(count.get() == 3, "each counts"); }
};
TEST(relacy_atomics, mutex_excludes) { expect_as_stated<counted_under_lock>(); }

template <bool Notify>
struct condition {
  policy::mutex m;
  policy::condition_variable changed;
  bool ready = false;
  void thread(unsigned index) {
    std::unique_lock lock{m};
    if (index == 0) {
      changed.wait(lock, [&] { return ready; });
    } else {
      ready = true;
      if (Notify) changed.notify_one();
    }
  }
};
struct notified : condition<true> {
  static constexpr auto about = scenario{.name = "test/notified", .threads = 2};
};
struct not_notified : condition<false> {
  static constexpr auto about =
      scenario{.name = "test/not_notified", .threads = 2, .expected = violation::liveness};
};
TEST(relacy_atomics, condition_variable_wakes) { expect_as_stated<notified>(); }
TEST(relacy_atomics, a_missing_notification_is_found) { expect_as_stated<not_notified>(); }

template <bool Notify>
struct timed_condition {
  policy::mutex m;
  policy::condition_variable changed;
  bool ready = false, late = false;
  void thread(unsigned index) {
    std::unique_lock lock{m};
    if (index == 0) {
      while (!ready && !late)
        late = changed.wait_until(lock, deadline()) == std::cv_status::timeout;
    } else {
      ready = true;
      if (Notify) changed.notify_one();
    }
  }
};
struct notified_in_time : timed_condition<true> {
  static constexpr auto about =
      scenario{.name = "test/notified_in_time", .threads = 2, .timeouts = 0};
};
struct notified_too_late : timed_condition<false> {
  static constexpr auto about =
      scenario{.name = "test/notified_too_late", .threads = 2, .timeouts = 1};
};
struct never_too_late : timed_condition<false> {
  static constexpr auto about = scenario{
      .name = "test/never_too_late", .threads = 2, .expected = violation::liveness, .timeouts = 0};
};
TEST(relacy_atomics, a_deadline_of_a_condition_variable_passes) {
  expect_as_stated<notified_in_time>();
  expect_as_stated<notified_too_late>();
}
TEST(relacy_atomics, no_deadline_of_a_condition_variable_passes_where_the_scenario_has_none) {
  expect_as_stated<never_too_late>();
}

// The store is relaxed, and still the futex must not sleep on a value replaced before the wake.
template <bool Wake, bool Timed>
struct futex {
  policy::atomic<std::uint32_t> word{0};
  void thread(unsigned index) {
    if (index == 0) {
      while (word.load(relaxed) == 0) policy::futex_wait(word, 0, Timed ? deadline() : no_deadline);
    } else {
      word.store(1, relaxed);
      if (Wake) policy::futex_wake(word, 1);
    }
  }
};
struct woken : futex<true, false> {
  static constexpr auto about = scenario{.name = "test/woken", .threads = 2};
};
struct not_woken : futex<false, false> {
  static constexpr auto about =
      scenario{.name = "test/not_woken", .threads = 2, .expected = violation::liveness};
};
struct saved_by_the_deadline : futex<false, true> {
  static constexpr auto about = scenario{.name = "test/timed", .threads = 2, .timeouts = 100};
};
struct no_timeout_comes : futex<false, true> {
  static constexpr auto about = scenario{
      .name = "test/no_timeout", .threads = 2, .expected = violation::liveness, .timeouts = 0};
};
TEST(relacy_atomics, futex_wakes) { expect_as_stated<woken>(); }
TEST(relacy_atomics, a_missing_wake_is_found) { expect_as_stated<not_woken>(); }
TEST(relacy_atomics, a_deadline_passes) { expect_as_stated<saved_by_the_deadline>(); }
TEST(relacy_atomics, no_deadline_passes_where_the_scenario_has_none) {
  expect_as_stated<no_timeout_comes>();
}

struct one_timeout {
  static constexpr auto about = scenario{.name = "test/one_timeout", .threads = 2, .timeouts = 1};
  policy::atomic<std::uint32_t> word{0};
  bool passed[2] = {};
  void thread(unsigned index) {
    passed[index] = !policy::futex_wait(word, 0, deadline());
    word.store(1, relaxed);
    policy::futex_wake(word, 1);
  }
  void after() { require(passed[0] != passed[1], "one wait times out, and wakes the other"); }
};
TEST(relacy_atomics, no_more_deadlines_pass_than_the_scenario_says) {
  expect_as_stated<one_timeout>();
}

struct waits_for_a_value {
  static constexpr auto about = scenario{.name = "test/wait", .threads = 3};
  policy::atomic<int> value{0};
  void thread(unsigned index) {
    if (index != 0) {
      value.wait(0, relaxed);
    } else {
      value.store(1, relaxed);
      value.notify_all();
    }
  }
};
TEST(relacy_atomics, atomics_wait_and_notify) { expect_as_stated<waits_for_a_value>(); }

struct spins {
  static constexpr auto about = scenario{.name = "test/spin", .threads = 2};
  policy::atomic<int> value{0};
  void thread(unsigned index) {
    if (index == 0) {
      while (value.load(relaxed) == 0) policy::spin_pause();
    } else {
      value.store(1, relaxed);
    }
  }
};
struct spins_for_ever : spins {
  static constexpr auto about =
      scenario{.name = "test/spins_for_ever", .threads = 2, .expected = violation::liveness};
  void thread(unsigned index) {
    if (index == 0) spins::thread(0);
  }
};
TEST(relacy_atomics, a_loop_that_pauses_goes_on) { expect_as_stated<spins>(); }
TEST(relacy_atomics, a_loop_without_end_is_found) { expect_as_stated<spins_for_ever>(); }

struct allocates {
  static constexpr auto about = scenario{.name = "test/allocates", .threads = 2};
  void thread(unsigned) { outcome(*std::make_unique<int>(1)); }
};
struct leaks {
  static constexpr auto about =
      scenario{.name = "test/leaks", .threads = 2, .expected = violation::leak};
  policy::atomic<int*> kept{nullptr};
  void thread(unsigned index) {
    if (index == 0) kept.store(new int(1));
  }
};
struct used_when_gone {
  static constexpr auto about =
      scenario{.name = "test/used_when_gone", .threads = 2, .expected = violation::use_after_free};
  policy::atomic<int>* object = nullptr;
  void before() { object = new policy::atomic<int>(0); }
  void thread(unsigned index) {
    if (index == 0) {
      delete object;
    } else {
      object->store(1);
    }
  }
};
TEST(relacy_atomics, what_is_released_is_no_leak) { expect_as_stated<allocates>(); }
TEST(relacy_atomics, a_leak_is_found) { expect_as_stated<leaks>(); }
TEST(relacy_atomics, use_after_free_is_found) { expect_as_stated<used_when_gone>(); }

struct throws {
  static constexpr auto about =
      scenario{.name = "test/throws", .threads = 2, .expected = violation::exception};
  void thread(unsigned index) {
    if (index == 0) throw 1;
  }
};
TEST(relacy_atomics, an_exception_that_leaves_a_thread_is_found) { expect_as_stated<throws>(); }

struct one_thread {
  static constexpr auto about = scenario{.name = "test/one_thread", .threads = 1};
  int runs = 0;
  void thread(unsigned) { ++runs; }
  void after() { require(runs == 1, "the one thread runs once"); }
};
TEST(relacy_atomics, a_scenario_of_one_thread_runs) { expect_as_stated<one_thread>(); }

struct alignas(128) far_apart {
  static constexpr auto about = scenario{.name = "test/aligned", .threads = 2};
  alignas(128) policy::atomic<int> value{0};
  void thread(unsigned) { require(reinterpret_cast<std::uintptr_t>(&value) % 128 == 0, "aligned"); }
};
TEST(relacy_atomics, a_scenario_is_aligned) { expect_as_stated<far_apart>(); }

struct starts_threads {
  static constexpr auto about = scenario{.name = "test/threads", .threads = 2};
  void thread(unsigned) {
    policy::thread other([] {});
    other.join();
  }
};
TEST(relacy_atomics, threads_of_its_own_are_skipped_by_name) {
  const relacy::result r = random<starts_threads>();
  EXPECT_EQ(r.verdict, verdict::skipped);
  EXPECT_THAT(r.message, HasSubstr("threads"));
}

TEST(relacy_atomics, a_simulation_after_a_violation_is_right) {
  EXPECT_EQ(random<relaxed_message>().verdict, verdict::violated);
  EXPECT_EQ(random<message_arrives>().verdict, verdict::holds);
}

}  // namespace
}  // namespace fencepost
