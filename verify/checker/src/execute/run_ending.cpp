#include "execute/run_ending.hpp"

#include <algorithm>

#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"

namespace fencepost::verify {

// The thread never continues; its stack is not unwound.
void run_ending::abandon(state how) {
  state_ = is_violated() ? (is_showing() ? state::shown : state_) : how;
  for (;;) fibers_.yield();
}

// While the graph is followed for a counterexample, a violation waits until the other threads have
// done what is in the graph, which may include the access that it is about.
bool run_ending::postpones(unsigned thread) const noexcept {
  return trace_.on() && threads_.following() >= (threads_[thread].following ? 2U : 1U);
}

void run_ending::violate(unsigned thread, violation kind, std::string_view text,
                         source_location where, location ended) {
  if (is_violated()) {
    if (is_showing()) state_ = state::shown;
    return;
  }
  trace_.set_ended(ended);
  if (shown_to_debugger_) fibers_.show_violation(thread);
  violation_.kind = kind;
  violation_.message = text;
  violation_.thread = thread;
  violation_.where = where;
  if (postpones(thread)) {
    state_ = state::showing;
    threads_[thread].at = model_thread::state::blocked;
    return;
  }
  state_ = state::violation;
  trace_.add(thread, step_kind::violation, violation_.message, where);
}

bool run_ending::report_later(violation kind, std::string_view text, std::string_view file,
                              unsigned line) {
  if (!allocation_hook::in_body) return false;
  const engine_scope scope;
  report_at_end(fibers_.running(), kind, text, {kept_name(file), "", line, 0});
  return true;
}

void run_ending::report_at_end(unsigned thread, violation kind, std::string_view text,
                               source_location where, location ended) {
  if (due_) return;
  due_.emplace();
  due_->kind = kind;
  due_->message = text;
  due_->thread = thread;
  due_->where = where;
  due_ended_ = ended;
}

void run_ending::report_if_due() {
  if (!due_ || due_->thread != fibers_.running() || is_judged()) return;
  report(due_->kind, due_->message, due_->where);
}

void run_ending::finish() {
  if (state_ == state::showing || state_ == state::shown)
    trace_.add(violation_.thread, step_kind::violation, violation_.message, violation_.where);
  if (due_) violate(due_->thread, due_->kind, due_->message, due_->where, due_ended_);
}

void run_ending::leave() { abandon(state::left); }

void run_ending::end_with(violation kind, std::string_view text, source_location where,
                          location ended) {
  allocation_hook::in_body = false;
  if (is_judged() && halts_one_thread(kind)) {
    report_at_end(fibers_.running(), kind, text, where, ended);
    threads_[fibers_.running()].at = model_thread::state::gave_up;
  } else {
    violate(fibers_.running(), kind, text, where, ended);
  }
  for (;;) fibers_.yield();
}

bool run_ending::doubt(violation kind, std::string_view text, source_location where,
                       location object) {
  if (!is_judged()) return false;
  const unsigned thread = fibers_.running();
  if (doubt_of(kind, object, thread) != nullptr) return true;
  const engine_scope scope;
  doubts_.push_back({kind, object, thread, where, std::string(text)});
  return true;
}

const run_ending::doubtful* run_ending::doubt_of(violation kind, location object,
                                                 unsigned thread) const noexcept {
  const auto found = std::find_if(doubts_.begin(), doubts_.end(), [&](const doubtful& d) {
    return d.kind == kind && d.object == object &&
           (d.thread == thread || kind == violation::use_after_free);
  });
  return found == doubts_.end() ? nullptr : &*found;
}

void run_ending::end_with_limit(std::string_view what, source_location where) {
  const engine_scope scope;
  limit_ = what;
  if (where.line != 0)
    limit_ += "; the last of it at " + std::string(base_name(where.file)) + ":" +
              std::to_string(where.line);
  abandon(state::limit);
}

void run_ending::end_with_restart() {
  restart_later(restart_for::lesson);
  abandon(state::restart);
}

void run_ending::end_with_drop() { abandon(state::dropped); }

}  // namespace fencepost::verify
