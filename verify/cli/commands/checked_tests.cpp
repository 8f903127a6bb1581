#include "commands/checked_tests.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/screen.hpp"
#include "base/streams.hpp"
#include "commands/tests_side_by_side.hpp"
#include "run/under_models.hpp"

namespace fencepost::cli {
namespace {

// An unexpected result takes precedence over an incomplete one.
int status_of_tests(const std::vector<named_run>& all, std::size_t of) {
  int status = all.size() < of ? exit_incomplete : 0;
  for (const named_run& test : all) {
    if (test.run.status == exit_unexpected) return exit_unexpected;
    if (test.run.status == exit_usage || status == 0) status = test.run.status;
  }
  return status;
}

json summary_of_tests(const std::vector<named_run>& all, std::size_t of) {
  json j{{"tests", of},
         {"verified", 0},
         {"violated", 0},
         {"incomplete", 0},
         {"skipped", 0},
         {"not_modelled", 0},
         {"not_run", of - all.size()}};
  for (const named_run& test : all) {
    const std::string verdict = test.run.verdict();
    json& n = j[verdict == "not modelled" ? "not_modelled" : verdict];
    n = n.get<unsigned>() + 1;
  }
  return j;
}

std::string tests_in_one_line(const json& summary) {
  std::string text = fmt::format("{} tests:", summary["tests"].get<std::size_t>());
  const char* between = " ";
  for (const auto& [word, n] : summary.items()) {
    if (word == "tests" || n == 0) continue;
    std::string words = word;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += fmt::format("{}{} {}", between, n.get<std::size_t>(), words);
    between = ", ";
  }
  return text + ".\n";
}

json test_to_json(const named_run& test) {
  json j{{"name", test.name}, {"verdict", test.run.verdict()}, {"exit_status", test.run.status}};
  if (test.run.report.is_object())
    for (const auto& [key, value] : test.run.report.items())
      if (key != "verdict") j[key] = value;
  return j;
}

std::vector<named_run> run_each(const tests_to_check& t, const std::vector<std::string>& names,
                                std::FILE* out) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::vector<named_run> all;
  // The program was examined when it listed its tests.
  run_side_by_side(t.program, t.settings + " is_examined=1", t.jobs, names,
                   [&](const named_run& test) {
                     print(stderr, test.run.errors);
                     std::string line = fmt::format("{:<{}}  {:<12}  {}", test.name, width,
                                                    test.run.verdict(), test.run.in_words());
                     std::replace(line.begin(), line.end(), '\n', ' ');
                     print(out, printable(line.substr(0, line.find_last_not_of(' ') + 1) + "\n"));
                     all.push_back(test);
                   });
  for (const named_run& test : all)
    if (test.run.status != 0 && !test.run.text.empty())
      print(out, printable("\n" + test.name + "\n" + test.run.text));
  return all;
}

// Sets `of_last` to the model of the run that is returned.
checked_run run_under_models(const tests_to_check& t, std::FILE* out, json& whole,
                             std::string& of_last) {
  checked_run last;
  std::string examined;  // set once the first run has examined the program
  const under_models all = explore_under_models([&](verify::memory_model model, bool consistent) {
    of_last = consistent ? "sc" : to_string(model);
    last = run_checked(t.program, t.settings + " model=" + std::string(to_string(model)) +
                                      " sequentially_consistent=" + (consistent ? "1" : "0") +
                                      examined);
    if (last.report.is_object()) examined = " is_examined=1";
    return finished(last);
  });
  whole["models"] = to_json(all);
  if (last.report.is_object()) last.text += "\n" + in_words(all, screen(out, when::automatic));
  return last;
}

}  // namespace

int check_tests(const tests_to_check& t) {
  output_files files("check", {{"--json", t.files.json},
                               {"--junit", t.files.junit},
                               {"--sarif", t.files.sarif},
                               {"--html", t.files.html},
                               {"--svg", t.files.svg},
                               {"--dot", t.files.dot}});
  const interrupt_guard guard(interrupt_guard::second::ends_the_program);
  const auto began = std::chrono::steady_clock::now();
  json whole = document("check");
  whole["program"] = valid_text(t.program.front());
  std::vector<named_run> all;
  int status = 0;
  std::string model(to_string(t.model));
  if (t.each) {
    const checked_run list = run_checked(t.program, t.settings + " lists_tests=1");
    if (!list.report.contains("tests")) {
      print(files.text(), printable(list.text));
      return list.status == 0 ? int{exit_usage} : list.status;
    }
    const std::vector<std::string> names = list.report["tests"];
    all = run_each(t, names, files.text());
    status = status_of_tests(all, names.size());
    const json summary = summary_of_tests(all, names.size());
    print(files.text(), "\n" + tests_in_one_line(summary));
    whole["exit_status"] = status;
    whole["interrupted"] = interrupted();
    whole["summary"] = summary;
    whole["tests"] = json::array();
    for (const named_run& test : all) whole["tests"].push_back(test_to_json(test));
  } else {
    std::string name = t.program.front();
    name.erase(0, name.rfind('/') + 1);
    all.push_back({name, t.models ? run_under_models(t, files.text(), whole, model)
                                  : run_checked(t.program, t.settings)});
    const checked_run& one = all.back().run;
    print(files.text(), printable(one.text));
    status = one.status;
    if (one.report.is_null()) {
      if (status == exit_incomplete) print(stderr, one.in_words() + '\n');
      return status;
    }
    whole["exit_status"] = status;
    whole["interrupted"] = interrupted();
    whole["result"] = one.report;
  }
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  write_json(files, whole);
  write_reports(files, all, t.expects_violation, model, seconds, status);
  files.save();
  return status;
}

}  // namespace fencepost::cli
