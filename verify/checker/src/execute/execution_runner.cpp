#include "execute/execution_runner.hpp"

namespace fencepost::verify {

run_end execution_runner::run() {
  for (;;) {
    const run_end end = run_or_learn();
    if (end != run_end::again) return end;
    contention_.begin();
  }
}

run_end execution_runner::run_or_learn() {
  const run_end end = run_once();
  learning_.restart_if_wanted();
  return end;
}

void execution_runner::begin_run() {
  ++runs_;
  if (trace_.on()) trace_.clear();
  arena_.begin_run();
  threads_.begin_run();
  symmetry_.begin_run();
  tape_.begin_run();
  objects_.begin_run();
  wait_lists_.begin_run();
  outcomes_.begin_run();
  bound_.begin_run();
  if (sampler_.on()) sampler_.begin_run();
  trace_.set_ended(no_location);
  begin_to_go_on();
}

// The steps common to every run, whether it begins at the body or at a resume point.
void execution_runner::begin_to_go_on() {
  ending_.begin_run();
  limits_.begin_run();
  thread_runner_.begin_run();
  frames_are_compared_ = thread_runner_.frames_are_compared();
  histories_.begin_run();
  scheduler_.begin_run();
}

run_end execution_runner::run_once() {
  const extent before = now();
  run_end end = resuming_.go_on() ? run_from_resume_point() : run_from_the_body();
  while (ending_.is_left()) {
    begin_again(before);
    end = run_from_the_body();
  }
  return end;
}

run_end execution_runner::run_from_resume_point() {
  ++runs_;
  begin_to_go_on();
  resuming_.watch_foreign_memory();
  return run_on();
}

// Discards what the run has added, before it is made again from the beginning.
void execution_runner::begin_again(const extent& before) {
  if (sampler_.on() && before.trail == 0) sampler_.begin();
  cut(before);
  resuming_.begin_at_the_beginning();
}

run_end execution_runner::run_from_the_body() {
  resuming_.watch_foreign_memory();
  begin_run();
  thread_runner_.start(0, [](void* self) { static_cast<execution_runner*>(self)->body_(); }, this,
                       {});
  return run_on();
}

run_end execution_runner::run_on() {
  while (!ending_.is_over()) {
    if (threads_.following() > 0) {
      follow_graph();
      continue;
    }
    if (ending_.is_showing()) break;
    const unsigned t = scheduler_.next();
    if (t == scheduler::nobody) break;
    if (bound_.on() && !trace_.on() && beyond_bound()) [[unlikely]]
      return run_end::cut;
    scheduler_.begin_turn(t);
    thread_runner_.resume(t);
  }
  if (ending_.is_left()) return run_end::again;
  resuming_.look_at_foreign_memory();
  const run_end end = judge_.judge();
  if (end == run_end::complete) limits_.note_complete();
  return end;
}

// Resumes a thread that follows the graph, and those that it needs, until it has reached its end of
// the graph.
void execution_runner::follow_graph() {
  scheduler_.begin_to_follow();
  while (!ending_.is_over()) {
    const scheduler::step next = scheduler_.next_needed();
    switch (next.what) {
      case scheduler::step::kind::resume: thread_runner_.resume(next.thread); break;
      case scheduler::step::kind::done: return;
      case scheduler::step::kind::diverged:
        ending_.violate(next.thread, violation::nondeterminism,
                        "a thread behaved differently from an earlier run of the same execution",
                        threads_[next.other].where);
        ending_.show_no_more();  // the other threads may wait for it
        return;
    }
  }
}

bool execution_runner::beyond_bound() {
  return bound_.exceeded(threads_.created(), [this](unsigned t) {
    const model_thread& m = threads_[t];
    return m.at == model_thread::state::finished ||
           (m.at == model_thread::state::frontier && m.wants->kind == event_kind::join);
  });
}

void execution_runner::cut(const extent& before) {
  graph_.cut(before.trail);
  exploration_.discard_choices(before.choices);
}

}  // namespace fencepost::verify
