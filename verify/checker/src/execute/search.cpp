// The search: one execution after the other, counted.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <utility>

#include "execute/explorer.hpp"
#include "execute/signals.hpp"
#include "explore/tally.hpp"
#include "fencepost/verify/replay.hpp"
#include "graph/described_graph.hpp"

namespace fencepost::verify {

// Makes this the engine of the system thread; also undone when a callback throws.
class explorer::presence {
 public:
  // `frame`: of who explores.
  presence(explorer& self, const void* frame)
      : previous_(std::exchange(current_runner, &self.histories_)), signals_(&self.supervisor_) {
    self.fibers_.adopt_os_thread();
    self.resuming_.begin(frame);
    allocation_hook::allocates_elsewhere = false;
    engine::current_ = &self;
    allocation_hook::current = &self.allocations_;
  }
  ~presence() {
    current_runner = previous_;
    allocation_hook::current = nullptr;
    engine::current_ = nullptr;
  }
  presence(const presence&) = delete;
  presence& operator=(const presence&) = delete;

 private:
  runner* previous_;
  signal_guard signals_;
};

// An exploration under way: what it has found, and when to look at the clock.
struct explorer::search {
  using steady = std::chrono::steady_clock;

  explicit search(result& r) : found(r), before(r.seconds) {}

  result& found;
  const double before;
  const steady::time_point begin = steady::now();
  double next_report = 0.1;
  std::uint64_t until_clock = 1;
  std::size_t shortest = 0;    // events of the counterexample
  std::uint64_t last_run = 0;  // when one has been found: the end of the search for a shorter one
  std::uint64_t explored = 0;  // unlike runs_, without what is run once more
  bool is_part = false;
  bool from_beginning = true;
  tally drawn;  // sampling

  [[nodiscard]] double seconds() const {
    return before + std::chrono::duration<double>(steady::now() - begin).count();
  }
  // To be asked after each run: true about every ten milliseconds.
  bool looks_at_clock() {
    if (--until_clock != 0) return false;
    const double rate = static_cast<double>(explored) / (seconds() - before + 1e-9);
    until_clock = std::max<std::uint64_t>(1, static_cast<std::uint64_t>(rate / 100));
    return true;
  }
};

result explorer::nothing_found() const {
  result r;
  r.name = options_.name;
  r.model = options_.model;
  r.known_outcomes.assign(options_.outcomes.begin(), options_.outcomes.end());
  return r;
}

result explorer::explore() {
  if (engine::current_ != nullptr) {
    result r = nothing_found();
    r.limit = "an exploration may not be started inside another one";
    return r;
  }
  if (!options_.replay.empty()) return replay();
  result r = nothing_found();
  search s(r);
  const presence here(*this, __builtin_frame_address(0));
  while (goes_on(s, explore_next(s))) {
  }
  conclude(s);
  return r;
}

result explorer::explore_from(const choice_path& at, std::string_view wrong, result so_far) {
  search s(so_far);
  const presence here(*this, __builtin_frame_address(0));
  resuming_.forbid();
  if (!go_to_run(at)) exploration_.restart();
  run_end end = explore_next(s);
  if (end != run_end::violation) {
    ending_.violate(
        0, violation::nondeterminism,
        message("the same execution went differently in another process: there %.*s, here "
                "nothing of the kind",
                static_cast<int>(wrong.size()), wrong.data()),
        {});
    end = run_end::violation;
  }
  while (goes_on(s, end)) end = explore_next(s);
  conclude(s);
  return so_far;
}

// The run with these choices is the next. It is to add its events itself: one that goes along a
// graph that is there already does not learn what it would have learned.
bool explorer::go_to_run(choice_path at) {
  at = without_zeros(std::move(at));
  return go_to(at.empty() ? part{} : part{std::move(at), {}});
}

bool explorer::go_to(const part& p) {
  const bool there = approach(p);
  if (there) restarted_ = false;  // if it was, then to learn what is known
  return there;
}

bool explorer::approach(const part& p) {
  const resuming::pause from_the_beginning(resuming_);
  const std::size_t lessons = lessons_.size();
  exploration_.begin(p);
  contention_.begin();
  if (!p.after) return true;
  for (;;) {
    run_or_learn();
    if (lessons_.size() != lessons) return false;
    switch (exploration_.approach()) {
      case exploration::way::run: continue;
      case exploration::way::there: return true;
      case exploration::way::lost: return false;
    }
  }
}

bool explorer::learn(const lesson& l) {
  const presence here(*this, __builtin_frame_address(0));
  return take_lesson(l);
}

bool explorer::take_lesson(const lesson& l) {
  if (!l.contended.empty()) {
    for (const location_name& n : l.contended) contention_.know(n);
    lessons_.push_back(l);
    return true;
  }
  const std::size_t lessons = lessons_.size();
  if (go_to_run(l.at)) {
    const resuming::pause from_the_beginning(resuming_);
    run_or_learn();
  }
  return lessons_.size() > lessons && lessons_.back() == l;
}

part_result explorer::explore(const part& p, part_control& control) {
  using enum part_result::ending;
  part_result done;
  done.found = nothing_found();
  const presence here(*this, __builtin_frame_address(0));
  search s(done.found);
  s.is_part = true;
  s.from_beginning = !p.after;
  const std::size_t lessons = lessons_.size();
  part left = p;
  bool again = false;  // all of the part that is left is to be explored again
  const auto ends = [&](part_result::ending how) {
    done.how = how;
    done.position = exploration_.fraction();
    if (how != learned) done.at = exploration_.path();
    return false;
  };
  const auto learned_now = [&] {
    if (lessons_.size() == lessons) return false;
    done.at = lessons_.back().at;
    return true;
  };
  const auto goes_on = [&] {
    const run_end end = explore_next(s);
    if (learned_now()) return ends(learned);
    if (end == run_end::again) {
      again = true;
      return false;
    }
    if (end == run_end::limit) {
      done.text = ending_.limit();
      return ends(limit);
    }
    if (end == run_end::violation) {
      done.kind = ending_.found().kind;
      done.text = ending_.found().message;
      return ends(violated);
    }
    if (control.wants_a_part()) [[unlikely]]
      if (const std::optional<part> rest = exploration_.give_away()) {
        left.last = *rest->after;
        control.give(*rest);
      }
    if (s.looks_at_clock() && control.is_over(s.found, exploration_.fraction()))
      return ends(stopped);
    if (options_.max_executions == 0 ||
        s.found.executions + s.found.blocked < options_.max_executions)
      return exploration_.backtrack();
    ends(stopped);
    if (!exploration_.backtrack()) done.how = exhausted;
    return false;
  };
  do {
    again = false;
    if (!go_to(left))
      ends(learned_now() ? learned : lost);
    else if (!p.after || exploration_.backtrack())
      while (goes_on()) {
      }
  } while (again);
  done.observed = contention_.observed();
  done.found.symmetric = symmetry_.used();
  if (orders_ != nullptr) done.found.places = table_.places();
  done.found.from_beginning = resuming_.given_up();
  done.found.changed = exploration_.changed().all();
  done.found.load_buffering = exploration_.load_buffering_races();
  done.found.seconds = s.seconds();
  return done;
}

// Makes one run, and shows it to a debugger.
result explorer::replay() {
  result r = nothing_found();
  const presence here(*this, __builtin_frame_address(0));
  resuming_.forbid();
  search s(r);
  r.limit = "there is no violation at the run to be replayed";
  if (!go_to_replayed()) return r;
  if (sampler_.on()) sampler_.begin();
  if (run() != run_end::violation) return r;
  r.limit.clear();
  replay_begins();
  ending_.show_to_debugger(true);
  counterexample found;
  explain(found);
  ending_.show_to_debugger(false);
  found.path = options_.replay;
  r.violation = std::move(found);
  r.violations = 1;
  conclude(s);
  return r;
}

bool explorer::go_to_replayed() {
  const std::string& wanted = options_.replay;
  if (sampler_.on()) {
    std::uint64_t draw = 0;
    const char* const end = wanted.data() + wanted.size();
    const auto [rest, error] = std::from_chars(wanted.data(), end, draw);
    if (error != std::errc{} || rest != end || draw > options_.samples) return false;
    for (std::uint64_t i = 1; i < draw; ++i) {
      sampler_.begin();
      run();
      if (!sampler_.next()) return false;
    }
    return draw != 0;
  }
  const std::optional<search_path> way = search_path_from(wanted);
  if (!way) return false;
  for (const lesson& l : way->lessons)
    if (!take_lesson(l)) return false;
  return go_to_run(way->choices);
}

// Runs the next execution, and counts it.
run_end explorer::explore_next(search& s) {
  result& r = s.found;
  const std::uint64_t execution = r.executions + (s.from_beginning ? 1 : 2);
  if (sampler_.on()) sampler_.begin();
  const bool repeated = is_repeated(execution);
  extent before{graph_.trail().size(), exploration_.choices()};
  if (repeated && !resuming_.has_points())
    tape_.record();
  else
    tape_.stop();
  run_end end = s.is_part ? run_or_learn() : run();
  ++s.explored;
  const bool wrong = end == run_end::violation || end == run_end::limit;
  if (resuming_.resumed() && (wrong || (repeated && end == run_end::complete))) {
    end = run_from_beginning(end, repeated, before);
    if (end == run_end::again && !s.is_part) {
      contention_.begin();
      end = run();
    }
  }
  if (std::exchange(restarted_, false)) {
    before = {};
    s.drawn.clear();
    r.executions = r.blocked = r.violations = r.cut = r.digest = 0;
    r.outcomes.clear();
    r.examples.clear();
    r.race = false;
  }
  if (end == run_end::complete && tape_.recording()) {
    end = repeat(repetitions(execution));
    // A run that is recorded keeps no resume points.
    if (end == run_end::complete && resuming_.keeps_points()) end = add_again(before);
  } else {
    tape_.stop();
  }
  // What is drawn again counts once.
  const bool complete =
      end == run_end::complete && (!sampler_.on() || s.drawn.add(graph_.fingerprint()));
  if (complete) ++r.executions;
  if (end == run_end::blocked) ++r.blocked;
  if (end == run_end::cut) ++r.cut;
  r.events = std::max(r.events, graph_.size());
  r.atomics = std::max(r.atomics, objects_.atomics());
  r.plain = std::max(r.plain, objects_.plain());
  r.threads = std::max(r.threads, threads_.created());
  if (complete) take_complete(s);
  return end;
}

void explorer::take_violation(search& s) {
  result& r = s.found;
  ++r.violations;
  const std::string path = sampler_.on() ? std::to_string(s.explored)
                                         : to_text(search_path{lessons_, exploration_.path()});
  if (!r.violation) {
    s.shortest = graph_.size();
    counterexample found;
    const bool again = explain(found);
    if (!again) did_not_come_again(found);
    if (found.kind == violation::misuse) supervisor_.name_calls(found);
    found.path = path;
    r.violation = std::move(found);
    s.last_run = s.explored + options_.shorten;
  } else if (options_.shorten != 0 && graph_.size() <= s.shortest &&
             ending_.found().kind == r.violation->kind) {
    s.shortest = graph_.size();
    counterexample found;
    if (explain(found) && reading_length(found) < reading_length(*r.violation)) {
      found.path = path;
      r.violation = std::move(found);
    }
  }
}

void explorer::take_complete(search& s) {
  result& r = s.found;
  if (!outcomes_.text().empty()) ++r.outcomes[outcomes_.text()];
  if (r.examples.size() < options_.examples && !r.examples.contains(outcomes_.text())) {
    const std::string outcome = outcomes_.text();
    if (std::optional<execution> shown = example()) r.examples[outcome] = std::move(*shown);
  }
  const bool race = options_.races_are_outcomes && consistency_.has_race();
  r.race = r.race || race;
  if (options_.digest) r.digest += graph_.fingerprint();
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
bool explorer::goes_on(search& s, run_end end) {
  result& r = s.found;
  if (end == run_end::violation) take_violation(s);
  if (end == run_end::limit && !r.violation) {
    r.limit = ending_.limit();
    return false;
  }
  if (r.violation && !options_.keep_going && s.explored >= s.last_run) return false;
  if (r.violation && r.violation->kind == violation::nondeterminism) return false;
  const std::uint64_t so_far = sampler_.on() ? sampler_.drawn() : r.executions + r.blocked;
  if (options_.max_executions != 0 && so_far >= options_.max_executions) {
    if (sampler_.on() ? sampler_.drawn() < options_.samples : exploration_.backtrack())
      r.limit = "max_executions";
    return false;
  }
  if (s.looks_at_clock()) {
    r.limit = limit_of_time(s);
    if (!r.limit.empty()) return false;
  }
  return next_run();
}

// "": it may go on.
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
  if (sampler_.on()) {
    r.sample =
        sampled{options_.seed, sampler_.drawn(), s.drawn.graphs(), s.drawn.once(), s.drawn.twice()};
    if (r.limit.empty() && !r.violation) r.limit = "samples";
  }
  r.symmetric = symmetry_.used();
  if (orders_ != nullptr) r.places = table_.places();
  r.from_beginning = resuming_.given_up();
  if (!sampler_.on()) verify::add(r.changed, exploration_.changed().all());
  r.load_buffering = exploration_.load_buffering_races();
  r.seconds = s.seconds();
  judge(r);
}

// What has been counted is all there is, unless there is a limit.
void explorer::judge(result& r) const {
  r.preemptions = options_.preemptions;
  if (r.cut != 0 && r.limit.empty() && !r.violation) r.limit = "preemptions";
  if (r.limit.empty() && !r.violation && r.executions == 0) r.limit = "no execution is complete";
  r.fraction = r.limit.empty() ? 1
               : r.sample      ? static_cast<double>(r.executions) / std::max(r.sample->least(), 1.)
                               : exploration_.fraction();
  r.outcome = r.violation       ? verdict::violated
              : r.limit.empty() ? verdict::verified
                                : verdict::incomplete;
}

}  // namespace fencepost::verify
