#include "reexecute/coherent_promises.hpp"

namespace fencepost::verify {

namespace {

bool writes_at(const event& e, location l) {
  return e.writes() && (e.loc[0] == l || e.loc[1] == l);
}

// True if the read may get its value from the write at this position in modification order.
bool may_read(const graph& g, const patches::promised_access& a, unsigned place) {
  if (a.writes && g.mo_position(make_id(a.thread, a.last), a.at) != place + 1) return false;
  const auto follows = [&](event_id id) {
    return thread_of(id) == a.thread && index_of(id) > a.last;
  };
  const location_history& h = g.history(a.at);
  for (unsigned i = 1; i <= place; ++i)
    if (follows(h.mo[i])) return false;
  for (const event_id id : h.readers) {
    const event& e = g.at(id);
    if (follows(id) && g.mo_position(e.rf[e.field_at(a.at)], a.at) < place) return false;
  }
  return true;
}

}  // namespace

bool reads_what_is_older(const explorer& e, event_id id, unsigned field, const promise& p,
                         unsigned before) {
  const graph& g = e.events();
  const location l = g.at(id).loc[field];
  const event_id source = g.at(id).rf[field];
  const unsigned known = e.model().lowest(l, g.view(make_id(thread_of(id), before)).hb);
  const unsigned place = g.mo_position(source, l);
  const bool promised = source != initial_write && thread_of(source) == p.write.thread &&
                        g.written(source, l) == p.promised;
  return place < known || (place == known && !promised);
}

bool may_be_coherent(const graph& g, const patches& made) {
  return made.all_reads([&](const patches::promised_access& a, const promise& p) {
    const graph::log& writer = g.thread(p.write.thread);
    const unsigned only = p.kept ? made.number_without(p.write) : 0;
    if (only > writer.length()) return true;  // the axioms judge that
    for (unsigned i = p.kept ? only : 1; i <= (p.kept ? only : writer.length()); ++i)
      if (writes_at(writer.events[i], a.at) &&
          may_read(g, a, g.mo_position(make_id(p.write.thread, i), a.at)))
        return true;
    return false;
  });
}

}  // namespace fencepost::verify
