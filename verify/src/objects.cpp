// Objects and memory: their lifetimes, and races between accesses to plain data.

#include <algorithm>
#include <cstring>
#include <utility>

#include "explorer.hpp"

namespace fencepost::verify {

location explorer::place_for(unsigned thread) {
  graph::log& l = graph_.logs[thread];
  const unsigned n = threads_[thread].constructed++;
  if (n == l.places.size()) {
    const engine_scope scope;
    l.places.push_back(graph_.new_place(thread));
    graph_.places.back().ordinal = n;
  }
  return l.places[n];
}

location explorer::declare(const void* address, std::size_t size, value initial,
                           source_location where) {
  check_stack();
  if (where.line != 0) threads_[running_].where = where;
  if (options_.typed_memory) {
    if (const location before = typed_at(address, size); before != no_location) {
      graph_.places[before].typed = false;
      graph_.places[before].reborn = 0;
      graph_.places[before].where = where;
      store(word(before), initial, order::relaxed, where);
      graph_.places[before].reborn = make_id(running_, threads_[running_].position);
      return before;
    }
  }
  const location l = place_for(running_);
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::construct, .at = l, .number = initial, .where = where});
  place& p = graph_.places[l];
  if (p.initial != initial && (p.mo.size() > 1 || !p.readers.empty())) {
    const tape::entry then{.what = tape::act::construct, .number = p.initial, .where = where};
    const tape::entry now{.what = tape::act::construct, .number = initial, .where = where};
    differs(&then, &now, where);
  }
  p.initial = initial;
  p.address = address;
  p.size = size;
  p.where = where;
  // A location without an address is the front door's own: its construction is no access.
  p.born = address == nullptr ? initial_write : make_id(running_, threads_[running_].position + 1);
  p.alive = true;
  p.plain = false;
  if (address != nullptr) ++atomics_;
  p.hidden = p.typed = false;
  p.reborn = 0;
  p.read_at = {};
  const engine_scope scope;
  declared_.push_back(l);
  if (address != nullptr) note(l, silent_access::kind::begin);
  return l;
}

location explorer::on_static(const void* address, std::size_t size, value initial, const char* file,
                             const char* function, std::uint64_t place_of) {
  const source_location where = at(file, function, place_of);
  const engine_scope scope;
  const auto [known, is_new] = statics_.try_emplace(address, no_location);
  if (!is_new) return known->second;
  known->second = graph_.new_place(0);
  place& p = graph_.places[known->second];
  // A name that no location of a thread has.
  p.ordinal = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address)) | 0x40000000U;
  p.initial = initial;
  p.address = address;
  p.size = size;
  p.born = initial_write;
  p.alive = true;
  p.where = where;
  return known->second;
}

// The number follows from the bytes, so that it is the same in every exploration, unless two values
// would have the same one.
value explorer::number_of(const wide_value& bytes) {
  if (bytes == wide_value{}) return 0;
  const engine_scope scope;
  value number = 0;
  for (const std::uint64_t half : bytes) {
    number = (number ^ half) * 0xff51afd7ed558ccdU + 0x9e3779b97f4a7c15U;
    number ^= number >> 32U;
  }
  for (;; ++number) {
    const auto [known, is_new] = wide_.try_emplace(number, bytes);
    if (number != 0 && (is_new || known->second == bytes)) return number;
  }
}

wide_value explorer::numbered(value number) {
  const auto known = wide_.find(number);
  return known == wide_.end() ? wide_value{} : known->second;
}

location explorer::declare_plain(const void* address, std::size_t size, bool scalar,
                                 source_location where) {
  const location l = declare(address, size, 0, where);
  place& p = graph_.places[l];
  p.plain = true;
  p.scalar = scalar;
  --atomics_;
  ++plain_;
  p.written_at = {};
  p.written_at.set(running_, threads_[running_].position + 1);
  return l;
}

location explorer::declare_hidden(source_location where) {
  const location l = declare(nullptr, sizeof(int), 0, where);
  graph_.places[l].hidden = true;
  return l;
}

wait_list& explorer::waiters_at(const void* address) {
  const engine_scope scope;
  waiting_place& at = waiting_places_[reinterpret_cast<std::uintptr_t>(address)];
  if (at.here.lock == no_location) {
    at.here.lock = graph_.new_place(0);
    place& p = graph_.places[at.here.lock];
    // A name that no thread's location has; that two of them may share it does no harm.
    p.ordinal = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address)) | 0x80000000U;
    p.born = initial_write;
    p.hidden = p.alive = true;
  }
  if (std::exchange(at.run, runs_) != runs_) at.here.first = nullptr;
  return at.here;
}

bool explorer::replaced(std::uint64_t look) {
  const event& e = graph_.at(static_cast<event_id>(look));
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  return graph_.mo_position(e.rf[0], e.loc[0]) < model_.last_write(e.loc[0], hb);
}

void explorer::use(location l, bool may_outlast, source_location where) {
  model_thread& t = threads_[running_];
  t.where = where;
  check_alive(l, where);
  if (!may_outlast) graph_.places[l].read_at.set(running_, t.position + 1);
}

value explorer::known(location l) {
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  return graph_.written(graph_.places[l].mo[model_.last_write(l, hb)], l);
}

void explorer::retire(location l, source_location where) {
  place& p = graph_.places[l];
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::destroy, .at = l, .where = {}});
  if (!p.alive || p.typed) return;
  if (options_.typed_memory && !p.plain && arena_.contains(p.address))
    keep_typed(l, where, "destroyed");
  else
    end_of_life(l, where, "destroyed");
}

// Its life ends, and it may be read; so only writes must come before.
void explorer::keep_typed(location l, source_location where, const char* what) {
  place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  // What comes after is that of the next object, or found when it comes.
  const event_id next = make_id(running_, threads_[running_].position + 1);
  for (const event_id w : p.mo)
    if (!hb.covers(w) && !graph_.view(w).porf.covers(next)) accessed_at_the_end(l, w, where, what);
  p.typed = true;
  p.where = where.line != 0 ? where : threads_[running_].where;
}

// The atomic that was at the address, if memory keeps its type.
location explorer::typed_at(const void* address, std::size_t size) const {
  for (std::size_t i = declared_.size(); address != nullptr && i-- > 0;) {
    const place& p = graph_.places[declared_[i]];
    if (p.typed && p.address == address && p.size == size) return declared_[i];
  }
  return no_location;
}

void explorer::check_typed(const event& e, source_location where) {
  if (!e.writes()) return;
  const clock& known = graph_.logs[running_].view[threads_[running_].position].porf;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const place& p = graph_.places[e.loc[k]];
    // To the earlier object, although the next one is there already.
    const bool too_late = p.reborn != 0 && !known.covers(p.reborn);
    if (p.typed || too_late)
      fail(
          violation::use_after_free,
          say("a write to an object whose lifetime ended at %s:%u or right after: memory keeps its "
              "type here, which lets it be read",
              base_name(p.where.file), p.where.line),
          where);
  }
}

// Every access must come before.
void explorer::end_of_life(location l, source_location where, const char* what) {
  place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  bool ordered = true;
  event_id access = 0;  // one that is not
  if (p.plain) {
    ordered = !p.written_at.exceeds(hb, running_) && !p.read_at.exceeds(hb, running_);
  } else {
    for (const event_id w : p.mo)
      if (!hb.covers(w)) access = w;
    for (const event_id r : p.readers)
      if (!hb.covers(r)) access = r;
    ordered = access == 0 && !p.read_at.exceeds(hb, running_) &&
              (thread_of(p.born) == running_ || hb.covers(p.born));
  }
  if (!ordered) accessed_at_the_end(l, access, where, what);
  note(l, silent_access::kind::end);
  note_meanwhile(l);
  p.alive = false;
  // A destructor does not know from where it is called.
  p.where = where.line != 0 ? where : threads_[running_].where;
}

void explorer::accessed_at_the_end(location l, event_id access, source_location where,
                                   const char* what) {
  const engine_scope scope;
  if (!found_) ended_object_ = l;
  const source_location there =
      access == 0 ? source_location{} : graph_.logs[thread_of(access)].where[index_of(access)];
  fail(violation::use_after_free,
       access == 0
           ? say("an object is %s while an access to it is not ordered before by happens-before",
                 what)
           : say("an object is %s while the access to it by thread %u at %s:%u is not ordered "
                 "before by happens-before",
                 what, thread_of(access), base_name(there.file), there.line),
       where);
}

void explorer::on_plain_read(location l, const char* file, const char* function,
                             std::uint64_t place) {
  if (sites_.empty())
    do_plain_read(l, at(file, function, place));
  else
    apart([&] { do_plain_read(l, at(file, function, place)); });
}

void explorer::do_plain_read(location l, source_location where) {
  count_silent_step(where);
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_read, "read " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "read", "written", where);
  if (tape_.on()) [[unlikely]] {
    value read = 0;
    if (p.scalar) std::memcpy(&read, p.address, std::min(p.size, sizeof read));
    note({.what = tape::act::read, .at = l, .number = read, .where = where});
  }
  if (t.turns.used != 0) note_plain(l, false, p.read_at[running_]);
  p.read_at.set(running_, t.position + 1);
  note(l, silent_access::kind::read);
}

void explorer::on_plain_write(location l, const char* file, const char* function,
                              std::uint64_t place) {
  if (sites_.empty())
    do_plain_write(l, at(file, function, place));
  else
    apart([&] { do_plain_write(l, at(file, function, place)); });
}

void explorer::do_plain_write(location l, source_location where) {
  count_silent_step(where);
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_write, "write " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "written", "written", where);
  if (p.read_at.exceeds(hb, running_)) race(l, "written", "read", where);
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::write, .at = l, .where = where});
  note_meanwhile(l);
  if (t.turns.used != 0) note_plain(l, true, p.written_at[running_]);
  p.written_at.set(running_, t.position + 1);
  note(l, silent_access::kind::write);
}

void explorer::race(location l, const char* here, const char* there, source_location where) {
  const engine_scope scope;
  const place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  const clock& other = std::strcmp(there, "read") == 0 ? p.read_at : p.written_at;
  unsigned by = 0;
  for (unsigned t = 0; t < graph_.threads; ++t)
    if (t != running_ && other[t] > hb[t]) by = t;
  fail(
      violation::data_race,
      say("plain data is %s by thread %u and %s by thread %u, and neither happens before the other",
          here, running_, there, by),
      where);
}

void* explorer::allocate(std::size_t size, std::size_t alignment) {
  check_stack();
  if (aside_) {
    if (void* p = arena_.allocate_aside(size, alignment)) return p;
    reach_limit("a history does not fit into memory_size", threads_[running_].where);
  }
  count_silent_step(threads_[running_].where);
  if (options_.reuse_addresses || options_.reuse_across_threads)
    threads_[running_].turns.clear();  // see arena::go_back
  arena::block* const again = reused(size, alignment, threads_[running_].where);
  const engine_scope scope;
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::allocate, .number = size, .where = threads_[running_].where});
  void* p = again != nullptr ? again + 1 : arena_.allocate(running_, size, alignment);
  if (p == nullptr)
    reach_limit(
        say("an allocation of %zu bytes does not fit: a thread may have %zu MiB in one execution "
            "(memory_size)",
            size, arena_.bytes_per_thread() >> 20U),
        threads_[running_].where);
  if (logging_) log(step_kind::allocate, say("allocate %zu bytes", size), threads_[running_].where);
  return p;
}

void explorer::release(void* pointer) {
  const bool in_body = allocation_hook::in_body;
  const engine_scope scope;
  if (!in_body) return;  // the engine lets go of something of a run that is over
  if (arena_.is_aside(pointer)) return;
  const source_location where = threads_[running_].where;
  if (options_.reuse_addresses || options_.reuse_across_threads)
    threads_[running_].turns.clear();  // see arena::go_back
  if (!arena_.contains(pointer)) {
    for (unsigned t = 0; t < created_; ++t)
      if (threads_[t].stack.contains(pointer))
        fail(violation::invalid_free, "release of an object on a thread's stack", where);
    std::free(pointer);
    return;
  }
  arena::block* b = arena_.find(pointer);
  if (b == nullptr)
    fail(violation::invalid_free, "release of a pointer that no allocation has returned", where);
  if (b->state == arena::freed)
    fail(violation::double_free,
         say("release of a block of %zu bytes that was released before", b->size), where);
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::release, .number = b->size, .where = where});
  if (logging_) log(step_kind::release, say("release %zu bytes", b->size), where);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  for (const location l : declared_) {
    const place& p = graph_.places[l];
    if (!p.alive || p.typed || reinterpret_cast<std::uintptr_t>(p.address) - begin >= b->size)
      continue;
    if (options_.typed_memory && !p.plain)
      keep_typed(l, where, "released");
    else
      end_of_life(l, where, "released");
  }
  arena_.release(b);
  allocation_hook::in_body = in_body;
  keep_for_reuse(b, where);
}

// Addresses that come back: the last one first, and once an execution another one or none. Each
// thread has its own freed blocks; or all threads have them together, by sizes, under a hidden
// lock: then a release happens before the next allocation of the block, as the standard has it, and
// before no other one.

void explorer::keep_for_reuse(arena::block* b, source_location where) {
  if (!options_.reuse_across_threads) {
    if (options_.reuse_addresses) arena_.keep(running_, b);
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
    if (!options_.reuse_addresses || arena_.count(running_, size, alignment) == 0) return nullptr;
    if (choose(2, budget::address, where) == 1) return nullptr;
    return &arena_.take(running_, 0, running_, size, alignment);
  }
  const location lock = waiters_at(reinterpret_cast<const void*>(size)).lock;
  await_exchange(lock, 0, 1, order::relaxed, wait_for::mutex, where);
  const unsigned there = arena_.count(arena::of_all, size, alignment);
  const unsigned which = there == 0 ? 0 : choose(there + 1, budget::address, where);
  arena::block* const b =
      which == there ? nullptr : &arena_.take(arena::of_all, which, running_, size, alignment);
  read_modify_write(word(lock), operation::exchange, 0, sizeof(int), order::relaxed, where,
                    nullptr);
  if (b != nullptr)
    await(static_cast<location>(b->handed_over), 1, order::acquire, wait_for::nothing, where);
  return b;
}

}  // namespace fencepost::verify
