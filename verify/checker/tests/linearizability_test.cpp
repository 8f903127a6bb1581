// Histories under the checker: which operation precedes which, and what a violation says.
#include "fencepost/scenario/linearizability.hpp"

#include <gmock/gmock.h>

#include <map>
#include <memory>
#include <set>

#include "fencepost/verify/report.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;

// A counter: adding returns the previous value.
struct counter {
  static constexpr std::string_view name = "a counter";
  struct operation {};
  using result = unsigned;
  unsigned count = 0;

  std::vector<possibility<counter>> apply(operation) const { return {{count, {count + 1}}}; }
  static std::string text(operation, const result* r) {
    return r == nullptr ? "add()" : "add() -> " + std::to_string(*r);
  }
  friend auto operator<=>(const counter&, const counter&) = default;
};

using count_word = checked::atomic<unsigned>;

unsigned add_at_once(count_word& word) { return word.fetch_add(1, relaxed); }
unsigned add_in_two_steps(count_word& word) {
  const unsigned was = word.load(relaxed);
  word.store(was + 1, relaxed);
  return was;
}

template <unsigned (*Add)(count_word&)>
void two_threads_add() {
  count_word word{0};
  history<counter> operations{2};
  in_threads(2, [&](unsigned i) {
    operations.run(i, {}, [&] { return Add(word); });
    operations.run(i, {}, [&] { return Add(word); });
  });
  require_linearizable(operations);
}

TEST(linearizability, an_atomic_counter_is_linearizable) {
  const result r = check({}, two_threads_add<add_at_once>);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 6U);  // 4! / (2! 2!)
}

TEST(linearizability, a_violation_says_what_was_done_and_what_does_not_fit) {
  options o;
  o.shorten = 100;
  const result r = check(o, two_threads_add<add_in_two_steps>);
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->kind, violation::assertion);
  EXPECT_THAT(r.violation->message,
              HasSubstr("no order of these operations is one of a counter: "
                        "thread 1: add() -> 0, add() -> 1; thread 2: add() "));
  EXPECT_THAT(r.violation->message, HasSubstr("there is no place for thread"));
  EXPECT_THAT(to_text(*r.violation), HasSubstr("no order of these operations"));
}

// Exactly the same graphs, each as often.
TEST(linearizability, recording_adds_no_event_and_no_execution) {
  const auto graphs = [](bool record) {
    std::multiset<std::uint64_t> found;
    options o;
    o.on_graph = [&](std::uint64_t graph) { found.insert(graph); };
    const result r = check(o, [record] {
      count_word word{0};
      history<counter> operations{3};
      in_threads(3, [&](unsigned i) {
        const auto add = [&] { return add_in_two_steps(word); };
        if (record) {
          operations.run(i, {}, add);
        } else {
          add();
        }
      });
      operations.ordered();
    });
    EXPECT_EQ(r.outcome, verdict::verified);
    return found;
  };
  const auto plain = graphs(false);
  EXPECT_GT(plain.size(), 10U);
  EXPECT_EQ(graphs(true), plain);
}

// What a history allocates is not the program's: the program's addresses stay the same.
TEST(linearizability, the_memory_of_a_history_is_not_the_program_s) {
  std::uintptr_t address[2] = {};
  for (const bool record : {false, true}) {
    options o;
    o.examples = 1;
    const result r = check(o, [&] {
      const count_word watched{0};
      history<counter> operations{1};
      if (record) {
        for (unsigned i = 0; i < 10; ++i) operations.run(0, {}, [i] { return i; });
        require_linearizable(operations);
      }
      const auto own = std::make_unique<int>(7);
      address[record ? 1 : 0] = reinterpret_cast<std::uintptr_t>(own.get());
      outcome(1);
    });
    ASSERT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.examples.at("1").steps.size(), 3U) << "allocate, release, ends";
  }
  EXPECT_EQ(address[0], address[1]);
}

// ---- what comes before what ----

// Whether thread 1 saw the flag, and how many of thread 0's operations came before its own.
std::set<std::string> seen_and_before(
    const std::function<void(history<counter>&, count_word&)>& first,
    std::memory_order load = acquire) {
  const result r = check({}, [&] {
    count_word flag{0};
    history<counter> operations{2};
    concurrently([&] { first(operations, flag); },
                 [&] {
                   const unsigned seen = flag.load(load);
                   operations.run(1, {}, [&] { return seen; });
                 });
    const auto threads = operations.ordered();
    outcome(*threads[2][0].result, threads[2][0].after[1]);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  std::set<std::string> outcomes;
  for (const auto& [text, times] : r.outcomes) outcomes.insert(text);
  return outcomes;
}
using strings = std::set<std::string>;

const auto does_nothing = [] { return 0U; };

TEST(linearizability, what_a_release_comes_after_comes_before_what_acquires_it) {
  const auto operation_then_flag = [](auto& operations, auto& flag) {
    operations.run(0, {}, does_nothing);
    flag.store(1, release);
  };
  EXPECT_EQ(seen_and_before(operation_then_flag), (strings{"0, 0", "1, 1"}));
  EXPECT_EQ(seen_and_before(operation_then_flag, relaxed), (strings{"0, 0", "1, 0"}));
}

TEST(linearizability, an_operation_is_over_with_its_last_access) {
  EXPECT_EQ(seen_and_before([](auto& operations, auto& flag) {
              operations.run(0, {}, [&] {
                flag.store(1, release);
                return 0U;
              });
            }),
            (strings{"0, 0", "1, 1"}));
}

TEST(linearizability, what_comes_after_the_release_is_concurrent) {
  EXPECT_EQ(seen_and_before([](auto& operations, auto& flag) {
              flag.store(1, release);
              operations.run(0, {}, does_nothing);
            }),
            (strings{"0, 0", "1, 0"}));
  EXPECT_EQ(seen_and_before([](auto& operations, auto& flag) {
              operations.run(0, {}, [&] {
                flag.store(1, release);
                flag.load(relaxed);
                return 0U;
              });
            }),
            (strings{"0, 0", "1, 0"}));
}

TEST(linearizability, main_comes_before_threads_that_it_creates_and_after_those_it_has_joined) {
  const result r = check({}, [] {
    const count_word watched{0};
    history<counter> operations{1};
    operations.run(operations.main, {}, does_nothing);
    checked::thread other([&] { operations.run(0, {}, does_nothing); });
    operations.run(operations.main, {}, does_nothing);
    other.join();
    operations.run(operations.main, {}, does_nothing);
    const auto threads = operations.ordered();
    require(threads[1][0].after[0] == 1, "the second of main's is concurrent");
    require(threads[0][1].after[1] == 0, "... and not after it either");
    require(threads[0][2].after[1] == 1, "the join comes after the thread");
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

// ---- waiting, exceptions ----

// Each turn of such a loop adds to the history: none is idle, and there is no end to them.
TEST(linearizability, operations_in_a_waiting_loop_are_a_limit_that_is_named) {
  options o;
  o.max_events = 50;
  const result r = check(o, [] {
    count_word flag{0};
    history<counter> operations{2};
    concurrently([&] { flag.store(1, release); },
                 [&] {
                   while (operations.run(1, {}, [&] { return flag.load(acquire); }) == 0)
                     checked::spin_pause();
                 });
    outcome(operations.ordered()[2].size());
  });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_THAT(r.limit, HasSubstr("linearizability_test.cpp:"));
  EXPECT_TRUE(r.outcomes.contains("1"));
  EXPECT_TRUE(r.outcomes.contains("20"));
}

TEST(linearizability, what_was_waited_for_comes_before) {
  const result r = check({}, [] {
    count_word flag{0};
    history<counter> operations{2};
    concurrently(
        [&] {
          operations.run(0, {}, does_nothing);
          flag.store(1, release);
        },
        [&] {
          while (flag.load(acquire) == 0) checked::spin_pause();
          operations.run(1, {}, does_nothing);
        });
    require(operations.ordered()[2][0].after[1] == 1, "it was waited for");
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

TEST(linearizability, an_operation_that_throws_may_have_been_done_or_not) {
  for (const unsigned then : {0U, 1U, 2U}) {
    const result r = check({}, [then] {
      const count_word watched{0};
      history<counter> operations{1};
      try {
        operations.run(0, {}, []() -> unsigned { throw 1; });
      } catch (int) {
      }
      operations.run(0, {}, [then] { return then; });
      require_linearizable(operations);
    });
    EXPECT_EQ(static_cast<bool>(r), then < 2) << to_text(r);
  }
}

// One step comes before the other thread's operation, and one after it.
TEST(linearizability, steps_lie_between_the_call_and_the_return) {
  const auto zero_and_two = [](const auto& did) {
    did({}, 0);
    did({}, 2);
  };
  const auto one = [] { return 1U; };
  const result meanwhile = check({}, [&] {
    const count_word watched{0};
    history<counter> operations{2};
    concurrently([&] { operations.run_steps(0, zero_and_two); },
                 [&] { operations.run(1, {}, one); });
    require_linearizable(operations);
  });
  EXPECT_EQ(meanwhile.outcome, verdict::verified) << to_text(meanwhile);
  const result afterwards = check({}, [&] {
    count_word flag{0};
    history<counter> operations{2};
    concurrently(
        [&] {
          operations.run_steps(0, zero_and_two);
          flag.store(1, release);
        },
        [&] {
          if (flag.load(acquire) == 1) operations.run(1, {}, one);
        });
    require_linearizable(operations);
  });
  ASSERT_TRUE(afterwards.violation) << to_text(afterwards);
  EXPECT_THAT(afterwards.violation->message,
              HasSubstr("; thread 1's add() -> 2 comes before thread 2's add() -> 1."));
}

}  // namespace
}  // namespace fencepost::verify::testing
