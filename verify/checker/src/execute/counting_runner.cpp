#include "execute/counting_runner.hpp"

#include <algorithm>
#include <utility>

#include "execute/front_end_state.hpp"
#include "explore/search_path.hpp"
#include "graph/described_graph.hpp"

namespace fencepost::verify {

run_end counting_runner::run(search_progress& s) {
  result& r = s.found;
  const run_end end = run_and_repeat(s);
  // A random execution that was drawn before is not counted again.
  const bool complete =
      end == run_end::complete && (!sampler_.on() || s.drawn.add(graph_.fingerprint()));
  if (complete) ++r.executions;
  if (end == run_end::blocked) ++r.blocked;
  if (end == run_end::cut) ++r.cut;
  r.events = std::max(r.events, graph_.size());
  r.atomics = std::max(r.atomics, objects_.atomics());
  r.plain = std::max(r.plain, objects_.plain());
  r.threads = std::max(r.threads, threads_.created());
  if (complete) take_complete(r);
  return end;
}

run_end counting_runner::run_and_repeat(search_progress& s) {
  const std::uint64_t execution = s.found.executions + (s.from_beginning ? 1 : 2);
  if (sampler_.on()) sampler_.begin();
  const bool repeated = repetition_.is_due(execution);
  extent before = runner_.now();
  if (repeated && !resuming_.has_points())
    tape_.record();
  else
    tape_.stop();
  loops_.may_pass_on(passes_allowed(s.found));
  run_end end = limits_.in_time([&] { return s.is_part ? runner_.run_or_learn() : runner_.run(); });
  loops_.may_pass_on(0);
  const std::uint64_t passed = loops_.take_passed();
  s.found.blocked += passed;
  s.explored += passed + 1;
  // Run again, it would behave differently.
  if (front_end_state::why_over_now() || limits_.is_out_of_time()) [[unlikely]] {
    tape_.stop();
    return end;
  }
  const bool wrong = end == run_end::violation || end == run_end::limit;
  if (resuming_.resumed() && (wrong || (repeated && end == run_end::complete)))
    end = repetition_.run_from_beginning(end, repeated, before);
  if (starts_again(s, end)) before = {};
  if (end != run_end::complete || !tape_.recording()) {
    tape_.stop();
    return end;
  }
  end = repetition_.repeat(execution);
  // A recorded run keeps no resume points, so it is made again.
  if (end == run_end::complete && resuming_.keeps_points()) {
    end = runner_.add_again(before);
    starts_again(s, end);
  }
  return end;
}

// How often the next run may pass on. It may not while a shorter counterexample is sought, since
// options::shorten limits the number of runs; otherwise only so often that the run itself still
// counts within max_executions.
std::uint64_t counting_runner::passes_allowed(const result& so_far) const {
  if (so_far.violation.has_value()) return 0;
  if (options_.max_executions == 0) return ~std::uint64_t{0};
  const std::uint64_t runs = so_far.executions + so_far.blocked + 1;
  return options_.max_executions - std::min(options_.max_executions, runs);
}

// True if a run of this execution has restarted the exploration: what was counted is then
// discarded. Unless a part is explored, `end` becomes the end of the first execution after the
// restart.
bool counting_runner::starts_again(search_progress& s, run_end& end) {
  if (end == run_end::again && !s.is_part) {
    contention_.begin();
    end = runner_.run();
  }
  const bool restarted = learning_.take_restarted();
  if (restarted) s.discard();
  return restarted;
}

void counting_runner::take_violation(search_progress& s) {
  result& r = s.found;
  ++r.violations;
  const std::string path = sampler_.on()
                               ? std::to_string(s.explored)
                               : to_text(search_path{learning_.lessons(), exploration_.path()});
  if (!r.violation) {
    s.shortest = graph_.size();
    counterexample found;
    const bool again = writer_.explain(found);
    if (!again) repetition::did_not_come_again(found);
    if (found.kind == violation::misuse) supervisor_.name_calls(found);
    found.path = path;
    r.violation = std::move(found);
    s.runs_to_violation = s.explored;
    s.seconds_to_violation = s.seconds();
  } else if (options_.shorten != 0 && graph_.size() <= s.shortest &&
             ending_.found().kind == r.violation->kind) {
    s.shortest = graph_.size();
    counterexample found;
    if (writer_.explain(found) && reading_length(found) < reading_length(*r.violation)) {
      found.path = path;
      r.violation = std::move(found);
    }
  }
}

void counting_runner::take_complete(result& r) {
  if (!outcomes_.text().empty()) ++r.outcomes[outcomes_.text()];
  if (r.examples.size() < options_.examples && !r.examples.contains(outcomes_.text())) {
    const std::string outcome = outcomes_.text();
    if (std::optional<execution> shown = writer_.example()) r.examples[outcome] = std::move(*shown);
  }
  const bool race = options_.races_are_outcomes && consistency_.has_race();
  r.race = r.race || race;
  if (options_.digest) r.digest += graph_.fingerprint();
  call_back(race, r.executions - 1);
}

// Calls the callbacks for a complete execution that has `before` others before it.
void counting_runner::call_back(bool race, std::uint64_t before) {
  if (options_.on_execution) options_.on_execution(race);
  if (options_.on_complete_graph && before % options_.graphs_apart == 0) {
    explored_graph described = describe(graph_, threads_.created(), objects_.notes());
    described.model = options_.model;
    described.race = race;
    options_.on_complete_graph(described);
  }
  if (options_.on_graph) options_.on_graph(graph_.fingerprint());
  if (options_.on_preemptions) options_.on_preemptions(graph_.fingerprint(), bound_.count());
  if (options_.on_class) options_.on_class(symmetry_.class_fingerprint());
}

}  // namespace fencepost::verify
