// The results that a suite can have, and how simulate() reports them.
#include <optional>

#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

struct message : rl::test_suite<message, 2> {
  rl::atomic<int> ready{0};
  rl::var<int> data;
  void thread(unsigned index) {
    if (index == 0) {
      data($) = 42;
      ready($).store(1, rl::mo_release);
    } else if (ready($).load(rl::mo_acquire) == 1) {
      RL_ASSERT(data($) == 42);
    }
  }
};

TEST(relacy_results, a_suite_that_holds) {
  const answer a = simulated<message>();
  EXPECT_TRUE(a.as_expected) << a.said;
  EXPECT_EQ(a.params.test_result, rl::test_result_success);
  EXPECT_EQ(a.params.stop_iteration, 2U);
  EXPECT_EQ(a.params.checked.outcome, verify::verdict::verified);
  EXPECT_NE(a.params.test_name.find("message"), std::string::npos);
  EXPECT_NE(a.said.find("2 executions"), std::string::npos) << a.said;
}

template <rl::test_result_e Result>
struct relaxed_message : rl::test_suite<relaxed_message<Result>, 2, Result> {
  rl::atomic<int> ready{0};
  rl::var<int> data;
  void thread(unsigned index) {
    if (index == 0) {
      data($) = 42;
      ready.store(1, rl::memory_order_relaxed);
    } else if (ready.load(rl::memory_order_acquire) == 1) {
      data($).load();
    }
  }
};

TEST(relacy_results, a_race_that_is_expected) {
  const answer a = simulated<relaxed_message<rl::test_result_data_race>>();
  EXPECT_TRUE(a.as_expected) << a.said;
  EXPECT_EQ(a.said.find("store relaxed"), std::string::npos) << "no counterexample is asked for";
}

TEST(relacy_results, a_race_that_is_not_expected_comes_with_its_counterexample) {
  const answer a = simulated<relaxed_message<rl::test_result_success>>();
  EXPECT_FALSE(a.as_expected);
  EXPECT_EQ(a.params.test_result, rl::test_result_data_race);
  EXPECT_NE(a.said.find("data race, expected: success"), std::string::npos) << a.said;
  EXPECT_NE(a.said.find("store relaxed"), std::string::npos) << a.said;
  EXPECT_NE(a.said.find("results_test.cpp:"), std::string::npos) << a.said;
}

TEST(relacy_results, the_history_of_an_expected_race_on_demand) {
  rl::test_params p;
  p.output_history = true;
  const answer a = simulated<relaxed_message<rl::test_result_data_race>>(p);
  EXPECT_TRUE(a.as_expected);
  EXPECT_NE(a.said.find("store relaxed"), std::string::npos) << a.said;
}

TEST(relacy_results, a_violation_of_another_kind_than_expected) {
  const answer a = simulated<relaxed_message<rl::test_result_deadlock>>();
  EXPECT_FALSE(a.as_expected);
}

// Without fences, both threads can miss the other's store.
template <bool Fenced>
struct store_buffering
    : rl::test_suite<store_buffering<Fenced>, 2,
                     Fenced ? rl::test_result_success : rl::test_result_user_assert_failed> {
  rl::atomic<int> x{0}, y{0};
  int seen[2] = {};
  void thread(unsigned index) {
    rl::atomic<int>& mine = index == 0 ? x : y;
    rl::atomic<int>& others = index == 0 ? y : x;
    mine.store(1, rl::memory_order_relaxed);
    if (Fenced) rl::atomic_thread_fence(rl::memory_order_seq_cst);
    seen[index] = others.load(rl::memory_order_relaxed);
  }
  void after() { RL_ASSERT(seen[0] + seen[1] > 0); }
};
TEST(relacy_results, an_assertion_that_fails) {
  EXPECT_TRUE(has_declared_result<store_buffering<false>>());
}
TEST(relacy_results, an_assertion_that_a_fence_saves) {
  EXPECT_TRUE(has_declared_result<store_buffering<true>>());
}

// One of the test's two outcomes, which is found.
struct goal : rl::test_suite<goal, 2, rl::test_result_until_condition_hit> {
  rl::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0)
      x($) = 1;
    else
      RL_UNTIL(x($) == 1);
  }
};
TEST(relacy_results, a_condition_that_is_reached) { EXPECT_TRUE(has_declared_result<goal>()); }

struct never : rl::test_suite<never, 1, rl::test_result_until_condition_hit> {
  void thread(unsigned) { RL_UNTIL(false); }
};
TEST(relacy_results, a_condition_that_is_never_reached) {
  const answer a = simulated<never>();
  EXPECT_FALSE(a.as_expected);
  EXPECT_EQ(a.params.test_result, rl::test_result_success);
}

struct uneven : rl::test_suite<uneven, 1, rl::test_result_user_invariant_failed> {
  rl::var<int> n{0};
  void thread(unsigned) { n($) = 1; }
  void invariant() { RL_ASSERT(n($) % 2 == 0); }
};
TEST(relacy_results, an_invariant_that_fails_after_the_threads) {
  EXPECT_TRUE(has_declared_result<uneven>());
}

struct unwritten : rl::test_suite<unwritten, 1, rl::test_result_unitialized_access> {
  rl::var<int> n;
  void thread(unsigned) { n($).load(); }
};
TEST(relacy_results, a_variable_without_a_value) { EXPECT_TRUE(has_declared_result<unwritten>()); }

struct freed : rl::test_suite<freed, 2, rl::test_result_access_to_freed_memory> {
  rl::atomic<rl::var<int>*> shared{new rl::var<int>(1)};
  void thread(unsigned index) {
    if (index == 0)
      delete shared($).load();
    else
      shared($).load()->operator()($).load();
  }
};
TEST(relacy_results, use_after_free) { EXPECT_TRUE(has_declared_result<freed>()); }

struct gone : rl::test_suite<gone, 1, rl::test_result_access_to_freed_memory> {
  void thread(unsigned) {
    std::optional<rl::atomic<int>> object(std::in_place, 0);
    rl::atomic<int>* p = &*object;
    object.reset();
    (*p)($).store(5);
  }
};
TEST(relacy_results, use_after_the_end_of_the_lifetime) {
  EXPECT_TRUE(has_declared_result<gone>());
}

struct freed_twice : rl::test_suite<freed_twice, 1, rl::test_result_double_free> {
  void thread(unsigned) {
    void* volatile p = malloc(8);
    free(p);
    free(p);
  }
};
TEST(relacy_results, double_free) { EXPECT_TRUE(has_declared_result<freed_twice>()); }

struct kept : rl::test_suite<kept, 1, rl::test_result_memory_leak> {
  void* pointer = nullptr;
  void thread(unsigned) { pointer = malloc(8); }
};
TEST(relacy_results, memory_leak) { EXPECT_TRUE(has_declared_result<kept>()); }

struct not_destroyed : rl::test_suite<not_destroyed, 1, rl::test_result_resource_leak> {
  alignas(rl::mutex) unsigned char memory[sizeof(rl::mutex)];
  void thread(unsigned) { new (memory) rl::mutex; }
};
TEST(relacy_results, resource_leak) { EXPECT_TRUE(has_declared_result<not_destroyed>()); }

struct waits_for_nothing : rl::test_suite<waits_for_nothing, 2, rl::test_result_livelock> {
  rl::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0) {
      rl::backoff b;
      while (x($) != 2) b.yield($);
    } else {
      x($) = 1;
    }
  }
};
TEST(relacy_results, a_loop_that_waits_for_what_does_not_come) {
  EXPECT_TRUE(has_declared_result<waits_for_nothing>());
}

// A turn that changes something is not idle, so the loop may read the old value for ever.
struct spins : rl::test_suite<spins, 2> {
  rl::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0)
      for (unsigned turns = 0; x($) == 0; ++turns) asm volatile("" : "+r"(turns));
    else
      x($) = 1;
  }
};
TEST(relacy_results, a_loop_whose_turns_differ_reaches_the_depth_limit) {
  rl::test_params p;
  p.execution_depth_limit = 100;
  const answer a = simulated<spins>(p);
  EXPECT_FALSE(a.as_expected);
  EXPECT_EQ(a.params.test_result, rl::test_result_incomplete);
}

// Relacy reports a livelock; here the loop reads the store at last, with or without yield().
struct waits : rl::test_suite<waits, 2> {
  rl::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0)
      while (x($) == 0) continue;
    else
      x($) = 1;
  }
};
TEST(relacy_results, a_loop_that_waits_without_yield_ends) {
  EXPECT_TRUE(has_declared_result<waits>(rl::test_params{}));
}

// Too large to be explored within the limit.
struct large : rl::test_suite<large, 6> {
  rl::atomic<int> x{0};
  void thread(unsigned) {
    for (int i = 0; i < 10; ++i) ++x($);
  }
};
TEST(relacy_results, a_limit_makes_it_incomplete) {
  rl::test_params p;
  p.checker.max_executions = 100;
  const answer a = simulated<large>(p);
  EXPECT_FALSE(a.as_expected);
  EXPECT_EQ(a.params.test_result, rl::test_result_incomplete);
}

// C++11's release sequences include later stores of the same thread; C++20's do not.
struct later_store : rl::test_suite<later_store, 2> {
  rl::atomic<int> x{0};
  rl::var<int> data;
  void thread(unsigned index) {
    if (index == 0) {
      data($) = 1;
      x.store(1, rl::mo_release);
      x.store(2, rl::mo_relaxed);
    } else if (x.load(rl::mo_acquire) != 0) {
      data($).load();
    }
  }
};
TEST(relacy_results, the_memory_model_can_be_chosen) {
  rl::test_params p;
  EXPECT_EQ(simulated<later_store>(p).params.test_result, rl::test_result_data_race);
  p.checker.model = verify::memory_model::rc11;
  EXPECT_TRUE(has_declared_result<later_store>(p));
}

TEST(relacy_results, suites_in_a_table) {
  const rl::simulate_f suites[] = {&rl::simulate<message>, &rl::simulate<goal>};
  for (const rl::simulate_f simulate : suites) {
    std::ostringstream out;
    rl::test_params p;
    p.output_stream = p.progress_stream = &out;
    EXPECT_TRUE(simulate(p)) << out.str();
  }
}

TEST(relacy_results, a_suite_starts_anew_for_each_simulation) {
  EXPECT_TRUE(has_declared_result<freed>());
  EXPECT_TRUE(has_declared_result<message>());
}

}  // namespace
}  // namespace fencepost::relacy_testing
