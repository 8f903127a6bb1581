#include "evidence/order_questions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/interrupts.hpp"
#include "base/names.hpp"
#include "fencepost/verify/report.hpp"
#include "run/judgement.hpp"
#include "run/run_or_recall.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {
namespace {

using clock = std::chrono::steady_clock;

// Whether an order may be weakened by one step; scenarios answer it.
struct question {
  std::size_t header = 0, operation = 0, step = 0;
  std::vector<std::size_t> scenarios;
  std::size_t next = 0;
  bool decided = false;
  std::size_t answer = 0;  // the index of the scenario that decided it
};

// A scenario that is violated under xc20 with the weaker order, and may be violated without it too.
struct suspicion {
  std::size_t question = 0, scenario = 0;  // scenario: an index into the question's scenarios
  verify::result violated;
};

class questioner {
 public:
  questioner(const necessity_options& options, const std::vector<holding_scenario>& scenarios,
             std::vector<visited_header>& headers, result_store& store, progress_line& progress,
             necessity_report& report)
      : options_(options),
        model_(options.model == verify::memory_model::xc20 ? verify::memory_model::rc20
                                                           : options.model),
        scenarios_(scenarios),
        headers_(headers),
        store_(store),
        progress_(progress),
        report_(report),
        some_left_out_(!report.left_out.empty()) {}

  void run() {
    make_questions();
    if (!interrupted()) ask();
    if (options_.model == verify::memory_model::xc20 && !interrupted()) ask_under_xc20();
  }

 private:
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

  // Puts the scenarios of the header's own component first, then the smallest.
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

  void ask() {
    began_ = clock::now();
    // The first scenario answers most questions; for the rest, asking several at once keeps all
    // cores busy.
    for (std::size_t at_once = 1; !interrupted() && ask_once(at_once); at_once *= 2) {
    }
    for (const question& q : questions_) {
      if (!q.decided) of(q).verdict = need::not_run;
    }
  }

  // An order that is needed under rc20 is needed under xc20 too, which allows more executions.
  void ask_under_xc20() {
    model_ = verify::memory_model::xc20;
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

  // Asks each open question of the next `at_once` scenarios. Returns false if none is open any
  // more, or after an interrupt.
  bool ask_once(std::size_t at_once) {
    std::vector<job> jobs;
    std::vector<std::pair<std::size_t, std::size_t>> asked;  // question, index in its scenarios
    for (std::size_t i = 0; i < questions_.size(); ++i) {
      question& q = questions_[i];
      if (q.decided || waits(i)) continue;
      for (std::size_t k = 0; k < at_once && !q.decided && q.next < q.scenarios.size(); ++k) {
        const holding_scenario& c = scenarios_[q.scenarios[q.next++]];
        verify::options how = how_to_explore(*c.what, options_, model_);
        how.changes = {of(q).change};
        if (options_.kept_executions != 0 && !of(q).reason.empty())
          how.max_executions = options_.kept_executions;
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
    events.tick = [&] { progress_.draw(progress(jobs.size())); };
    run_all(jobs, limits_of(options_), events);
    if (interrupted()) return false;
    confirm();
    if (interrupted()) return false;
    for (question& q : questions_) conclude(q);
    return std::any_of(questions_.begin(), questions_.end(),
                       [](const question& q) { return !q.decided; });
  }

  // True if the question is not to be asked now: because the question before it, about a lesser
  // step, is still open, or because the lesser step breaks a scenario, which answers this question,
  // too.
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

  // Handles the result of a scenario. If several scenarios run at once, the first in order is the
  // answer, so that it is always the same.
  void hear(std::size_t i, std::size_t scenario, const verify::result& r) {
    question& q = questions_[i];
    const holding_scenario& c = scenarios_[q.scenarios[scenario]];
    step_report& answer = of(q);
    ++report_.checks;
    report_.executions += r.executions;
    if (q.decided && scenario > q.answer) return;
    if (shows_need(r)) {
      // Without a load-buffering race, the scenario holds under xc20 as it does under rc20.
      if (model_ == verify::memory_model::xc20 && !c.as_written.load_buffering.empty())
        suspicions_.push_back({i, scenario, r});
      else
        decide(q, scenario, r);
    } else if (holds(r)) {
      answer.explored.emplace_back(c.what->about.name);
    } else {
      answer.limit = fmt::format("{}: {}", c.what->about.name, describe(c.what->about, r));
    }
  }

  // If several scenarios need the order, the first in order is the answer.
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

  // Decides a question that all scenarios were asked, if none is violated.
  void conclude(question& q) {
    if (q.decided || q.next < q.scenarios.size()) return;
    q.decided = true;
    step_report& answer = of(q);
    // An order that is kept with a reason is not called unneeded, so the limit does not matter.
    if (!answer.reason.empty()) {
      answer.verdict = need::kept;
      return;
    }
    if (answer.limit.empty() && some_left_out_)
      answer.limit = "a scenario that was left out may need it";
    answer.verdict = answer.limit.empty() ? need::stronger : need::unknown;
  }

  // Examines the suspicions: the order is needed if the scenario holds as written.
  void confirm() {
    std::vector<suspicion> all = std::exchange(suspicions_, {});
    std::set<std::size_t> open;
    for (const suspicion& s : all)
      if (const std::size_t c = scenario_of(s); !known_under_xc20_.contains(c)) open.insert(c);
    std::vector<job> jobs;
    for (const std::size_t c : open)
      jobs.push_back({scenarios_[c].what, how_to_explore(*scenarios_[c].what, options_, model_)});
    std::vector<finished_job> done =
        run_or_recall(jobs, store_, limits_of(options_),
                      [&](std::size_t, std::size_t) { progress_.draw(progress(jobs.size())); });
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
      report_.broken = report_.broken || as_it_is.outcome == verify::verdict::violated;
      auto& names = report_.left_out;
      if (std::find(names.begin(), names.end(), left_out) == names.end())
        names.push_back(std::move(left_out));
    }
  }

  std::size_t scenario_of(const suspicion& s) const {
    return questions_[s.question].scenarios[s.scenario];
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
  verify::memory_model model_;  // that is explored at the moment
  const std::vector<holding_scenario>& scenarios_;
  std::vector<visited_header>& headers_;
  result_store& store_;
  progress_line& progress_;
  necessity_report& report_;
  bool some_left_out_;  // any of these scenarios may need any of the orders
  std::vector<question> questions_;
  std::vector<suspicion> suspicions_;
  std::map<std::size_t, verify::result> known_under_xc20_;  // results of scenarios as written
  clock::time_point began_ = clock::now();
};

}  // namespace

void answer_questions(const necessity_options& options,
                      const std::vector<holding_scenario>& scenarios,
                      std::vector<visited_header>& headers, result_store& store,
                      progress_line& progress, necessity_report& report) {
  questioner(options, scenarios, headers, store, progress, report).run();
}

}  // namespace fencepost::cli
