// The reports for other programs: these can read them, whatever text a scenario contains.
#include "report/run_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>

namespace fencepost::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using verify::step_kind;
using verify::verdict;

constexpr source_location at(std::uint32_t line, const char* file = "kit/mail box.hpp") {
  return {file, "receive", line, 5};
}

finished_job holds() {
  finished_job done;
  done.result.outcome = verdict::verified;
  done.result.executions = 3;
  return done;
}

finished_job breaks(std::string message) {
  finished_job done;
  done.result.outcome = verdict::violated;
  verify::counterexample c;
  c.kind = violation::data_race;
  c.message = std::move(message);
  c.thread = 1;
  c.threads = 2;
  c.where = at(28);
  c.steps = {{0, step_kind::create_thread, "creates thread 1", {}, "", 0, 0, {}},
             {1, step_kind::plain_read, "read slot", {}, "slot", 0, 0, at(28)},
             {1, step_kind::violation, "a race", {}, "", 0, 0, at(28)}};
  done.result.violation = std::move(c);
  return done;
}

finished_job gives_up() {
  finished_job done;
  done.result.limit = "timeout";
  return done;
}

finished_job never_ran() {
  finished_job done;
  done.ran = false;
  return done;
}

// A run of the scenarios that are added. Each is expected to hold unless add() is told otherwise.
class some_run {
 public:
  void add(const char* name, finished_job done, violation expected = violation::none) {
    entries_.push_back(
        {scenario{.name = name, .claim = "A < B & \"C\".", .expected = expected}, {}});
    done_.push_back(std::move(done));
  }
  run_report report() {
    selected_.clear();
    for (const entry& e : entries_) selected_.push_back(&e);
    return {selected_, done_, "rc20", 1.5, exit_unexpected};
  }

 private:
  std::vector<entry> entries_;
  std::vector<const entry*> selected_;
  std::vector<finished_job> done_;
};

some_run one_of_each() {
  some_run run;
  run.add("mailbox/holds", holds());
  run.add("mailbox/breaks", breaks("<slot> & \"more\"\x01 \xff"));
  run.add("mailbox/as_expected", breaks("a race"), violation::data_race);
  run.add("other/not_found", holds(), violation::leak);
  run.add("other/incomplete", gives_up());
  run.add("other/never_ran", never_ran());
  return run;
}

// ---- XML: elements by name with their attributes; throws if it is not well formed ----

struct element {
  std::string name;
  std::map<std::string, std::string> attributes;
};

std::vector<element> parse_xml(const std::string& text) {
  std::vector<element> all;
  std::vector<std::string> open;
  const auto wrong = [](const std::string& what) { throw std::runtime_error(what); };
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x20 && c != '\n') wrong("a control character");
  }
  std::size_t at = text.find("?>") + 2;
  while ((at = text.find('<', at)) != std::string::npos) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) wrong("a tag without an end");
    std::string tag = text.substr(at + 1, end - at - 1);
    at = end;
    if (tag.find('<') != std::string::npos) wrong("a < in a tag");
    if (tag.starts_with('/')) {
      if (open.empty() || open.back() != tag.substr(1)) wrong("</" + tag + "> closes nothing");
      open.pop_back();
      continue;
    }
    const bool closed = tag.ends_with('/');
    if (closed) tag.pop_back();
    element e{tag.substr(0, tag.find(' ')), {}};
    for (std::size_t i = e.name.size(); i < tag.size();) {
      const std::size_t equals = tag.find("=\"", i);
      const std::size_t quote = tag.find('"', equals + 2);
      if (tag[i] != ' ' || equals == std::string::npos || quote == std::string::npos) {
        wrong("attributes of " + tag);
      }
      e.attributes[tag.substr(i + 1, equals - i - 1)] = tag.substr(equals + 2, quote - equals - 2);
      i = quote + 1;
    }
    if (!closed) open.push_back(e.name);
    all.push_back(std::move(e));
  }
  if (!open.empty()) wrong(open.back() + " is not closed");
  return all;
}

std::size_t count(const std::vector<element>& all, const std::string& name) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const element& e) { return e.name == name; }));
}

TEST(junit, a_suite_a_component_and_a_case_a_scenario) {
  some_run run = one_of_each();
  const std::vector<element> all = parse_xml(to_junit(run.report()));
  ASSERT_FALSE(all.empty());
  EXPECT_EQ(all[0].name, "testsuites");
  EXPECT_EQ(all[0].attributes.at("tests"), "6");
  EXPECT_EQ(all[0].attributes.at("failures"), "2");
  EXPECT_EQ(all[0].attributes.at("errors"), "1");
  EXPECT_EQ(all[0].attributes.at("skipped"), "1");
  EXPECT_EQ(count(all, "testsuite"), 2u);
  EXPECT_EQ(count(all, "testcase"), 6u);
  EXPECT_EQ(count(all, "failure"), 2u);
  EXPECT_EQ(count(all, "error"), 1u);
  EXPECT_EQ(count(all, "skipped"), 1u);
}

TEST(junit, text_that_xml_has_no_place_for_does_no_harm) {
  some_run run;
  finished_job done = breaks("<slot> & \"more\"\x01 \xff");
  done.output = "</system-out> ]]> \x1b[31m";
  run.add("mailbox/breaks", std::move(done));
  const std::string text = to_junit(run.report());
  EXPECT_NO_THROW(parse_xml(text)) << text;
  EXPECT_THAT(text, HasSubstr("&lt;slot&gt; &amp; &quot;more&quot; "));
}

// ---- SARIF; sarif_schema.py checks its structure against sarif.schema.json ----

TEST(sarif, a_result_for_what_is_not_as_expected_and_for_nothing_else) {
  some_run run = one_of_each();
  const json one = to_sarif(run.report())["runs"][0];
  ASSERT_EQ(one["results"].size(), 3u);
  EXPECT_EQ(one["results"][0]["ruleId"], "data-race");
  EXPECT_EQ(one["results"][0]["level"], "error");
  EXPECT_EQ(one["results"][1]["ruleId"], "violation-not-found");
  EXPECT_EQ(one["results"][1]["level"], "error");
  EXPECT_EQ(one["results"][2]["ruleId"], "incomplete");
  EXPECT_EQ(one["results"][2]["level"], "warning");
  for (const json& r : one["results"]) {
    EXPECT_EQ(one["tool"]["driver"]["rules"][r["ruleIndex"].get<std::size_t>()]["id"], r["ruleId"]);
  }
  EXPECT_EQ(one["invocations"][0]["executionSuccessful"], false);  // one scenario never ran
}

TEST(notes, are_notifications_of_sarif_and_properties_of_junit) {
  some_run run = one_of_each();
  run_report about = run.report();
  EXPECT_FALSE(to_sarif(about)["runs"][0]["invocations"][0].contains("toolExecutionNotifications"));
  about.notes = {"Not watched: <libc>.", "Not covered: ABA."};
  const json notes = to_sarif(about)["runs"][0]["invocations"][0]["toolExecutionNotifications"];
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(notes[1], (json{{"level", "note"}, {"message", {{"text", "Not covered: ABA."}}}}));
  const std::string text = to_junit(about);
  EXPECT_NO_THROW(parse_xml(text)) << text;
  EXPECT_THAT(text, HasSubstr("<property name=\"note\" value=\"Not watched: &lt;libc&gt;.\"/>"));
  EXPECT_THAT(to_html(about), HasSubstr("Not covered: ABA."));
}

TEST(sarif, places_are_relative_to_the_source_tree) {
  some_run run = one_of_each();
  const json place = to_sarif(run.report())["runs"][0]["results"][0]["locations"][0];
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "kit/mail%20box.hpp");
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uriBaseId"], "SRCROOT");
  EXPECT_EQ(place["physicalLocation"]["region"]["startLine"], 28);
}

TEST(sarif, what_shows_in_a_header_of_the_system_is_placed_where_it_was_called) {
  some_run run;
  finished_job done = breaks("a race");
  done.result.violation->where = at(141, "/usr/include/c++/12/bits/unique_lock.h");
  run.add("mailbox/breaks", std::move(done));
  const json place = to_sarif(run.report())["runs"][0]["results"][0]["locations"][0];
  EXPECT_EQ(place["physicalLocation"]["artifactLocation"]["uri"], "kit/mail%20box.hpp");
}

TEST(sarif, it_says_whether_the_counterexample_is_the_shortest) {
  some_run run;
  run.add("mailbox/breaks", breaks("a race"));
  finished_job done = breaks("a race");
  done.result.violations = 1'200;
  run.add("mailbox/breaks_often", std::move(done));
  const json results = to_sarif(run.report())["runs"][0]["results"];
  EXPECT_EQ(results[0]["codeFlows"][0]["message"]["text"],
            "The first counterexample that was found.");
  EXPECT_EQ(results[1]["codeFlows"][0]["message"]["text"],
            "The shortest of 1,200 counterexamples that were found.");
}

TEST(sarif, the_steps_of_each_thread_are_a_thread_flow) {
  some_run run = one_of_each();
  const json flows = to_sarif(run.report())["runs"][0]["results"][0]["codeFlows"][0]["threadFlows"];
  ASSERT_EQ(flows.size(), 2u);
  EXPECT_EQ(flows[0]["id"], "main");
  EXPECT_EQ(flows[1]["locations"].size(), 2u);
  EXPECT_EQ(flows[1]["locations"][0]["executionOrder"], 2);
}

// ---- the page ----

// Returns the text between the first occurrence of `first` and the next one of `last`.
std::string between(const std::string& text, const std::string& first, const std::string& last) {
  const std::size_t begin = text.find(first);
  if (begin == std::string::npos) return {};
  const std::size_t end = text.find(last, begin);
  return text.substr(begin + first.size(), end - begin - first.size());
}

json data_of(const std::string& page) {
  return json::parse(between(page, R"(<script type="application/json" id="data">)", "</script>"));
}

TEST(html, every_scenario_is_there_and_a_graph_of_each_that_is_violated) {
  some_run run = one_of_each();
  const json data = data_of(to_html(run.report()));
  ASSERT_EQ(data["scenarios"].size(), 6u);
  const json& holds = data["scenarios"][0];
  EXPECT_EQ(holds["status"], "as expected");
  EXPECT_EQ(holds["result"], "verified");
  EXPECT_FALSE(holds.contains("svg"));
  for (const std::size_t i : {1U, 2U}) {
    const json& violated = data["scenarios"][i];
    EXPECT_EQ(violated["result"], "violated");
    EXPECT_THAT(violated["svg"].get<std::string>(), HasSubstr("data-step=\"2\""));
    ASSERT_EQ(violated["places"].size(), 4u);  // indexed by the number of the step
    EXPECT_TRUE(violated["places"][1].is_null());
    EXPECT_EQ(violated["places"][2][0], "kit/mail box.hpp");
    EXPECT_EQ(violated["places"][2][1], 28);
    EXPECT_EQ(violated["which"], "The first counterexample that was found.");
  }
  EXPECT_EQ(data["scenarios"][5]["status"], "not run");
}

TEST(html, the_source_is_in_it) {
  some_run run;
  finished_job done = breaks("a race");
  done.result.violation->steps[1].where = {__FILE__, "here", __LINE__, 0};  // this very line
  const std::uint32_t line = done.result.violation->steps[1].where.line;
  run.add("mailbox/breaks", std::move(done));
  const json data = data_of(to_html(run.report()));
  const json place = data["scenarios"][0]["places"][2];
  EXPECT_THAT(data["files"][place[0].get<std::string>()][line - 1].get<std::string>(),
              HasSubstr("this very line"));
}

TEST(html, nothing_is_fetched_and_no_text_gets_out_of_its_place) {
  some_run run;
  finished_job done = breaks("</script><script>alert(1)</script> <!-- \xff");
  done.result.violation->steps[1].text = "</script><img src=x>";
  run.add("mailbox/breaks", std::move(done));
  const std::string page = to_html(run.report());
  EXPECT_THAT(page, HasSubstr("default-src 'none'"));
  EXPECT_THAT(page, Not(HasSubstr("@data@")));
  EXPECT_THAT(page, Not(HasSubstr("@style@")));
  EXPECT_THAT(page, Not(HasSubstr("@script@")));
  EXPECT_EQ(data_of(page)["scenarios"].size(), 1u);
  std::size_t scripts = 0;
  for (std::size_t at = 0; (at = page.find("<script", at)) != std::string::npos; ++at) ++scripts;
  EXPECT_EQ(scripts, 2u);
  for (const char* const fetches :
       {"@import", "url(", "<link rel=\"stylesheet\"", "https://", "fetch(", "XMLHttpRequest"}) {
    EXPECT_THAT(page, Not(HasSubstr(fetches))) << fetches;
  }
  EXPECT_THAT(page, HasSubstr("prefers-color-scheme: dark"));
  EXPECT_THAT(data_of(page)["scenarios"][0]["svg"].get<std::string>(),
              HasSubstr("&lt;/script&gt;&lt;img src=x&gt;"));
}

}  // namespace
}  // namespace fencepost::cli
