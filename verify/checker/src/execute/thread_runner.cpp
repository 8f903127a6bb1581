#include "execute/thread_runner.hpp"

#include <exception>

namespace fencepost::verify {

void thread_runner::start(unsigned thread, void (*entry)(void*), void* argument,
                          source_location where) {
  fibers_.reserve(thread, options_.stack_size);
  if (tape_.comparing()) fibers_.fill_stack(thread, arena_.fill());
  if (frames_are_compared()) fibers_.clear_stack(thread);
  fibers_.start(thread);
  threads_.begin(thread, entry, argument, where);
  loops_.begin(thread);
  if (thread < graph_.threads()) return;
  const engine_scope scope;  // there has never been a thread with this number
  graph_.count_thread(thread);
  priorities_.count(graph_.threads());
}

void thread_runner::resume(unsigned thread) {
  fibers_.resume(thread);
  while (resuming_.is_point_wanted()) {
    resuming_.keep_point(thread);
    fibers_.resume(thread);
  }
  threads_.has_yielded(thread);
}

void thread_runner::run() {
  call_body();
  end();
}

// A function of its own, so that few registers are in use: the frames of the body save them, and
// must save the same in the first turn of a loop as in the next.
[[gnu::noinline]] void thread_runner::call_body() {
  fibers_.in_body() = true;
  try {
    const model_thread& t = threads_[fibers_.running()];
    t.entry(t.argument);
    fibers_.in_body() = false;
  } catch (const std::exception& e) {
    fibers_.in_body() = false;
    thrown_.emplace("an exception left the thread: %s", e.what());
  } catch (...) {
    fibers_.in_body() = false;
    thrown_.emplace("an exception left the thread");
  }
}

void thread_runner::end() {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  if (thrown_) ending_.report(violation::exception, *thrown_, t.where);
  ending_.report_if_due();
  comparison_.note_end();
  if (loops_.repeats()) comparison_.turns_away(loops_.next_repeated(), nullptr);
  const graph::log& l = graph_.thread(self);
  if (t.position < l.length()) {
    const tape::entry then{.asked = l.events[t.position + 1], .where = l.where[t.position + 1]};
    comparison_.differs(&then, nullptr, t.where);
  }
  symmetric_threads_.compare_ends();
  t.at = model_thread::state::finished;
  trace_.add(self, step_kind::finish, "ends", t.where);
  fibers_.yield();
}

}  // namespace fencepost::verify
