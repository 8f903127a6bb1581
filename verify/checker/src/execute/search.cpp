#include "execute/search.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "execute/front_end_state.hpp"
#include "explore/estimate.hpp"
#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

result search::nothing_found() const {
  result r;
  r.name = options_.name;
  r.model = options_.model;
  r.known_outcomes.assign(options_.outcomes.begin(), options_.outcomes.end());
  return r;
}

result search::explore() {
  result r = nothing_found();
  search_progress s(r);
  while (goes_on(s, counting_runner_.run(s))) {
  }
  conclude(s);
  return r;
}

result search::explore_from(const choice_path& at, std::string_view wrong, result so_far) {
  search_progress s(so_far);
  resuming_.forbid();
  if (!navigator_.go_to_run(at)) exploration_.restart();
  run_end end = counting_runner_.run(s);
  if (end != run_end::violation) {
    ending_.violate(0, violation::nondeterminism,
                    message("the same execution went differently in another process: there %.*s, "
                            "here nothing of the kind",
                            static_cast<int>(wrong.size()), wrong.data()),
                    {});
    end = run_end::violation;
  }
  while (goes_on(s, end)) end = counting_runner_.run(s);
  conclude(s);
  return so_far;
}

result search::estimate() {
  result r = nothing_found();
  search_progress s(r);
  std::vector<double> probes;
  for (std::uint64_t seed = 1; probes.size() < options_.probes && r.limit.empty(); ++seed) {
    if (const std::optional<double> executions = prober_.probe(seed, [] {}))
      probes.push_back(*executions);
    else
      probes.clear();
    r.limit = limit_of_time(s);
  }
  r.whole = estimate_from(probes);
  if (r.limit.empty()) r.limit = "probes";
  r.seconds = s.seconds();
  return r;
}

result search::replay() {
  result r = nothing_found();
  resuming_.forbid();
  search_progress s(r);
  r.limit = "the run to be replayed has no violation";
  if (!navigator_.go_to_replayed()) return r;
  if (sampler_.on()) sampler_.begin();
  if (runner_.run() != run_end::violation) return r;
  r.limit.clear();
  replay_begins();
  ending_.show_to_debugger(true);
  counterexample found;
  writer_.explain(found);
  ending_.show_to_debugger(false);
  found.path = options_.replay;
  r.violation = std::move(found);
  r.violations = 1;
  conclude(s);
  return r;
}

// Chooses the next execution. Returns false if this one was the last.
bool search::goes_on(search_progress& s, run_end end) {
  result& r = s.found;
  if (std::optional<std::string> why = front_end_state::why_over_now()) {
    if (!r.violation) r.limit = *std::move(why);
    return false;
  }
  if (end == run_end::violation) counting_runner_.take_violation(s);
  if (end == run_end::limit && !r.violation) {
    r.limit = ending_.limit();
    return false;
  }
  const bool ends_soon = r.violation && !options_.keep_going;
  if (ends_soon && s.has_looked_on(options_.shorten)) return false;
  if (r.violation && r.violation->kind == violation::nondeterminism) return false;
  const std::uint64_t so_far = sampler_.on() ? sampler_.drawn() : r.executions + r.blocked;
  if (options_.max_executions != 0 && so_far >= options_.max_executions) {
    if (sampler_.on() ? sampler_.drawn() < options_.samples : exploration_.backtrack())
      r.limit = "max_executions";
    return false;
  }
  if (s.looks_at_clock()) {
    if (ends_soon && s.has_looked_on(options_.shorten_within)) return false;
    r.limit = limit_of_time(s);
    if (!r.limit.empty()) return false;
  }
  return next_run();
}

// Returns "" if the search may continue. Also reports its progress.
std::string search::limit_of_time(search_progress& s) {
  const result& r = s.found;
  if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed))
    return "interrupted";
  const double now = s.seconds();
  if (options_.timeout.count() != 0 && now * 1000 > static_cast<double>(options_.timeout.count()))
    return "timeout";
  if (now >= s.next_report && options_.on_progress) {
    const std::uint64_t run = sampler_.on() ? sampler_.drawn() - r.blocked : r.executions;
    options_.on_progress({run, r.blocked, part_done(), now});
    s.next_report = now + 0.1;
  }
  return {};
}

void search::conclude(search_progress& s) {
  result& r = s.found;
  if (r.violation) {
    r.violation->priorities = options_.priorities;
    r.violation->samples = options_.samples;
    r.violation->seed = options_.seed;
    r.violation->preemptions = options_.preemptions;
  }
  if (sampler_.on()) {
    r.sample =
        sampled{options_.seed, sampler_.drawn(), s.drawn.graphs(), s.drawn.once(), s.drawn.twice()};
    if (r.limit.empty() && !r.violation) r.limit = "samples";
  }
  if (!sampler_.on()) verify::add(r.changed, exploration_.changed().all());
  add_knowledge(s);
  judge(r);
}

void search::add_knowledge(search_progress& s) {
  result& r = s.found;
  r.symmetric = symmetry_.used();
  if (orders_ != nullptr) r.places = orders_->places();
  r.from_beginning = resuming_.given_up();
  r.load_buffering = exploration_.load_buffering_races();
  r.seconds = s.seconds();
}

void search::judge(result& r) const {
  r.preemptions = options_.preemptions;
  if (r.cut != 0 && r.limit.empty() && !r.violation) r.limit = "preemptions";
  if (r.limit.empty() && !r.violation && r.executions == 0) r.limit = "no execution is complete";
  r.fraction = r.limit.empty() ? 1
               : r.sample      ? static_cast<double>(r.executions) / std::max(r.sample->least(), 1.)
               : r.whole       ? static_cast<double>(r.executions) / r.whole->executions
                               : 0;
  r.outcome = r.violation       ? verdict::violated
              : r.limit.empty() ? verdict::verified
                                : verdict::incomplete;
}

}  // namespace fencepost::verify
