#include "execute/run_comparison.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <sstream>
#include <utility>

#include "execute/shown_value.hpp"
#include "source_names/location_names.hpp"

namespace fencepost::verify {

namespace {

// Whether the value looks like memory that was never written, whatever its size.
bool is_fill(value v, std::size_t bytes, unsigned char fill) {
  for (std::size_t i = 0; i < bytes; ++i)
    if ((v >> (8 * i) & 0xff) != fill) return false;
  return true;
}
bool is_fill(value v, unsigned char fill) {
  return is_fill(v, 8, fill) || (v <= 0xffffffff && is_fill(v, 4, fill));
}

// Whether there is memory at this address.
bool is_mapped(value v) {
  const auto page = static_cast<value>(sysconf(_SC_PAGESIZE));
  if (v < page || v > 0x7fff'ffff'ffff) return false;
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(v / page * page), 1, &resident) == 0;
}

// The object of the call at this place, as the source names it; "" if that is not clear.
std::string name_at(source_location where, event_kind kind) {
  source_reader source;
  const step_kind as = kind == event_kind::load    ? step_kind::load
                       : kind == event_kind::store ? step_kind::store
                                                   : step_kind::read_modify_write;
  return location_names::object_in(source.line(where), as);
}

std::string event_in_words(const event& a, const std::string& name) {
  std::ostringstream text;
  switch (a.kind) {
    case event_kind::load: text << "load " << to_string(a.success) << " " << name; break;
    case event_kind::store:
      text << "store " << to_string(a.success) << " " << name
           << " := " << verify::number(a.operand);
      break;
    case event_kind::rmw:
      if (a.compares)
        text << (a.waits == wait_for::mutex ? "lock "
                 : a.weak                   ? "compare_exchange_weak "
                                            : "compare_exchange_strong ")
             << to_string(a.success) << " " << name << ", " << verify::number(a.expected)
             << " := " << verify::number(a.operand);
      else
        text << to_string(a.op) << " " << to_string(a.success) << " " << name << ", "
             << verify::number(a.operand);
      break;
    case event_kind::fence: text << "fence " << to_string(a.success); break;
    case event_kind::create:
      text << "creation of " << a.operand << (a.operand == 1 ? " thread" : " threads");
      break;
    case event_kind::join: text << "join"; break;
    case event_kind::choose: text << "choice of " << a.operand; break;
    case event_kind::none: break;
  }
  return text.str();
}

value value_of(const tape::entry& e) {
  return e.what == tape::act::event ? e.asked.operand : e.number;
}

}  // namespace

std::string run_comparison::object_in_words(location l) const {
  if (l == no_location) return "?";
  const object& o = objects_[l];
  const source_location made = o.alive ? o.where : source_location{};
  return made.line == 0 ? "location " + std::to_string(l)
                        : "the object of " + std::string(base_name(made.file)) + ":" +
                              std::to_string(made.line);
}

std::string run_comparison::in_words(const tape::entry& e) const {
  std::ostringstream text;
  switch (e.what) {
    case tape::act::construct:
      text << "construction of an atomic with " << verify::number(e.number);
      break;
    case tape::act::construct_plain: text << "construction of plain data"; break;
    case tape::act::destroy: text << "destruction of " << object_in_words(e.at); break;
    case tape::act::read:
      text << "read of " << object_in_words(e.at) << " = " << verify::number(e.number);
      break;
    case tape::act::write: text << "write to " << object_in_words(e.at); break;
    case tape::act::allocate: text << "allocation of " << e.number << " bytes"; break;
    case tape::act::release: text << "free of " << e.number << " bytes"; break;
    case tape::act::outcome: text << "outcome " << e.text; break;
    case tape::act::event: {
      const bool accesses = e.asked.fields() != 0;
      std::string name = accesses ? name_at(e.where, e.asked.kind) : "";
      if (name.empty() && accesses) name = object_in_words(e.asked.loc[0]);
      text << event_in_words(e.asked, name);
    }
  }
  if (e.where.line != 0) text << " at " << base_name(e.where.file) << ":" << e.where.line;
  return text.str();
}

// What the difference suggests about its cause; "" if nothing.
std::string_view run_comparison::cause_of(const tape::entry* then, const tape::entry* now) const {
  if (then == nullptr || now == nullptr || then->what != now->what || then->where != now->where)
    return "";
  const value a = value_of(*then);
  const value b = value_of(*now);
  if (a == b) return "";
  if (is_fill(b, arena_.fill()) || is_fill(a, arena::usual_fill))
    return " (the value looks like memory that was never written)";
  if (arena_.contains(reinterpret_cast<void*>(a)) || arena_.contains(reinterpret_cast<void*>(b)))
    return "";
  if (a > 0xffff && is_mapped(b))
    return " (the value looks like an address of memory that the checker does not track: malloc, "
           "mmap)";
  return "";
}

void run_comparison::differs(const tape::entry* then, const tape::entry* now,
                             source_location where) {
  {
    const engine_scope scope;
    const char* const ends = "the end of the thread";
    told_ = "the same execution went differently when it was run again: then ";
    told_ += then == nullptr ? ends : in_words(*then);
    told_ += ", now ";
    told_ += now == nullptr ? ends : in_words(*now);
    told_ += cause_of(then, now);
  }
  run_.report(violation::nondeterminism, told_, where);
}

void run_comparison::turns_away(const tape::entry& then, const tape::entry* now) {
  {
    const engine_scope scope;
    told_ =
        "a turn of a loop that waits went differently when it was made again, and had read the "
        "same: then ";
    told_ += in_words(then);
    told_ += ", now ";
    told_ += now == nullptr ? "the end of the thread" : in_words(*now);
    told_ +=
        "; it depends on memory from outside the body, such as a static variable, or one that "
        "the body captures";
  }
  run_.report(violation::nondeterminism, told_, now == nullptr ? then.where : now->where);
}

void run_comparison::note(tape::entry now) {
  const engine_scope scope;
  const source_location where = now.where;
  const unsigned self = fibers_.running();
  if (tape_.take(self, now)) return;
  differs(tape_.expected(self), &now, where.line != 0 ? where : threads_[self].where);
}

void run_comparison::note_end() {
  const unsigned self = fibers_.running();
  if (tape_.comparing() && tape_.expected(self) != nullptr)
    differs(tape_.expected(self), nullptr, threads_[self].where);
}

}  // namespace fencepost::verify
