#include "reexecute/reexecution.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <memory>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "axioms/graph_fingerprint.hpp"
#include "axioms/graph_races.hpp"
#include "axioms/recheck.hpp"
#include "execute/explorer.hpp"
#include "execute/run_ending.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/beginning.hpp"
#include "reexecute/path_to_beginning.hpp"
#include "reexecute/promising_engine.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t most_beginnings = 100'000;

std::string refused(const options& o) {
  if (o.samples != 0) return "xc20 is not explored by random executions";
  if (o.preemptions) return "xc20 is not explored within a bound on preemptions";
  if (o.parts != 0 || !o.resume.empty() || o.on_checkpoint)
    return "xc20 is not explored in several sittings";
  return "";
}

// What a thread reads from the future may be any of several values, each of which comes of itself.
std::uint64_t fingerprint(const explored_graph& g) {
  return axioms::fingerprint(g, axioms::told_apart::by_values_too);
}

// Not about what happens before what, of which the explorer knows too little. What comes last in
// its thread happens before nothing: so that an object was gone by then, or memory was free, is
// wrong whatever the order, but for objects that may be read when they are gone.
bool is_certain(violation v, const options& o) {
  switch (v) {
    case violation::assertion:
    case violation::liveness:
    case violation::exception:
    case violation::double_free:
    case violation::invalid_free: return true;
    case violation::use_after_free: return !o.typed_memory;
    default: return false;
  }
}

run_judgement unordered_life(const explored_graph& g,
                             const axioms::reading::unordered_uses& unordered) {
  run_judgement r;
  r.data_race = unordered.why;
  if (!unordered.life) return r;
  using life = run_judgement::life;
  r.of = unordered.life->what == silent_access::kind::end ? life::ends : life::begins;
  r.object = unordered.life->object;
  r.thread = unordered.use.thread;
  if (unordered.use.number != 0) r.where = g.threads[r.thread][unordered.use.number - 1].where;
  return r;
}

// Before other threads have done all that they would.
bool ends_the_run(violation v) {
  return !halts_one_thread(v) && v != violation::liveness && v != violation::leak;
}

class reexecution {
 public:
  using clock = std::chrono::steady_clock;

  // The limit of time is that of all that was explored since `began`.
  reexecution(const options& o, const std::function<void()>& body,
              clock::time_point began = clock::now())
      : options_(o), body_(body), began_(began) {
    found_.limit = o.reexecutions;
  }

  // The first executions, without cycles.
  result first(const std::function<result(const options&, const std::function<void()>&)>& explore) {
    options o = options_;
    o.model = memory_model::rc20;
    o.jobs = 1;
    if (wanted_) o.replay.clear();
    o.on_load_buffering_race = [this](const explored_graph& g, explored_name r, explored_name w) {
      begin_at(g, {}, nullptr, r, w);
    };
    o.on_restart = [this] {
      left_.clear();
      known_.clear();
      met_ = {};
      found_ = {};
      found_.limit = options_.reexecutions;
      if (options_.on_restart) options_.on_restart();
    };
    return explore(o, body_);
  }

  void explore_all(result& r) {
    runs_ = r.executions + r.blocked;
    while (!r.violation && r.limit.empty()) {
      const batch next = left_.take();  // others come while it is explored
      if (next.empty()) break;
      explore_from(next, r);
    }
    r.seconds = seconds();
    found_.races = left_.size();
    if (r.limit.empty() && !found_.open.empty()) r.limit = "load buffering";
    r.outcome = r.violation       ? verdict::violated
                : r.limit.empty() ? verdict::verified
                                  : verdict::incomplete;
    if (r.outcome == verdict::incomplete) r.fraction = 0;
    r.reexecutions = std::move(found_);
  }

  // Only the run at the end of that path. Nothing of what leads there need be explored in full, but
  // it is known only by exploring.
  result replay(
      const path_to_beginning& path,
      const std::function<result(const options&, const std::function<void()>&)>& explore) {
    wanted_ = path.races.front();
    result r = first(explore);
    r.violation.reset();
    r.outcome = verdict::incomplete;
    for (std::size_t i = 1; i <= path.races.size(); ++i) {
      const batch next = left_.take();
      if (next.empty()) break;
      const bool last = i == path.races.size();
      if (!last) wanted_ = path.races[i];
      if (last) replayed_ = path.run;
      r.limit.clear();
      explore_from(next, r);
      if (last) break;
      r.violation.reset();  // another one, on the way
    }
    if (r.violation) r.violation->path = to_text(path);
    r.outcome = r.violation ? verdict::violated : verdict::incomplete;
    r.limit = r.violation ? "" : "there is no violation at the run to be replayed";
    return r;
  }

 private:
  // `older`: the promises of the graph, from this beginning.
  void begin_at(const explored_graph& g, const std::vector<promise>& older, const start* from,
                explored_name read, explored_name write) {
    if (leads_nowhere(g, read, write)) return;
    if (std::string why = unsupported(g, read, write); !why.empty()) {
      leave_open(g, read, write, std::move(why));
      return;
    }
    if (leads_to_more(g, read, write))
      leave_open(g, read, write, "the read is of a whole word of two fields");
    for (const field_set fields : fields_to_promise(g, read, write)) {
      ++met_.number;
      if (!wanted_ || met_ == *wanted_) begin_with(g, older, from, read, write, fields);
    }
  }

  void begin_with(const explored_graph& g, const std::vector<promise>& older, const start* from,
                  explored_name read, explored_name write, field_set fields) {
    const unsigned depth = from == nullptr ? 0 : from->depth;
    beginning b = beginning_of(g, older, read, write, fields);
    if (looked_for_) {
      if (!met_there_ && b.fingerprint == *looked_for_) met_there_ = met_;
      return;
    }
    if (known_.contains(b.fingerprint)) return;
    if (depth == options_.reexecutions && !wanted_) {
      found_.exhaustive = false;
      return;
    }
    known_.insert(b.fingerprint);
    if (left_.size() == most_beginnings) {
      leave_open(g, read, write, "there are too many like it");
      return;
    }
    left_.add({std::move(b), depth + 1, from, met_});
  }

  void leave_open(const explored_graph& g, explored_name read, explored_name write,
                  std::string why) {
    leave_open(g.threads[read.thread][read.number - 1].where,
               g.threads[write.thread][write.number - 1].where, std::move(why));
  }
  void leave_open(source_location read, source_location write, std::string why) {
    const bool known =
        std::any_of(found_.open.begin(), found_.open.end(), [&](const reexecuted::open_race& o) {
          return o.read == read && o.write == write && o.why == why;
        });
    if (!known) found_.open.push_back({read, write, std::move(why)});
  }

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(clock::now() - began_).count();
  }

  void explore_from(const batch& here, result& r) {
    met_ = {};
    wrong_ = nullptr;
    const promise& youngest = here.front()->from.promises.back();
    promising_engine promising(here, options_);
    options o = options_;
    o.model = memory_model::rc20;
    o.symmetry = false;
    o.resume_points = false;
    o.repeat = false;
    o.replay = replayed_;
    o.jobs = 1;
    o.recheck = o.digest = false;
    o.examples = 0;
    o.shorten = 0;
    o.keep_going = false;
    o.on_execution = nullptr;
    o.on_graph = nullptr;
    o.on_preemptions = nullptr;
    o.on_class = nullptr;
    if (options_.on_progress)
      o.on_progress = [&](const progress& p) {  // of all that there are, nobody knows how many
        options_.on_progress(
            {r.executions + found_.executions, r.blocked + p.blocked, 0, seconds()});
      };
    std::vector<std::pair<std::uint64_t, bool>> complete;  // of the run that was judged last
    o.judge_run = [&](const explored_graph& g, const ended_run& run) {
      complete.clear();
      return judge(promising, here, g, run, complete);
    };
    o.on_complete_graph = [&](const explored_graph&) {
      for (const auto& [fingerprint, race] : complete) {
        if (!executions_.insert(fingerprint).second) continue;
        ++found_.executions;
        if (options_.on_execution) options_.on_execution(race);
        r.race = r.race || race;
      }
    };
    o.on_restart = nullptr;  // what was counted are executions all the same
    if (o.max_executions != 0) {
      if (runs_ >= o.max_executions) {
        r.limit = "max_executions";
        return;
      }
      o.max_executions -= runs_;
    }
    if (o.timeout.count() != 0) {
      const double left = static_cast<double>(o.timeout.count()) - seconds() * 1000;
      if (left < 1) {
        r.limit = "timeout";
        return;
      }
      o.timeout = std::chrono::milliseconds(static_cast<long>(left));
    }
    result found;
    {
      explorer* explores = nullptr;
      explorer e(o, [&] {
        promising.begin_run(*explores);
        body_();
      });
      explores = &e;
      found = e.explore();
    }
    if (found.violation) {
      r.violation = std::move(found.violation);
      r.violation->message += " (load buffering)";  // its steps say how
      if (!wanted_ && !looked_for_) name(*r.violation, here);
      r.violations = 1;
    }
    for (const auto& [outcome, times] : found.outcomes) r.outcomes[outcome] += times;
    r.blocked += found.blocked;
    runs_ += found.executions + found.blocked;
    if (found.outcome == verdict::incomplete && found.limit != "no execution is complete") {
      const bool given = found.limit == "max_executions";
      if (given || found.limit == "timeout" || found.limit == "interrupted")
        r.limit = found.limit;
      else
        leave_open(youngest.read_at, youngest.write_at, found.limit);
    }
    if (!promising.left_out().empty())
      leave_open(youngest.read_at, youngest.write_at, promising.left_out());
  }

  run_judgement judge(promising_engine& promising, const batch& all, const explored_graph& g,
                      const ended_run& run, std::vector<std::pair<std::uint64_t, bool>>& complete) {
    run_judgement judged = judge_run(promising, all, g, run, complete);
    if (run.wrong && !judged.counts && ends_the_run(*run.wrong))
      promising.leave_out("something goes wrong, and what others would do is not known");
    return judged;
  }

  run_judgement judge_run(promising_engine& promising, const batch& all, const explored_graph& g,
                          const ended_run& run,
                          std::vector<std::pair<std::uint64_t, bool>>& complete) {
    const std::optional<violation> wrong = run.wrong;
    run_judgement judged;
    judged.counts = false;
    const batch_set repeated = promising.repeated().by_all_threads();
    if (repeated == 0) return judged;  // each thread does what it did in another one
    const start& here = *all[static_cast<std::size_t>(std::countr_zero(repeated))];
    wrong_ = &here;
    if (!promising.promises_are_kept()) {
      // What is wrong may be so in an execution whose promises are kept later; but not that no
      // thread can go on.
      if (wrong && *wrong != violation::liveness)
        promising.leave_out("something goes wrong before the write has come");
      return judged;
    }
    promising.execution().made().for_each_execution(
        g, promising.execution().silent().all(),
        [&](const explored_graph& whole, const auto& promised) {
          const axioms::reading read =
              axioms::read_with_cycles(whole, promising.execution().arrived().times());
          if (!read.held) promising.leave_out("an execution is too long for the axioms");
          if (!read.consistent) return;
          if (!read.cyclic) {
            // Nothing is wrong then, by rc20; but what its thread would do next is not known.
            if (wrong && halts_one_thread(*wrong))
              promising.leave_out(
                  "what goes wrong may be ordered by a write that is still to come");
            return;
          }
          // An execution that is run again is followed in another order.
          if (read.reversed && !run.again && !options_.races_are_outcomes) {
            promising.leave_out("data is read before what is written there by then");
            return;
          }
          if (wrong && promising.unknown().loses_some() && !is_certain(*wrong, options_)) {
            promising.leave_out("what goes wrong may be ordered by a write that is still to come");
            return;
          }
          if (run.complete && promising.unknown().denies_some()) {
            promising.leave_out("operations may be ordered by a write that is still to come");
            return;
          }
          const bool unordered = !read.unordered.why.empty();
          if ((wrong && !judged.counts) || unordered) promising.show(promised);
          judged.counts = true;
          if (unordered && read.unordered.accesses)
            judged = promising.execution().silent().race_of(read.unordered.accesses->first,
                                                            read.unordered.accesses->second);
          else if (unordered)
            judged = unordered_life(whole, read.unordered);
          if (!run.complete) return;
          complete.emplace_back(fingerprint(whole), read.race);
          go_on_from(whole, promised, here);
        });
    return judged;
  }

  // An execution with a cycle may have other races.
  void go_on_from(const explored_graph& g, const std::vector<promise>& promised,
                  const start& from) {
    met_ = {met_.execution + 1, 0};
    if (!seen_.insert(fingerprint(g)).second) return;
    for (const auto& [r, w] : axioms::load_buffering_races(g)) begin_at(g, promised, &from, r, w);
    for (const conflict& c : conflicts_of(g)) {
      const auto races = axioms::load_buffering_races(c.graph);
      if (std::find(races.begin(), races.end(), std::pair(c.first, c.second)) != races.end())
        begin_at(c.graph, promised, &from, c.first, c.second);
    }
  }

  // How the violation is come to again. A run is counted among those from one beginning.
  void name(counterexample& wrong, const batch& among) {
    if (among.size() == 1 && wrong_->found_from == nullptr) {
      wrong.path = to_text(path_to_beginning{{wrong_->met}, wrong.path});
      return;
    }
    std::vector<const start*> way;
    for (const start* s = wrong_; s != nullptr; s = s->found_from) way.insert(way.begin(), s);
    options alone = options_;
    alone.max_executions = 0;
    alone.on_execution = nullptr;
    reexecution other(alone, body_, began_);
    path_to_beginning path{{way.front()->met}, ""};
    for (std::size_t i = 0; i < way.size(); ++i) {
      const bool last = i + 1 == way.size();
      other.looked_for_ = last ? 0 : way[i + 1]->from.fingerprint;
      other.met_there_.reset();
      start here = *way[i];
      here.found_from = nullptr;
      result r;
      other.explore_from({&here}, r);
      if (last ? !r.violation : !other.met_there_) {
        wrong.path.clear();
        wrong.no_path = r.limit.empty() ? "what leads to it was not met again" : r.limit;
        return;
      }
      if (!last) {
        path.races.push_back(*other.met_there_);
        continue;
      }
      path.run = r.violation->path;
      wrong = std::move(*r.violation);
      wrong.path = to_text(path);
    }
  }

  const options& options_;
  const std::function<void()>& body_;
  const clock::time_point began_;
  batches left_;
  std::unordered_set<std::uint64_t> known_;       // of these
  std::unordered_set<std::uint64_t> executions_;  // that are complete
  std::unordered_set<std::uint64_t> seen_;        // likewise, with the races that they have
  std::uint64_t runs_ = 0;                        // complete and blocked ones
  met_race met_;                                  // last in the exploration that is going on, …
  const start* wrong_ = nullptr;                  // where the run belongs that was judged last
  std::optional<std::uint64_t> looked_for_;       // a beginning, to know where it is met; and …
  std::optional<met_race> met_there_;             // … where
  std::optional<met_race> wanted_;                // for a replay: the only race to begin with
  std::string replayed_;                          // … and the only run to make
  reexecuted found_;
};

}  // namespace

result explore_with_reexecutions(
    const options& o, const std::function<void()>& body,
    const std::function<result(const options&, const std::function<void()>&)>& explore) {
  if (std::string why = refused(o); !why.empty()) {
    result r;
    r.name = o.name;
    r.model = o.model;
    r.limit = std::move(why);
    return r;
  }
  // Not on the stack: what changes there during a run is taken for the body's doing.
  const auto all = std::make_unique<reexecution>(o, body);
  if (const auto path = path_to_beginning_from(o.replay)) {
    result r = all->replay(*path, explore);
    r.model = memory_model::xc20;
    return r;
  }
  result r = all->first(explore);
  if (r.outcome == verdict::verified) all->explore_all(r);
  r.model = memory_model::xc20;
  return r;
}

}  // namespace fencepost::verify
