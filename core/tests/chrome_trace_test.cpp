// How traces are written to files for Perfetto's viewer (chrome_trace).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <locale>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "fencepost/runtime/chrome_trace.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/worker_trace.hpp"
#include "message_of.hpp"
#include "trace_reader.hpp"

namespace fencepost {
namespace {

using namespace traces;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

runtime_trace one_thread(std::vector<trace_event> events, std::uint64_t lost = 0) {
  return {"a runtime", {{"a thread", std::move(events), lost}}};
}

TEST(chrome_trace, an_empty_trace_is_a_file_without_events) {
  EXPECT_EQ(json::parse(written({})).at("traceEvents").size(), 0u);
  EXPECT_THAT(read(written({one_thread({})})), testing::SizeIs(1));
  EXPECT_THAT(read(written({{"no workers", {}}})), IsEmpty());
}

TEST(chrome_trace, times_are_microseconds_since_the_earliest_event_to_the_nanosecond) {
  constexpr std::int64_t base = std::int64_t{1} << 62;
  const std::string text = written({one_thread({{.begin = base, .end = base, .name = "first"},
                                                {.begin = base + 1'000'000'007,
                                                 .end = base + 2'000'000'107,
                                                 .name = "second",
                                                 .kind = trace_kind::task}})});
  for (const char* time : {"0.000", "1000000.007", "2000000.107"}) {
    EXPECT_THAT(text, HasSubstr("\"ts\":" + std::string{time})) << text;
  }
}

TEST(chrome_trace, the_language_of_the_stream_changes_no_number) {
  struct grouped : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const auto trace = one_thread({{.begin = 0, .end = 1'234'567'890, .name = "long"}}, 12'345);
  std::ostringstream out;
  out.imbue(std::locale{std::locale::classic(), new grouped});
  write_chrome_trace(out, {trace});
  EXPECT_EQ(out.str(), written({trace}));
  EXPECT_THAT(out.str(), HasSubstr("\"ts\":1234567.890"));
}

TEST(chrome_trace, names_are_escaped) {
  auto trace = one_thread({{.name = "say \"a\\b\"\n\t\x01\x1f\x7f /"}});
  trace.name = "für ∀ 𝕏";
  trace.threads[0].name = "}],\"";
  const auto threads = read(written({trace}));
  ASSERT_EQ(threads.size(), 1u);
  EXPECT_EQ(threads[0].process, "für ∀ 𝕏");
  EXPECT_EQ(threads[0].name, "}],\"");
  EXPECT_EQ(threads[0].events.at(0).name, "say \"a\\b\"\n\t\x01\x1f\x7f /");
}

TEST(chrome_trace, what_is_no_utf8_is_replaced) {
  const std::pair<const char*, const char*> names[] = {
      {"\xff", "\xEF\xBF\xBD"},
      {"\x80z", "\xEF\xBF\xBDz"},
      {"a\xc3", "a\xEF\xBF\xBD"},                                // the end is missing
      {"\xc3(", "\xEF\xBF\xBD("},                                // another character follows
      {"\xc0\xaf", "\xEF\xBF\xBD\xEF\xBF\xBD"},                  // longer than needed
      {"\xe0\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // the same
      {"\xf0\x80\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"\xed\xa0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},                  // a surrogate
      {"\xf4\x90\x80\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},  // too large
      {"\xf4\x8f\xbf\xbf", "\xf4\x8f\xbf\xbf"},                                  // the largest
      {"\xed\x9f\xbf\xee\x80\x80", "\xed\x9f\xbf\xee\x80\x80"},  // beside the surrogates
  };
  for (const auto& [name, read_as] : names) {
    const auto threads = read(written({one_thread({{.name = name}})}));
    ASSERT_EQ(threads.size(), 1u);
    EXPECT_EQ(threads[0].events.at(0).name, read_as);
  }
}

TEST(chrome_trace, what_encloses_comes_first_at_the_same_moment) {
  // In the order of their ends, as events are recorded.
  const auto threads = read(written({one_thread({{.begin = 1, .end = 2, .name = "inner"},
                                                 {.begin = 1, .end = 4, .name = "middle"},
                                                 {.begin = 1, .end = 4, .name = "outer"}})}));
  ASSERT_EQ(threads.size(), 1u);
  std::vector<std::string> names;
  for (const auto& each : threads[0].events) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("outer", "middle", "inner"));
}

TEST(chrome_trace, what_begins_when_another_ends_lies_beside_it) {
  const auto threads = read(written({one_thread({{.begin = 1, .end = 2, .name = "a"},
                                                 {.begin = 2, .end = 2, .name = "b"},
                                                 {.begin = 2, .end = 3, .name = "c"},
                                                 {.begin = 1, .end = 3, .name = "all"}})}));
  ASSERT_EQ(threads.size(), 1u);
  std::vector<std::string> spans;
  for (const auto& each : threads[0].events) {
    spans.push_back(each.name + std::to_string(each.begin) + std::to_string(each.end));
  }
  EXPECT_THAT(spans, ElementsAre("all02", "a01", "c12", "b11"));
}

// Some readers search for the times with a parser of their own, which stops at a name that it does
// not understand.
TEST(chrome_trace, names_come_after_the_times) {
  const std::string text = written({one_thread({{.name = "\x01"}})});
  EXPECT_LT(text.find("\"ts\""), text.find("\\u0001"));
  EXPECT_THAT(written({one_thread({{.name = "\x7f"}})}), HasSubstr("\\u007f"));
}

TEST(chrome_trace, lost_events_are_an_event_where_the_rest_begins) {
  const auto threads = read(written({one_thread(
      {{.begin = 5, .end = 7, .name = "a"}, {.begin = 8, .end = 9, .name = "b"}}, 41)}));
  ASSERT_EQ(threads.size(), 1u);
  const auto lost = all_of(threads, "lost");
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_EQ(lost[0].begin, 0);
  EXPECT_EQ(lost[0].arguments.at("events"), 41);
}

TEST(chrome_trace, an_arrow_leads_from_what_the_victim_ran_to_the_thief) {
  const auto steal = [](std::int64_t at, std::uint32_t from) {
    return trace_event{
        .begin = at, .end = at, .name = "steal", .other = from, .kind = trace_kind::steal};
  };
  const auto task = [](std::int64_t begin, std::int64_t end) {
    return trace_event{.begin = begin, .end = end, .name = "task", .kind = trace_kind::task};
  };
  runtime_trace two{"two",
                    {{"victim", {task(12, 14), task(10, 20), task(30, 40)}, 0},
                     {"thief",
                      {steal(10, 0), steal(13, 0), steal(14, 0), steal(19, 0),  // within a task
                       steal(9, 0), steal(20, 0), steal(25, 0), steal(40, 0),   // outside of tasks
                       steal(15, 1), steal(15, 7)},                             // no other thread
                      0}}};
  for (int twice = 0; twice < 2; ++twice) {
    const auto threads = read(written({two, two}));
    ASSERT_EQ(threads.size(), 4u);
    for (const std::size_t thief : {1u, 3u}) {
      EXPECT_THAT(threads[thief].arrows_from, ElementsAre("victim", "victim", "victim", "victim"));
      EXPECT_THAT(threads[thief - 1].arrows_from, IsEmpty());
    }
    two.threads[0].events.pop_back();  // now arrows leave after the last event has begun
  }
}

TEST(chrome_trace, a_stream_that_fails_is_an_error) {
  std::ostringstream out;
  out.setstate(std::ios_base::badbit);
  EXPECT_THAT(message_of([&] { write_chrome_trace(out, {}); }), HasSubstr("stream failed"));
}

TEST(chrome_trace, a_file_is_replaced) {
  const auto path = std::filesystem::temp_directory_path() /
                    ("fencepost_trace_" + std::to_string(std::random_device{}()) + ".json");
  const std::vector<runtime_trace> trace{one_thread({{.begin = 0, .end = 5, .name = "x"}})};
  for (int twice = 0; twice < 2; ++twice) {
    write_chrome_trace(path.string(), trace);
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    EXPECT_EQ(text.str(), written(trace));
  }
  std::filesystem::remove(path);
}

TEST(chrome_trace, a_file_that_cannot_be_opened_is_named) {
  const std::string message =
      message_of([] { write_chrome_trace("/nowhere/at/all/run.json", {}); });
  EXPECT_THAT(message, HasSubstr("cannot open '/nowhere/at/all/run.json'"));
  EXPECT_THROW(write_chrome_trace("/nowhere/at/all/run.json", {}), std::system_error);
}

TEST(chrome_trace, a_file_without_room_is_named) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "there is no /dev/full";
  const std::vector<trace_event> many(10'000);
  for (const auto& trace : {one_thread({}), one_thread(many)}) {
    EXPECT_THAT(message_of([&] { write_chrome_trace("/dev/full", {trace}); }),
                HasSubstr("cannot write '/dev/full'"));
  }
}

TEST(chrome_trace, of_several_runtimes_are_processes_of_one_file) {
  std::vector<runtime_trace> traces;
  for (const char* name : {"first", "second"}) {
    traced_thread_pool pool{{.workers = 2, .name = {}}};
    pool.call([] {});
    pool.stop();
    traces.push_back(pool.trace());
    traces.back().name = name;
  }
  basic_fork_join<fork_join_features{.trace = true}> tasks{{.workers = 1, .name = "tasks"}};
  tasks.run([](auto& me) { static_cast<void>(me.index()); });
  tasks.stop();
  traces.push_back(tasks.trace());
  const auto threads = read(written(traces));
  std::vector<std::string> names;
  for (const auto& each : threads) names.push_back(each.process + ' ' + each.name);
  EXPECT_THAT(names, ElementsAre("first worker 0", "first worker 1", "second worker 0",
                                 "second worker 1", "fork_join tasks-0"));
}

}  // namespace
}  // namespace fencepost
