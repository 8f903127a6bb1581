// A complete execution in neutral terms, for options::on_complete_graph: read from the graph, not
// from what the explorer concluded of it.

#include "explorer.hpp"

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
  d.where = where;
  return d;
}

// The front end's own locations are none of the program's: what is done to them is a choice, by
// which executions differ.
explored_event hidden_step(const event& e, source_location where) {
  explored_event d;
  d.what = explored_event::kind::choose;
  d.read = static_cast<value>(e.rf[0]) << 32 | e.mo[0];
  d.where = where;
  return d;
}

}  // namespace

// Several in a row that nothing comes between are one.
void explorer::note(location object, silent_access::kind what) {
  if (!options_.on_complete_graph) return;
  const engine_scope scope;
  const unsigned after = threads_[running_].position;
  if (!silent_accesses_.empty()) {
    const silent_access& last = silent_accesses_.back();
    if (last.object == object && last.thread == running_ && last.after == after &&
        last.what == what)
      return;
  }
  silent_accesses_.push_back({object, running_, after, what});
}

explored_graph explorer::describe() const {
  explored_graph d;
  d.model = options_.model;
  d.race = options_.races_are_outcomes && racy();
  d.threads.resize(created_);
  for (unsigned t = 0; t < created_; ++t) {
    const graph::log& l = graph_.logs[t];
    d.threads[t].reserve(l.length());
    for (unsigned i = 1; i <= l.length(); ++i) {
      const event& e = l.events[i];
      const bool hidden = e.fields() != 0 && graph_.places[e.loc[0]].hidden;
      d.threads[t].push_back(hidden ? hidden_step(e, l.where[i]) : described(e, l.where[i]));
    }
  }
  d.cells.resize(graph_.places.size());
  for (location l = 0; l < graph_.places.size(); ++l) {
    const place& p = graph_.places[l];
    d.cells[l].initial = p.initial;
    if (p.hidden) continue;
    for (std::size_t i = 1; i < p.mo.size(); ++i) d.cells[l].order.push_back(name_of(p.mo[i]));
  }
  d.silent = silent_accesses_;
  return d;
}

}  // namespace fencepost::verify
