#include "evidence/necessity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "base/interrupts.hpp"
#include "base/names.hpp"
#include "base/this_program.hpp"
#include "fencepost/verify/report.hpp"
#include "run/judgement.hpp"
#include "run/run_or_recall.hpp"
#include "source/ordering_labels.hpp"
#include "source/own_headers.hpp"
#include "source/source_files.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {
namespace {

namespace fs = std::filesystem;
using clock = std::chrono::steady_clock;
using verify::memory_model;
using verify::verdict;

// Scenarios on policies that are wrong on purpose, and on other people's protocols.
bool takes_part(const entry& e, bool nightly) {
  return e.about.expected == violation::none && (nightly || !e.about.nightly) &&
         !e.model.ends_with("/faults") && !e.model.starts_with("published/") &&
         !e.model.starts_with("known_bugs/");
}

// A violation that the weaker order explains. One without steps is not the explorer's: the process
// was killed. What cannot be run twice alike says nothing.
bool shows_need(const verify::result& r) {
  return r.outcome == verdict::violated && r.violation && !r.violation->steps.empty() &&
         r.violation->kind != violation::nondeterminism &&
         r.violation->kind != violation::out_of_memory;
}

bool holds(const verify::result& r) { return r.outcome == verdict::verified && r.executions != 0; }

struct known_header {
  fs::path path;
  header_report report;
  std::map<std::size_t, std::vector<std::size_t>> visitors;  // of an operation: scenarios
};

// May this order be weakened so: a scenario is to say.
struct question {
  std::size_t header = 0, operation = 0, step = 0;
  std::vector<std::size_t> scenarios;
  std::size_t next = 0;
  bool decided = false;
  std::size_t answer = 0;  // the scenario that decided it, as an index
};

class finder {
 public:
  finder(const std::vector<entry>& entries, const necessity_options& options, result_store& store,
         screen& out)
      : options_(options),
        model_(options.model == memory_model::xc20 ? memory_model::rc20 : options.model),
        store_(store),
        out_(out) {
    for (const entry& e : entries) {
      if (takes_part(e, options.nightly)) scenarios_.push_back({&e, {}});
    }
  }

  necessity_report run() {
    explore_as_written();
    find_headers();
    for (known_header& h : headers_) match(h);
    report_.scenarios = scenarios_.size();
    make_questions();
    if (!interrupted()) ask();
    if (options_.model == memory_model::xc20 && !interrupted()) ask_under_xc20();
    finish();
    for (known_header& h : headers_) report_.headers.push_back(std::move(h.report));
    return std::move(report_);
  }

 private:
  struct candidate {
    const entry* what;
    verify::result as_written;
  };

  // ---- exploring ----

  verify::options how_to_explore(const candidate& c) const {
    verify::options how = options_for(*c.what, options_, options_);
    how.model = model_;
    how.recheck = false;
    return how;
  }

  void explore_as_written() {
    std::vector<job> jobs;
    for (const candidate& c : scenarios_) {
      verify::options how = how_to_explore(c);
      how.list_places = true;
      jobs.push_back({c.what, how});
    }
    std::vector<finished_job> done =
        run_or_recall(jobs, store_, limits(), [&](std::size_t finished, std::size_t of) {
          draw(fmt::format("scenarios as they are: {} of {}", finished, of));
        });
    std::vector<candidate> holding;
    for (std::size_t i = 0; i < done.size(); ++i) {
      scenarios_[i].as_written = std::move(done[i].result);
      const verify::result& r = scenarios_[i].as_written;
      if (holds(r)) {
        holding.push_back(std::move(scenarios_[i]));
        continue;
      }
      if (!done[i].ran) continue;
      report_.broken = report_.broken || r.outcome != verdict::incomplete;
      report_.left_out.push_back(fmt::format("{}: {}", scenarios_[i].what->about.name,
                                             describe(scenarios_[i].what->about, r)));
    }
    scenarios_ = std::move(holding);
  }

  worker_limits limits() const {
    worker_limits w;
    w.jobs = options_.jobs;
    return w;
  }

  void draw(const std::string& text) {
    const auto now = clock::now();
    if (!out_.is_live() || now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    out_.live(interrupted() ? "stopping; once more to stop at once" : text);
  }

  // ---- what stands in the sources ----

  // The part of a path that lies in the folder of the headers, and the folder.
  std::optional<std::pair<fs::path, std::string>> in_folder(const std::string& file) const {
    const std::string path = on_disk(file).generic_string();
    const std::string folder = "/" + options_.folder + "/";
    const std::size_t at = path.rfind(folder);
    if (at == std::string::npos) return std::nullopt;
    return std::pair(fs::path(path.substr(0, at + folder.size() - 1)),
                     path.substr(at + folder.size()));
  }

  void find_own_headers() {
    const std::vector<source_file> all = own_headers("necessity");
    std::set<fs::path> met;
    for (const candidate& c : scenarios_) {
      for (const verify::access_place& p : c.as_written.places) met.insert(on_disk(p.where.file));
    }
    const bool any = std::any_of(all.begin(), all.end(),
                                 [&](const source_file& f) { return met.contains(f.path); });
    std::vector<std::string> names;
    for (const source_file& f : all) names.push_back(f.name);
    if (!any && !interrupted() && report_.left_out.empty()) {
      throw usage_error("necessity: no scenario executes an atomic access in the headers " +
                        joined(names));
    }
    for (const source_file& f : all) add_file(f, "");
    require_matches(options_.patterns, names, "header of the project");
  }

  void find_headers() {
    if (options_.own_headers) return find_own_headers();
    std::set<fs::path> roots;
    for (const candidate& c : scenarios_) {
      for (const verify::access_place& p : c.as_written.places) {
        if (const auto in = in_folder(p.where.file)) roots.insert(in->first);
      }
    }
    if (roots.empty() && !interrupted() && report_.left_out.empty()) {
      throw usage_error("necessity: no scenario executes an atomic access in a header of '" +
                        options_.folder + "'");
    }
    if (roots.empty()) return;  // all were left out, and the report says so
    std::vector<std::string> names;
    for (const fs::path& root : roots) add_files(root, "", names);
    for (const fs::path& root : roots) {
      if (const std::string folder = options_.sources_folder(); !folder.empty())
        add_files(tree_of(root) / folder, folder + "/", names);
    }
    if (!interrupted()) require_matches(options_.patterns, names, "header of " + options_.folder);
  }

  // What the path of the folder of headers begins with.
  fs::path tree_of(const fs::path& root) const {
    const std::string path = root.generic_string();
    return path.substr(0, path.size() - options_.folder.size());
  }

  // `outside`: the folder's name, of compiled code.
  void add_files(const fs::path& folder, const std::string& outside,
                 std::vector<std::string>& names) {
    for (const source_file& f : read_sources(folder, "necessity")) {
      names.push_back(f.name);
      add_file(f, outside);
    }
  }

  void add_file(const source_file& f, const std::string& outside) {
    if (!is_wanted(options_.patterns, f.name)) return;
    labelled_source source = read_labels(f.path, f.text);
    for (const order_label& l : source.labels) {
      if (l.operation == order_label::none)
        report_.loose.push_back(fmt::format("{}/{}:{}: [{}]",
                                            outside.empty() ? options_.folder : options_.sources,
                                            f.name, l.line, l.name));
    }
    if (source.operations.empty()) return;
    known_header h;
    h.path = f.path;
    h.report.name = outside + f.name;
    h.report.outside = !outside.empty();
    for (std::size_t i = 0; i < source.operations.size(); ++i) {
      operation_report o;
      if (const order_label* label = source.label_of(i)) {
        o.label = label->name;
        o.partners = label->partners;
      }
      o.source = std::move(source.operations[i]);
      o.outside = h.report.outside;
      h.report.operations.push_back(std::move(o));
    }
    headers_.push_back(std::move(h));
  }

  // Which operation of the text each place is that the scenarios met.
  void match(known_header& h) {
    std::vector<source_operation> operations;
    for (const operation_report& o : h.report.operations) operations.push_back(o.source);
    for (std::size_t s = 0; s < scenarios_.size(); ++s) {
      for (const verify::access_place& p : scenarios_[s].as_written.places) {
        if (on_disk(p.where.file) != h.path) continue;
        const std::size_t at = find(operations, p.where.line, p.where.column);
        if (at == operations.size() || !is_same(operations[at], p.asked)) {
          throw usage_error(fmt::format(
              "necessity: the program has a {} ({}) at {}:{}, and the file has none there: build "
              "the program again",
              to_string(p.asked.what), in_words(p.asked), h.path.string(), p.where.line));
        }
        operation_report& o = h.report.operations[at];
        if (o.asked && *o.asked != p.asked) {
          throw usage_error(fmt::format("necessity: {}:{} has several orders, {} and {}",
                                        h.path.string(), p.where.line, in_words(*o.asked),
                                        in_words(p.asked)));
        }
        o.asked = p.asked;
        std::vector<std::size_t>& visitors = h.visitors[at];
        if (visitors.empty() || visitors.back() != s) visitors.push_back(s);
        std::vector<std::string>& names = h.report.scenarios;
        const std::string_view name = scenarios_[s].what->about.name;
        if (names.empty() || names.back() != name) names.emplace_back(name);
      }
    }
    for (std::size_t i = 0; i < h.report.operations.size(); ++i) {
      operation_report& o = h.report.operations[i];
      o.scenarios = h.visitors[i].size();
      if (!o.asked) {
        o.reason = reason_for(o.source, "unexercised");
        continue;
      }
      for (order_step& step : weaker(*o.asked)) {
        step_report r;
        r.reason = reason_for(o.source, step.lost);
        r.change = {h.report.name, o.source.line, 0, step.which, step.to, {}, {}};
        r.step = std::move(step);
        o.steps.push_back(std::move(r));
      }
    }
    set_places(h, operations);
  }

  static std::string reason_for(const source_operation& o, const std::string& what) {
    for (const kept_reason& r : o.reasons) {
      if (r.what == what) return r.why;
    }
    return {};
  }

  // The place by its label, or as the compiler names it; with the column only where the line has
  // several operations.
  void set_places(known_header& h, const std::vector<source_operation>& all) {
    for (std::size_t i = 0; i < h.report.operations.size(); ++i) {
      operation_report& o = h.report.operations[i];
      if (h.visitors[i].empty()) continue;
      if (!o.label.empty()) {
        for (step_report& r : o.steps) name_place(r.change, all, i, o.label);
        continue;
      }
      std::uint32_t column = 0;
      std::uint32_t line = 0;
      for (const std::size_t s : h.visitors[i]) {
        for (const verify::access_place& p : scenarios_[s].as_written.places) {
          if (on_disk(p.where.file) != h.path || find(all, p.where.line, p.where.column) != i)
            continue;
          line = p.where.line;
          column = p.where.column;
        }
      }
      const auto on_line = std::count_if(all.begin(), all.end(), [&](const source_operation& s) {
        return s.line == o.source.line;
      });
      for (step_report& r : o.steps) {
        r.change.line = line;
        r.change.column = on_line > 1 ? column : 0;
      }
    }
  }

  // ---- asking ----

  // Its own component's scenarios first, then the smallest.
  void sort_for(const std::string& header, std::vector<std::size_t>& which) const {
    const std::string stem = stem_of(header);
    const auto distance = [&](std::size_t i) {
      const std::string_view name = scenarios_[i].what->about.name;
      const std::string_view component = name.substr(0, name.find('/'));
      return component == stem ? 0 : component.starts_with(stem) ? 1 : 2;
    };
    std::stable_sort(which.begin(), which.end(), [&](std::size_t a, std::size_t b) {
      return std::pair(distance(a), scenarios_[a].as_written.executions) <
             std::pair(distance(b), scenarios_[b].as_written.executions);
    });
  }

  step_report& of(const question& q) {
    return headers_[q.header].report.operations[q.operation].steps[q.step];
  }

  void make_questions() {
    for (std::size_t h = 0; h < headers_.size(); ++h) {
      auto& operations = headers_[h].report.operations;
      for (std::size_t o = 0; o < operations.size(); ++o) {
        std::vector<std::size_t>& visitors = headers_[h].visitors[o];
        sort_for(headers_[h].report.name, visitors);
        for (std::size_t s = 0; s < operations[o].steps.size(); ++s) {
          questions_.push_back({h, o, s, visitors, 0, false});
        }
      }
    }
  }

  void ask() {
    began_ = clock::now();
    // Most are answered by the first scenario; for the rest, more at once keeps all cores busy.
    for (std::size_t at_once = 1; !interrupted() && ask_once(at_once); at_once *= 2) {
    }
    for (const question& q : questions_) {
      if (!q.decided) of(q).verdict = need::not_run;
    }
  }

  // What was found needed is needed under xc20, too, which allows more executions.
  void ask_under_xc20() {
    model_ = memory_model::xc20;
    for (question& q : questions_) {
      step_report& answer = of(q);
      if (answer.verdict == need::needed) continue;
      answer.explored.clear();
      answer.limit.clear();
      q.next = 0;
      q.decided = false;
      q.answer = 0;
    }
    ask();
  }

  // A scenario that is violated under xc20 with the weaker order, and need not hold as it is.
  struct suspicion {
    std::size_t question = 0, scenario = 0;  // the scenario as an index of the question's
    verify::result violated;
  };

  // The order is needed if the scenario holds as it is.
  void confirm() {
    std::vector<suspicion> all = std::exchange(suspicions_, {});
    std::set<std::size_t> open;
    for (const suspicion& s : all)
      if (const std::size_t c = scenario_of(s); !known_under_xc20_.contains(c)) open.insert(c);
    std::vector<job> jobs;
    for (const std::size_t c : open)
      jobs.push_back({scenarios_[c].what, how_to_explore(scenarios_[c])});
    std::vector<finished_job> done = run_or_recall(
        jobs, store_, limits(), [&](std::size_t, std::size_t) { draw(progress(jobs.size())); });
    auto next = done.begin();
    for (const std::size_t c : open) known_under_xc20_[c] = std::move((next++)->result);
    for (const suspicion& s : all) {
      const std::size_t c = scenario_of(s);
      const verify::result& as_it_is = known_under_xc20_.at(c);
      const entry& e = *scenarios_[c].what;
      if (holds(as_it_is)) {
        decide(questions_[s.question], s.scenario, s.violated);
        continue;
      }
      std::string left_out =
          fmt::format("{} under xc20: {}", e.about.name, describe(e.about, as_it_is));
      of(questions_[s.question]).limit = left_out;
      report_.broken = report_.broken || as_it_is.outcome == verdict::violated;
      auto& names = report_.left_out;
      if (std::find(names.begin(), names.end(), left_out) == names.end())
        names.push_back(std::move(left_out));
    }
  }

  std::size_t scenario_of(const suspicion& s) const {
    return questions_[s.question].scenarios[s.scenario];
  }

  void finish() {
    // A fence that is needed in full need not be removed as well.
    for (known_header& h : headers_) {
      for (operation_report& o : h.report.operations) {
        std::erase_if(o.steps, [&](const step_report& r) {
          return r.step.after_the_one_before && r.verdict == need::needed && r.scenario.empty();
        });
      }
    }
  }

  // Each open question to so many scenarios more. False: none is open.
  bool ask_once(std::size_t at_once) {
    std::vector<job> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> asked;  // question, which of its scenarios
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      question& q = questions_[i];
      if (q.decided || waits(i)) continue;
      for (std::size_t k = 0; k < at_once && !q.decided && q.next < q.scenarios.size(); ++k) {
        const candidate& c = scenarios_[q.scenarios[q.next++]];
        verify::options how = how_to_explore(c);
        how.changes = {of(q).change};
        if (const auto known = store_.find(*c.what, how)) {
          ++report_.reused;
          hear(i, q.next - 1, *known);
        } else {
          jobs.push_back({c.what, how});
          asked.emplace_back(i, q.next - 1);
        }
      }
    }
    worker_events events;
    events.finished = [&](std::size_t k, const finished_job& d) {
      store_.add(*jobs[k].what, jobs[k].how, d.result);
      if (!interrupted() || shows_need(d.result) || holds(d.result))
        hear(asked[k].first, asked[k].second, d.result);
    };
    events.tick = [&] { draw(progress(jobs.size())); };
    run_all(jobs, limits(), events);
    if (interrupted()) return false;
    confirm();
    if (interrupted()) return false;
    for (question& q : questions_) conclude(q);
    return std::any_of(questions_.begin(), questions_.end(),
                       [](const question& q) { return !q.decided; });
  }

  // Is the answer to the question before it, which takes less away, still to come? If the lesser
  // step breaks something, so does this one.
  bool waits(std::size_t i) {
    question& q = questions_[i];
    if (!of(q).step.after_the_one_before) return false;
    const question& before = questions_[i - 1];
    if (!before.decided) return true;
    if (of(before).verdict == need::needed) {
      q.decided = true;
      of(q).verdict = need::needed;
    }
    return q.decided;
  }

  // Of several scenarios that run at once the first in order is the answer, so that it is always
  // the same.
  void hear(std::size_t i, std::size_t scenario, const verify::result& r) {
    question& q = questions_[i];
    const candidate& c = scenarios_[q.scenarios[scenario]];
    step_report& answer = of(q);
    ++report_.checks;
    report_.executions += r.executions;
    if (q.decided && scenario > q.answer) return;
    if (shows_need(r)) {
      // Where the scenario has no load-buffering race it holds under xc20 as it does under rc20.
      if (model_ == memory_model::xc20 && !c.as_written.load_buffering.empty())
        suspicions_.push_back({i, scenario, r});
      else
        decide(q, scenario, r);
    } else if (holds(r)) {
      answer.explored.emplace_back(c.what->about.name);
    } else {
      answer.limit = fmt::format("{}: {}", c.what->about.name, describe(c.what->about, r));
    }
  }

  // Of several scenarios the first in order is the answer.
  void decide(question& q, std::size_t scenario, const verify::result& r) {
    if (q.decided && scenario > q.answer) return;
    step_report& answer = of(q);
    q.decided = true;
    q.answer = scenario;
    answer.verdict = need::needed;
    answer.scenario = scenarios_[q.scenarios[scenario]].what->about.name;
    answer.model = model_;
    answer.kind = r.violation->kind;
    answer.message = r.violation->message;
  }

  // All scenarios were asked, and none is violated.
  void conclude(question& q) {
    if (q.decided || q.next < q.scenarios.size()) return;
    q.decided = true;
    step_report& answer = of(q);
    // What is kept with a reason is not said to be unneeded, so nothing hangs on the limit.
    answer.verdict = !answer.reason.empty() ? need::kept
                     : answer.limit.empty() ? need::stronger
                                            : need::unknown;
  }

  std::string progress(std::size_t jobs) {
    std::size_t decided = 0;
    for (const question& q : questions_) decided += q.decided ? 1 : 0;
    const double passed = std::chrono::duration<double>(clock::now() - began_).count();
    std::string text = fmt::format("[{}/{}] orders, {} checks, {}", decided, questions_.size(),
                                   verify::grouped(report_.checks), verify::duration(passed));
    if (decided == 0 || passed < 1) return text + fmt::format("; {} in this round", jobs);
    const auto left = static_cast<double>(questions_.size() - decided);
    return text + fmt::format(", about {} left",
                              verify::duration(passed * left / static_cast<double>(decided)));
  }

  const necessity_options& options_;
  memory_model model_;  // under which is explored at the moment
  result_store& store_;
  screen& out_;
  std::vector<candidate> scenarios_;
  std::vector<known_header> headers_;
  std::vector<question> questions_;
  std::vector<suspicion> suspicions_;
  std::map<std::size_t, verify::result> known_under_xc20_;  // scenarios as they are
  necessity_report report_;
  clock::time_point began_ = clock::now();
  clock::time_point drawn_{};
};

}  // namespace

std::string_view to_string(need n) noexcept {
  switch (n) {
    case need::needed: return "needed";
    case need::kept: return "kept";
    case need::stronger: return "stronger than any scenario needs";
    case need::not_exercised: return "not exercised";
    case need::unknown: return "unknown";
    case need::outside: return "outside the scenarios";
    case need::not_run: return "not run";
  }
  return "?";
}

need operation_report::standing() const noexcept {
  if (asked) return need::needed;
  if (outside) return need::outside;
  return reason.empty() ? need::not_exercised : need::kept;
}

order_totals sum(const std::vector<header_report>& headers) {
  order_totals t;
  const auto count = [&t](need n) -> std::size_t& {
    switch (n) {
      case need::needed: return t.needed;
      case need::kept: return t.kept;
      case need::stronger: return t.stronger;
      case need::not_exercised: return t.not_exercised;
      case need::unknown: return t.unknown;
      case need::outside: return t.outside;
      case need::not_run: break;
    }
    return t.not_run;
  };
  for (const header_report& h : headers) {
    for (const operation_report& o : h.operations) {
      if (!o.outside) ++t.places;
      if (!o.asked)
        ++count(o.standing());
      else if (o.steps.empty())
        ++t.relaxed;
      for (const step_report& s : o.steps) {
        ++count(s.verdict);
        // An order that xc20 alone needs is kept with a reason: rc20 shows none.
        if (s.verdict == need::needed && !s.reason.empty() && s.model != memory_model::xc20)
          ++t.stale_reasons;
      }
    }
  }
  return t;
}

exit_status status_of(const necessity_report& report, const order_totals& t) {
  if (report.broken || t.stronger + t.not_exercised + t.stale_reasons + report.loose.size() != 0)
    return exit_unexpected;
  return t.unknown + t.not_run + report.left_out.size() != 0 || interrupted() ? exit_incomplete
                                                                              : exit_as_expected;
}

void require_headers(const std::string& who, const necessity_options& options) {
  if (this_program().is_fencepost || !options.folder.empty()) return;
  throw usage_error(who + ": of which headers? Give them to fencepost_add_model_cli(" +
                    this_program().name + " ... HEADERS ...), or name their folder with --headers");
}

necessity_report find_needs(const std::vector<entry>& entries, const necessity_options& options,
                            result_store& store, screen& out) {
  require_headers("necessity", options);
  necessity_report report = finder(entries, options, store, out).run();
  out.clear();
  return report;
}

}  // namespace fencepost::cli
