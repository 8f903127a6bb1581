// Litmus tests as programs: compiled and checked as they are, they have the same states and numbers
// of executions as the litmus tests.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"
#include "fencepost/litmus/test_runs.hpp"
#include "litmus_source.hpp"
#include "program_run.hpp"

namespace fencepost::programs::testing {
namespace {

using litmus::outcome_set;
using litmus::program;
using verify::memory_model;

// One in how many litmus tests is tried: all at night, otherwise one in twelve.
std::size_t step() {
  const char* const wanted = std::getenv("FENCEPOST_LITMUS_PROGRAMS_STEP");
  return wanted == nullptr ? 12 : std::strtoul(wanted, nullptr, 10);
}

std::vector<program> some_tests() {
  std::vector<program> all;
  for (const auto& file : litmus::find_tests({FENCEPOST_LITMUS_TESTS "/addresses"}))
    all.push_back(litmus::parse_file(file));
  const auto files = litmus::find_tests({FENCEPOST_LITMUS_TESTS "/tests"});
  for (std::size_t i = 0; i < files.size(); i += step())
    all.push_back(litmus::parse_file(files[i]));
  return all;
}

litmus::final_state state_of(const program& p, const std::string& outcome) {
  std::istringstream values(outcome);
  litmus::final_state end;
  const auto next = [&](std::size_t count, std::vector<litmus::value>& to) {
    to.resize(count);
    for (litmus::value& v : to) values >> v;
  };
  for (const litmus::thread& t : p.threads) next(t.registers.size(), end.registers.emplace_back());
  next(p.locations.size(), end.memory);
  EXPECT_TRUE(values) << outcome;
  return end;
}

void expect_same(const program& p, const program_run& got, memory_model m) {
  litmus::explore_options under;
  under.model = m;
  const outcome_set known = litmus::explore(p, under);
  if (known.undef) {
    EXPECT_EQ(got.status, 1) << got.out;
    EXPECT_NE(got.out.find("data race"), std::string::npos) << got.out;
    return;
  }
  EXPECT_EQ(got.status, 0) << got.out;
  litmus::outcome_counter counter(p);
  for (const auto& [outcome, count] : got.outcomes) counter.add(state_of(p, outcome), false, count);
  // In a litmus test, plain accesses are events. In a program they are not, unless an atomic object
  // is at the address; psc, which goes through events of other locations, then orders less.
  if (p.name == "dev.cas-expected-breaks-sbloc" && m != memory_model::cpp20) {
    EXPECT_TRUE(std::includes(counter.result().states.begin(), counter.result().states.end(),
                              known.states.begin(), known.states.end()));
    return;
  }
  EXPECT_EQ(counter.result().states, known.states) << got.out;
  EXPECT_EQ(counter.result().executions, known.executions);
}

// On AArch64 clang leaves acquire loads beside the calls that announce them, and they are refused.
#ifdef __aarch64__
bool has_clang() { return false; }
#else
bool has_clang() { return run_command("clang++ --version && clang --version").status == 0; }
#endif

void compare_all(const std::string& compile, const std::string& ending) {
  const std::vector<program> tests = some_tests();
  ASSERT_GT(tests.size(), 40U);
  const std::string source =
      ::testing::TempDir() + "litmus_programs_" + std::to_string(getpid()) + ending;
  std::ofstream(source) << litmus_source(tests);
  const std::string built = source + ".program";
  const program_run compiled = run_command(compile + " " + source + " -o " + built);
  ASSERT_EQ(compiled.status, 0) << compiled.out;
  for (const memory_model m : {memory_model::rc20, memory_model::rc11, memory_model::cpp20}) {
    const std::string settings = "spurious_failures=4294967295 model=" + std::string(to_string(m));
    for (std::size_t n = 0; n < tests.size(); ++n) {
      SCOPED_TRACE(tests[n].name + " under " + std::string(to_string(m)));
      expect_same(tests[n], check(built, std::to_string(n), settings), m);
    }
  }
  std::filesystem::remove(source);
  std::filesystem::remove(built);
}

TEST(litmus_programs, have_the_known_executions_in_cpp) { compare_all(FENCEPOST_CXX, ".cpp"); }
TEST(litmus_programs, have_the_known_executions_in_c) { compare_all(FENCEPOST_CC, ".c"); }

TEST(litmus_programs, have_them_as_clang_compiles_cpp) {
  if (!has_clang()) GTEST_SKIP() << "clang++ is not installed";
  compare_all(FENCEPOST_CLANG_CXX, ".cpp");
}
TEST(litmus_programs, have_them_as_clang_compiles_c) {
  if (!has_clang()) GTEST_SKIP() << "clang is not installed";
  compare_all(FENCEPOST_CLANG_CC, ".c");
}

}  // namespace
}  // namespace fencepost::programs::testing
