// What the program does with objects and memory, from inside a model thread.

#include <algorithm>
#include <cstring>
#include <utility>

#include "execute/explorer.hpp"

namespace fencepost::verify {

location explorer::declare(const void* address, std::size_t size, value initial,
                           source_location where) {
  limits_.check_stack();
  if (where.line != 0) running().where = where;
  if (options_.typed_memory) {
    if (const location before = objects_.typed_at(address, size); before != no_location) {
      objects_.begin_again(before, where);
      store(word(before), initial, order::relaxed, where);
      objects_.begun_again(before, make_id(fibers_.running(), running().position));
      return before;
    }
  }
  const location l = next_location();
  if (tape_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::construct, .at = l, .number = initial, .where = where});
  const location_history& h = graph_.history(l);
  if (h.initial != initial && (h.mo.size() > 1 || !h.readers.empty())) {
    const tape::entry then{.what = tape::act::construct, .number = h.initial, .where = where};
    const tape::entry now{.what = tape::act::construct, .number = initial, .where = where};
    comparison_.differs(&then, &now, where);
  }
  graph_.set_initial(l, initial);
  graph_.set_hidden(l, false);
  objects_.construct(here(), l, address, size, where);
  return l;
}

location explorer::next_location() {
  const unsigned n = running().constructed++;
  const engine_scope scope;
  return graph_.nth_location(fibers_.running(), n);
}

location explorer::on_static(const void* address, std::size_t size, value initial, const char* file,
                             const char* function, std::uint64_t place) {
  return objects_.static_at(address, size, initial, at(file, function, place));
}

location explorer::declare_plain(const void* address, std::size_t size, bool scalar,
                                 source_location where) {
  const location l = declare(address, size, 0, where);
  objects_.make_plain(here(), l, scalar);
  return l;
}

location explorer::declare_hidden(source_location where) {
  const location l = declare(nullptr, sizeof(int), 0, where);
  graph_.set_hidden(l, true);
  return l;
}

wait_list& explorer::waiters_at(const void* address) {
  return wait_lists_.at(reinterpret_cast<std::uintptr_t>(address), objects_);
}

bool explorer::replaced(std::uint64_t look) {
  const event& e = graph_.at(static_cast<event_id>(look));
  return graph_.mo_position(e.rf[0], e.loc[0]) < consistency_.last_write(e.loc[0], hb());
}

void explorer::use(location l, bool may_outlast, source_location where) {
  running().where = where;
  objects_.check_alive(here(), l, where);
  if (!may_outlast) objects_.use(here(), l);
}

value explorer::known(location l) {
  return graph_.written(graph_.history(l).mo[consistency_.last_write(l, hb())], l);
}

void explorer::retire(location l, source_location where) {
  const object& o = objects_[l];
  if (tape_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::destroy, .at = l, .where = {}});
  if (!o.alive || o.typed) return;
  end_of_life(l, where, "destroyed", options_.typed_memory && arena_.contains(o.address));
}

void explorer::end_of_life(location l, const source_location& where, const char* what, bool typed) {
  if (typed && !objects_[l].plain) {
    objects_.check_typed_end(here(), l, where, what);
    objects_.keep_typed(l, or_last(where));
    return;
  }
  objects_.check_end(here(), l, where, what);
  objects_.note(here(), l, silent_access::kind::end);
  loops_.note_meanwhile(l);
  objects_.end(l, or_last(where));
}

void explorer::on_plain_read(location l, const char* file, const char* function,
                             std::uint64_t place) {
  if (sites_.empty())
    do_plain_read(l, at(file, function, place));
  else
    fibers_.apart([&] { do_plain_read(l, at(file, function, place)); });
}

void explorer::do_plain_read(location l, source_location where) {
  limits_.count_silent_step(where);
  const object& o = objects_[l];
  running().where = where;
  if (!o.alive) objects_.check_alive(here(), l, where);
  if (trace_.on()) log(step_kind::plain_read, "read " + trace_.name(l), where);
  objects_.check_read(here(), l, where);
  if (tape_.on()) [[unlikely]] {
    value read = 0;
    if (o.scalar) std::memcpy(&read, o.address, std::min(o.size, sizeof read));
    comparison_.note({.what = tape::act::read, .at = l, .number = read, .where = where});
  }
  const unsigned before = objects_.read(here(), l);
  loops_.note_plain(l, false, before);
}

void explorer::on_plain_write(location l, const char* file, const char* function,
                              std::uint64_t place) {
  if (sites_.empty())
    do_plain_write(l, at(file, function, place));
  else
    fibers_.apart([&] { do_plain_write(l, at(file, function, place)); });
}

void explorer::do_plain_write(location l, source_location where) {
  limits_.count_silent_step(where);
  running().where = where;
  if (!objects_[l].alive) objects_.check_alive(here(), l, where);
  if (trace_.on()) log(step_kind::plain_write, "write " + trace_.name(l), where);
  objects_.check_write(here(), l, where);
  if (tape_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::write, .at = l, .where = where});
  loops_.note_meanwhile(l);
  const unsigned before = objects_.write(here(), l);
  loops_.note_plain(l, true, before);
}

void* explorer::allocate(std::size_t size, std::size_t alignment) {
  limits_.check_stack();
  if (histories_.is_aside()) {
    if (void* p = arena_.allocate_aside(size, alignment)) return p;
    ending_.reach_limit("a history does not fit into memory_size", running().where);
  }
  limits_.count_silent_step(running().where);
  if (options_.reuse_addresses || options_.reuse_across_threads)
    loops_.end_turn();  // see arena::go_back
  arena::block* const again = reused(size, alignment, running().where);
  const engine_scope scope;
  if (tape_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::allocate, .number = size, .where = running().where});
  void* p = again != nullptr ? again + 1 : arena_.allocate(fibers_.running(), size, alignment);
  if (p == nullptr)
    ending_.reach_limit(
        message(
            "an allocation of %zu bytes does not fit: a thread may have %zu MiB in one execution "
            "(memory_size)",
            size, arena_.bytes_per_thread() >> 20U),
        running().where);
  if (trace_.on())
    trace_.add_allocation(fibers_.running(), p, message("allocate %zu bytes", size),
                          running().where);
  return p;
}

void explorer::release(void* pointer) {
  const bool was_in_body = allocation_hook::in_body;
  const engine_scope scope;
  if (!was_in_body) return;  // the engine lets go of something of a run that is over
  if (arena_.is_aside(pointer)) return;
  const source_location where = running().where;
  if (options_.reuse_addresses || options_.reuse_across_threads)
    loops_.end_turn();  // see arena::go_back
  if (!arena_.contains(pointer)) {
    for (unsigned t = 0; t < threads_.created(); ++t)
      if (fibers_.stack(t).contains(pointer))
        ending_.report(violation::invalid_free, "free of an object on a thread's stack", where);
    std::free(pointer);
    return;
  }
  arena::block* b = arena_.find(pointer);
  if (b == nullptr)
    ending_.report(violation::invalid_free, "free of a pointer that no allocation has returned",
                   where);
  if (b->state == arena::freed)
    ending_.report(violation::double_free,
                   message("free of a block of %zu bytes that was freed before", b->size), where);
  if (tape_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::release, .number = b->size, .where = where});
  if (trace_.on() && pointer != running().argument)
    log(step_kind::release, message("free %zu bytes", b->size), where);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  for (const location l : objects_.constructed()) {
    const object& o = objects_[l];
    if (o.alive && !o.typed && reinterpret_cast<std::uintptr_t>(o.address) - begin < b->size)
      end_of_life(l, where, "freed", options_.typed_memory);
  }
  arena_.release(b);
  allocation_hook::in_body = was_in_body;
  keep_for_reuse(b, where);
}

// Addresses that come back: the last one first, and once an execution another one or none. Each
// thread has its own freed blocks; or all threads have them together, by sizes, under a hidden
// lock: then a release happens before the next allocation of the block, as the standard has it, and
// before no other one.

void explorer::keep_for_reuse(arena::block* b, source_location where) {
  if (!options_.reuse_across_threads) {
    if (options_.reuse_addresses) arena_.keep(fibers_.running(), b);
    return;
  }
  const location over = declare(nullptr, sizeof(int), 0, where);
  const location lock = waiters_at(reinterpret_cast<const void*>(b->size)).lock;
  await_exchange(lock, 0, 1, order::relaxed, wait_for::mutex, where);
  store(word(over), 1, order::release, where);
  b->handed_over = over;
  arena_.keep(arena::of_all, b);
  read_modify_write(word(lock), operation::exchange, 0, sizeof(int), order::relaxed, where,
                    nullptr);
}

// A freed block for an allocation; null: memory that was not used before.
arena::block* explorer::reused(std::size_t size, std::size_t alignment, source_location where) {
  if (!options_.reuse_across_threads) {
    if (!options_.reuse_addresses || arena_.count(fibers_.running(), size, alignment) == 0)
      return nullptr;
    if (choose(2, budget::address, where) == 1) return nullptr;
    return &arena_.take(fibers_.running(), 0, fibers_.running(), size, alignment);
  }
  const location lock = waiters_at(reinterpret_cast<const void*>(size)).lock;
  await_exchange(lock, 0, 1, order::relaxed, wait_for::mutex, where);
  const unsigned there = arena_.count(arena::of_all, size, alignment);
  const unsigned which = there == 0 ? 0 : choose(there + 1, budget::address, where);
  arena::block* const b =
      which == there ? nullptr
                     : &arena_.take(arena::of_all, which, fibers_.running(), size, alignment);
  read_modify_write(word(lock), operation::exchange, 0, sizeof(int), order::relaxed, where,
                    nullptr);
  if (b != nullptr)
    await(static_cast<location>(b->handed_over), 1, order::acquire, wait_for::nothing, where);
  return b;
}

}  // namespace fencepost::verify
