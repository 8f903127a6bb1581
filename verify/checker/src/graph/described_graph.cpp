#include "graph/described_graph.hpp"

namespace fencepost::verify {

namespace {

explored_event::name name_of(event_id id) { return {thread_of(id), index_of(id)}; }

explored_event::kind kind_of(event_kind k) {
  switch (k) {
    case event_kind::load: return explored_event::kind::load;
    case event_kind::store: return explored_event::kind::store;
    case event_kind::rmw: return explored_event::kind::update;
    case event_kind::fence: return explored_event::kind::fence;
    case event_kind::create: return explored_event::kind::create;
    case event_kind::join: return explored_event::kind::join;
    case event_kind::choose:
    case event_kind::none: break;
  }
  return explored_event::kind::choose;
}

explored_event described(const event& e, source_location where) {
  explored_event d;
  d.what = kind_of(e.kind);
  d.success = e.success;
  d.failure = e.failure;
  for (unsigned k = 0; k < e.fields(); ++k) {
    d.cells[k] = e.loc[k];
    if (e.reads()) d.sources[k] = name_of(e.rf[k]);
  }
  d.read = e.read;
  d.writes = e.writes();
  d.written = d.writes ? e.written : 0;
  d.operand = e.operand;
  d.expected = e.expected;
  for (unsigned t = 0; t < max_threads; ++t)
    if (e.concerns(t)) d.threads |= std::uint64_t{1} << t;
  d.custom = e.custom;
  d.op = e.op;
  d.size = e.size;
  d.compares = e.compares;
  d.weak = e.weak;
  d.spurious = e.spurious;
  d.awaits = e.awaits;
  d.where = where;
  return d;
}

// The front end's own locations do not belong to the program: an access to one is described as a
// choice, by which executions differ.
explored_event hidden_step(const event& e, source_location where) {
  explored_event d;
  d.what = explored_event::kind::choose;
  d.read = static_cast<value>(e.rf[0]) << 32 | e.mo[0];
  d.where = where;
  return d;
}

}  // namespace

explored_graph describe(const graph& g, unsigned threads,
                        const std::vector<silent_access>& silent) {
  explored_graph d;
  d.threads.resize(threads);
  for (unsigned t = 0; t < threads; ++t) {
    const graph::log& l = g.thread(t);
    d.threads[t].reserve(l.length());
    for (unsigned i = 1; i <= l.length(); ++i) {
      const event& e = l.events[i];
      const bool hidden = e.fields() != 0 && g.history(e.loc[0]).hidden;
      d.threads[t].push_back(hidden ? hidden_step(e, l.where[i]) : described(e, l.where[i]));
    }
  }
  d.cells.resize(g.locations());
  for (location l = 0; l < g.locations(); ++l) {
    const location_history& h = g.history(l);
    d.cells[l].initial = h.initial;
    if (h.hidden) continue;
    for (std::size_t i = 1; i < h.mo.size(); ++i) d.cells[l].order.push_back(name_of(h.mo[i]));
  }
  d.silent = silent;
  return d;
}

}  // namespace fencepost::verify
