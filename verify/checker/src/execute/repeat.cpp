// The same execution once more: a program that depends on something besides what it reads through
// the policy does not do the same.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <sstream>

#include "execute/explorer.hpp"
#include "execute/shown_value.hpp"
#include "source_names/location_names.hpp"

namespace fencepost::verify {

namespace {

constexpr std::size_t largest_block = 1040;
constexpr std::size_t block_step = 16;
constexpr unsigned most_held = 8;  // of each size: malloc gives the last one back first
constexpr std::size_t held_pages = 4096;

// How a value in memory that was never written looks, whatever its size.
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

// The object of the call at this place, as the source has it; "" where that is not clear.
std::string name_at(source_location where, event_kind kind) {
  source_reader source;
  const step_kind as = kind == event_kind::load    ? step_kind::load
                       : kind == event_kind::store ? step_kind::store
                                                   : step_kind::read_modify_write;
  return location_names::object_in(source.line(where), as);
}

value value_of(const tape::entry& e) {
  return e.what == tape::act::event ? e.asked.operand : e.number;
}

}  // namespace

other_addresses::other_addresses(unsigned each) {
  blocks_.reserve(each * largest_block / block_step);
  for (std::size_t size = block_step; size <= largest_block; size += block_step)
    for (unsigned i = 0; i < each; ++i) blocks_.push_back(std::malloc(size));
  pages_ = map(0, held_pages, 0);
}

other_addresses::~other_addresses() {
  for (void* b : blocks_) std::free(b);
  if (pages_ != nullptr) munmap(pages_, held_pages);
}

// ---------------------------------------------------------------------------------------------
// What differs, in words.

std::string explorer::in_words(const tape::entry& e) const {
  std::ostringstream text;
  const auto object = [&](location l) {
    if (l == no_location) return std::string("?");
    const verify::object& o = objects_[l];
    const source_location made = o.alive ? o.where : source_location{};
    return made.line == 0 ? std::string("location ") + std::to_string(l)
                          : "the object of " + std::string(base_name(made.file)) + ":" +
                                std::to_string(made.line);
  };
  switch (e.what) {
    case tape::act::construct:
      text << "construction of an atomic with " << verify::number(e.number);
      break;
    case tape::act::construct_plain: text << "construction of plain data"; break;
    case tape::act::destroy: text << "destruction of " << object(e.at); break;
    case tape::act::read:
      text << "read of " << object(e.at) << " = " << verify::number(e.number);
      break;
    case tape::act::write: text << "write to " << object(e.at); break;
    case tape::act::allocate: text << "allocation of " << e.number << " bytes"; break;
    case tape::act::release: text << "free of " << e.number << " bytes"; break;
    case tape::act::outcome: text << "outcome " << e.text; break;
    case tape::act::event: {
      const event& a = e.asked;
      std::string name = a.fields() == 0 ? "" : name_at(e.where, a.kind);
      if (name.empty() && a.fields() != 0) name = object(a.loc[0]);
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
    }
  }
  if (e.where.line != 0) text << " at " << base_name(e.where.file) << ":" << e.where.line;
  return text.str();
}

// What the difference says of its cause, where it says anything.
std::string_view explorer::cause_of(const tape::entry* then, const tape::entry* now) const {
  if (then == nullptr || now == nullptr || then->what != now->what || then->where != now->where)
    return "";
  const value a = value_of(*then);
  const value b = value_of(*now);
  if (a == b) return "";
  if (is_fill(b, fill_) || is_fill(a, arena::usual_fill))
    return " (the value looks like memory that was never written)";
  if (arena_.contains(reinterpret_cast<void*>(a)) || arena_.contains(reinterpret_cast<void*>(b)))
    return "";
  if (a > 0xffff && is_mapped(b))
    return " (the value looks like an address of memory that the checker does not track: malloc, "
           "mmap)";
  return "";
}

// Ends the run: null stands for the end of the thread.
void explorer::differs(const tape::entry* then, const tape::entry* now, source_location where) {
  {
    const engine_scope scope;
    const char* const ends = "the end of the thread";
    told_ = "the same execution went differently when it was run again: then ";
    told_ += then == nullptr ? ends : in_words(*then);
    told_ += ", now ";
    told_ += now == nullptr ? ends : in_words(*now);
    told_ += cause_of(then, now);
  }
  ending_.report(violation::nondeterminism, told_, where);
}

void explorer::note(tape::entry now) {
  const engine_scope scope;
  const source_location where = now.where;
  const unsigned self = fibers_.running();
  if (tape_.take(self, now)) return;
  differs(tape_.expected(self), &now, where.line != 0 ? where : threads_[self].where);
}

// A violation that was not met when its execution was run again. Of these kinds are those that only
// the program decides; whether an object is alive may depend on the order in which threads run.
void explorer::did_not_come_again(counterexample& found) {
  if (found.kind != violation::assertion && found.kind != violation::exception) return;
  found.message = "the same execution went differently when it was run again: then " +
                  std::string(to_string(found.kind)) + " (" + found.message +
                  "), now nothing of the kind";
  found.kind = violation::nondeterminism;
}

// ---------------------------------------------------------------------------------------------
// Running it again.

// The first execution is run again often, so that what is left to chance shows: fewer times if it
// is long. Later ones are samples.
unsigned explorer::repetitions(std::uint64_t execution) const {
  constexpr std::size_t work = 4'000;
  constexpr std::size_t least = 5;
  constexpr std::size_t most = 100;
  if (execution > 1) return 1;
  return static_cast<unsigned>(std::clamp(work / (tape_.size() + 1), least, most));
}

// Of later executions those whose number is a power of two, and one in 512.
bool explorer::is_repeated(std::uint64_t execution) const {
  constexpr std::uint64_t one_in = 512;
  return options_.repeat && options_.replay.empty() &&
         ((execution & (execution - 1)) == 0 || execution % one_in == 0);
}

// Runs the complete execution that was recorded again, and again. What must make no difference is
// different each time: what memory holds that was never written, and the addresses of foreign
// memory.
run_end explorer::repeat(unsigned times) {
  if (tape_.spoiled()) ++times;  // it is written down again
  run_end end = run_end::complete;
  for (unsigned i = 0; i < times && end == run_end::complete; ++i) {
    if (tape_.spoiled())
      tape_.record();
    else
      tape_.compare();
    fill_ = static_cast<unsigned char>(arena::usual_fill ^ (i + 1));
    arena_.fill_with(fill_);
    std::optional<other_addresses> foreign;
    if (i % 2 == 0) foreign.emplace(1 + i / 2 % most_held);
    end = run();
  }
  tape_.stop();
  arena_.fill_with(fill_ = arena::usual_fill);
  if (end == run_end::complete && !restarted_) return end;
  if (end != run_end::violation || ending_.found().kind != violation::nondeterminism) {
    std::string now = "it did not come to its end";
    if (end == run_end::violation)
      now = std::string(to_string(ending_.found().kind)) + ": " + ending_.found().message;
    const bool other = end == run_end::violation;
    const source_location where = other ? ending_.found().where : source_location{};
    ending_.violate_instead(
        other ? ending_.found().thread : fibers_.running(), violation::nondeterminism,
        "the same execution went differently when it was run again: then nothing was wrong, "
        "now " +
            now,
        where);
  }
  return run_end::violation;
}

}  // namespace fencepost::verify
