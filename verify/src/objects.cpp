// Objects and memory: their lifetimes, and races between accesses to plain data.

#include <algorithm>
#include <cstring>

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
  const engine_scope scope;
  declared_.push_back(l);
  if (address != nullptr) note(l, silent_access::kind::begin);
  return l;
}

location explorer::of_static(const void* address, std::size_t size, value initial,
                             source_location where) {
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
  p.read_at = {};
  p.written_at.set(running_, threads_[running_].position + 1);
  return l;
}

location explorer::companion(location owner) {
  if (graph_.places[owner].companion == no_location) {
    const engine_scope scope;
    const location l = graph_.new_place(graph_.places[owner].owner);
    graph_.places[l].ordinal = graph_.places[owner].ordinal + 0x10000;
    graph_.places[owner].companion = l;
  }
  const location l = graph_.places[owner].companion;
  place& p = graph_.places[l];
  p.initial = 0;
  p.born = graph_.places[owner].born;
  p.alive = graph_.places[owner].alive;
  p.where = graph_.places[owner].where;
  return l;
}

void explorer::retire(location l, source_location where) {
  place& p = graph_.places[l];
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::destroy, .at = l, .where = {}});
  if (!p.alive) return;
  end_of_life(l, where, "destroyed");
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
    ordered = access == 0 && (thread_of(p.born) == running_ || hb.covers(p.born));
  }
  if (!ordered) {
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
  note(l, silent_access::kind::end);
  if (p.left_out != 0) check_left_out(l);
  p.alive = false;
  // A destructor does not know from where it is called.
  p.where = where.line != 0 ? where : threads_[running_].where;
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
  if (p.left_out != 0) check_left_out(l);
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
  const engine_scope scope;
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::allocate, .number = size, .where = threads_[running_].where});
  void* p = arena_.allocate(running_, size, alignment);
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
    if (p.alive && reinterpret_cast<std::uintptr_t>(p.address) - begin < b->size)
      end_of_life(l, where, "released");
  }
  arena_.release(running_, b);
}

}  // namespace fencepost::verify
