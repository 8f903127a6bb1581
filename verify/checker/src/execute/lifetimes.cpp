#include "execute/lifetimes.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <utility>

#include "execute/memory.hpp"

namespace fencepost::verify {

const char* base_name(const char* file) noexcept {
  if (file == nullptr) return "?";
  const char* const slash = std::strrchr(file, '/');
  return slash == nullptr ? file : slash + 1;
}

message::message(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text_, sizeof text_, format, arguments);
  va_end(arguments);
}

void lifetimes::begin_run() {
  constructed_.clear();
  late_in_block_.clear();
  notes_.clear();
  atomics_ = plain_ = 0;
}

namespace {

// Most objects do not change from one resume point to the next.
void bring_up_to_date(object& to, const object& from) {
  if (to.changed != from.changed) to = from;
}

}  // namespace

void lifetimes::save(saved& s) const {
  s.constructed = constructed_;
  s.objects.resize(constructed_.size());
  const object* const all = objects_.data();
  object* to = s.objects.data();
  for (const location l : constructed_) bring_up_to_date(*to++, all[l]);
  s.late_in_block = late_in_block_;
  s.notes = notes_;
  s.atomics = atomics_;
  s.plain = plain_;
}

void lifetimes::put_back(const saved& s) {
  constructed_ = s.constructed;
  object* const all = objects_.data();
  const object* from = s.objects.data();
  for (const location l : s.constructed) bring_up_to_date(all[l], *from++);
  late_in_block_ = s.late_in_block;
  notes_ = s.notes;
  atomics_ = s.atomics;
  plain_ = s.plain;
}

object& lifetimes::grown(location l) {
  if (l >= objects_.size()) {
    const engine_scope scope;
    objects_.resize(graph_.locations());
  }
  return to_change(l);
}

location lifetimes::at(std::uintptr_t address) const noexcept {
  location found = no_location;
  for (const location l : constructed_) {
    const object& o = objects_[l];
    if (reinterpret_cast<std::uintptr_t>(o.address) != address) continue;
    if (found == no_location || o.alive || !objects_[found].alive) found = l;
  }
  return found;
}

location lifetimes::typed_at(const void* address, std::size_t size) const noexcept {
  for (std::size_t i = constructed_.size(); address != nullptr && i-- > 0;) {
    const object& o = objects_[constructed_[i]];
    if (o.typed && o.address == address && o.size == size) return constructed_[i];
  }
  return no_location;
}

void lifetimes::construct(point p, location l, const void* address, std::size_t size,
                          source_location where) {
  object& o = grown(l);
  o.address = address;
  o.size = size;
  o.where = where;
  // A location without an address is the front end's own: its construction is no access.
  o.born = address == nullptr ? initial_write : make_id(p.thread, p.position + 1);
  o.alive = true;
  o.plain = o.typed = o.without_value = false;
  o.reborn = 0;
  o.read_at = {};
  if (address != nullptr) ++atomics_;
  const engine_scope scope;
  constructed_.push_back(l);
  if (address != nullptr) note(p, l, silent_access::kind::begin);
}

void lifetimes::make_plain(point p, location l, bool scalar) {
  object& o = to_change(l);
  o.plain = true;
  o.scalar = scalar;
  o.written_at = {};
  o.written_at.set(p.thread, p.position + 1);
  --atomics_;
  ++plain_;
}

void lifetimes::begin_again(location l, source_location where) {
  object& o = to_change(l);
  o.typed = false;
  o.reborn = 0;
  o.where = where;
}

location lifetimes::add_static(unsigned ordinal, value initial) {
  const location l = graph_.new_location(0, ordinal);
  graph_.set_initial(l, initial);
  object& o = grown(l);
  o.born = initial_write;
  o.alive = true;
  return l;
}

location lifetimes::static_at(const void* address, std::size_t size, value initial,
                              source_location where) {
  const engine_scope scope;
  const auto [known, is_new] = statics_.try_emplace(address);
  if (!is_new) return known->second;
  // A name that no location of a thread has.
  const location l = add_static(
      static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address)) | 0x40000000U, initial);
  known->second = l;
  object& o = to_change(l);
  o.address = address;
  o.size = size;
  o.where = where;
  return l;
}

// Two of them may share a name: that does no harm.
location lifetimes::hidden_static(std::uintptr_t name) {
  const location l = add_static(static_cast<unsigned>(name) | 0x80000000U, 0);
  graph_.set_hidden(l, true);
  return l;
}

void lifetimes::report_access(location l, source_location where) const {
  const object& o = objects_[l];
  if (!o.alive)
    run_.report(violation::use_after_free,
                message("access to an object whose lifetime ended at %s:%u or right after",
                        base_name(o.where.file), o.where.line),
                where);
  run_.report_unordered(
      violation::data_race,
      message("the access is not ordered after the construction of the object (thread %u, "
              "%s:%u)",
              thread_of(o.born), base_name(o.where.file), o.where.line),
      where, l);
}

void lifetimes::check_typed(point p, const event& e, source_location where) const {
  if (!e.writes()) return;
  const clock& known = graph_.thread(p.thread).view[p.position].porf;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const object& o = objects_[e.loc[k]];
    // A write to the earlier object although the next one already exists.
    const bool too_late = o.reborn != 0 && !known.covers(o.reborn);
    if (o.typed || too_late)
      run_.report(violation::use_after_free,
                  message("a write to an object whose lifetime ended at %s:%u or right after: "
                          "memory keeps its type here, so it may still be read, but not written",
                          base_name(o.where.file), o.where.line),
                  where);
  }
}

void lifetimes::check_atomic_end(point p, location l, const source_location& where,
                                 const char* what) const {
  const object& o = objects_[l];
  const clock& known = hb(p);
  event_id access = 0;  // one that is not ordered
  for (const event_id w : graph_.history(l).mo)
    if (!known.covers(w)) access = w;
  for (const event_id r : graph_.history(l).readers)
    if (!known.covers(r)) access = r;
  const bool ordered = access == 0 && !o.read_at.exceeds(known, p.thread) &&
                       (thread_of(o.born) == p.thread || known.covers(o.born));
  if (!ordered) report_end(access, l, where, what);
}

void lifetimes::report_end(event_id access, location l, const source_location& where,
                           const char* what) const {
  if (options_.judge_run) access = 0;  // which access it is shows when the run is judged
  run_.report_unordered(violation::use_after_free, not_before_the_end(access, what), where, l, l);
}

void lifetimes::check_typed_end(point p, location l, source_location where,
                                const char* what) const {
  const clock& known = hb(p);
  // A write that follows the end is to the next object, or is reported when it is made.
  const event_id next = make_id(p.thread, p.position + 1);
  for (const event_id w : graph_.history(l).mo)
    if (!known.covers(w) && !graph_.view(w).porf.covers(next))
      run_.report(violation::use_after_free, not_before_the_end(w, what), where, l);
}

void lifetimes::keep_typed(location l, source_location where) {
  object& o = to_change(l);
  o.typed = true;
  o.where = where;
}

message lifetimes::not_before_the_end(event_id access, const char* what) const {
  if (access == 0)
    return message("an object is %s, but an access to it does not happen before that", what);
  const source_location there = graph_.where(access);
  return message(
      "an object is %s, but the access to it by thread %u at %s:%u does not happen before that",
      what, thread_of(access), base_name(there.file), there.line);
}

void lifetimes::undo_access(unsigned thread, location l, bool write, before_access before) {
  object& o = to_change(l);
  (write ? o.written_at : o.read_at).set(thread, before.position);
  o.without_value = before.without_value;
}

void lifetimes::no_value(source_location where) const {
  run_.report(violation::misuse, read_without_value, where);
}

void lifetimes::race(point p, location l, const char* here, bool read,
                     source_location where) const {
  const clock& other = read ? objects_[l].read_at : objects_[l].written_at;
  unsigned by = 0;
  for (unsigned t = 0; t < graph_.threads(); ++t)
    if (t != p.thread && other[t] > hb(p)[t]) by = t;
  run_.report(
      violation::data_race,
      message(
          "plain data is %s by thread %u and %s by thread %u, and neither happens before the other",
          here, p.thread, read ? "read" : "written", by),
      where);
}

// Equal accesses in a row, with nothing between them, are noted once.
void lifetimes::write_down(point p, location l, silent_access::kind what) {
  const engine_scope scope;
  if (!notes_.empty()) {
    const silent_access& last = notes_.back();
    if (last.object == l && last.thread == p.thread && last.after == p.position &&
        last.what == what)
      return;
  }
  notes_.push_back({l, p.thread, p.position, what});
}

void lifetimes::forget_notes(point from) {
  std::erase_if(notes_, [&](const silent_access& x) {
    return x.thread == from.thread && x.after > from.position;
  });
}

}  // namespace fencepost::verify
