// Rounds are merged by name; medians, ratios and the order of a table are right; files that are not
// from these benchmarks are refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <sstream>
#include <string>

#include "measurements.hpp"
#include "plots.hpp"
#include "tables.hpp"

namespace fencepost::bench::peers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// A round: names and times, each for ten items.
struct timed {
  const char* name;
  double time;
  const char* label = "";
};
std::string file_of(std::initializer_list<timed> runs) {
  std::ostringstream out;
  out << "{\"benchmarks\": [";
  const char* separator = "";
  for (const timed& run : runs) {
    out << separator << "{\"name\": \"" << run.name << "/real_time\", \"run_type\": \"iteration\","
        << "\"real_time\": " << run.time << ", \"cpu_time\": " << 1.5 * run.time
        << ", \"time_unit\": \"us\","
        << "\"items\": 10, \"steals\": 7, \"tasks\": 1234, \"label\": \"" << run.label << "\"}";
    separator = ",";
  }
  out << "]}";
  return out.str();
}
measurements read(std::initializer_list<std::string> rounds) {
  measurements all;
  for (const std::string& round : rounds) {
    std::istringstream file{round};
    all.read(file, "a.json");
  }
  return all;
}
std::string tables_of(const measurements& all, bool images = false) {
  std::ostringstream out;
  write_tables(out, all, images);
  return out.str();
}
std::string refusal_of(const std::string& file) {
  try {
    read({file});
  } catch (const bad_input& wrong) {
    return wrong.what();
  }
  return "nothing was wrong";
}

TEST(peers_report, rounds_of_one_benchmark_are_one_measurement) {
  const measurements all =
      read({file_of({{"mpsc/throughput/a/2", 3}, {"mpsc/throughput/b/2", 8}}),
            file_of({{"mpsc/throughput/a/2", 1}}), file_of({{"mpsc/throughput/a/2", 2}})});
  ASSERT_EQ(all.all().size(), 2u);
  const measurement* const a = all.find("mpsc", "throughput", "a", 2);
  ASSERT_NE(a, nullptr);
  EXPECT_THAT(a->times, ElementsAre(300, 100, 200)) << "nanoseconds, of each of ten items";
  EXPECT_EQ(a->median(), 200);
  EXPECT_EQ(a->spread(), (250. - 150) / 200);
  EXPECT_EQ(all.find("mpsc", "throughput", "a", 1), nullptr);
  EXPECT_THAT(all.peers_of("mpsc"), ElementsAre("a", "b"));
}

TEST(peers_report, the_median_of_an_even_number_is_between_the_middle_two) {
  measurement m;
  m.times = {4, 1, 3, 2};
  EXPECT_EQ(m.median(), 2.5);
  EXPECT_EQ(m.quantile(0), 1);
  EXPECT_EQ(m.quantile(1), 4);
}

TEST(peers_report, a_table_is_in_the_order_of_time_with_ratios_to_ours) {
  const std::string table = tables_of(read({file_of({{"runner/post/task_runner/1", 2},
                                                     {"runner/post/task_runner/8", 4},
                                                     {"runner/post/slow/1", 1},
                                                     {"runner/post/slow/8", 12},
                                                     {"runner/post/fast/8", 2}})}));
  EXPECT_EQ(table,
            "\n### Task runners: a task\n\n"
            "|  | 1 poster | 8 posters |\n"
            "| --- | ---: | ---: |\n"
            "| fast |  | 200 ns (0 %) 0.5× |\n"
            "| **task_runner** | 200 ns (0 %) 1× | 400 ns (0 %) 1× |\n"
            "| slow | 100 ns (0 %) 0.5× | 1.20 µs (0 %) 3× |\n");
}

TEST(peers_report, a_runtime_is_compared_with_the_sequential_program_of_its_compiler) {
  const std::string table =
      tables_of(read({file_of({{"fork_join/fib/sequential_a/1", 100, "sequential_a"},
                               {"fork_join/fib/sequential_b/1", 200, "sequential_b"},
                               {"fork_join/fib/fork_join/1", 300, "sequential_a"},
                               {"fork_join/fib/fork_join/4", 50, "sequential_a"},
                               {"fork_join/fib/other/1", 400, "sequential_b"},
                               {"fork_join/fib/other/4", 100, "sequential_b"}})}));
  EXPECT_THAT(table, HasSubstr("| **fork_join** | 10.0 µs (0 %) | 30.0 µs (0 %) | 3.00 | "
                               "5.00 µs (0 %) | 7.50 µs | 2.00 | 1× | 7 of 1,234 tasks |\n"));
  EXPECT_THAT(table, HasSubstr("| other | 20.0 µs (0 %) | 40.0 µs (0 %) | 2.00 | 10.0 µs (0 %) | "
                               "15.0 µs | 2.00 | 2× |"));
  EXPECT_THAT(table, Not(HasSubstr("| sequential_a |"))) << "no runtime";
}

TEST(peers_report, on_one_processor_the_programs_have_no_speed_up) {
  const std::string table =
      tables_of(read({file_of({{"fork_join/fib/sequential_a/1", 100, "sequential_a"},
                               {"fork_join/fib/fork_join/1", 300, "sequential_a"}})}));
  EXPECT_THAT(table, HasSubstr("| T1/TS | times fork_join |"));
  EXPECT_THAT(table, Not(HasSubstr("speed-up")));
}

TEST(peers_report, a_failed_benchmark_is_a_failure_and_no_time) {
  const measurements all =
      read({R"({"benchmarks": [{"name": "mpsc/hand_over/a/1/real_time", "error_occurred": true,
                "error_message": "a different item came back", "run_type": "iteration"}]})"});
  EXPECT_THAT(all.failures(),
              ElementsAre("mpsc/hand_over/a/1/real_time: a different item came back"));
  EXPECT_TRUE(all.all().empty());
}

TEST(peers_report, what_is_no_file_of_these_benchmarks_is_refused) {
  EXPECT_THAT(refusal_of("{"), HasSubstr("a.json is not a file of Google Benchmark"));
  EXPECT_THAT(refusal_of("{}"), HasSubstr("a.json is not a file of Google Benchmark"));
  EXPECT_THAT(refusal_of(file_of({{"BM_barrier_round", 1}})),
              HasSubstr("a.json: \"BM_barrier_round/real_time\" is not the name"));
  EXPECT_THAT(refusal_of(file_of({{"mpsc/hand_over/a/x", 1}})), HasSubstr("is not the name"));
  EXPECT_THAT(refusal_of(file_of({{"mpsc/hand_over/a/1", 0}})), HasSubstr("has no time"));
}

TEST(peers_report, durations_have_three_digits) {
  EXPECT_EQ(duration(0.2634), "0.26 ns");
  EXPECT_EQ(duration(9.996), "10.0 ns");
  EXPECT_EQ(duration(999.4), "999 ns");
  EXPECT_EQ(duration(999.6), "1.00 µs");
  EXPECT_EQ(duration(12'345), "12.3 µs");
  EXPECT_EQ(duration(1.5e9), "1.50 s");
}

TEST(peers_report, each_subject_that_was_measured_has_a_plot_from_zero_with_values_and_spreads) {
  std::map<std::string, std::string> plots;
  write_plots(
      read({file_of({{"barrier/round/barrier/2", 40}}), file_of({{"barrier/round/barrier/2", 60}}),
            file_of({{"barrier/round/barrier/2", 80},
                     {"barrier/round/std::barrier/2", 20},
                     {"fork_join/fib/sequential_a/1", 100, "sequential_a"},
                     {"fork_join/fib/fork_join/1", 400, "sequential_a"},
                     {"fork_join/fib/fork_join/2", 50, "sequential_a"}})}),
      [&](const std::string& name, const std::string& script) { plots[name] = script; });
  EXPECT_EQ(plots.size(), 3u);
  EXPECT_THAT(plots["barrier"], HasSubstr("\n1 2 2 2 \"std::barrier\" \"2.00 µs\" 0xaaaaaa\n"
                                          "2 6 5 7 \"barrier\" \"6.00 µs\" 0x0072b2\nend\n"
                                          "set title \"2 threads\"\nset xlabel 'µs'\n"
                                          "set xrange [0:9.45]\n"));
  EXPECT_THAT(plots["fork_join"], HasSubstr("set title \"fib(32), 2 workers\""));
  EXPECT_THAT(plots["speedup"], HasSubstr("1 0.25\n2 2\n"));
  EXPECT_THAT(plots["speedup"], HasSubstr("\"fork\\\\_join\"")) << "an underscore is no index";
}

TEST(peers_report, a_title_has_its_plot_where_there_are_plots) {
  const measurements all = read({file_of({{"latch/life/std::latch/1", 1}})});
  EXPECT_THAT(tables_of(all, true), HasSubstr("(benchmarks/latch.svg)"));
  EXPECT_THAT(tables_of(all), Not(HasSubstr("svg")));
}

}  // namespace
}  // namespace fencepost::bench::peers
