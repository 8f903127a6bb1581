#include "execute/scheduler.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fencepost::verify {

using state = model_thread::state;

void scheduler::begin_to_follow() {
  unsigned t = nobody;
  for (const unsigned candidate : priorities_.used())
    if (threads_[candidate].at == state::running && threads_[candidate].following)
      t = candidate;  // the most preferred thread is last: it continues without yielding
  if (t == nobody) t = loops_.next_to_linger();
  driven_.assign(1, {t, nobody});
}

// A needed thread runs past the needed event, and may then need the first thread. The stack of
// threads that need others grows each time two of them pass on a token, so it is a vector, not
// recursion.
scheduler::step scheduler::next_needed() {
  while (!driven_.empty()) {
    needing& top = driven_.back();
    model_thread& t = threads_[top.thread];
    if (top.next != nobody) {
      // All threads are resumed, so that the next join finds them finished. Some may wait for a
      // thread that waited for this one, which has made progress since.
      const unsigned u = top.next++;
      const model_thread& v = threads_[u];
      if (u != top.thread && ((v.at == state::running && v.following) ||
                              (v.at == state::waiting && threads_.has_what_it_needs(v)))) {
        top.found_some = true;
        driven_.push_back({u, nobody});
      }
      continue;
    }
    if (t.at == state::running) return {step::kind::resume, top.thread, 0};
    if (t.at != state::waiting) {
      driven_.pop_back();
      continue;
    }
    if (threads_.has_what_it_needs(t)) {
      t.at = state::running;
      continue;
    }
    unsigned other = thread_of(t.needs);
    const auto creator = [&] { return threads_.creator(other); };
    while (threads_[other].at == state::unused && creator() != 0 && !threads_.replayed(creator()))
      other = thread_of(creator());
    loops_.let_go(other);
    const state at = threads_[other].at;
    // Each time a thread is needed, it is further along than the last time: the depth is bounded.
    const bool in_a_circle = driven_.size() > graph_.trail().size() + std::size_t{2} * max_threads;
    if ((at != state::running && at != state::waiting) || in_a_circle)
      return {step::kind::diverged, top.thread, other};
    if (t.needs_end && std::exchange(top.found_some, false))
      top.next = 0;
    else
      driven_.push_back({other, nobody});
  }
  return {};
}

unsigned scheduler::next() {
  unsigned t = sampler_.on() ? pick_at_random() : pick();
  if (t == nobody) t = loops_.next_parked();
  return t;
}

bool scheduler::may_go_first(unsigned thread) const {
  const model_thread& t = threads_[thread];
  return (t.at == state::frontier && threads_.runnable(*t.wants)) ||
         (t.at == state::parked && loops_.changed(thread) && threads_.runnable(*t.wants));
}

// True if the running thread, which no longer follows the graph, goes next. All other threads are
// at the end of the graph.
bool scheduler::goes_first(unsigned running, const event& e) const {
  if (!threads_.runnable(e)) return false;
  bool preferred = true;  // whether `t` is preferred to the running thread
  for (const unsigned t : priorities_.used()) {
    if (t == running)
      preferred = false;
    else if (may_go_first(t) &&
             (comes_late(*threads_[t].wants) == comes_late(e) ? preferred : comes_late(e)))
      return false;
  }
  return true;
}

// The next event is a function of the graph alone: of the threads that can continue, the first by
// priority whose event does not come late is chosen, or else the first.
// A thread that waits for a value comes last, and only if some write has that value.
unsigned scheduler::pick() const {
  unsigned late = nobody;
  for (const unsigned t : priorities_.used()) {
    if (!may_go_first(t)) continue;
    if (!comes_late(*threads_[t].wants)) return t;
    if (late == nobody) late = t;
  }
  if (late != nobody) return late;
  for (const unsigned t : priorities_.used()) {
    if (threads_[t].at != state::frontier || !threads_[t].wants->awaits) continue;
    const event& e = *threads_[t].wants;
    for (const event_id w : graph_.history(e.loc[0]).mo)
      if (graph_.written(w, e.loc[0]) == e.expected) return t;
  }
  return nobody;
}

// Picks a thread that may continue. A thread at a waiting loop is picked less often: until the
// event that it waits for, its turns are wasted.
unsigned scheduler::pick_at_random() {
  constexpr unsigned likely = 8;
  sampler_.read_latest(false);
  std::array<unsigned, max_threads> odds{};
  for (unsigned t = 0; t < threads_.created(); ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::parked && loops_.grown_since_parked(t) && threads_.runnable(*m.wants))
      odds[t] = 1;
    if (m.at == state::frontier && may_go_on(t)) odds[t] = sites_.waits_at(m.where) ? 1 : likely;
  }
  return sampler_.pick(odds, owner_).value_or(nobody);
}

bool scheduler::may_go_on(unsigned thread) {
  const model_thread& m = threads_[thread];
  const event& e = *m.wants;
  if (!e.awaits) return threads_.runnable(e);
  const auto& mo = graph_.history(e.loc[0]).mo;
  return std::any_of(mo.begin(), mo.end(),
                     [&](event_id w) { return graph_.written(w, e.loc[0]) == e.expected; }) &&
         sampler_.draw_source(thread, e, m.where);
}

}  // namespace fencepost::verify
