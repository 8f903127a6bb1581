// Atomic objects of different sizes that follow each other at one place of a stack.

#include <vector>

#include "session.hpp"

namespace fencepost::programs {

using verify::engine;

// True if this write begins another object where the stack of the running thread has an atomic
// object, or had one. Such writes are noted: if an atomic access to exactly these bytes follows, an
// object begins here in later executions.
bool session::is_another_object(std::uintptr_t begin, std::size_t size) {
  const thread& t = here();
  if (!is_on_stack(t, begin) || !cells_.is_mixed(begin, size)) return false;
  other_sizes_[{begin, size}] = t.code;
  return cells_.is_beginning(t.code, begin, size);
}

// The objects that were there end, and each access to them must happen before.
void session::begin_object(std::uintptr_t begin, std::size_t size, const source_location& where) {
  take_up_writes();
  engine& e = *engine::current();
  std::vector<std::pair<verify::location, bool>> before;
  cells_.for_each(begin, size, [&](const cell& c) {
    if (c.at != verify::no_location) before.emplace_back(c.at, c.atomic);
  });
  for (const auto& [at, atomic] : before) {
    if (atomic)
      e.retire(at, where);
    else
      e.plain_write(at, where);
  }
  const auto [first, last] = cells_.begin_object(begin, size);
  if (first == last) stop_here();
  cells_.change_each(first, last - first, [&](cell& c) {
    c.known = true;
    c.owner = owner_of(c);
    c.watched = c.shared || c.atomic;
    c.touched = false;
    declare(c);
  });
}

}  // namespace fencepost::programs
