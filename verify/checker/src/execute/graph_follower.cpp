#include "execute/graph_follower.hpp"

namespace fencepost::verify {

using state = model_thread::state;

const event* graph_follower::next(event_kind kind, word w, order o, value operand,
                                  source_location where) {
  const unsigned self = fibers_.running();
  model_thread& t = threads_[self];
  const graph::log& l = graph_.thread(self);
  if (t.position >= l.length() || trace_.on() || tape_.on()) return nullptr;
  const event& e = l.events[t.position + 1];
  if (e.kind != kind || e.loc[0] != w.fields[0] || e.loc[1] != w.fields[1] || e.success != o ||
      e.operand != operand || e.awaits || e.torn || e.looks != look_for::nothing)
    return nullptr;
  if (e.reads()) {
    if (!threads_.replayed(e.rf[0]) || !threads_.replayed(e.rf[1])) return nullptr;
  }
  ++t.position;
  limits_.count_event(t);
  t.where = where;
  if (loops_.in_turn() && !removable(e)) loops_.note_effect();
  return &e;
}

void graph_follower::follow(const event& asked, source_location where) {
  const unsigned self = fibers_.running();
  const model_thread& t = threads_[self];
  const graph::log& l = graph_.thread(self);
  const event& recorded = l.events[t.position + 1];
  if (!same_request(asked, recorded)) {
    const tape::entry now{.asked = asked, .where = where};
    const tape::entry then{.asked = recorded, .where = l.where[t.position + 1]};
    comparison_.differs(&then, &now, where);
  }
  if (recorded.reads()) {
    for (unsigned k = 0; k < recorded.fields(); ++k)
      if (!threads_.replayed(recorded.rf[k])) wait_for(recorded.rf[k], false);
  } else if (recorded.kind == event_kind::join) {
    for (unsigned child = 0; child < graph_.threads(); ++child)
      if (recorded.concerns(child) && threads_[child].at != state::finished)
        wait_for(make_id(child, graph_.thread(child).length()), true);
  }
}

void graph_follower::wait_for(event_id id, bool end) {
  model_thread& t = threads_[fibers_.running()];
  t.needs = id;
  t.needs_end = end;
  t.at = state::waiting;
  loops_.yield_in_turn();
}

}  // namespace fencepost::verify
