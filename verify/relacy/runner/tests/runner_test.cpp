// The runner, on made-up entries and results.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "apart.hpp"
#include "differences.hpp"
#include "runner_report.hpp"
#include "second_opinion_table.hpp"

namespace fencepost::relacy {
namespace {

using testing::HasSubstr;

constexpr scenario must_hold{.name = "test/must_hold"};
constexpr scenario must_race{.name = "test/must_race", .expected = violation::data_race};

entry of(const scenario& s, result (*run)(const options&)) { return {s, run, nullptr}; }
result holds(const options& o) {
  result r;
  r.iterations = o.iterations;
  return r;
}
result races(const options&) {
  return {.verdict = verdict::violated,
          .iterations = 7,
          .kind = violation::data_race,
          .message = "DATA RACE",
          .history = "what happened"};
}
result crashes(const options& o) {
  o.progress->store(3);
  std::signal(SIGSEGV, SIG_DFL);
  std::raise(SIGSEGV);
  return {};
}
result exits(const options&) { std::_Exit(9); }

row run(const entry& e) {
  const options how{.iterations = 50, .timeout = std::chrono::seconds(5)};
  return {&e, {{scheduler::random, run_apart({{&e, how}}, 1, nullptr).at(0)}}};
}

TEST(apart, a_result_comes_back_whole) {
  const entry e = of(must_race, races);
  const result r = run(e).runs.at(0).result;
  EXPECT_EQ(r.verdict, verdict::violated);
  EXPECT_EQ(r.iterations, 7u);
  EXPECT_EQ(r.kind, violation::data_race);
  EXPECT_EQ(r.message, "DATA RACE");
  EXPECT_EQ(r.history, "what happened");
}

TEST(apart, a_crash_ends_its_own_simulation_only) {
  const entry bad = of(must_hold, crashes), gone = of(must_hold, exits),
              good = of(must_hold, holds);
  const options how{.iterations = 50, .timeout = std::chrono::seconds(5)};
  const auto results = run_apart({{&bad, how}, {&gone, how}, {&good, how}}, 2, nullptr);
  EXPECT_EQ(results.at(0).verdict, verdict::broken);
  EXPECT_EQ(results.at(0).iterations, 3u);
  EXPECT_THAT(results.at(0).message, HasSubstr("signal 11"));
  EXPECT_EQ(results.at(1).verdict, verdict::broken);
  EXPECT_THAT(results.at(1).message, HasSubstr("status 9"));
  EXPECT_EQ(results.at(2).verdict, verdict::holds);
}

TEST(judgement, agreement_and_difference) {
  const entry holding = of(must_hold, holds), racing = of(must_race, races);
  const entry wrong = of(must_hold, races), missed = of(must_race, holds);
  EXPECT_EQ(judge(run(holding)), standing::agrees);
  EXPECT_EQ(judge(run(racing)), standing::agrees);
  EXPECT_EQ(judge(run(wrong)), standing::differs);
  EXPECT_EQ(judge(run(missed)), standing::differs);
  EXPECT_EQ(status_of({run(holding), run(racing)}), 0);
  EXPECT_EQ(status_of({run(holding), run(missed)}), 1);
}

TEST(judgement, another_kind_of_violation_is_a_difference) {
  constexpr scenario must_leak{.name = "test/must_leak", .expected = violation::leak};
  const entry e = of(must_leak, races);
  EXPECT_EQ(judge(run(e)), standing::differs);
}

TEST(judgement, a_known_rule_explains_a_difference) {
  const scenario known{.name = differences().front().scenario, .expected = violation::data_race};
  const entry missed = of(known, holds), found = of(known, races);
  EXPECT_EQ(judge(run(missed)), standing::explained);
  EXPECT_EQ(status_of({run(missed)}), 0);
  EXPECT_EQ(judge(run(found)), standing::agrees_now);
}

TEST(judgement, a_time_limit_leaves_it_open) {
  row r = {nullptr, {{scheduler::random, {}}}};
  r.runs.front().result.cut_short = true;
  const entry missed = of(must_race, holds), holding = of(must_hold, holds);
  r.what = &missed;
  EXPECT_EQ(judge(r), standing::incomplete);
  r.what = &holding;
  EXPECT_EQ(status_of({r}), 3);
}

TEST(judgement, what_cannot_be_expressed_is_skipped) {
  const entry e{must_race, nullptr, "it is too large"};
  const row r{&e, {}};
  EXPECT_EQ(judge(r), standing::skipped);
  EXPECT_EQ(status_of({r}), 0);
  EXPECT_THAT(lines(r, 20), HasSubstr("skipped: it is too large"));
}

TEST(differences, each_names_a_rule_and_no_scenario_has_two) {
  std::set<std::string_view> names;
  for (const difference& d : differences()) {
    EXPECT_NE(rule_for(d.scenario), nullptr) << d.scenario;
    EXPECT_TRUE(names.insert(d.scenario).second) << d.scenario;
  }
  EXPECT_EQ(rule_for("no/such_scenario"), nullptr);
}

TEST(differences, each_rule_decides_something) {
  for (const rule& r : rules()) {
    bool used = false;
    for (const difference& d : differences()) used = used || d.rule == r.key;
    EXPECT_TRUE(used) << r.key;
  }
}

TEST(table, has_what_each_says) {
  const entry holding = of(must_hold, holds), racing = of(must_race, races);
  const checker_verdicts said = {{"test/must_hold", "holds"}};
  const std::string text =
      page_table({"test/must_hold", "test/must_race"},
                 {page_row_of(run(racing), said), page_row_of(run(holding), said)}, {});
  EXPECT_THAT(text,
              HasSubstr("2 scenarios: 2 agree, 0 differ for a reason that is known, 0 are open, "
                        "0 are skipped. Of 1 violations that must be found 1 are found.\n"));
  EXPECT_THAT(text, HasSubstr("| `test/must_hold` | holds | holds | holds in 50 |  |\n"
                              "| `test/must_race` | data race | not asked | "
                              "data race after 7 (random) |  |\n"));
}

TEST(table, keeps_the_rows_that_are_not_run_again) {
  const entry holding = of(must_hold, holds);
  const auto earlier = read_page(
      "text | `no row` |\n"
      "| `test/must_hold` | holds | holds | broken: ended by signal 11 | **BROKEN** |\n"
      "| `test/other` | leak | leak | holds in 9 | [addresses](#addresses) |\n"
      "| `test/skipped` | holds | holds | skipped: fields of a word |  |\n"
      "| `test/gone` | holds | holds | holds in 3 |  |\n");
  EXPECT_EQ(earlier.size(), 4u);
  EXPECT_EQ(page_table({"test/skipped", "test/other", "test/must_hold", "test/never_run"},
                       {page_row_of(run(holding), {})}, earlier),
            "3 scenarios: 1 agree, 1 differ for a reason that is known, 0 are open, 1 are skipped. "
            "Of 1 violations that must be found 0 are found.\n"
            "\n"
            "| scenario | expected | checker | Relacy | |\n"
            "| --- | --- | --- | --- | --- |\n"
            "| `test/skipped` | holds | holds | skipped: fields of a word |  |\n"
            "| `test/other` | leak | leak | holds in 9 | [addresses](#addresses) |\n"
            "| `test/must_hold` | holds | not asked | holds in 50 |  |\n");
}

TEST(table, takes_what_the_checker_wrote) {
  const auto document = nlohmann::json::parse(R"({"scenarios": [
    {"name": "a/b", "result": {"verdict": "verified"}},
    {"name": "a/c", "result": {"verdict": "violated", "violation": {"kind": "leak"}}}]})");
  const checker_verdicts said = checker_verdicts_of(document);
  EXPECT_EQ(said.at("a/b"), "holds");
  EXPECT_EQ(said.at("a/c"), "leak");
  EXPECT_THROW(checker_verdicts_of(nlohmann::json::parse("[1]")), std::runtime_error);
}

}  // namespace
}  // namespace fencepost::relacy
