// An exploration from its beginning to its end.

#include "fencepost/verify/check.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <chrono>
#include <numeric>
#include <utility>

#include "axioms/recheck.hpp"
#include "execute/explorer.hpp"
#include "execute/signals.hpp"
#include "explore/tally.hpp"
#include "fencepost/verify/replay.hpp"
#include "graph/described_graph.hpp"

#if defined(_LIBCPP_VERSION)
// libc++abi has it, as the ABI for C++ wants, and does not declare it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals();
}  // namespace __cxxabiv1
#endif

namespace fencepost::verify {

namespace {

// What makes a counterexample hard to read: its steps, and then how often the thread changes.
std::pair<std::size_t, std::size_t> length(const counterexample& c) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < c.steps.size(); ++i)
    if (c.steps[i].thread != c.steps[i - 1].thread) ++changes;
  return {c.steps.size(), changes};
}

}  // namespace

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

result explorer::explore() {
  using steady = std::chrono::steady_clock;
  result r;
  r.name = options_.name;
  r.model = options_.model;
  r.known_outcomes.assign(options_.outcomes.begin(), options_.outcomes.end());
  if (engine::current_ != nullptr) {
    r.limit = "an exploration may not be started inside another one";
    return r;
  }
  const steady::time_point begin = steady::now();
  const auto seconds = [&] { return std::chrono::duration<double>(steady::now() - begin).count(); };

  const installation installed(*this);
  exceptions_ = reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
  const signal_guard signals(this);

  double next_report = 0.1;
  std::uint64_t until_clock = 1;
  std::size_t shortest = 0;    // events of the counterexample
  std::uint64_t last_run = 0;  // when one has been found: the end of the search for a shorter one
  std::uint64_t explored = 0;  // unlike runs_, whatever is run once more to be shown
  tally drawn;                 // sampling
  for (;;) {
    if (sampler_.on()) sampler_.begin();
    if (is_repeated(r.executions + 1))
      tape_.record();
    else
      tape_.stop();
    ending end = run();
    ++explored;
    if (std::exchange(restarted_, false)) {
      drawn.clear();
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
        end == ending::complete && (!sampler_.on() || drawn.add(graph_.fingerprint()));
    if (complete) ++r.executions;
    if (end == ending::blocked) ++r.blocked;
    if (end == ending::cut) ++r.cut;
    r.events = std::max(r.events, graph_.size());
    r.atomics = std::max(r.atomics, objects_.atomics());
    r.plain = std::max(r.plain, objects_.plain());
    if (created_ > r.threads) r.threads = created_;
    if (end == ending::violation) {
      if (!r.violation) {
        shortest = graph_.size();
        counterexample found;
        const bool again = explain(found);
        if (!again) did_not_come_again(found);
        if (found.kind == violation::misuse) name_calls(found);
        found.run = explored;
        r.violation = std::move(found);
        last_run = runs_ + options_.shorten;
      } else if (options_.shorten != 0 && graph_.size() <= shortest &&
                 violation_.kind == r.violation->kind) {
        shortest = graph_.size();
        counterexample found;
        if (explain(found) && length(found) < length(*r.violation)) {
          found.run = explored;
          r.violation = std::move(found);
        }
      }
      ++r.violations;
      if (explored == options_.replay) {
        replay_begins();
        replaying_ = true;
        counterexample found;
        explain(found);
        replaying_ = false;
        found.run = explored;
        r.violation = std::move(found);
        break;
      }
    } else if (complete) {
      if (!outcome_.empty()) ++r.outcomes[outcome_];
      if (r.examples.size() < options_.examples && !r.examples.contains(outcome_)) {
        const std::string outcome = outcome_;
        if (std::optional<execution> shown = example()) r.examples[outcome] = std::move(*shown);
      }
      const bool race = options_.races_are_outcomes && racy();
      r.race = r.race || race;
      if (options_.on_execution) options_.on_execution(race);
      if (options_.on_complete_graph) {
        explored_graph described = describe(graph_, created_, objects_.notes());
        described.model = options_.model;
        described.race = race;
        options_.on_complete_graph(described);
      }
      if (options_.on_graph) options_.on_graph(graph_.fingerprint());
      if (options_.on_preemptions) options_.on_preemptions(graph_.fingerprint(), bound_.count());
      if (options_.on_class) options_.on_class(symmetry_.class_fingerprint());
    }
    if (end == ending::limit && !r.violation) {
      r.limit = limit_;
      break;
    }
    if (options_.replay != 0) {
      if (explored < options_.replay && next_run()) continue;
      r.violation.reset();
      r.limit = "there is no violation at the run to be replayed";
      break;
    }
    if (r.violation && !options_.keep_going && runs_ >= last_run) break;
    if (r.violation && r.violation->kind == violation::nondeterminism) break;
    const std::uint64_t so_far = sampler_.on() ? sampler_.drawn() : r.executions + r.blocked;
    if (options_.max_executions != 0 && so_far >= options_.max_executions) {
      if (sampler_.on() ? sampler_.drawn() < options_.samples : exploration_.backtrack())
        r.limit = "max_executions";
      break;
    }
    if (--until_clock == 0) {
      if (options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed)) {
        r.limit = "interrupted";
        break;
      }
      const double now = seconds();
      if (options_.timeout.count() != 0 &&
          now * 1000 > static_cast<double>(options_.timeout.count())) {
        r.limit = "timeout";
        break;
      }
      if (now >= next_report && options_.on_progress) {
        const std::uint64_t run = sampler_.on() ? sampler_.drawn() - r.blocked : r.executions;
        options_.on_progress({run, r.blocked, part_done(), now});
        next_report = now + 0.1;
      }
      // Look at the clock about every ten milliseconds.
      const double rate = static_cast<double>(explored) / (now + 1e-9);
      until_clock = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rate / 100));
    }
    if (!next_run()) break;
  }

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
        sampled{options_.seed, sampler_.drawn(), drawn.graphs(), drawn.once(), drawn.twice()};
    if (r.limit.empty() && !r.violation) r.limit = "samples";
  }
  if (r.limit.empty() && !r.violation && r.executions == 0) r.limit = "no execution is complete";
  r.fraction = r.limit.empty() ? 1
               : r.sample      ? static_cast<double>(r.executions) / std::max(r.sample->least(), 1.)
                               : exploration_.fraction();
  r.outcome = r.violation       ? verdict::violated
              : r.limit.empty() ? verdict::verified
                                : verdict::incomplete;
  r.seconds = seconds();
  r.symmetric = symmetry_.used();
  if (orders_ != nullptr) r.places = table_.places();
  return r;
}

namespace {

// Which violation is met first depends on which thread is explored first: every order is tried.
void shorten(result& r, options o, const std::function<void()>& body) {
  constexpr unsigned most_permuted = 4;
  o.priorities.resize(std::min(r.threads, 1 + most_permuted));
  std::iota(o.priorities.begin(), o.priorities.end(), 0U);  // main first: it creates the others
  while (std::next_permutation(o.priorities.begin() + 1, o.priorities.end())) {
    result other = explorer(o, body).explore();
    r.violations += other.violations;
    r.seconds += other.seconds;
    if (other.violation && other.violation->kind == r.violation->kind &&
        length(*other.violation) < length(*r.violation)) {
      r.violation = std::move(other.violation);
    }
    // The limit is one for all of them.
    if (o.timeout.count() != 0 && r.seconds * 1000 > static_cast<double>(o.timeout.count())) break;
  }
}

}  // namespace

namespace {

// Each complete graph goes through the axioms.
result explore_and_recheck(options o, const std::function<void()>& body) {
  axioms::second_opinion second;
  o.on_complete_graph = [&second, also = o.on_complete_graph](const explored_graph& g) {
    second.hear(g);
    if (also) also(g);
  };
  o.on_restart = [&second, also = o.on_restart] {
    second.restart();
    if (also) also();
  };
  result r = explorer(o, body).explore();
  r.recheck = second.so_far();
  if (r.recheck->rejected != 0 && r.outcome == verdict::verified) {
    r.outcome = verdict::incomplete;
    r.limit = "the axioms reject a graph that was explored: a fault of the checker";
  }
  return r;
}

}  // namespace

result check(const options& o, std::function<void()> body) {
  result r;
  const auto explore = [&] {
    r = o.recheck ? explore_and_recheck(o, body) : explorer(o, body).explore();
  };
  if (detail::around_checks != nullptr)
    detail::around_checks(explore);
  else
    explore();
  if (o.shorten != 0 && o.replay == 0 && o.samples == 0 && r.violation && r.threads > 1)
    shorten(r, o, body);
  return r;
}

options with_bounds_of(const scenario& about, options o) {
  o.name = about.name;
  o.spurious_failures = about.spurious_failures;
  o.spurious_wakeups = about.spurious_wakeups;
  o.reuse_addresses = about.reuse_addresses;
  o.reuse_across_threads = about.reuse_across_threads;
  o.typed_memory = about.typed_memory;
  o.timeouts = about.timeouts;
  o.symmetric = about.symmetric;
  o.outcomes = about.outcomes;
  return o;
}

result detail::check_with_bounds(const scenario& about, const options& o, void (*body)()) {
  return check(with_bounds_of(about, o), body);
}

}  // namespace fencepost::verify
