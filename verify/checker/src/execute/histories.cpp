#include "execute/histories.hpp"

#include <algorithm>
#include <string>
#include <vector>

namespace fencepost::verify {

namespace {

// The thread's ancestry: which child of which thread it is does not depend on the order of the
// threads, as its number does.
std::vector<unsigned> way_to(unsigned thread, const model_threads& threads, const graph& g) {
  std::vector<unsigned> way;
  for (; thread != 0; thread = thread_of(threads.creator(thread))) {
    unsigned nth = 0;
    for (unsigned t = 0; t < thread; ++t)
      if (g.at(threads.creator(thread)).concerns(t)) ++nth;
    way.push_back(nth);
    way.push_back(index_of(threads.creator(thread)));
  }
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

void histories::record(std::string_view outcome) {
  const engine_scope scope;
  const unsigned self = fibers_.running();
  if (comparison_.on())
    comparison_.note(
        {.what = tape::act::outcome, .text = std::string(outcome), .where = threads_[self].where});
  loops_.end_turn();  // a turn that records is not idle
  outcomes_.record(way_to(self, threads_, graph_), outcome);
}

runner::moment histories::called() {
  loops_.end_turn();
  return last_event();
}

// An operation without events has returned before everything that the thread's next event happens
// before.
runner::moment histories::returned(moment called) {
  loops_.end_turn();
  const auto last = last_event();
  return last == called ? last + 1 : last;
}

bool histories::is_before(moment returned, moment called) {
  const auto last = static_cast<event_id>(returned);
  const clock& hb = graph_.view(static_cast<event_id>(called)).hb;
  if (index_of(last) <= graph_.thread(thread_of(last)).length()) return hb.covers(last);
  // The thread has no next event: the operation comes before what follows a join of the thread.
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    for (unsigned i = 1; i <= hb[t]; ++i) {
      const event& e = graph_.thread(t).events[i];
      if (e.kind == event_kind::join && e.concerns(thread_of(last))) return true;
    }
  }
  return false;
}

}  // namespace fencepost::verify
