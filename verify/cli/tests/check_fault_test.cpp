// A planted fault must run the operations whose orders it changes.
#include "run/check_fault.hpp"

#include <gtest/gtest.h>

#include "fencepost/models/core_latch/claims.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::cli {
namespace {

using models::order_fault;
using models::core_latch_scenarios::set_publishes;  // neither commits to sleep nor wakes up

template <template <class> class Fault>
verify::result checked() {
  return check_fault<Fault<checked_atomics>>({});
}

violation kind_of(const verify::result& r) {
  return r.violation ? r.violation->kind : violation::none;
}

TEST(check_fault, reports_the_violation_where_the_operation_runs) {
  EXPECT_EQ(kind_of(checked<order_fault<"a/b", set_publishes, "core_latch.hpp:set=relaxed",
                                        violation::data_race, "">::on>()),
            violation::data_race);
}

TEST(check_fault, refuses_a_change_of_an_operation_that_never_runs) {
  const verify::result r = checked<order_fault<"a/b", set_publishes, "core_latch.hpp:move=weak",
                                               violation::data_race, "">::on>();
  EXPECT_EQ(r.outcome, verify::verdict::violated);
  EXPECT_EQ(kind_of(r), violation::misuse);
  EXPECT_NE(r.violation->message.find("core_latch.hpp:move, is never run"), std::string::npos)
      << r.violation->message;
}

TEST(check_fault, requires_each_of_several_operations_to_run) {
  EXPECT_EQ(
      kind_of(checked<order_fault<"a/b", set_publishes, "core_latch.hpp:set=relaxed",
                                  violation::data_race, "", "core_latch.hpp:move=weak">::on>()),
      violation::misuse);
  EXPECT_EQ(
      kind_of(checked<order_fault<"a/b", set_publishes, "core_latch.hpp:move=weak",
                                  violation::data_race, "", "core_latch.hpp:set=relaxed">::on>()),
      violation::misuse);
  EXPECT_EQ(
      kind_of(checked<order_fault<"a/b", set_publishes, "core_latch.hpp:set=relaxed",
                                  violation::data_race, "", "core_latch.hpp:probe=relaxed">::on>()),
      violation::data_race);
}

TEST(check_fault, says_nothing_of_what_was_not_explored_to_the_end) {
  verify::options o;
  o.max_executions = 1;
  using rare =
      order_fault<"a/b", set_publishes, "core_latch.hpp:move=weak", violation::data_race, "">;
  EXPECT_EQ(check_fault<rare::on<checked_atomics>>(o).outcome, verify::verdict::incomplete);
}

}  // namespace
}  // namespace fencepost::cli
