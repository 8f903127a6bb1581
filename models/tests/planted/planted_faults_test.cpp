// Tests of the scenarios: each step of faults.cmake, omitted or done wrong in a copy of the
// library, violates the scenario that it is listed with, which otherwise holds.
#include <gtest/gtest.h>

#include <map>
#include <ostream>
#include <string>
#include <string_view>

#include "fencepost/models/event_count/claims.hpp"
#include "fencepost/models/fork_join/claims.hpp"
#include "fencepost/models/private_deque/claims.hpp"
#include "fencepost/models/strand/claims.hpp"
#include "fencepost/models/tail_split/claims.hpp"
#include "fencepost/models/task_runner/claims.hpp"
#include "fencepost/models/thread_pool/claims.hpp"
#include "fencepost/models/ticket_queue/claims.hpp"
#include "fencepost/models/worker_sleep/claims.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::models {

unsigned mutant = 0;

namespace {

using all = lists<tail_split_claims_list, private_deque_claims_list, event_count_claims_list,
                  ticket_queue_claims_list, fork_join_claims_list, thread_pool_claims_list,
                  strand_claims_list, task_runner_claims_list, worker_sleep_claims_list>;
using check = verify::result (*)(const verify::options&);

const std::map<std::string_view, check>& checks() {
  static const auto table = [] {
    std::map<std::string_view, check> by_name;
    visit<checked_atomics>(all{}, [&]<class S>() {
      if (!S::about.nightly) by_name[S::about.name] = &verify::check_scenario<S>;
    });
    return by_name;
  }();
  return table;
}

struct fault {
  unsigned number;
  const char* file;
  std::string_view what;  // the scenario, a colon, and what is wrong

  std::string_view scenario() const { return what.substr(0, what.find(':')); }
};

// Prints a fault for GoogleTest.
std::ostream& operator<<(std::ostream& out, const fault& f) { return out << f.what; }

constexpr fault faults[] = {
#include "fencepost/names.inc"
};

verify::result run(const fault& f, unsigned awake) {
  mutant = awake;
  auto result = checks().at(f.scenario())({});
  mutant = 0;
  return result;
}

class planted_faults : public ::testing::TestWithParam<fault> {};

TEST_P(planted_faults, are_noticed_by_day) {
  const fault& f = GetParam();
  ASSERT_TRUE(checks().contains(f.scenario())) << f.scenario() << " is no scenario of the day";
  EXPECT_EQ(run(f, f.number).outcome, verify::verdict::violated) << f.file << ": " << f.what;
}

INSTANTIATE_TEST_SUITE_P(each, planted_faults, ::testing::ValuesIn(faults),
                         [](const auto& f) { return "number_" + std::to_string(f.param.number); });

TEST(planted_faults, are_asleep_otherwise) {
  // A few executions of each: `fencepost verify` checks that all scenarios hold.
  for (const fault& f : faults) {
    verify::options few;
    few.max_executions = 2'000;
    EXPECT_NE(checks().at(f.scenario())(few).outcome, verify::verdict::violated) << f.what;
  }
}

}  // namespace
}  // namespace fencepost::models
