#include "reexecute/promised_execution.hpp"

#include "execute/memory.hpp"
#include "execute/trace_recorder.hpp"

namespace fencepost::verify {

void promised_execution::begin_run(explorer& e) {
  explorer_ = &e;
  patches_.clear();
  arrivals_.clear();
  silent_.clear();
}

// The turn has stored nothing, nor waited for a promised write.
void promised_execution::take_back(unsigned position) {
  const unsigned t = this_thread();
  patches_.cut(t, position);
  const unsigned left = number();
  arrivals_.cut(t, left);
  silent_.cut(t, left);
}

void promised_execution::remove_last() {
  const engine_scope scope;
  patches_.add({patch::kind::removed, this_thread(), index_of(last()), {}, {}});
  explorer_->trace().hide(last());
}

void promised_execution::add_read(const from_future& p, const explored_event& read,
                                  unsigned choices, unsigned other_field) {
  const engine_scope scope;
  const unsigned t = this_thread();
  const unsigned last_one = index_of(last());
  const unsigned used = read.writes ? 1 : 0;
  if (choices == 0 && used == 0) {
    patches_.add({patch::kind::added, t, last_one, read, p});
  } else {
    const unsigned first = last_one + 1 - choices - used;
    for (unsigned i = first; i < last_one; ++i) patches_.add({patch::kind::removed, t, i, {}, {}});
    for (unsigned i = first; i <= last_one; ++i) explorer_->trace().hide(make_id(t, i));
    patches_.add({patch::kind::replaced, t, last_one, read, p, other_field});
  }
  explorer_->trace().record_promised({t, number()}, read, used != 0 ? last() : event_id{0},
                                     explorer_->orders());
}

void promised_execution::mark() {
  const engine_scope scope;
  arrivals_.mark(this_thread(), number());
}

void promised_execution::add_access(location l, silent_access::kind what, source_location where) {
  const engine_scope scope;
  silent_.add({l, this_thread(), number(), what}, where);
}

void promised_execution::show_access(location l, bool writes, source_location where) {
  const engine_scope scope;
  trace_recorder& trace = explorer_->trace();
  if (!trace.on()) return;
  trace.add(this_thread(), writes ? step_kind::plain_write : step_kind::plain_read,
            (writes ? "write " : "read ") + trace.name(l), where);
}

void promised_execution::show(const std::vector<promise>& kept) {
  if (!explorer_->trace().on()) return;
  for (const promise& p : kept)
    explorer_->trace().set_source(p.read,
                                  make_id(p.write.thread, patches_.number_without(p.write)));
}

}  // namespace fencepost::verify
