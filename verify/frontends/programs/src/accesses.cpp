// The program's plain and atomic accesses to its memory.

#include <algorithm>
#include <vector>

#include "session.hpp"

namespace fencepost::programs {

using verify::engine;

void session::read(const volatile void* p, std::size_t size, const cell* c,
                   const source_location& where) {
  thread& t = here();
  if (is_unwatched(t)) return;
  if (is_simple(t, c)) {
    if (c->owner == cell::nobody) engine_->plain_access(c->at, false, where);
    return;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  // When a structure is copied, the compiler calls the hook of the write before that of the read,
  // and writes after both. Until the next atomic access the order of plain accesses does not
  // matter, except for accesses to the same bytes.
  const auto is_of_these = [&](const pending_write& w) {
    return w.accessed.begin < begin + size && begin < w.accessed.end;
  };
  if (std::any_of(t.writes.begin(), t.writes.end(), is_of_these)) take_up_writes(t);
  touch(t, begin, size, false, where);
  put_loads(t);
}

void session::write(const volatile void* p, std::size_t size, const cell* c,
                    const source_location& where) {
  thread& t = here();
  if (is_unwatched(t)) return;
  if (is_simple(t, c)) {
    if (c->owner == cell::nobody) engine_->plain_access(c->at, true, where);
    return;
  }
  const auto begin = reinterpret_cast<std::uintptr_t>(p);
  take_up_writes(t);
  touch(t, begin, size, true, where);
  put_loads(t);
}

// A write that the compiler announces, and then leaves to a function that announces it as well, is
// one write. So is a pending write that is overwritten at once: nothing can come between the two.
void session::overwrite(void* to, std::size_t size, const source_location& where) {
  thread& t = here();
  if (is_unwatched(t)) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  take_up_writes_but_for(t, {begin, begin + size});
  touch(t, begin, size, true, where);
  put_loads(t);
}

void session::copy(const void* to, const void* from, std::size_t size,
                   const source_location& where) {
  thread& t = here();
  if (is_unwatched(t)) return;
  const auto target = reinterpret_cast<std::uintptr_t>(to);
  const auto source = reinterpret_cast<std::uintptr_t>(from);
  const bool overlap = source < target + size && target < source + size;
  if (overlap)
    take_up_writes(t);
  else
    take_up_writes_but_for(t, {target, target + size});
  if (owns(from)) touch(t, source, size, false, where);
  if (owns(to)) touch(t, target, size, true, where);
  put_loads(t);
}

void session::touch(thread& t, std::uintptr_t begin, std::size_t size, bool write,
                    const source_location& where) {
  if (size == 0) return;
  if (t.loop.goes_on()) look_up(t, where);
  const auto touch_cell = [&](const cell& c) {
    if (c.at == verify::no_location) {  // new in this execution, which does not count
      require_block(c, where);
      return;
    }
    if (is_left_out(c)) return;
    note_access(c, write, where);
    if (c.atomic) {
      touch_atomic(t, c, begin, size, write, where);
    } else {
      engine_->plain_access(c.at, write, where);
    }
  };
  if (const cell* const c = cells_.exact(begin, size)) {
    touch_cell(*c);
    return;
  }
  if (write && is_another_object(begin, size)) begin_object(begin, size, where);
  // Plain values are in memory, so the program can continue, and more cells become known. The
  // execution does not count.
  if (!cells_.cover(begin, size)) state_.note_new_memory(where);
  cells_.for_each(begin, size, touch_cell);
}

void session::look_up(thread& t, const source_location& where) {
  if (!t.loop.has_to_look(engine_->last_event(), where)) return;
  take_up_writes(t);
  engine_->load(verify::word(t.changes), verify::order::relaxed, where);
  t.loop.note_look(engine_->last_event());
}

// Accesses the whole cell, even if the program accesses only a part: the other bytes keep their
// value. Memory may hold something else there: where another function has an atomic object, the
// compiler may keep values of this function that it does not announce.
void session::touch_atomic(thread& t, const cell& c, std::uintptr_t begin, std::size_t size,
                           bool write, const source_location& where) {
  const bool is_first = c.is_open;
  const cell_part accessed{std::max(begin, c.begin), std::min(begin + size, c.end())};
  if (write && is_announced(t, c, accessed)) return;
  if (is_first)
    settle(c, write && accessed.size() == c.size);
  else if (!write)
    take_up_unannounced(c, where);
  std::optional<verify::value> rest;
  if (!write || accessed.size() != c.size) {
    const verify::value v = engine_->load(verify::word(c.at), verify::order::plain, where);
    if (!is_unwritten(c, v)) {
      if (write)
        rest = v;
      else
        t.loads.push_back({&c, v, accessed});
    }
  }
  if (write) t.writes.push_back({&c, where, 0, is_first, accessed, rest});
}

// Called when nothing else can happen before the program makes its access.
void session::put_loads(thread& t) {
  for (const pending_read& l : t.loads)
    put_bytes(*l.from, l.value, l.accessed.begin, l.accessed.size());
  t.loads.clear();
}

// True if a write to the cell is pending, of which no event was made yet: this write is part of it.
bool session::is_announced(thread& t, const cell& c, const cell_part& accessed) {
  const auto found = std::find_if(t.writes.begin(), t.writes.end(),
                                  [&](const pending_write& w) { return w.to == &c; });
  if (found == t.writes.end()) return false;
  found->accessed = accessed;
  return true;
}

void session::take_up_writes_but_for(thread& t, const cell_part& overwritten) {
  if (t.writes.empty()) return;
  const auto overwritten_ones =
      std::stable_partition(t.writes.begin(), t.writes.end(), [&](const pending_write& w) {
        return w.accessed.begin < overwritten.begin || w.accessed.end > overwritten.end;
      });
  const std::vector<pending_write> left(overwritten_ones, t.writes.end());
  t.writes.erase(overwritten_ones, t.writes.end());
  take_up_writes(t);
  t.writes.assign(left.begin(), left.end());
}

void session::make_events_of_writes(thread& t) {
  // All values are taken first: other threads run between the events, and change memory.
  for (pending_write& w : t.writes)
    w.value =
        w.rest ? bytes_of(*w.to, *w.rest, w.accessed.begin, w.accessed.size()) : bytes_of(*w.to);
  for (std::size_t i = 0; i < t.writes.size(); ++i) {
    const pending_write w = t.writes[i];
    if (!begins_again(w))
      engine_->store(verify::word(w.to->at), w.value, verify::order::plain, w.where);
  }
  t.writes.clear();
}

verify::location session::atomic(const volatile void* pointer, std::size_t size,
                                 const source_location& where, std::size_t alignment) {
  take_up_writes();
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  engine& e = *engine_;
  if (begin < 4096) e.fail(violation::crash, "an atomic access through a null pointer", where);
  if (alignment == 0) alignment = (size & (size - 1)) == 0 ? size : 1;
  if (begin % alignment != 0)
    e.fail(violation::misuse, "an atomic access to an address that is not aligned", where);
  if (!owns(pointer))
    reach_limit("an atomic access to memory that is not the program's is not modelled", where);
  const cell* c = cells_.exact(begin, size);
  if (c == nullptr || !c->atomic) {
    if (cells_.is_mixed(begin, size)) {
      const auto written = other_sizes_.find({begin, size});
      if (written != other_sizes_.end()) cells_.add_beginning(written->second, begin, size);
      if (cells_.changed()) stop_here();
      reach_limit("atomic accesses of different sizes to the same memory are not modelled", where);
    }
    c = cells_.atomic(begin, size);
    if (c == nullptr) c = cells_.atomic(begin, size);
  }
  if (c->at == verify::no_location) {
    require_block(*c, where);
    if (c->known) stop_here();
    // The cell is new. The execution does not count, but continues, so that more becomes known.
    state_.stop();
    cells_.change_each(begin, size, [&](cell& one) { declare(one); });
  }
  note_access(*c, true, where);
  if (c->is_open)
    settle(*c, false);
  else
    take_up_unannounced(*c, where);
  c->is_own = false;
  return c->at;
}

}  // namespace fencepost::programs
