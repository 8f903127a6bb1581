#include "commands/checked_tests.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/streams.hpp"
#include "base/usage.hpp"
#include "commands/command.hpp"

namespace fencepost::cli {
namespace {

using temporary = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

temporary temporary_file() {
  temporary f(std::tmpfile(), &std::fclose);
  if (f == nullptr)
    throw usage_error(std::string("check: no temporary file: ") + std::strerror(errno));
  return f;
}

std::string content(std::FILE* f) {
  std::string all;
  std::rewind(f);
  char bytes[4096];
  for (std::size_t n = 0; (n = std::fread(bytes, 1, sizeof bytes, f)) > 0;) all.append(bytes, n);
  return all;
}

struct program_run {
  int status = exit_incomplete;
  std::string text;  // what it says on standard output
  json report;       // null: it has come to none
};

// An interrupt of this process is one of the program, too.
int wait_for_program(pid_t child) {
  bool told = false;
  for (int status = 0;;) {
    if (waitpid(child, &status, WNOHANG) == child)
      return WIFEXITED(status) ? WEXITSTATUS(status) : int{exit_incomplete};
    if (interrupted() && !told) {
      kill(child, SIGHUP);
      told = true;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

program_run run_program(const tests_to_check& t, const std::string& settings,
                        const std::string& argument) {
  const temporary text = temporary_file(), report = temporary_file();
  std::vector<std::string> words = t.program;
  if (!argument.empty()) words.push_back(argument);
  std::vector<char*> pointers;
  for (std::string& w : words) pointers.push_back(w.data());
  pointers.push_back(nullptr);
  const std::string all = t.settings + settings + " report=" + std::to_string(fileno(report.get()));
  setenv("FENCEPOST_CHECK", all.c_str(), 1);
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) throw usage_error(std::string("check: cannot fork: ") + std::strerror(errno));
  if (child == 0) {
    dup2(fileno(text.get()), STDOUT_FILENO);
    fcntl(fileno(report.get()), F_SETFD, 0);
    execv(pointers.front(), pointers.data());
    std::fprintf(stderr, "fencepost: check: cannot run '%s': %s\n", pointers.front(),
                 std::strerror(errno));
    _exit(exit_usage);
  }
  program_run done;
  done.status = wait_for_program(child);
  done.text = content(text.get());
  done.report = json::parse(content(report.get()), nullptr, false);
  if (done.report.is_discarded()) done.report = json();
  return done;
}

// One word for the table. Of a test that skips itself nothing is verified.
std::string verdict_of(const program_run& r) {
  if (r.status == exit_usage) return "not modelled";
  if (r.report.is_null()) return "incomplete";
  std::string verdict = r.report["verdict"];
  const json outcomes = r.report.value("outcomes", json::array());
  const auto skips = [](const json& o) {
    return o["outcome"].get<std::string>().starts_with("skipped");
  };
  if (verdict == "verified" && !outcomes.empty() &&
      std::all_of(outcomes.begin(), outcomes.end(), skips))
    verdict = "skipped";
  return verdict;
}

std::string outcome_in_words(const program_run& r) {
  if (r.status == exit_usage) return "";
  if (r.report.is_null())
    return interrupted() ? "interrupted" : "the program was ended by a signal";
  if (r.report.contains("violation")) {
    const json& v = r.report["violation"];
    const std::string path = v["file"];
    const std::string where =
        v["line"] == 0
            ? ""
            : fmt::format(" ({}:{})", path.substr(path.rfind('/') + 1), v["line"].get<unsigned>());
    return v["kind"].get<std::string>() + ": " + v["message"].get<std::string>() + where;
  }
  if (r.report.contains("limit")) return r.report["limit"];
  const auto n = r.report["executions"].get<std::uint64_t>();
  return fmt::format("{} execution{}", n, n == 1 ? "" : "s");
}

// What is wrong weighs more than what is not known.
int status_of_tests(const std::vector<program_run>& all, std::size_t of) {
  int status = all.size() < of ? exit_incomplete : 0;
  for (const program_run& r : all) {
    if (r.status == exit_unexpected) return exit_unexpected;
    if (r.status == exit_usage || status == 0) status = r.status;
  }
  return status;
}

json summary_of_tests(const std::vector<program_run>& all, std::size_t of) {
  json j{{"tests", of},
         {"verified", 0},
         {"violated", 0},
         {"incomplete", 0},
         {"skipped", 0},
         {"not_modelled", 0},
         {"not_run", of - all.size()}};
  for (const program_run& r : all) {
    const std::string verdict = verdict_of(r);
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

json test_to_json(const std::string& name, const program_run& r) {
  json j{{"name", name}, {"verdict", verdict_of(r)}, {"exit_status", r.status}};
  if (r.report.is_object())
    for (const auto& [key, value] : r.report.items())
      if (key != "verdict") j[key] = value;
  return j;
}

std::vector<program_run> run_each(const tests_to_check& t, const std::vector<std::string>& names,
                                  std::FILE* out) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, name.size());
  std::vector<program_run> all;
  for (const std::string& name : names) {
    if (interrupted()) break;
    all.push_back(run_program(t, "", "--gtest_filter=" + name));
    std::string line = fmt::format("{:<{}}  {:<12}  {}", name, width, verdict_of(all.back()),
                                   outcome_in_words(all.back()));
    std::replace(line.begin(), line.end(), '\n', ' ');
    print(out, printable(line.substr(0, line.find_last_not_of(' ') + 1) + "\n"));
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].status != 0 && !all[i].text.empty())
      print(out, printable("\n" + names[i] + "\n" + all[i].text));
  return all;
}

}  // namespace

int check_tests(const tests_to_check& t) {
  output_files files("check", {{"--json", t.json}});
  const interrupt_guard guard(interrupt_guard::second::ends_the_program);
  json whole = document("check");
  whole["program"] = valid_text(t.program.front());
  int status = 0;
  if (t.each) {
    const program_run list = run_program(t, " lists_tests=1", "");
    if (!list.report.contains("tests")) {
      print(files.text(), printable(list.text));
      return list.status == 0 ? int{exit_usage} : list.status;
    }
    const std::vector<std::string> names = list.report["tests"];
    const std::vector<program_run> all = run_each(t, names, files.text());
    status = status_of_tests(all, names.size());
    const json summary = summary_of_tests(all, names.size());
    print(files.text(), "\n" + tests_in_one_line(summary));
    whole["exit_status"] = status;
    whole["interrupted"] = interrupted();
    whole["summary"] = summary;
    whole["tests"] = json::array();
    for (std::size_t i = 0; i < all.size(); ++i)
      whole["tests"].push_back(test_to_json(names[i], all[i]));
  } else {
    const program_run one = run_program(t, "", "");
    print(files.text(), printable(one.text));
    status = one.status;
    if (one.report.is_null()) {
      if (status == exit_incomplete) print(stderr, outcome_in_words(one) + '\n');
      return status;
    }
    whole["exit_status"] = status;
    whole["interrupted"] = interrupted();
    whole["result"] = one.report;
  }
  write_json(files, whole);
  files.save();
  return status;
}

}  // namespace fencepost::cli
