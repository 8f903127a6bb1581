#include "execute/explorer.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "execute/signals.hpp"
#include "explore/tally.hpp"
#include "fencepost/verify/replay.hpp"
#include "graph/described_graph.hpp"

namespace fencepost::verify {

explorer::explorer(const options& o, std::function<void()> body)
    : options_(o),
      body_(std::move(body)),
      consistency_(graph_, o.model),
      priorities_(o),
      symmetry_(graph_, o, priorities_.all()),
      exploration_(graph_, consistency_, symmetry_, options_),
      sampler_(graph_, consistency_, options_),
      bound_(graph_, exploration_, sites_, priorities_.used(), options_),
      objects_(graph_, *this, options_),
      table_(o.changes),
      fibers_([](void* self) { static_cast<explorer*>(self)->run_thread(); }, this),
      trace_(graph_, objects_, wide_, arena_,
             [this](const void* p) { return fibers_.on_a_stack(p); }),
      threads_(graph_),
      loops_({graph_, exploration_, sampler_, symmetry_, sites_, contention_, priorities_, arena_,
              objects_, trace_, tape_, fibers_, threads_, *this, options_}),
      scheduler_(graph_, threads_, loops_, sampler_, sites_, priorities_) {
  if (options_.list_places || !options_.changes.empty()) orders_ = &table_;
  // An exchange that is made weak is one that may fail, also where the bound says that none does.
  for (const order_change& c : options_.changes)
    if (c.which == order_change::part::strength)
      options_.spurious_failures = std::max(options_.spurious_failures, 1U);
  arena_.reserve(options_.memory_size);
  options_.max_events = std::min<std::size_t>(options_.max_events, most_events);
}

explorer::~explorer() = default;

// Makes this the engine of the system thread; also undone when a callback throws.
class explorer::installation {
 public:
  explicit installation(explorer& self)
      : previous_(std::exchange(current_runner, static_cast<runner*>(&self))) {
    engine::current_ = &self;
    allocation_hook::current = &self;
  }
  ~installation() {
    current_runner = previous_;
    allocation_hook::current = nullptr;
    engine::current_ = nullptr;
  }
  installation(const installation&) = delete;
  installation& operator=(const installation&) = delete;

 private:
  runner* previous_;
};

// An exploration under way: what it has found, and when to look at the clock.
struct explorer::search {
  using steady = std::chrono::steady_clock;

  explicit search(result& r) : found(r) {}

  result& found;
  const steady::time_point begin = steady::now();
  double next_report = 0.1;
  std::uint64_t until_clock = 1;
  std::size_t shortest = 0;    // events of the counterexample
  std::uint64_t last_run = 0;  // when one has been found: the end of the search for a shorter one
  std::uint64_t explored = 0;  // unlike runs_, whatever is run once more to be shown
  tally drawn;                 // sampling

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(steady::now() - begin).count();
  }
};

result explorer::explore() {
  result r;
  r.name = options_.name;
  r.model = options_.model;
  r.known_outcomes.assign(options_.outcomes.begin(), options_.outcomes.end());
  if (engine::current_ != nullptr) {
    r.limit = "an exploration may not be started inside another one";
    return r;
  }
  search s(r);
  const installation installed(*this);
  fibers_.adopt_os_thread();
  const signal_guard signals(this);
  while (goes_on(s, explore_next(s))) {
  }
  conclude(s);
  return r;
}

// Runs the next execution, and counts it.
explorer::ending explorer::explore_next(search& s) {
  result& r = s.found;
  if (sampler_.on()) sampler_.begin();
  if (is_repeated(r.executions + 1))
    tape_.record();
  else
    tape_.stop();
  ending end = run();
  ++s.explored;
  if (std::exchange(restarted_, false)) {
    s.drawn.clear();
    r.executions = r.blocked = r.violations = r.cut = 0;
    r.outcomes.clear();
    r.examples.clear();
    r.race = false;
  }
  if (end == ending::complete && tape_.recording())
    end = repeat(repetitions(r.executions + 1));
  else
    tape_.stop();
  // What is drawn again counts once.
  const bool complete =
      end == ending::complete && (!sampler_.on() || s.drawn.add(graph_.fingerprint()));
  if (complete) ++r.executions;
  if (end == ending::blocked) ++r.blocked;
  if (end == ending::cut) ++r.cut;
  r.events = std::max(r.events, graph_.size());
  r.atomics = std::max(r.atomics, objects_.atomics());
  r.plain = std::max(r.plain, objects_.plain());
  r.threads = std::max(r.threads, threads_.created());
  if (end == ending::violation) take_violation(s);
  if (complete) take_complete(s);
  return end;
}

void explorer::take_violation(search& s) {
  result& r = s.found;
  if (!r.violation) {
    s.shortest = graph_.size();
    counterexample found;
    const bool again = explain(found);
    if (!again) did_not_come_again(found);
    if (found.kind == violation::misuse) name_calls(found);
    found.run = s.explored;
    r.violation = std::move(found);
    s.last_run = runs_ + options_.shorten;
  } else if (options_.shorten != 0 && graph_.size() <= s.shortest &&
             violation_.kind == r.violation->kind) {
    s.shortest = graph_.size();
    counterexample found;
    if (explain(found) && reading_length(found) < reading_length(*r.violation)) {
      found.run = s.explored;
      r.violation = std::move(found);
    }
  }
  ++r.violations;
  if (s.explored != options_.replay) return;
  replay_begins();
  replaying_ = true;
  counterexample found;
  explain(found);
  replaying_ = false;
  found.run = s.explored;
  r.violation = std::move(found);
}

void explorer::take_complete(search& s) {
  result& r = s.found;
  if (!outcomes_.text().empty()) ++r.outcomes[outcomes_.text()];
  if (r.examples.size() < options_.examples && !r.examples.contains(outcomes_.text())) {
    const std::string outcome = outcomes_.text();
    if (std::optional<execution> shown = example()) r.examples[outcome] = std::move(*shown);
  }
  const bool race = options_.races_are_outcomes && racy();
  r.race = r.race || race;
  if (options_.on_execution) options_.on_execution(race);
  if (options_.on_complete_graph) {
    explored_graph described = describe(graph_, threads_.created(), objects_.notes());
    described.model = options_.model;
    described.race = race;
    options_.on_complete_graph(described);
  }
  if (options_.on_graph) options_.on_graph(graph_.fingerprint());
  if (options_.on_preemptions) options_.on_preemptions(graph_.fingerprint(), bound_.count());
  if (options_.on_class) options_.on_class(symmetry_.class_fingerprint());
}

// Chooses the next execution. False: this one was the last.
bool explorer::goes_on(search& s, ending end) {
  result& r = s.found;
  if (end == ending::violation && s.explored == options_.replay) return false;
  if (end == ending::limit && !r.violation) {
    r.limit = limit_;
    return false;
  }
  if (options_.replay != 0) {
    if (s.explored < options_.replay && next_run()) return true;
    r.violation.reset();
    r.limit = "there is no violation at the run to be replayed";
    return false;
  }
  if (r.violation && !options_.keep_going && runs_ >= s.last_run) return false;
  if (r.violation && r.violation->kind == violation::nondeterminism) return false;
  const std::uint64_t so_far = sampler_.on() ? sampler_.drawn() : r.executions + r.blocked;
  if (options_.max_executions != 0 && so_far >= options_.max_executions) {
    if (sampler_.on() ? sampler_.drawn() < options_.samples : exploration_.backtrack())
      r.limit = "max_executions";
    return false;
  }
  if (--s.until_clock == 0) {
    r.limit = limit_of_time(s);
    if (!r.limit.empty()) return false;
  }
  return next_run();
}

// Looks at the clock about every ten milliseconds; "": it may go on.
std::string explorer::limit_of_time(search& s) {
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
  const double rate = static_cast<double>(s.explored) / (now + 1e-9);
  s.until_clock = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rate / 100));
  return {};
}

void explorer::conclude(search& s) {
  result& r = s.found;
  if (r.violation) {
    r.violation->priorities = options_.priorities;
    r.violation->samples = options_.samples;
    r.violation->seed = options_.seed;
    r.violation->preemptions = options_.preemptions;
  }
  r.preemptions = options_.preemptions;
  if (r.cut != 0 && r.limit.empty() && !r.violation) r.limit = "preemptions";
  if (sampler_.on()) {
    r.sample =
        sampled{options_.seed, sampler_.drawn(), s.drawn.graphs(), s.drawn.once(), s.drawn.twice()};
    if (r.limit.empty() && !r.violation) r.limit = "samples";
  }
  if (r.limit.empty() && !r.violation && r.executions == 0) r.limit = "no execution is complete";
  r.fraction = r.limit.empty() ? 1
               : r.sample      ? static_cast<double>(r.executions) / std::max(r.sample->least(), 1.)
                               : exploration_.fraction();
  r.outcome = r.violation       ? verdict::violated
              : r.limit.empty() ? verdict::verified
                                : verdict::incomplete;
  r.seconds = s.seconds();
  r.symmetric = symmetry_.used();
  if (orders_ != nullptr) r.places = table_.places();
}

}  // namespace fencepost::verify
