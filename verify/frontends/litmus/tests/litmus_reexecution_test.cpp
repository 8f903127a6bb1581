// Executions with load buffering, found by running again what reads, against the oracle.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"
#include "random_program.hpp"
#include "reexecution_programs.hpp"

namespace fencepost::litmus::testing {
namespace {

TEST(reexecution, finds_what_is_known) { EXPECT_EQ(wrong_reexecution(), ""); }

TEST(reexecution, finds_a_store_that_both_branches_have) {
  const program p = shown(parse(R"(C both
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 1) { atomic_store_explicit(y, 1, memory_order_relaxed); }
  else { atomic_store_explicit(y, 1, memory_order_relaxed); }
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, r0, memory_order_relaxed);
}
exists (0:r0=1 /\ 1:r0=1)
)"));
  EXPECT_TRUE(both_read_one(p, enough));
}

TEST(reexecution, makes_nothing_out_of_thin_air) {
  // 42 is written only by a thread that has read it.
  const program p = shown(parse(R"(C air
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 42) { atomic_store_explicit(y, 42, memory_order_relaxed); }
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0 == 42) { atomic_store_explicit(x, 42, memory_order_relaxed); }
}
exists (0:r0=42)
)"));
  EXPECT_EQ(explore_again(p, enough).all.size(), 1U);
}

// Every value that is written tells who wrote it, and what went into it.
program distinct(program p) {
  value next = 1;
  const auto replace = [&](expression& e) {
    e = e.op == operation::constant ? constant(next) : binary(operation::add, e, constant(next));
    next *= 2;
  };
  for (thread& t : p.threads)
    for (statement& s : t.body) {
      if (auto* w = std::get_if<store>(&s.what)) replace(w->what);
      if (auto* m = std::get_if<modify>(&s.what)) {
        m->op = rmw_operation::fetch_add;
        replace(m->operand);
      }
      if (auto* c = std::get_if<compare_exchange>(&s.what)) {
        modify m{std::nullopt, c->at, rmw_operation::fetch_add, constant(next), c->success};
        next *= 2;
        s.what = m;
      }
    }
  return p;
}

// Small by day: the oracle takes seconds for some programs of six accesses.
void for_random_programs(program_shape shape, int programs,
                         const std::function<void(const program&)>& property) {
  const char* number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  shape.threads = 3;
  shape.accesses = number != nullptr ? 6 : 5;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = number != nullptr ? std::atoi(number) : programs;
  const auto result = rc::detail::checkTestable([&] { property(*any_program(shape)); },
                                                rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
}

TEST(reexecution, is_between_rc20_and_rc20_without_the_axiom_in_random_programs) {
  for_random_programs({}, 2000, [](const program& p) { RC_ASSERT(compared(p, false) == ""); });
}

TEST(reexecution, is_between_the_two_where_accesses_go_where_addresses_lead) {
  program_shape shape;
  shape.addresses = true;
  for_random_programs(shape, 1000, [](const program& p) { RC_ASSERT(compared(p, false) == ""); });
}

TEST(reexecution, is_what_the_oracle_says_where_values_tell_where_they_come_from) {
  program_shape shape;
  shape.branches = false;
  unsigned cyclic = 0;
  for_random_programs(shape, 2000, [&](const program& random) {
    const program p = distinct(random);
    RC_ASSERT(compared(p, true) == "");
    cyclic += includes(explore_again(p, 0).all, explore_again(p, enough).all) ? 0U : 1U;
  });
  std::cout << cyclic << " programs with an outcome that needs a cycle\n";
  EXPECT_GT(cyclic, 2U);
}

}  // namespace
}  // namespace fencepost::litmus::testing
