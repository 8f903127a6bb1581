// Threads that wait: turns of waiting loops, and what becomes of a run in which nobody can go on.
//
// A turn is what a thread does between two arrivals at the same read of the source. It is idle if
//
// - the thread's state is the same at both ends, compared byte by byte: its stack, with the return
//   addresses and the saved registers, the stacks of the other threads, and all blocks of memory;
// - its events are reads, fences, and read-modify-writes that wrote what they read.
//
// An execution with an idle turn in it is one without, and something that changes nothing: take its
// events out, let whoever read what it wrote read what it has read, and the graph is consistent,
// for there is less that orders anything; the thread goes on as before, and no race is gone. So a
// thread is blocked behind an idle turn. That its reads read something else is explored as of any
// read.
//
// What stands in the source, spin_pause() among it, decides nothing. A turn that is not idle is
// explored as what it is; if there is no end to them, that is a limit.

#include <algorithm>
#include <cstring>
#include <string>

#include "execute/explorer.hpp"

namespace fencepost::verify {

// ---------------------------------------------------------------------------------------------
// The state of a thread.

namespace {

#ifdef FENCEPOST_ASAN
// Frames have parts that must not be touched; and memcpy() is watched, too.
__attribute__((no_sanitize("address"))) void copy_bytes(char* to, const char* from, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) const_cast<volatile char*>(to)[i] = from[i];
}
__attribute__((no_sanitize("address"))) bool same_bytes(const char* a, const char* b,
                                                        std::size_t n) {
  for (std::size_t i = 0; i < n; ++i)
    if (const_cast<const volatile char*>(a)[i] != b[i]) return false;
  return true;
}
#else
void copy_bytes(char* to, const char* from, std::size_t n) { std::memcpy(to, from, n); }
bool same_bytes(const char* a, const char* b, std::size_t n) { return std::memcmp(a, b, n) == 0; }
#endif

bool same_place(const piece& a, const piece& b) noexcept {
  return a.stack == b.stack && a.thread == b.thread && a.ordinal == b.ordinal &&
         a.begin == b.begin && a.size == b.size;
}

std::size_t size_above(const char* begin, const fiber_stack& stack) noexcept {
  return static_cast<std::size_t>(static_cast<const char*>(stack.top()) - begin);
}

}  // namespace

// What the running thread can have changed besides its own stack.
template <class F>
void explorer::for_each_piece(F&& f) const {
  for (unsigned u = 0; u < created_; ++u) {
    const model_thread& t = threads_[u];
    if (u != running_ && t.at != state::unused && t.at != state::finished)
      f(piece{true, u, 0, t.live, size_above(t.live, t.stack)});
  }
  arena_.for_each_live([&](const arena::block& b) {
    f(piece{false, b.thread, b.ordinal, reinterpret_cast<const char*>(&b + 1), b.size});
  });
}

void explorer::copy_memory(memory_copy& m) const {
  m.pieces.clear();
  m.bytes.clear();
  for_each_piece([&](const piece& p) {
    m.pieces.push_back(p);
    const std::size_t at = m.bytes.size();
    m.bytes.resize(at + p.size);
    copy_bytes(m.bytes.data() + at, p.begin, p.size);
  });
}

bool explorer::same_memory(const memory_copy& m) const {
  std::size_t i = 0, at = 0;
  bool same = true;
  for_each_piece([&](const piece& p) {
    same = same && i < m.pieces.size() && same_place(p, m.pieces[i]) &&
           same_bytes(m.bytes.data() + at, p.begin, p.size);
    ++i;
    at += p.size;
  });
  return same && i == m.pieces.size();
}

void explorer::copy_state(snapshot& s) {
  model_thread& t = threads_[running_];
  s.begin = t.live;
  s.stack.resize(size_above(t.live, t.stack));
  copy_bytes(s.stack.data(), t.live, s.stack.size());
  s.constructed = t.constructed;
  s.next = arena_.mark(running_);
  auto& all = t.turns.memories;
  std::size_t& used = t.turns.memories_used;
  if (used == 0 || !same_memory(all[used - 1])) {
    if (++used > all.size()) all.emplace_back();
    copy_memory(all[used - 1]);
  }
  s.memory = used - 1;
}

bool explorer::same_state(const snapshot& s) const {
  const model_thread& t = threads_[running_];
  return t.live == s.begin && t.constructed == s.constructed &&
         same_bytes(s.stack.data(), t.live, s.stack.size()) &&
         same_memory(t.turns.memories[s.memory]);
}

// Lets others go on in the middle of what may be a turn. What they change in memory is taken as if
// it had been so when the turn began; but not where the thread itself has changed something since.
void explorer::yield_in_turn() {
  waiting_loop& turns = threads_[running_].turns;
  if (turns.used == 0) return yield();
  {
    const engine_scope scope;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < turns.used; ++i) {
      if (!same_memory(turns.memories[turns.arrivals[i].state.memory])) continue;
      if (kept != i) std::swap(turns.arrivals[kept], turns.arrivals[i]);
      turns.arrivals[kept++].state.memory = 0;
    }
    turns.used = kept;
    turns.memories_used = kept == 0 ? 0 : 1;
  }
  yield();
  const engine_scope scope;
  if (turns.used != 0) copy_memory(turns.memories[0]);
}

// ---------------------------------------------------------------------------------------------
// Turns.

// May an event of an idle turn be taken out? Not a store of the value that is there: it has a place
// in modification order, which is chosen later. That of a read-modify-write follows from its
// source.
bool explorer::removable(const event& e) noexcept {
  switch (e.kind) {
    case event_kind::load: return !e.awaits && !e.torn && e.looks == look_for::nothing;
    case event_kind::rmw: return !e.awaits && !e.torn && (!e.succeeds() || e.written == e.read);
    case event_kind::fence:
    case event_kind::choose: return true;
    default: return false;
  }
}

// Has the thread made this read before, and done nothing since that others can see?
bool explorer::comes_round(source_location where) const {
  const graph::log& l = graph_.thread(running_);
  for (unsigned i = threads_[running_].position; i > 0 && removable(l.events[i]); --i)
    if (l.events[i].reads() && l.where[i] == where) return true;
  return false;
}

// The thread follows the graph: is what is left there the beginning of a turn, perhaps a whole one?
bool explorer::only_reads_follow() {
  model_thread& t = threads_[running_];
  const graph::log& l = graph_.thread(running_);
  if (!t.turns.known) {
    t.turns.known = true;
    unsigned i = l.length();
    t.turns.last_write = 0;
    for (; i > 0 && removable(l.events[i]); --i)
      if (t.turns.last_write == 0 && l.events[i].writes()) t.turns.last_write = i;
    t.turns.last_effect = i;
    t.turns.last_write = std::max(t.turns.last_write, i);
  }
  return t.position >= t.turns.last_effect;
}

// Nobody needs these reads. When they are followed last, nobody else changes anything meanwhile.
void explorer::linger() {
  model_thread& t = threads_[running_];
  if (t.turns.released || !t.following || following_ < 2 || t.position < t.turns.last_write) return;
  t.at = state::lingering;
  yield_in_turn();
}

unsigned explorer::next_to_linger() {
  for (unsigned t = 0; t < created_; ++t) {
    if (threads_[t].at != state::lingering) continue;
    let_go(t);
    return t;
  }
  return max_threads;
}

arrival& explorer::note_arrival(source_location where) {
  constexpr std::size_t most = 512;
  const engine_scope scope;
  model_thread& t = threads_[running_];
  auto& all = t.turns.arrivals;
  std::size_t& used = t.turns.used;
  const bool again = used > 0 && all[used - 1].position == t.position;
  if (!again) {
    if (used == most)
      std::rotate(all.begin(), all.begin() + 1, all.end());
    else if (++used > all.size())
      all.emplace_back();
  }
  arrival& a = all[used - 1];
  a.where = where;
  a.position = t.position;
  a.trail = arrival::not_youngest;
  a.choices = exploration_.choices();
  a.logged = trace_.size();
  a.plains = t.turns.plains.size();
  copy_state(a.state);
  return a;
}

void explorer::note_plain(location l, bool write, unsigned before) {
  const engine_scope scope;
  threads_[running_].turns.plains.push_back({l, write, before});
}

// The thread is about to make a read that is not in the graph. True if it was parked here, and is
// to make it now.
bool explorer::arrive(const event& e, source_location where) {
  const engine_scope scope;
  model_thread& t = threads_[running_];
  if (!sites_.contains(where)) {
    if (!comes_round(where)) return false;
    // Which thread comes next depends on it.
    sites_.add(where);
    restart();
  }
  bool came_before = false;
  for (std::size_t i = t.turns.used; i-- > 0;) {
    const arrival& a = t.turns.arrivals[i];
    if (!(a.where == where)) continue;
    came_before = true;
    if (!same_state(a.state)) continue;
    if (adds_access(i)) break;
    leave_out(i, e);
    return true;
  }
  if (came_before) settle_overtaking();
  return false;
}

bool explorer::is_youngest(const arrival& a) const {
  return a.trail != arrival::not_youngest &&
         std::all_of(graph_.trail().begin() + static_cast<std::ptrdiff_t>(a.trail),
                     graph_.trail().end(),
                     [&](const entry& x) { return thread_of(x.id) == running_; });
}

// Does the running thread's idle turn, which began there, see nothing change? A loop that tries
// again because something has changed, or by chance, has idle turns too, but it does not wait.
bool explorer::is_wait(unsigned begin) const {
  const auto& events = graph_.thread(running_).events;
  const unsigned end = threads_[running_].position;
  for (unsigned i = begin + 1; i <= end; ++i) {
    const event& e = events[i];
    if (e.spurious) return false;
    for (unsigned j = begin + 1; e.reads() && j < i; ++j)
      for (unsigned k = 0; events[j].reads() && k < e.fields(); ++k)
        if (events[j].touches(e.loc[k]) && events[j].rf[events[j].field_at(e.loc[k])] != e.rf[k])
          return false;
  }
  return true;
}

// The turn that began there is idle. Returns when the thread is to have another one.
void explorer::leave_out(std::size_t begin, const event& e) {
  model_thread& t = threads_[running_];
  const arrival& a = t.turns.arrivals[begin];
  if (is_wait(a.position) && sites_.add_wait(a.where) &&
      (options_.preemptions || options_.on_preemptions)) {
    restart();  // what is a preemption depends on it
  }
  note_left_out(a);
  t.turns.begin = a.position;
  t.turns.all_latest = true;
  for (unsigned i = a.position + 1; i <= t.position; ++i)
    if (graph_.thread(running_).events[i].reads())
      t.turns.all_latest = t.turns.all_latest && read_latest(running_, i);
  if (!t.turns.in_place && is_youngest(a)) {
    park(begin, e);
    return;
  }
  if (!sampler_.on() && is_settled(a.position)) {
    dropped_ = true;
    abandon();
  }
  if (symmetry_.used() != 0 && !t.turns.in_place) {
    // Which threads go on without it depends on the order of the threads.
    symmetry_.give_up();
    restart();
  }
  if (trace_.on()) log(step_kind::wait, "waits", a.where);
  t.at = state::spinning;
  for (;;) yield();
}

// ---------------------------------------------------------------------------------------------
// Races with what was left out.
//
// A turn that is left out takes its accesses with it, and with them a race that they may be part
// of: the turn reads data, and the thread that writes them is told, in relaxed order, by what comes
// after the loop. So the first idle turn stays, and the next one is left out if it accesses nothing
// that the ones before it did not. If one of them races with something, the graph without it, or
// without those before it, has the race still. It would be too much to do so for what nobody else
// touches, or only before the thread's beginning and after its end. Whether that is so shows: if
// not, the exploration restarts.

// What is accessed from an arrival on; its read aside, with which the next turn begins as well.
template <class F>
void explorer::for_each_access(const arrival& from, unsigned position, std::size_t plains,
                               F&& f) const {
  const model_thread& t = threads_[running_];
  for (unsigned i = from.position + 2; i <= position; ++i) {
    const event& e = graph_.thread(running_).events[i];
    for (unsigned k = 0; k < e.fields(); ++k) f(e.loc[k], false);
  }
  for (std::size_t i = from.plains; i < plains; ++i)
    f(t.turns.plains[i].at, t.turns.plains[i].write);
}

bool explorer::adds_access(std::size_t begin) const {
  const model_thread& t = threads_[running_];
  const arrival& a = t.turns.arrivals[begin];
  std::size_t first = begin;  // of the idle turns before this one
  for (std::size_t i = 0; i < begin && first == begin; ++i)
    if (t.turns.arrivals[i].where == a.where && same_state(t.turns.arrivals[i].state)) first = i;
  bool adds = false;
  for_each_access(a, t.position, t.turns.plains.size(), [&](location l, bool write) {
    if (!contention_.at(l)) return;
    bool known = false;
    for_each_access(t.turns.arrivals[first], a.position, a.plains,
                    [&](location m, bool w) { known = known || (m == l && (w || !write)); });
    adds = adds || !known;
  });
  return adds;
}

void explorer::note_left_out(const arrival& from) {
  const std::uint64_t self = std::uint64_t{1} << running_;
  bool found = false;
  for_each_access(
      from, threads_[running_].position, threads_[running_].turns.plains.size(),
      [&](location l, bool write) { found = contention_.add_left_out(l, self, write) || found; });
  if (!found) return;
  restart();
}

// The running thread writes plain data, or ends a lifetime: which threads may it race with?
void explorer::note_meanwhile(location l) {
  const engine_scope scope;
  const clock& hb = graph_.thread(running_).view[threads_[running_].position].hb;
  std::uint64_t others = 0;
  bool alone = true;  // then those that have never been begin later
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    if (t == running_) continue;
    const bool later = threads_[t].at == state::unused && thread_of(creators_[t]) == running_;
    const bool before =
        threads_[t].at == state::finished && hb.covers(make_id(t, graph_.thread(t).length()));
    if (!later && !before) others |= std::uint64_t{1} << t;
    alone = alone && (threads_[t].at == state::unused || before);
  }
  if (!alone)
    for (unsigned t = graph_.threads(); t < max_threads; ++t) others |= std::uint64_t{1} << t;
  if (contention_.add_meanwhile(l, others)) restart();
}

// Will the running thread's turn stay as it is, whatever comes? So it does if its last read took an
// old value, or failed by chance: what is not canonical is not deleted, and no write that is still
// to come may revisit it, or what stands before it. Whatever else follows was or will be explored
// without this turn.
bool explorer::is_settled(unsigned begin) const {
  for (unsigned i = threads_[running_].position; i > begin; --i) {
    const event& e = graph_.thread(running_).events[i];
    if (e.kind == event_kind::choose && e.read != 0) return true;
    if (e.reads()) return e.spurious || read_old(running_, i, e.fields() - 1);
  }
  return false;
}

// Takes the turn back, until something has changed that it has read. The thread is where it was
// when the turn began, and its state is what it was.
void explorer::park(std::size_t begin, const event& e) {
  model_thread& t = threads_[running_];
  t.turns.latest.clear();
  for (unsigned i = t.turns.begin + 1; i <= t.position; ++i) {
    const event& x = graph_.thread(running_).events[i];
    for (unsigned k = 0; x.reads() && k < x.fields(); ++k) t.turns.latest.emplace_back(x.loc[k], 0);
  }
  const arrival& a = t.turns.arrivals[begin];
  graph_.cut(a.trail);
  exploration_.discard_choices(a.choices);
  objects_.forget_notes({running_, a.position});
  tape_.spoil();
  if (trace_.on()) trace_.shrink(a.logged);
  t.position = a.position;
  for (auto& done = t.turns.plains; done.size() > a.plains; done.pop_back()) {
    objects_.undo_access(running_, done.back().at, done.back().write, done.back().before);
  }
  arena_.go_back(running_, a.state.next);
  t.turns.memories_used = a.state.memory + 1;
  t.turns.used = begin + 1;
  for (auto& [at, last] : t.turns.latest) last = graph_.history(at).mo.back();
  t.turns.parked_at = graph_.trail().size();
  t.turns.overtakes = false;
  t.wants = &e;
  t.at = state::parked;
  yield_in_turn();
  t.at = state::running;
}

bool explorer::changed(const model_thread& t) const {
  return std::any_of(t.turns.latest.begin(), t.turns.latest.end(), [&](const auto& seen) {
    return graph_.history(seen.first).mo.back() != seen.second;
  });
}

// Nobody else can go on: a thread whose turn is idle has it, and it stays.
unsigned explorer::pick_parked() {
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::parked || threads_[t].turns.all_latest) continue;
    sampler_.read_latest(true);  // what is new is seen at last
    return t;
  }
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::parked) continue;
    sampler_.read_latest(true);
    threads_[t].turns.in_place = true;
    return t;
  }
  return max_threads;
}

// Was something later in modification order already there when this part of the event was added?
bool explorer::read_old(unsigned thread, unsigned index, unsigned field) const {
  const event& e = graph_.thread(thread).events[index];
  const auto& mo = graph_.history(e.loc[field]).mo;
  for (std::size_t p = mo.size(); p-- > 1 && mo[p] != e.rf[field];)
    if (mo[p] != make_id(thread, index) && graph_.stamp(mo[p]) < e.stamp[field]) return true;
  return false;
}

// Has the event of an idle turn read the latest of everything, but for what idle turns wrote?
bool explorer::read_latest(unsigned thread, unsigned index) const {
  const event& e = graph_.thread(thread).events[index];
  if (e.torn) return false;
  for (unsigned k = 0; k < e.fields(); ++k) {
    const auto& mo = graph_.history(e.loc[k]).mo;
    for (std::size_t p = mo.size(); mo[--p] != e.rf[k];) {
      const model_thread& writer = threads_[thread_of(mo[p])];
      const bool idle = thread_of(mo[p]) == thread || writer.at == state::spinning;
      if (!idle || index_of(mo[p]) <= writer.turns.begin) return false;
    }
  }
  return true;
}

// A thread that is declared symmetric has begun something before the one that ought to come first;
// it is more than a turn that is taken back.
void explorer::settle_overtaking() {
  if (!threads_[running_].turns.overtakes) return;
  symmetry_.give_up();
  restart();
}

// The limit of events of one thread: what keeps it from its end?
void explorer::no_end() {
  const model_thread& t = threads_[running_];
  const graph::log& l = graph_.thread(running_);
  std::string text;
  {
    const engine_scope scope;
    std::size_t turns = 0;
    for (unsigned i = 1; i <= l.length(); ++i) turns += l.where[i] == t.where ? 1U : 0U;
    std::string why = "a loop whose turns write, or a long program";
    for (std::size_t n = t.turns.used; n-- > 0;) {
      const arrival& a = t.turns.arrivals[n];
      if (!(a.where == t.where) || a.position == t.position) continue;
      why = difference(a.state);
      break;
    }
    text = message(
        "thread %u came to %zu events in one execution (max_events, which may be up to %u), "
        "%zu of them at %s:%u: %s",
        running_, options_.max_events, most_events, turns, base_name(t.where.file), t.where.line,
        why.c_str());
  }
  reach_limit(text, t.where);
}

// Which bytes are not what they were.
std::string explorer::difference(const snapshot& s) const {
  const auto changed = [](const char* was, const char* is, std::size_t size, std::string where) {
    std::size_t first = size, last = 0;
    for (std::size_t n = 0; n < size; ++n) {
      if (same_bytes(was + n, is + n, 1)) continue;
      first = std::min(first, n);
      last = n;
    }
    return first == size ? std::string()
                         : "each turn changes bytes " + std::to_string(first) + " to " +
                               std::to_string(last) + " of " + where;
  };
  const model_thread& t = threads_[running_];
  if (t.live != s.begin) return "its turns are at different depths of the stack";
  std::string text = changed(s.stack.data(), t.live, s.stack.size(),
                             "its own stack (registers come first, then the innermost frame)");
  if (!text.empty() && arena_.mark(running_).ordinal != s.next.ordinal)
    text += "; each turn allocates memory, at an address of its own";
  if (!text.empty()) return text;
  const memory_copy& m = t.turns.memories[s.memory];
  std::size_t i = 0, at = 0;
  for_each_piece([&](const piece& p) {
    if (!text.empty()) return;
    if (i >= m.pieces.size() || !same_place(p, m.pieces[i])) {
      text = "the blocks of memory are not those of the turn before";
      return;
    }
    text = changed(m.bytes.data() + at, p.begin, p.size,
                   (p.stack ? "the stack of thread "
                            : "allocation " + std::to_string(p.ordinal + 1) + " of thread ") +
                       std::to_string(p.thread));
    ++i;
    at += p.size;
  });
  return text;
}

// ---------------------------------------------------------------------------------------------
// Nobody can go on.

explorer::ending explorer::stuck() {
  unsigned culprit = max_threads;
  for (unsigned t = 0; t < created_; ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::finished || m.at == state::unused) continue;
    if (m.gave_up) return ending::blocked;
    const graph::log& l = graph_.thread(t);
    if (m.at == state::frontier) {
      if (m.wants->kind == event_kind::join) continue;
      if (m.wants->waits == wait_for::wake_up_or_timeout && options_.timeouts > 0)
        return ending::blocked;
    } else if (m.at == state::spinning) {
      // With another source of a read the thread may go on, in another execution.
      for (unsigned i = m.turns.begin + 1; i <= m.position; ++i) {
        const event& e = l.events[i];
        if (e.spurious || (e.reads() && !read_latest(t, i))) return ending::blocked;
        if (e.kind == event_kind::choose && e.charge == budget::timeout && options_.timeouts > 0)
          return ending::blocked;
      }
    } else {
      const unsigned i = m.position;
      if (i == 0) return ending::blocked;
      const event& e = l.events[i];
      const unsigned k = e.fields() - 1;
      const event_id latest = graph_.history(e.loc[k]).mo.back();
      if (e.torn || (e.rf[k] != latest && latest != make_id(t, i))) return ending::blocked;
      if (e.waits == wait_for::wake_up_or_timeout && options_.timeouts > 0) return ending::blocked;
    }
    if (culprit == max_threads) culprit = t;
  }
  if (culprit == max_threads) culprit = 0;
  running_ = culprit;
  const model_thread& m = threads_[culprit];
  wait_for what = wait_for::nothing;
  if (m.at == state::frontier)
    what = m.wants->waits;
  else if (m.at == state::blocked)
    what = graph_.thread(culprit).events.back().waits;
  const char* reason = "";
  switch (what) {
    case wait_for::mutex: reason = "the mutex is never unlocked"; break;
    case wait_for::wake_up:
    case wait_for::wake_up_or_timeout: reason = "nobody wakes it (lost wake-up)"; break;
    case wait_for::nothing: reason = "nothing that it reads can still change"; break;
  }
  violate(violation::liveness, message("thread %u waits forever: %s", culprit, reason), m.where);
  return ending::violation;
}

}  // namespace fencepost::verify
