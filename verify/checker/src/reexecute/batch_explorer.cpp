#include "reexecute/batch_explorer.hpp"

#include "execute/explorer.hpp"

namespace fencepost::verify {

void batch_explorer::explore(const batch& from, result& r) {
  beginnings_.begin_exploration();
  repeated_ = nullptr;
  options o = options_of_runs(r);
  if (const char* const reached = limits_.reduce(o)) {
    r.limit = reached;
    return;
  }
  promising_engine promising(from, options_);
  execution_judge judge(options_, from, promising, beginnings_);
  o.judge_run = [&](const explored_graph& g, const ended_run& run) { return judge.judge(g, run); };
  o.on_complete_graph = [&](const explored_graph&) { count(judge, r); };
  result found = run_from(o, promising);
  repeated_ = judge.repeated();
  if (found.outcome == verdict::incomplete && found.limit != "no execution is complete") {
    const bool given =
        found.limit == "max_executions" || found.limit == "timeout" || found.limit == "interrupted";
    if (given)
      r.limit = found.limit;
    else
      leave_open(from, found.limit);
  }
  add(std::move(found), r);
  if (!promising.left_out().empty()) leave_open(from, promising.left_out());
}

options batch_explorer::options_of_runs(const result& so_far) const {
  options o = options_;
  o.model = memory_model::rc20;
  o.symmetry = false;
  o.repeat = false;
  o.replay = only_run_;
  o.jobs = 1;
  o.recheck = o.digest = false;
  o.examples = 0;
  o.shorten = 0;
  o.keep_going = false;
  o.on_execution = nullptr;
  o.on_graph = nullptr;
  o.on_preemptions = nullptr;
  o.on_class = nullptr;
  o.on_restart = nullptr;  // what has been counted is still an execution
  if (options_.on_progress)
    o.on_progress = [this, &so_far](const progress& p) {  // the total is not known
      options_.on_progress(
          {so_far.executions + executions(), so_far.blocked + p.blocked, 0, limits_.seconds()});
    };
  return o;
}

result batch_explorer::run_from(const options& o, promising_engine& promising) const {
  explorer* explores = nullptr;
  explorer e(o, [&] {
    promising.begin_run(*explores);
    body_();
  });
  explores = &e;
  return e.explore();
}

void batch_explorer::count(const execution_judge& judge, result& r) {
  for (const auto& [fingerprint, race] : judge.complete()) {
    if (!executions_.insert(fingerprint).second) continue;
    if (options_.on_execution) options_.on_execution(race);
    r.race = r.race || race;
  }
}

void batch_explorer::add(result found, result& to) {
  if (found.violation) {
    to.violation = std::move(found.violation);
    to.violation->message += " (load buffering)";  // its steps say how
    to.violations = 1;
  }
  for (const auto& [outcome, times] : found.outcomes) to.outcomes[outcome] += times;
  to.blocked += found.blocked;
  limits_.count(found.executions + found.blocked);
}

void batch_explorer::leave_open(const batch& from, std::string why) {
  const promise& youngest = from.front()->from.promises.back();
  open_.add(youngest.read_at, youngest.write_at, std::move(why));
}

}  // namespace fencepost::verify
