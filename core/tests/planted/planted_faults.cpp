// Each step of faults.cmake, done wrong in a copy of the library, makes the unit test that it is
// listed with fail; without the fault, the test passes.
//
// Each run is a process, since GoogleTest runs only once per process. A test that crashes or does
// not end does not count as having noticed the fault.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <set>
#include <string>

namespace fencepost::planted {

unsigned mutant = 0;

namespace {

struct fault {
  unsigned number;
  const char* file;
  std::string what;  // the test, a colon, and what is wrong

  std::string test() const { return what.substr(0, what.find(':')); }
};

const fault faults[] = {
#include "names.inc"
};

constexpr int passed = 0, failed = 1, nothing_ran = 3;
constexpr unsigned seconds = 300;

// Runs the test in this process, which then ends.
[[noreturn]] void run_here(const std::string& test, unsigned awake) {
  ::alarm(seconds);
  mutant = awake;
  testing::GTEST_FLAG(filter) = test;
  const int status = RUN_ALL_TESTS();
  std::fflush(nullptr);
  const auto ran = testing::UnitTest::GetInstance()->test_to_run_count();
  ::_exit(ran != 1 ? nothing_ran : status == 0 ? passed : failed);
}

// Runs the test in a process of its own. Returns its exit status, or the negative number of a
// signal.
int status_of(const std::string& test, unsigned awake) {
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) run_here(test, awake);
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return nothing_ran;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

int check_all() {
  int wrong = 0;
  const auto expect = [&](int status, int wanted, const std::string& what) {
    if (status == wanted) return;
    ++wrong;
    std::printf("WRONG: %s: %d, and not %d\n", what.c_str(), status, wanted);
  };
  std::set<std::string> tests;
  for (const fault& each : faults) tests.insert(each.test());
  for (const auto& test : tests) expect(status_of(test, 0), passed, test + " without a fault");
  for (const fault& each : faults) {
    expect(status_of(each.test(), each.number), failed, std::string{each.file} + ": " + each.what);
  }
  std::printf("%zu faults, %d wrong\n", std::size(faults), wrong);
  return wrong == 0 ? 0 : 1;
}

}  // namespace
}  // namespace fencepost::planted

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return fencepost::planted::check_all();
}
