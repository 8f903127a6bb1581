#include "reexecute/read_events.hpp"

#include "model/consistency.hpp"

namespace fencepost::verify {

namespace {

explored_event read_event(explored_event::kind what, word w, value read, source_location where) {
  explored_event e;
  e.what = what;
  e.cells[0] = w.fields[0];
  e.cells[1] = w.fields[1];
  e.read = read;
  e.where = where;
  return e;
}

}  // namespace

explored_event load_event(word w, order o, value read, source_location where) {
  explored_event e = read_event(explored_event::kind::load, w, read, where);
  e.success = o;
  return e;
}

explored_event update_event(word w, const requested_update& asked, value read,
                            source_location where) {
  explored_event e = read_event(explored_event::kind::update, w, read, where);
  e.success = asked.how;
  e.op = asked.op;
  e.size = asked.size;
  e.operand = asked.operand;
  e.custom = asked.custom;
  e.writes = true;
  e.written = modified(asked.op, asked.size, read, asked.operand, asked.custom);
  return e;
}

explored_event exchange_event(word w, const requested_exchange& asked, value read, bool spurious,
                              source_location where) {
  explored_event e = read_event(explored_event::kind::update, w, read, where);
  e.success = asked.success;
  e.failure = asked.failure;
  e.compares = true;
  e.weak = asked.weak;
  e.expected = asked.expected;
  e.operand = asked.desired;
  e.spurious = spurious;
  e.writes = read == asked.expected && !spurious;
  if (e.writes) e.written = asked.desired;
  return e;
}

}  // namespace fencepost::verify
