#include "execute/program_objects.hpp"

#include <algorithm>
#include <cstring>

namespace fencepost::verify {

location program_objects::declare(const void* address, std::size_t size, value initial,
                                  source_location where) {
  limits_.check_stack();
  if (where.line != 0) running().where = where;
  if (options_.typed_memory) {
    if (const location before = lifetimes_.typed_at(address, size); before != no_location) {
      lifetimes_.begin_again(before, where);
      requests_.store(word(before), initial, order::relaxed, where);
      lifetimes_.begun_again(before, make_id(fibers_.running(), running().position));
      return before;
    }
  }
  const location l = next_location(initial, where);
  const value before = graph_.history(l).initial;
  if (before != initial && is_accessed(l)) {
    const tape::entry then{.what = tape::act::construct, .number = before, .where = where};
    const tape::entry now{.what = tape::act::construct, .number = initial, .where = where};
    comparison_.differs(&then, &now, where);
  }
  graph_.set_initial(l, initial);
  begin_lifetime(l, address, size, where);
  return l;
}

bool program_objects::is_accessed(location l) const {
  const location_history& h = graph_.history(l);
  return h.mo.size() > 1 || !h.readers.empty();
}

location program_objects::declare_unknown(const void* address, std::size_t size,
                                          source_location where) {
  limits_.check_stack();
  if (where.line != 0) running().where = where;
  const location l = next_location(0, where);
  begin_lifetime(l, address, size, where);
  return l;
}

void program_objects::begins_with(location l, value initial) {
  if (!is_accessed(l)) graph_.set_initial(l, initial);
}

location program_objects::next_location(value initial, source_location where) {
  const unsigned n = running().constructed++;
  const location l = [&] {
    const engine_scope scope(fibers_.in_body());
    return graph_.nth_location(fibers_.running(), n);
  }();
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::construct, .at = l, .number = initial, .where = where});
  return l;
}

void program_objects::begin_lifetime(location l, const void* address, std::size_t size,
                                     source_location where) {
  graph_.set_hidden(l, false);
  graph_.set_lock(l, lock_kind::none);
  lifetimes_.construct(here(), l, address, size, or_last(where));
  if (!arena_.contains(address) || arena_.is_in_newest(address)) return;
  const engine_scope scope(fibers_.in_body());
  lifetimes_.note_late_in_block();
}

location program_objects::declare_plain(const void* address, std::size_t size, bool scalar,
                                        source_location where) {
  const location l = declare(address, size, 0, where);
  lifetimes_.make_plain(here(), l, scalar);
  return l;
}

void program_objects::begins_without_value(location l) { lifetimes_.begin_without_value(l); }

location program_objects::declare_hidden(source_location where) {
  const location l = declare(nullptr, sizeof(int), 0, where);
  graph_.set_hidden(l, true);
  return l;
}

wait_list& program_objects::waiters_at(const void* address) {
  return wait_lists_.at(reinterpret_cast<std::uintptr_t>(address), lifetimes_);
}

bool program_objects::replaced(event_id look) const {
  const event& e = graph_.at(look);
  return graph_.mo_position(e.rf[0], e.loc[0]) < consistency_.last_write(e.loc[0], hb());
}

void program_objects::use(location l, bool may_outlast, source_location where) {
  running().where = where;
  lifetimes_.check_alive(here(), l, where);
  if (!may_outlast) {
    lifetimes_.use(here(), l);
    trace_.begin_use(fibers_.running(), l, where);
  }
}

value program_objects::known(location l) const {
  return graph_.written(graph_.history(l).mo[consistency_.last_write(l, hb())], l);
}

bool program_objects::accesses_unordered(location l, bool writes) {
  const bool unordered = lifetimes_.is_unordered(here(), l, writes);
  if (writes) loops_.note_meanwhile(l);
  loops_.note_plain(l, writes, lifetimes_.access(here(), l, writes));
  return unordered;
}

void program_objects::retire(location l, source_location where) {
  const object& o = lifetimes_[l];
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::destroy, .at = l, .where = {}});
  if (!o.alive || o.typed) return;
  end_of_life(l, where, "destroyed", options_.typed_memory && arena_.contains(o.address));
}

void program_objects::end_of_life(location l, const source_location& where, const char* what,
                                  bool typed) {
  const lifetimes::point p = here();
  if (typed && !lifetimes_[l].plain) {
    lifetimes_.check_typed_end(p, l, where, what);
    lifetimes_.keep_typed(l, or_last(where));
    return;
  }
  lifetimes_.check_end(p, l, where, what);
  lifetimes_.note(p, l, silent_access::kind::end);
  loops_.note_meanwhile(l);
  lifetimes_.end(l, or_last(where));
}

// To the other threads, the construction of the next object is a write: whatever they do that is
// not ordered after it races with it.
void program_objects::renew_plain(location l, source_location where) {
  running().where = where;
  if (!lifetimes_[l].alive) return;
  lifetimes_.check_end(here(), l, where, "destroyed");
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::write, .at = l, .where = where});
  loops_.note_meanwhile(l);
  const lifetimes::before_access before = lifetimes_.write(here(), l);
  loops_.note_plain(l, true, before);
}

void program_objects::plain_read(location l, const char* file, const char* function,
                                 std::uint64_t place) {
  if (sites_.empty())
    read(l, event_shapes::at(file, function, place));
  else
    fibers_.apart([&] { read(l, event_shapes::at(file, function, place)); });
}

void program_objects::read(location l, const source_location& where) {
  limits_.count_silent_step(where);
  running().where = where;
  const lifetimes::point p = here();
  const object& o = lifetimes_[l];
  if (!o.alive) lifetimes_.check_alive(p, l, where);
  if (trace_.on()) [[unlikely]]
    trace_.add(p.thread, step_kind::plain_read, "read " + trace_.name(l), where);
  lifetimes_.check_read(p, l, where);
  if (comparison_.on()) [[unlikely]] {
    value read = 0;
    if (o.scalar) std::memcpy(&read, o.address, std::min(o.size, sizeof read));
    comparison_.note({.what = tape::act::read, .at = l, .number = read, .where = where});
  }
  const lifetimes::before_access before = lifetimes_.read(p, l);
  loops_.note_plain(l, false, before);
}

void program_objects::plain_write(location l, const char* file, const char* function,
                                  std::uint64_t place) {
  if (sites_.empty())
    write(l, event_shapes::at(file, function, place));
  else
    fibers_.apart([&] { write(l, event_shapes::at(file, function, place)); });
}

void program_objects::write(location l, const source_location& where) {
  limits_.count_silent_step(where);
  running().where = where;
  const lifetimes::point p = here();
  if (!lifetimes_[l].alive) lifetimes_.check_alive(p, l, where);
  if (trace_.on()) [[unlikely]]
    trace_.add(p.thread, step_kind::plain_write, "write " + trace_.name(l), where);
  lifetimes_.check_write(p, l, where);
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::write, .at = l, .where = where});
  loops_.note_meanwhile(l);
  const lifetimes::before_access before = lifetimes_.write(p, l);
  loops_.note_plain(l, true, before);
}

}  // namespace fencepost::verify
