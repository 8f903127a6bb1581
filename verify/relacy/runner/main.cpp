// fencepost_relacy: runs the kit's scenarios under Relacy's schedulers. See docs/second-opinion.md.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "apart.hpp"
#include "base/names.hpp"
#include "base/usage.hpp"
#include "differences.hpp"
#include "every_scenario.hpp"
#include "runner_report.hpp"
#include "second_opinion_table.hpp"
#include "simulated_scenario.hpp"

namespace fencepost::relacy {
namespace {

struct arguments {
  std::vector<std::string> patterns;
  std::vector<scheduler> schedulers;
  std::uint64_t iterations = 100'000;
  std::uint64_t more = 10'000'000;
  unsigned bound = 2;
  unsigned timeout = 300;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool history = false;
  std::string json, table, page, checker;
};

// A file that cannot be written is wrong usage, and is reported before anything runs.
class file {
 public:
  explicit file(const std::string& name) : name_(name) {
    if (name.empty()) return;
    stream_.open(name);
    if (!stream_) throw cli::usage_error("cannot write " + name);
  }
  void write(const std::string& text) {
    if (name_.empty()) return;
    stream_ << text << std::flush;
    if (!stream_) throw cli::usage_error("cannot write " + name_);
  }

 private:
  std::string name_;
  std::ofstream stream_;
};

checker_verdicts read_checker(const std::string& name) {
  if (name.empty()) return {};
  std::ifstream stream(name);
  if (!stream) throw cli::usage_error("cannot read " + name);
  try {
    return checker_verdicts_of(nlohmann::json::parse(stream));
  } catch (const std::exception& e) {
    throw cli::usage_error(name + ": " + e.what());
  }
}

std::vector<page_row> read_earlier(const std::string& name) {
  if (name.empty()) return {};
  std::ifstream stream(name);
  if (!stream) throw cli::usage_error("cannot read " + name);
  return read_page({std::istreambuf_iterator<char>(stream), {}});
}

// Where the result of a job belongs.
struct place {
  std::size_t row;
  std::size_t run;
};

void simulate(std::vector<row>& rows, const arguments& a) {
  std::vector<job> jobs;
  std::vector<place> places;
  std::vector<std::size_t> missing(rows.size());
  std::size_t width = 8;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    width = std::max(width, rows[i].what->about.name.size());
    if (rows[i].what->run == nullptr) continue;
    for (const scheduler s : a.schedulers) {
      places.push_back({i, rows[i].runs.size()});
      rows[i].runs.push_back({s, {}});
      jobs.push_back({rows[i].what,
                      {.scheduler = s,
                       .iterations = a.iterations,
                       .timeout = std::chrono::seconds(a.timeout),
                       .context_bound = a.bound}});
      ++missing[i];
    }
  }
  fmt::print("{}", heading(width));
  std::size_t next = 0;  // the first row that was not printed
  const auto print_what_is_there = [&] {
    for (; next < rows.size() && missing[next] == 0; ++next)
      fmt::print("{}", lines(rows[next], width));
    std::fflush(stdout);
  };
  print_what_is_there();
  run_apart(jobs, a.jobs, [&](std::size_t job, const result& r) {
    rows[places[job].row].runs[places[job].run].result = r;
    --missing[places[job].row];
    print_what_is_there();
  });

  // An expected violation that was not found gets more iterations, to tell whether they were too
  // few or the models differ. Where a rule says that the models differ, only the table needs this.
  jobs.clear();
  std::vector<std::size_t> again;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const row& r = rows[i];
    if (r.what->run == nullptr || r.what->about.expected == violation::none ||
        r.violated() != nullptr || a.more <= a.iterations ||
        (rule_for(r.what->about.name) != nullptr && a.table.empty())) {
      continue;
    }
    again.push_back(i);
    jobs.push_back({r.what, {.iterations = a.more, .timeout = std::chrono::seconds(a.timeout)}});
  }
  if (jobs.empty()) return;
  fmt::print("\nnot found at first, searched for longer:\n");
  run_apart(jobs, a.jobs, [&](std::size_t job, const result& r) {
    row& where = rows[again[job]];
    where.runs.push_back({scheduler::random, r});
    // The earlier iterations of the same scheduler are the first of the new ones.
    std::erase_if(where.runs, [&](const row::run& run) {
      return run.scheduler == scheduler::random && &run != &where.runs.back();
    });
    row last = where;
    last.runs.erase(last.runs.begin(), last.runs.end() - 1);
    fmt::print("{}", lines(last, width));
    std::fflush(stdout);
  });
}

int run(const arguments& a) {
  const std::vector<entry> all = registry();
  const std::vector<const entry*> selected = cli::select(all, a.patterns);
  file json(a.json), table(a.table);
  const checker_verdicts checker = read_checker(a.checker);
  const std::vector<page_row> earlier = read_earlier(a.page);

  std::vector<row> rows;
  for (const entry* e : selected) rows.push_back({e, {}});
  simulate(rows, a);

  fmt::print("\n{}", summary(rows));
  if (a.history) {
    for (const row& r : rows) {
      if (const row::run* bad = r.violated())
        fmt::print("\n{} ({})\n{}", r.what->about.name, to_string(bad->scheduler),
                   bad->result.history);
    }
  }
  json.write(to_json(rows).dump(1) + "\n");
  std::vector<std::string_view> names;
  const std::vector<scenario_of_model> every = every_scenario();
  for (const scenario_of_model& s : every) names.push_back(s.about.name);
  std::vector<page_row> fresh;
  for (const row& r : rows) fresh.push_back(page_row_of(r, checker));
  table.write(page_table(names, fresh, earlier));
  return status_of(rows);
}

int main(int argc, char** argv) {
  arguments a;
  CLI::App app{"The kit's scenarios under Relacy: a second opinion", "fencepost_relacy"};
  app.add_option("pattern", a.patterns, "Names of scenarios (globs); default: all");
  std::vector<std::string> names;
  app.add_option("--scheduler", names,
                 "random, bound or full; may be given several times; default: all three")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"random", "bound", "full"}));
  const CLI::Validator positive(
      [](const std::string& text) {
        const bool number = !text.empty() && text.find_first_not_of("0123456789") == text.npos &&
                            text.find_first_not_of('0') != text.npos;
        return number ? std::string() : "\"" + text + "\" is not a number from 1 up";
      },
      "N");
  app.add_option("--iterations", a.iterations, "At most this many iterations of each simulation")
      ->capture_default_str()
      ->check(positive);
  app.add_option("--more", a.more,
                 "At most this many iterations of the random scheduler for an expected violation "
                 "that was not found; without --table, only where no rule explains it")
      ->capture_default_str();
  app.add_option("--bound", a.bound, "At most this many thread switches by the bound scheduler")
      ->capture_default_str();
  app.add_option("--timeout", a.timeout, "At most this many seconds for each simulation")
      ->capture_default_str()
      ->check(positive);
  app.add_option("--jobs", a.jobs, "Run this many simulations side by side")
      ->capture_default_str()
      ->check(positive);
  app.add_flag("--history", a.history, "Show what happened in each violation");
  app.add_option("--json", a.json, "Write the results to this file");
  app.add_option("--table", a.table, "Write the table of docs/second-opinion.md to this file");
  app.add_option("--page", a.page,
                 "The page from whose table the rows of the other scenarios are taken");
  app.add_option("--checker", a.checker,
                 "The file that fencepost verify --json wrote, for the table");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? 0 : cli::exit_usage;
  }
  for (const scheduler each : {scheduler::random, scheduler::bound, scheduler::full}) {
    if (names.empty() || std::ranges::find(names, to_string(each)) != names.end())
      a.schedulers.push_back(each);
  }
  try {
    return run(a);
  } catch (const cli::usage_error& e) {
    fmt::print(stderr, "fencepost_relacy: {}\n", e.what());
  } catch (const std::exception& e) {
    fmt::print(stderr, "fencepost_relacy: {}\n", e.what());
  }
  return cli::exit_usage;
}

}  // namespace
}  // namespace fencepost::relacy

int main(int argc, char** argv) { return fencepost::relacy::main(argc, argv); }
