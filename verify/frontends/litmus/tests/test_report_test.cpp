// What is printed about a test, and how files and folders are run.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "engines.hpp"
#include "fencepost/litmus/test_runs.hpp"

namespace fencepost::litmus::testing {
namespace {

namespace fs = std::filesystem;
using verify::memory_model;

class reports : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = fs::path(::testing::TempDir()) / (std::string("fencepost_litmus_") + test->name());
    fs::remove_all(folder_);
    fs::create_directories(folder_ / "inner");
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }

  static outcome_set solve(const program& p) { return by_enumeration::run(p, memory_model::rc20); }

  // The report without its line of times.
  static std::string herd(test_result r) {
    r.seconds = 0;
    return to_herd(r);
  }

  test_result run(const std::string& text, const solver& how = solve) {
    return run_tests({write("one.litmus", text)}, how).at(0);
  }

  fs::path folder_;
};

const std::string store_buffering =
    "{ x=0; y=0; }\n"
    "P0 (atomic_int* x, atomic_int* y) {\n"
    "  atomic_store_explicit(x, 1, memory_order_relaxed);\n"
    "  int r0 = atomic_load_explicit(y, memory_order_relaxed);\n}\n"
    "P1 (atomic_int* x, atomic_int* y) {\n"
    "  atomic_store_explicit(y, 1, memory_order_relaxed);\n"
    "  int r0 = atomic_load_explicit(x, memory_order_relaxed);\n}\n";

TEST_F(reports, exists_as_herd_prints_it) {
  EXPECT_EQ(herd(run("C SB\n" + store_buffering + "exists (0:r0=0 /\\ 1:r0=0)")),
            "Test SB Allowed\n"
            "States 4\n"
            "0:r0=0; 1:r0=0;\n"
            "0:r0=0; 1:r0=1;\n"
            "0:r0=1; 1:r0=0;\n"
            "0:r0=1; 1:r0=1;\n"
            "Ok\n"
            "Witnesses\n"
            "Positive: 1 Negative: 3\n"
            "Condition exists (0:r0=0 /\\ 1:r0=0)\n"
            "Observation SB Sometimes 1 3\n"
            "Time SB 0.00\n"
            "\n");
}

TEST_F(reports, a_forbidden_outcome_counts_the_other_way_round) {
  const std::string text = herd(run("C SB\n" + store_buffering + "~exists (0:r0=0 /\\ 1:r0=0)"));
  EXPECT_NE(text.find("Test SB Forbidden\n"), std::string::npos);
  EXPECT_NE(text.find("No\nWitnesses\nPositive: 3 Negative: 1\n"
                      "Condition ~exists (0:r0=0 /\\ 1:r0=0)\nObservation SB Sometimes 1 3\n"),
            std::string::npos)
      << text;
}

TEST_F(reports, a_required_outcome) {
  const std::string text = herd(run("C SB\n" + store_buffering + "forall (x=1 /\\ y=1)"));
  EXPECT_NE(text.find("Test SB Required\nStates 1\n[x]=1; [y]=1;\nOk\nWitnesses\n"
                      "Positive: 4 Negative: 0\nCondition forall ([x]=1 /\\ [y]=1)\n"
                      "Observation SB Always 4 0\n"),
            std::string::npos)
      << text;
}

TEST_F(reports, a_race_is_undefined_and_everything_is_listed_all_the_same) {
  const std::string text =
      herd(run("C race {} P0 (int* x) { *x = 1; } P1 (int* x) { int r0 = *x; } exists (1:r0=1)"));
  EXPECT_NE(text.find("States 2\n1:r0=0;\n1:r0=1;\nUndef\nWitnesses\nPositive: 1 Negative: 1\n"
                      "Flag *undef*\nCondition exists (1:r0=1)\n"),
            std::string::npos)
      << text;
}

TEST_F(reports, a_loop_that_was_cut_is_said) {
  const test_result r = run("C l {} P0 (atomic_int* x) { while (atomic_load(x) == 0) { } }");
  EXPECT_NE(herd(r).find("\nLoop Ok\n"), std::string::npos);
  EXPECT_NE(r.warnings.find("a while loop reached its bound of 4 iterations"), std::string::npos);
  EXPECT_EQ(exit_status({r}), 0);
}

// Two threads, each of which reads what the other writes, with these orders.
std::string read_and_write(const std::string& read, const std::string& write,
                           const std::string& between = "") {
  const auto thread = [&](int n, const char* from, const char* to) {
    return "P" + std::to_string(n) +
           " (atomic_int* x, atomic_int* y) { int r0 = " + "atomic_load_explicit(" + from +
           ", memory_order_" + read + "); " + between + " atomic_store_explicit(" + to +
           ", 1, memory_order_" + write + "); }\n";
  };
  return "{}\n" + thread(0, "x", "y") + thread(1, "y", "x");
}

TEST_F(reports, load_buffering_that_no_model_has_is_said) {
  const auto says = [](const test_result& r) {
    EXPECT_EQ(nlohmann::json::parse(to_json(r))["load_buffering"], r.outcomes.load_buffering);
    return r.warnings.find("load buffering is not explored") != std::string::npos;
  };
  const std::string seen = "exists (0:r0=1 /\\ 1:r0=1)";
  const test_result r = run("C LB\n" + read_and_write("relaxed", "relaxed") + seen);
  EXPECT_NE(herd(r).find("\nObservation LB Never 0 3\n"), std::string::npos);
  EXPECT_TRUE(says(r));
  EXPECT_FALSE(says(run("C LB\n" + read_and_write("acquire", "relaxed") + seen)));
  EXPECT_FALSE(says(run("C LB\n" + read_and_write("relaxed", "release") + seen)));
  EXPECT_FALSE(says(run("C LB\n" + read_and_write("acquire", "release") + seen)));
  EXPECT_FALSE(says(run(
      "C LB\n" +
      read_and_write("relaxed", "relaxed", "atomic_thread_fence(memory_order_acq_rel);") + seen)));
  EXPECT_FALSE(says(run("C SB\n" + store_buffering + "exists (0:r0=5)")));
}

TEST_F(reports, a_limit_leaves_the_verdict_open) {
  const auto one_candidate = [](const program& p) {
    enumerate_options options;
    options.max_candidates = 1;
    return enumerate(p, memory_model::rc20, options);
  };
  const test_result r = run("C SB\n" + store_buffering + "exists (0:r0=5)", one_candidate);
  EXPECT_NE(herd(r).find("\nUnknown\nWitnesses\n"), std::string::npos);
  EXPECT_NE(herd(r).find("\nObservation SB Unknown 0 1\n"), std::string::npos);
  EXPECT_NE(r.warnings.find("incomplete: more than 1 candidate executions"), std::string::npos);
  EXPECT_EQ(exit_status({r}), 3);
}

TEST_F(reports, json_has_one_object_a_test) {
  const auto j = nlohmann::json::parse(
      to_json(run("C a\"b\\c\n" + store_buffering + "~exists (0:r0=0 /\\ 1:r0=0)")));
  EXPECT_EQ(j["name"], "a\"b\\c");
  EXPECT_EQ(j["states"], nlohmann::json({"0:r0=0; 1:r0=0;", "0:r0=0; 1:r0=1;", "0:r0=1; 1:r0=0;",
                                         "0:r0=1; 1:r0=1;"}));
  EXPECT_EQ(j["executions"], 4);
  EXPECT_EQ(j["positive"], 1);
  EXPECT_EQ(j["negative"], 3);
  EXPECT_EQ(j["undef"], false);
}

TEST_F(reports, a_file_that_cannot_be_read_does_not_stop_the_others) {
  write("a.litmus", "C a {} P0 () {} exists (true)");
  write("b.litmus", "C b {} P0 () { do {} while (1); } exists (true)");
  write("inner/c.litmus", "C c {} P0 () {} exists (true)");
  write("no_test.txt", "nothing");
  const std::vector<fs::path> files = find_tests({folder_});
  ASSERT_EQ(files.size(), 3U);
  for (const unsigned jobs : {1U, 3U}) {
    std::string names;
    run_options options;
    options.jobs = jobs;
    const auto results = run_tests(files, solve, options, [&](const test_result& r) {
      names += r.error.empty() ? r.test.name : "(" + r.error + ")";
    });
    EXPECT_EQ(names, "a(" + (folder_ / "b.litmus").string() + ":1:16: unsupported: do-while)c");
    EXPECT_EQ(exit_status(results), 2);
    EXPECT_EQ(exit_status({results[0], results[2]}), 0);
  }
}

TEST_F(reports, paths_that_are_not_there_are_errors) {
  EXPECT_THROW(find_tests({folder_ / "nowhere"}), parse_error);
  EXPECT_THROW(find_tests({folder_ / "inner"}), parse_error);  // no test in it
  EXPECT_THROW(parse_file(folder_), parse_error);
}

}  // namespace
}  // namespace fencepost::litmus::testing
