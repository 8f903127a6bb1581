// Lifetimes of the program's memory: when blocks, frames of functions and thread_local variables
// begin and end, and which accesses must be ordered with that.
//
// A block begins with its allocation: every access must be ordered after that. A variable on a
// stack ends with its function or block, and a thread_local variable with its thread. An access by
// another thread must be ordered before that:
//
// - An access that comes later in the run is either after the end or not ordered with it, since a
//   run follows happens-before. So it is enough to know how far down the thread's frames reach.
// - An access that comes earlier must happen before the end. So that this is checked, each cell
// that
//   other threads have accessed begins a new lifetime where one ends.

#include <algorithm>
#include <cstring>
#include <string>

#include "compiler.hpp"
#include "execute/memory.hpp"
#include "session.hpp"

namespace fencepost::programs {

using verify::allocation_hook;
using verify::engine;

void session::begin_block(const void* block, std::size_t size) {
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  cells_.change_each(begin, size, [&](cell& c) {
    // A cell that is partly outside stems from another block, in another execution.
    if (!c.known || c.begin < begin || c.end() > begin + size) return;
    declare(c);
    // The arena fills only the first bytes of a block, and none when an execution is rerun.
    if (c.is_open) std::memset(reinterpret_cast<void*>(c.begin), verify::arena::usual_fill, c.size);
  });
}

// Requires that the cell, if it is on the heap, lies in a live block. Called if it has no location:
// known cells have one from the beginning of their block.
void session::require_block(const cell& c, const source_location& where) const {
  const void* const p = reinterpret_cast<const void*>(c.begin);
  const allocation_hook& heap = *heap_;
  if (!heap.owns(p) || heap.has_block(p, c.size)) return;
  engine_->fail(violation::use_after_free,
                "an access to heap memory that is not in a block, or was freed", where);
}

namespace {

// -ftrivial-auto-var-init=pattern: the byte that every variable of a function holds before it is
// initialized. g++ announces that as a write only if the variable is a scalar, clang always. (clang
// fills floating-point variables with 0xff, which programs use as a value too often.)
unsigned char pattern() { return compiler_of_program() == compiler::clang ? 0xaa : 0xfe; }

bool is_filled(std::uintptr_t at, std::size_t size, unsigned char fill) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(at);
  return std::all_of(bytes, bytes + size, [=](unsigned char b) { return b == fill; });
}

verify::value unwritten_of(std::size_t size) {
  if (size <= sizeof(verify::value)) return session::unwritten;
  verify::wide_value fill{};
  std::memset(fill.data(), verify::arena::usual_fill, size);
  return engine::current()->number_of(fill);
}

// Removes the elements for which `is_over` is true from the list, and returns them in order.
std::vector<std::uintptr_t> take(std::vector<std::uintptr_t>& from, const auto& is_over) {
  const auto over =
      std::partition(from.begin(), from.end(), [&](std::uintptr_t at) { return !is_over(at); });
  std::vector<std::uintptr_t> gone(over, from.end());
  from.erase(over, from.end());
  std::sort(gone.begin(), gone.end());
  return gone;
}

}  // namespace

// Called before the first access to an atomic object. Values that the compiler puts there without
// announcing them, such as arguments and results of functions, are taken from memory. If the first
// access is a plain write of all bytes, there is no such value.
void session::settle(const cell& c, bool writes_all) {
  c.is_open = false;
  const unsigned char fill = c.owner == cell::nobody ? verify::arena::usual_fill : pattern();
  engine& e = *engine_;
  if (writes_all || is_filled(c.begin, c.size, fill)) {
    e.begins_with(c.at, unwritten_of(c.size));
    return;
  }
  e.begins_with(c.at, bytes_of(c));
  // Some of these bytes may be remnants, which differ when the execution is rerun.
  put_bytes(c, e.known(c.at), c.begin, c.size);
}

// Does the same for memory that was written before, since temporary objects may follow each other
// on a stack. Until the first access by another thread or by an atomic operation, memory has their
// value.
void session::take_up_unannounced(const cell& c, const source_location& where) {
  if (!c.is_own || c.owner != engine_->this_thread() || is_filled(c.begin, c.size, pattern()))
    return;
  const std::vector<pending_write>& writes = here().writes;
  if (std::any_of(writes.begin(), writes.end(), [&](const pending_write& w) { return w.to == &c; }))
    return;
  const verify::value left = bytes_of(c);
  if (left != engine_->known(c.at))
    engine_->store(verify::word(c.at), left, verify::order::plain, where);
}

// True if this announced write begins the lifetime of a variable: it writes the compiler's pattern.
// A single byte does not count, since the program may give it this value as well.
bool session::begins_again(const pending_write& w) {
  const cell& c = *w.to;
  if (c.owner != engine_->this_thread() || c.size == 1 ||
      locals_.contains(reinterpret_cast<const void*>(c.begin)) ||
      !is_filled(c.begin, c.size, pattern()))
    return false;
  if (w.is_first)
    c.is_open = true;
  else
    end_lifetime(c.begin, w.where);
  c.touched = true;  // it is in the list of cells that end with the function
  return true;
}

bool session::is_unwritten(const cell& c, verify::value read) const {
  if (read != unwritten_of(c.size) || !engine_->read_initial()) return false;
  const void* const p = reinterpret_cast<const void*>(c.begin);
  return !program_.contains(p) && !locals_.contains(p);
}

void session::require_not_initial(const cell& c, verify::value read, const source_location& where) {
  if (is_unwritten(c, read))
    engine_->fail(
        violation::misuse,
        "an atomic access reads memory to which nothing was written: the object is not initialized",
        where);
}

bool session::is_on_stack(const thread& t, std::uintptr_t at) const noexcept {
  const auto top = reinterpret_cast<std::uintptr_t>(t.stack_top);
  return top != 0 && at < top + 4096 && top - at < stack_size_ + 4096;
}

std::uint8_t session::owner_of(const cell& c) const {
  const void* const p = reinterpret_cast<const void*>(c.begin);
  if (locals_.contains(p)) return static_cast<std::uint8_t>(locals_.owner(p));
  const auto t = std::find_if(threads_.begin(), threads_.end(),
                              [&](const thread& one) { return is_on_stack(one, c.begin); });
  return t == threads_.end() ? std::uint8_t{cell::nobody}
                             : static_cast<std::uint8_t>(t - threads_.begin());
}

void session::note_use(const cell& c, bool write, const source_location& where) {
  if (c.owner == cell::not_asked) c.owner = owner_of(c);
  if (c.owner == cell::nobody) return;
  const bool other = c.owner != engine_->this_thread();
  if (!other) begin_variable(threads_[c.owner], c.begin);
  if (other) {
    c.is_own = false;
    require_in_lifetime(c, where);
    if (!c.shared) {
      cells_.share(c);
      state_.stop();
    }
  }
  // A cell that is an atomic object in another frame is unchanged as long as it is only read.
  if (!c.watched || c.touched || !(write || other || c.shared)) return;
  c.touched = true;
  thread& owner = threads_[c.owner];
  owner.touched.push_back(c.begin);
  if (other) owner.changed = ++changes_;
}

void session::require_in_lifetime(const cell& c, const source_location& where) const {
  const thread& t = threads_[c.owner];
  const bool own = locals_.contains(reinterpret_cast<const void*>(c.begin));
  const bool block = find_ended(t, c.begin) != t.ended.end();
  if (!t.is_over && !block && (own || c.begin >= t.lowest)) return;
  const std::string whose = " of thread " + std::to_string(c.owner) + ", ";
  const std::string what = own         ? "a thread_local variable" + whose + "which has ended"
                           : t.is_over ? "the stack" + whose + "which has ended"
                           : block     ? "the stack" + whose + "where the block has ended"
                                       : "the stack" + whose + "where the function has returned";
  engine_->fail(violation::use_after_free, "an access to " + what, where);
}

// Ends everything below the frame of the caller.
void session::end_frames(const call_site& c) {
  thread& t = here();
  const auto is_over = [&](std::uintptr_t at) { return at < t.lowest && is_on_stack(t, at); };
  if (std::none_of(t.touched.begin(), t.touched.end(), is_over)) return;
  const std::uintptr_t lowest = t.lowest;
  const source_location where = place(c);
  t.lowest = lowest;
  take_up_writes();
  for (const std::uintptr_t at : take(t.touched, is_over)) end_lifetime(at, where);
}

// Ends a variable at the end of its block, while its function continues. Until the function writes
// there again, no other thread may access it.
void session::end_touched(const void* p, std::size_t size, const call_site& c) {
  thread& t = here();
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  const auto is_over = [&](std::uintptr_t at) { return at - begin < size; };
  if (std::none_of(t.touched.begin(), t.touched.end(), is_over)) return;
  const source_location where = place(c);
  take_up_writes();
  const std::vector<std::uintptr_t> gone = take(t.touched, is_over);
  const auto is_atomic = [&](std::uintptr_t at) {
    bool is = false;
    cells_.for_each(at, 1, [&](const cell& one) { is = is || one.atomic; });
    return is;
  };
  // In general, nothing announces that a structure or an array begins again.
  const bool is_noted =
      cells_.exact(begin, size) != nullptr || std::any_of(gone.begin(), gone.end(), is_atomic);
  for (const std::uintptr_t at : gone) end_lifetime(at, where);
  if (is_noted) t.ended[begin + size] = begin;
}

// Notes that the function uses the variable again, in the next turn of a loop.
void session::begin_variable(thread& t, std::uintptr_t at) {
  if (const auto found = find_ended(t, at); found != t.ended.end()) t.ended.erase(found);
}

void session::forget_ended(thread& t) {
  while (!t.ended.empty() && t.ended.begin()->second < t.lowest) t.ended.erase(t.ended.begin());
}

void session::end_storage() {
  thread& t = here();
  std::vector<std::uintptr_t> gone;
  gone.swap(t.touched);
  std::sort(gone.begin(), gone.end());
  for (const std::uintptr_t at : gone) end_lifetime(at, {});
  t.ended.clear();
  t.is_over = true;
}

void session::end_object(const void* object, std::size_t size, verify::value left,
                         const source_location& where) {
  engine& e = *engine_;
  e.retire(atomic(object, size, where), where);
  cells_.change_each(reinterpret_cast<std::uintptr_t>(object), size, [&](cell& c) {
    c.at = e.declare(object, size, left, where);
    c.is_open = false;
  });
}

// Requires that no variable of the function that returns is a held lock.
void session::require_no_locks(const call_site& c) {
  const thread& t = here();
  if (locks_.find([&](std::uintptr_t at) { return at < t.lowest && is_on_stack(t, at); }) !=
      nullptr)
    engine_->fail(violation::misuse, "a mutex or lock ends with its function while it is locked",
                  place(c));
}

// If another thread may still unlock the lock, its access to freed memory is reported instead.
void session::require_no_locks(const void* block, const call_site& c) {
  if (locks_.empty()) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(block);
  const allocation_hook& heap = *heap_;
  const auto is_here = [&](std::uintptr_t at) {
    if (at < begin || !heap.has_block(block, at - begin + 1)) return false;
    const cell* const word = cells_.exact(at, sizeof(std::uint32_t));
    return word != nullptr && engine_->known(word->at) != 0;
  };
  if (locks_.find(is_here) != nullptr)
    engine_->fail(violation::misuse, "a block is freed while a mutex or lock in it is locked",
                  place(c));
}

void session::end_lifetime(std::uintptr_t at, const source_location& where) {
  engine& e = *engine_;
  cells_.change_at(at, [&](cell& c) {
    c.touched = false;
    if (c.at == verify::no_location) return;
    if (c.atomic) {
      e.retire(c.at, where);
      declare(c);
    } else {
      e.renew_plain(c.at, where);
    }
  });
}

}  // namespace fencepost::programs
