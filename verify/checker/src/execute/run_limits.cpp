#include "execute/run_limits.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace fencepost::verify {

void run_limits::report_silent(source_location where) {
  silent_ = 0;
  run_.reach_limit(
      "a million plain accesses and allocations without an atomic operation: an endless loop?",
      where);
}

void run_limits::count_pause() {
  progress_.beat();
  model_thread& t = threads_[fibers_.running()];
  if (++t.pauses > 10'000)
    run_.report(
        violation::no_progress,
        "spin_pause() in a loop that reads nothing, after the place named: no other thread can end "
        "it",
        t.where);
}

void run_limits::report_stack(std::size_t room, std::size_t size) {
  if (room >= size) supervisor_.left();
  char text[160];
  std::snprintf(text, sizeof text,
                "the stack of the thread is used up (stack_size is %zu KiB): endless recursion, or "
                "large local variables",
                size >> 10U);
  run_.report(violation::stack_overflow, text, threads_[fibers_.running()].where);
}

void run_limits::note_first() noexcept {
  for (unsigned t = 0; t < graph_.threads(); ++t)
    first_ = std::max<std::size_t>(first_, graph_.thread(t).length());
  first_ = std::max<std::size_t>(first_, 1);
  if (options_.max_events == 0) most_ = std::min(most_, 2 * first_ + growth);
}

void run_limits::look_at_time() {
  constexpr std::chrono::seconds grace{1};
  added_ = 0;
  if (!heeds_time_) return;
  const steady::time_point now = steady::now();
  const bool stop = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  if (!stop)
    told_to_stop_.reset();
  else if (!told_to_stop_)
    told_to_stop_ = now;
  else if (now - *told_to_stop_ > grace)
    end_for("interrupted");
  if (options_.timeout.count() != 0 && now - begin_ > options_.timeout + grace) end_for("timeout");
}

void run_limits::end_for(const char* limit) {
  out_of_time_ = true;
  run_.reach_limit(limit, {});
}

// The message says what may keep the thread from ending.
void run_limits::report_length() {
  const unsigned self = fibers_.running();
  const source_location where = threads_[self].where;
  const graph::log& l = graph_.thread(self);
  std::string text;
  {
    const engine_scope scope;
    std::size_t turns = 0;
    for (unsigned i = 1; i <= l.length(); ++i) turns += l.where[i] == where ? 1U : 0U;
    const std::string why =
        loops_.difference(where).value_or("a loop whose turns write, or a long program");
    const message more =
        options_.max_events == 0 && most_ < most_at_first
            ? message("no more than %zu in the first one; max_events allows up to %u", first_,
                      most_events)
            : message("max_events, which may be up to %u", most_events);
    text = message("thread %u reached %zu events in one execution (%s), %zu of them at %s:%u: %s",
                   self, most_, std::string(more).c_str(), turns, base_name(where.file), where.line,
                   why.c_str());
  }
  run_.reach_limit(text, where);
}

}  // namespace fencepost::verify
