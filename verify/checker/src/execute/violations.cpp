// How a run ends before its time: violations and limits.

#include <cstdio>

#include "execute/explorer.hpp"

namespace fencepost::verify {

// Some of what the engine does is done on the stack of the thread.
void explorer::check_stack() {
  constexpr std::size_t enough = std::size_t{24} << 10U;
  const char here = 0;
  const std::size_t size = fibers_.stack(fibers_.running()).size();
  const std::size_t room = fibers_.room(&here);
  if (room - enough < size - enough) return;
  if (room >= size) left();
  char text[160];
  std::snprintf(text, sizeof text,
                "the stack of the thread is used up (stack_size is %zu KiB): endless recursion, or "
                "large local variables",
                size >> 10U);
  fail(violation::stack_overflow, text, running().where);
}

// What is no event must come to an end as well.
void explorer::count_silent_step(source_location where) {
  if (++silent_ < 1'000'000) return;
  silent_ = 0;
  reach_limit(
      "a million plain accesses and allocations without an atomic operation: an endless loop?",
      where);
}

// A loop is known by what it reads. Only that it reads nothing shows here.
void explorer::spin_pause() {
  watchdog_.beat();
  model_thread& t = running();
  if (++t.pauses > 10'000)
    fail(
        violation::no_progress,
        "spin_pause() in a loop that reads nothing, after the place named: no other thread can end "
        "it",
        t.where);
}

// The limit of events of one thread: what keeps it from its end?
void explorer::no_end() {
  const unsigned self = fibers_.running();
  const source_location where = running().where;
  const graph::log& l = graph_.thread(self);
  std::string text;
  {
    const engine_scope scope;
    std::size_t turns = 0;
    for (unsigned i = 1; i <= l.length(); ++i) turns += l.where[i] == where ? 1U : 0U;
    const std::string why =
        loops_.difference(where).value_or("a loop whose turns write, or a long program");
    text = message(
        "thread %u came to %zu events in one execution (max_events, which may be up to %u), "
        "%zu of them at %s:%u: %s",
        self, options_.max_events, most_events, turns, base_name(where.file), where.line,
        why.c_str());
  }
  reach_limit(text, where);
}

// A violation while the graph is replayed for a counterexample: what the other threads have done is
// shown before it, the access that it is about among it.
bool explorer::postpone(unsigned thread) {
  if (!trace_.on() || postponed_ || threads_.following() < (threads_[thread].following ? 2U : 1U))
    return false;
  postponed_ = true;
  threads_[thread].at = state::blocked;
  return true;
}

void explorer::fail(violation kind, std::string_view message, source_location where) {
  end_with(kind, message, where, no_location);
}

void explorer::end_with(violation kind, std::string_view message, source_location where,
                        location ended) {
  allocation_hook::in_body = false;
  violate(fibers_.running(), kind, message, where, ended);
  if (postponed_)
    for (;;) fibers_.yield();
  abandon();
}

void explorer::end_with_limit(std::string_view what, source_location where) {
  const engine_scope scope;
  limit_ = std::string(what) + "; the last of it at " + base_name(where.file) + ":" +
           std::to_string(where.line);
  abandon();
}

void explorer::violate(unsigned thread, violation kind, std::string_view message,
                       source_location where, location ended) {
  if (found_) {
    ended_ = true;
    return;
  }
  found_ = true;
  trace_.set_ended(ended);
  if (replaying_) fibers_.show_violation(thread);
  ended_ = !postpone(thread);
  violation_.kind = kind;
  violation_.message = message;
  violation_.thread = thread;
  violation_.where = where;
  if (ended_) trace_.add(thread, step_kind::violation, violation_.message, where);
}

bool explorer::fail_later(violation kind, std::string_view message, std::string_view file,
                          unsigned line) {
  if (!allocation_hook::in_body) return false;
  const engine_scope scope;
  if (due_) return true;  // the first one counts
  due_.emplace();
  due_->kind = kind;
  due_->message = message;
  due_->thread = fibers_.running();
  due_->where = {kept_name(file), "", line, 0};
  return true;
}

void explorer::fail_if_due() {
  if (!due_ || due_->thread != fibers_.running()) return;
  fail(due_->kind, due_->message, due_->where);
}

void explorer::end_with_restart() {
  restart_ = true;
  abandon();
}

void explorer::end_with_drop() {
  dropped_ = true;
  abandon();
}

}  // namespace fencepost::verify
