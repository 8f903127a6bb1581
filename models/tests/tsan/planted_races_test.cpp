// ThreadSanitizer detects races in the components: each has a program in which one order or fence
// is too weak, or a plain write conflicts with what was published, and which is reported; and the
// same program without the fault, which is not. They run on real threads, each in a process of its
// own, until the report.
//
// Only in builds for ThreadSanitizer. The programs are scenarios that the checker explores, too.
#include <gtest/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <vector>

#include "planted_race.hpp"

// The first report ends the process with status 66.
extern "C" const char* __tsan_default_options() { return "halt_on_error=1"; }  // NOLINT: its name

namespace fencepost::models::planted {

std::ostream& operator<<(std::ostream& out, const race& r) {
  return out << r.component << ", " << r.fault;
}

namespace {

std::vector<race> all() {
  std::vector<race> races;
  for (auto part : {in_deques, in_sync, in_queues, in_runtimes}) {
    for (race& r : part()) races.push_back(std::move(r));
  }
  return races;
}

class planted_races : public testing::TestWithParam<race> {
 protected:
  // A new process: ThreadSanitizer would not report races in a forked one.
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_P(planted_races, is_reported) {
  EXPECT_EXIT(GetParam().planted(std::chrono::seconds{100}), testing::ExitedWithCode(66),
              "ThreadSanitizer: data race");
}

TEST_P(planted_races, without_the_fault_nothing_is_reported) {
  EXPECT_EXIT(GetParam().without(std::chrono::milliseconds{300}), testing::ExitedWithCode(0), "^$");
}

INSTANTIATE_TEST_SUITE_P(components, planted_races, testing::ValuesIn(all()),
                         [](const auto& parameter) {
                           return parameter.param.component + "_" + parameter.param.fault;
                         });

}  // namespace
}  // namespace fencepost::models::planted
