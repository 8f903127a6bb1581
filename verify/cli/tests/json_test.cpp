#include "base/json.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "base/usage.hpp"
#include "result_json/result_json.hpp"

namespace fencepost::cli {
namespace {

using verify::memory_model;
using verify::result;
using verify::result_from_json;
using verify::step_kind;
using verify::verdict;

result everything() {
  result r;
  r.outcome = verdict::violated;
  r.model = memory_model::cpp20;
  r.executions = std::numeric_limits<std::uint64_t>::max();
  r.blocked = 5;
  r.seconds = 1.25;
  r.fraction = 0.5;
  r.whole = verify::estimated{20, 30.5, 20, 40};
  r.limit = "none";
  r.outcomes = {{"0, 1", 3}, {"1, 0", 4}};
  r.threads = 3;
  r.events = 44;
  r.atomics = 6;
  r.plain = 2;
  r.memory = 1 << 20;
  r.violation.emplace();
  r.violation->kind = violation::use_after_free;
  r.violation->message = "a message with \"quotes\",\nlines and an ellipsis …";
  r.violation->thread = 2;
  r.violation->threads = 3;
  r.violation->where = {"file.hpp", "steal", 12, 7};
  r.violation->steps = {
      {1, step_kind::store, "store release x = 1", {}, "x", 0, 1, {"file.hpp", "push", 3, 0}},
      {2, step_kind::read_modify_write, "exchange", 0, "x", 1, ~std::uint64_t{0}, {}},
      {2, step_kind::violation, "", {}, "", 0, 0, {}},
  };
  r.violation->names = {{"x", "ready"}};
  r.violation->came_again = false;
  r.violation->no_path = "timeout";
  return r;
}

TEST(json, a_result_comes_back_as_it_went) {
  const result before = everything();
  const result after = result_from_json(json::parse(dump(to_json(before), -1)));
  EXPECT_EQ(to_json(after), to_json(before));  // what comparing the JSON would miss:
  EXPECT_EQ(after.outcome, before.outcome);
  EXPECT_EQ(after.model, before.model);
  EXPECT_EQ(after.executions, before.executions);
  EXPECT_EQ(after.outcomes, before.outcomes);
  EXPECT_EQ(after.violation->names, before.violation->names);
  EXPECT_FALSE(after.violation->came_again);
  EXPECT_EQ(after.violation->no_path, "timeout");
  EXPECT_EQ(after.memory, before.memory);
  EXPECT_EQ(after.atomics, 6U);
  EXPECT_EQ(after.plain, 2U);
  ASSERT_TRUE(after.violation);
  EXPECT_EQ(after.violation->kind, violation::use_after_free);
  EXPECT_EQ(after.violation->message, before.violation->message);
  EXPECT_STREQ(after.violation->where.file, "file.hpp");
  EXPECT_STREQ(after.violation->where.function, "steal");
  EXPECT_EQ(after.violation->where.column, 7u);
  ASSERT_EQ(after.violation->steps.size(), 3u);
  EXPECT_FALSE(after.violation->steps[0].reads_from);
  EXPECT_EQ(after.violation->steps[1].reads_from, 0u);
  EXPECT_EQ(after.violation->steps[1].value_written, ~std::uint64_t{0});
  EXPECT_EQ(after.violation->steps[1].where.line, 0u);
  EXPECT_EQ(after.violation->steps[2].kind, step_kind::violation);
}

TEST(json, the_graph_comes_back_and_edges_that_lead_nowhere_do_not) {
  result before = everything();
  before.violation->steps[0].order = "acq_rel";
  before.violation->edges = {{verify::relation::from_read, 0, 1, "a"},
                             {verify::relation::synchronizes_with, 1, 2, {}}};
  json sent = to_json(before);
  sent["violation"]["edges"].push_back({{"kind", "rf"}, {"from", 3}, {"to", 4}});
  sent["violation"]["edges"].push_back({{"kind", "rf"}, {"from", 0}, {"to", 1}});
  const result after = result_from_json(sent);
  EXPECT_EQ(after.violation->steps[0].order, "acq_rel");
  ASSERT_EQ(after.violation->edges.size(), 2u);
  EXPECT_EQ(after.violation->edges[0].kind, verify::relation::from_read);
  EXPECT_EQ(after.violation->edges[0].from, 0u);
  EXPECT_EQ(after.violation->edges[0].to, 1u);
  EXPECT_EQ(after.violation->edges[0].location, "a");
  EXPECT_EQ(after.violation->edges[1].kind, verify::relation::synchronizes_with);
}

TEST(json, outcomes_come_back_with_what_is_said_of_them_and_their_examples) {
  static constexpr known_outcome known[] = {{"0, 1", expect::interesting, "weak"}, {"7, 7"}};
  result before;
  before.outcomes = {{"0, 1", 3}, {"1, 1", 2}};
  before.known_outcomes.assign(std::begin(known), std::end(known));
  before.examples["0, 1"].steps.resize(2);
  before.examples["0, 1"].edges = {{verify::relation::reads_from, 0, 1, "a"}};
  before.examples[""].steps.resize(1);
  const result after = result_from_json(json::parse(dump(to_json(before), -1)));
  EXPECT_EQ(after.outcomes, before.outcomes);  // 7, 7 was never observed
  ASSERT_EQ(after.known_outcomes.size(), 2u);
  EXPECT_EQ(after.known_outcomes[0].result, "0, 1");
  EXPECT_EQ(after.known_outcomes[0].verdict, expect::interesting);
  EXPECT_EQ(after.known_outcomes[0].description, "weak");
  EXPECT_EQ(after.known_outcomes[1].verdict, expect::allowed);
  ASSERT_EQ(after.examples.size(), 2u);
  EXPECT_EQ(after.examples.at("0, 1").edges.size(), 1u);
  EXPECT_EQ(after.examples.at("").steps.size(), 1u);
}

TEST(json, how_to_come_to_a_counterexample_again_comes_back) {
  result before = everything();
  before.violation->path = "0*4.57";
  before.violation->priorities = {0, 2, 1};
  const result after = result_from_json(to_json(before));
  EXPECT_EQ(after.violation->path, "0*4.57");
  EXPECT_EQ(after.violation->priorities, before.violation->priorities);
}

TEST(json, what_was_looked_at_in_part_comes_back) {
  result before;
  before.limit = "samples";
  before.sample = verify::sampled{~std::uint64_t{0}, 100, 40, 20, 9};
  result after = result_from_json(to_json(before));
  ASSERT_TRUE(after.sample);
  EXPECT_EQ(after.sample->seed, before.sample->seed);
  EXPECT_EQ(after.sample->draws, 100U);
  EXPECT_EQ(after.sample->graphs, 40U);
  EXPECT_EQ(after.sample->once, 20U);
  EXPECT_EQ(after.sample->twice, 9U);
  EXPECT_FALSE(after.preemptions);

  before.whole = verify::estimated{100, 50.5, 40, 60};
  after = result_from_json(to_json(before));
  ASSERT_TRUE(after.whole);
  EXPECT_EQ(after.whole->probes, 100U);
  EXPECT_EQ(after.whole->executions, 50.5);
  EXPECT_EQ(after.whole->at_least, 40);
  EXPECT_EQ(after.whole->at_most, 60);

  before.sample.reset();
  before.preemptions = 0;
  before.cut = 12;
  after = result_from_json(to_json(before));
  EXPECT_FALSE(after.sample);
  EXPECT_EQ(after.preemptions, 0U);
  EXPECT_EQ(after.cut, 12U);

  before = everything();
  before.violation->samples = 10;
  before.violation->seed = 7;
  before.violation->preemptions = 2;
  after = result_from_json(to_json(before));
  EXPECT_EQ(after.violation->samples, 10U);
  EXPECT_EQ(after.violation->seed, 7U);
  EXPECT_EQ(after.violation->preemptions, 2U);
}

TEST(json, re_executions_come_back) {
  result before = everything();
  EXPECT_FALSE(result_from_json(to_json(before)).reexecutions);
  const source_location read{"a.hpp", "f", 3, 1}, write{"b.hpp", "g", 4, 2};
  before.reexecutions = verify::reexecuted{2, 12, 345, false, {{read, write, "a reason"}}};
  const result after = result_from_json(to_json(before));
  ASSERT_TRUE(after.reexecutions);
  EXPECT_EQ(after.reexecutions->limit, 2U);
  EXPECT_EQ(after.reexecutions->races, 12U);
  EXPECT_EQ(after.reexecutions->executions, 345U);
  EXPECT_FALSE(after.reexecutions->exhaustive);
  ASSERT_EQ(after.reexecutions->open.size(), 1U);
  EXPECT_STREQ(after.reexecutions->open[0].read.file, "a.hpp");
  EXPECT_EQ(after.reexecutions->open[0].read.line, 3U);
  EXPECT_STREQ(after.reexecutions->open[0].write.file, "b.hpp");
  EXPECT_EQ(after.reexecutions->open[0].write.line, 4U);
  EXPECT_EQ(after.reexecutions->open[0].why, "a reason");
}

TEST(json, every_kind_of_violation_and_step_comes_back) {
  for (unsigned k = 0; to_string(static_cast<violation>(k)) != "?"; ++k) {
    result r = everything();
    r.violation->kind = static_cast<violation>(k);
    EXPECT_EQ(result_from_json(to_json(r)).violation->kind, static_cast<violation>(k));
  }
  for (unsigned k = 0; k <= static_cast<unsigned>(step_kind::note); ++k) {
    result r = everything();
    r.violation->steps[0].kind = static_cast<step_kind>(k);
    EXPECT_EQ(result_from_json(to_json(r)).violation->steps[0].kind, static_cast<step_kind>(k));
  }
}

TEST(json, steps_are_numbered_from_one_as_in_the_text) {
  const json steps = to_json(everything())["violation"]["steps"];
  EXPECT_EQ(steps[0]["step"], 1);
  EXPECT_EQ(steps[1]["reads_from"], 1);
}

TEST(json, text_that_is_not_utf8_and_numbers_that_are_none_do_no_harm) {
  result r = everything();
  r.violation->message = "\xff\xfe";
  r.seconds = std::nan("");
  r.fraction = HUGE_VAL;
  const result after = result_from_json(json::parse(dump(to_json(r), -1)));
  EXPECT_EQ(after.seconds, 0);
  EXPECT_EQ(after.fraction, 0);
}

TEST(json, a_file_that_cannot_be_written_is_wrong_usage) {
  EXPECT_THROW(output_files("list", {{"--json", "/nowhere/at/all.json"}}), usage_error);
  EXPECT_FALSE(output_files("list", {{"--json", ""}}).wanted("--json"));
  EXPECT_EQ(output_files("list", {{"--json", ""}}).text(), stdout);
  EXPECT_EQ(output_files("list", {{"--json", "-"}}).text(), stderr);
}

}  // namespace
}  // namespace fencepost::cli
