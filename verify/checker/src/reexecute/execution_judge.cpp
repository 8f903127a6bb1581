#include "reexecute/execution_judge.hpp"

#include <bit>

#include "axioms/graph_fingerprint.hpp"
#include "execute/run_ending.hpp"

namespace fencepost::verify {

namespace {

// True if it is a violation whatever the order of events. What comes last in its thread happens
// before nothing: that an object had ended by then, or that memory was free, is wrong in any order,
// except for objects that may be read after their end.
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

// True if the violation ends the run before other threads have done all that they would.
bool ends_the_run(violation v) {
  return !halts_one_thread(v) && v != violation::liveness && v != violation::leak;
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

}  // namespace

run_judgement execution_judge::judge(const explored_graph& g, const ended_run& run) {
  complete_.clear();
  run_judgement judged = judge_executions(g, run);
  if (run.wrong && !judged.counts && ends_the_run(*run.wrong))
    engine_.leave_out("something goes wrong, and what the other threads would do is not known");
  return judged;
}

run_judgement execution_judge::judge_executions(const explored_graph& g, const ended_run& run) {
  run_judgement judged;
  judged.counts = false;
  const batch_set repeated = engine_.repeated().by_all_threads();
  if (repeated == 0) return judged;  // each thread repeats a start, but not the same one
  repeated_ = batch_[static_cast<std::size_t>(std::countr_zero(repeated))];
  if (!engine_.promises_are_kept()) {
    // The same may go wrong in an execution whose promises are kept later; only liveness cannot,
    // since threads can continue in that one. A thread that has crashed is like one that has failed
    // an assertion: see promising_engine::end_run().
    if (run.wrong && (*run.wrong == violation::crash ? engine_.unknown().doubts_data()
                                                     : *run.wrong != violation::liveness))
      engine_.leave_out("something goes wrong before the write is reached");
    return judged;
  }
  const promised_execution& made = engine_.execution();
  made.made().for_each_execution(
      g, made.silent().all(), [&](const explored_graph& whole, const std::vector<promise>& kept) {
        judge_execution(whole, kept, run, judged);
      });
  return judged;
}

void execution_judge::judge_execution(const explored_graph& whole, const std::vector<promise>& kept,
                                      const ended_run& run, run_judgement& judged) {
  const axioms::reading read =
      axioms::read_with_cycles(whole, engine_.execution().arrived().times());
  if (!read.held) engine_.leave_out("an execution is too long for the axioms");
  if (!read.consistent) return;
  if (!is_cyclic(read, run) || !is_believed(read, run)) return;
  const bool unordered = !read.unordered.why.empty();
  if ((run.wrong && !judged.counts) || unordered) engine_.show(kept);
  judged.counts = true;
  if (unordered && read.unordered.accesses)
    judged = engine_.execution().silent().race_of(read.unordered.accesses->first,
                                                  read.unordered.accesses->second);
  else if (unordered)
    judged = unordered_life(whole, read.unordered);
  if (!run.complete) return;
  // A thread may read any of several values from the future, each in an execution of its own.
  const std::uint64_t fingerprint = axioms::fingerprint(whole, axioms::told_apart::by_values_too);
  complete_.push_back({fingerprint, read.race});
  beginnings_.add_races_of(whole, fingerprint, kept, *repeated_);
}

// True if the execution has a cycle. Without one nothing is wrong, by rc20; but what a thread that
// halts would do next is not known.
bool execution_judge::is_cyclic(const axioms::reading& read, const ended_run& run) {
  if (read.cyclic) return true;
  if (run.wrong && halts_one_thread(*run.wrong))
    engine_.leave_out(
        "the accesses that go wrong may be ordered by a write that has not been reached");
  return false;
}

bool execution_judge::is_believed(const axioms::reading& read, const ended_run& run) {
  // A run that is repeated for its steps follows the execution in another order.
  if (read.reversed && !run.again && !options_.races_are_outcomes) {
    engine_.leave_out("data is read before it is written, in the order of the run");
    return false;
  }
  if (run.wrong && engine_.unknown().loses_some() && !is_certain(*run.wrong, options_)) {
    engine_.leave_out(
        "the accesses that go wrong may be ordered by a write that has not been reached");
    return false;
  }
  if (run.complete && engine_.unknown().denies_some()) {
    engine_.leave_out("operations may be ordered by a write that has not been reached");
    return false;
  }
  return true;
}

}  // namespace fencepost::verify
