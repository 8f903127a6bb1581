// One execution: the program runs along the graph, then adds to it.

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <sstream>

#include "explorer.hpp"

namespace fencepost::verify {

thread_local engine* engine::current_ = nullptr;

namespace context = boost::context::detail;

fiber_stack::~fiber_stack() {
  if (base_ != nullptr) munmap(base_, guard_ + size_);
}

void fiber_stack::reserve(std::size_t bytes) {
  if (base_ != nullptr) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Wide enough that a large frame does not step over it.
  guard_ = 16 * page;
  size_ = (bytes + page - 1) / page * page;
  void* p = mmap(nullptr, guard_ + size_, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  base_ = p;
  mprotect(base_, guard_, PROT_NONE);
}

// ---------------------------------------------------------------------------------------------
// Fibers.

void explorer::start(unsigned thread, void (*entry)(void*), void* argument, event_id creator) {
  model_thread& t = threads_[thread];
  t.stack.reserve(options_.stack_size);
  t.context = context::make_fcontext(t.stack.top(), t.stack.size(), &explorer::enter);
  t.exceptions = {};
  t.at = state::running;
  t.following = true;
  ++following_;
  t.position = t.constructed = t.reads = t.idle_pauses = t.turn = 0;
  t.resumed = false;
  t.gave_up = false;
  t.wants = nullptr;
  t.entry = entry;
  t.argument = argument;
  t.creator = creator;
  t.where = {};
  views& base = graph_.logs[thread].view[0];
  base = {};
  if (creator != 0) {
    base.hb = graph_.view(creator).hb;
    base.porf = graph_.view(creator).porf;
  }
  if (thread >= created_) created_ = thread + 1;
}

void explorer::enter(context::transfer_t from) {
  auto* self = static_cast<explorer*>(from.data);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->home_stack_, &self->home_size_);
#endif
  self->home_ = from.fctx;
  model_thread& t = self->threads_[self->running_];
  allocation_hook::in_body = true;
  try {
    t.entry(t.argument);
  } catch (const std::exception& e) {
    allocation_hook::in_body = false;
    self->fail(violation::exception, std::string("an exception left the thread: ") + e.what(),
               t.where);
  } catch (...) {
    allocation_hook::in_body = false;
    self->fail(violation::exception, "an exception left the thread", t.where);
  }
  allocation_hook::in_body = false;
  if (t.position < self->graph_.logs[self->running_].length())
    self->fail(violation::nondeterminism,
               "the thread ended where it went on when the same execution was run before", t.where);
  t.at = state::finished;
  self->log(step_kind::finish, "ends", t.where);
  self->yield();
}

void explorer::resume(unsigned thread) {
  model_thread& t = threads_[thread];
  running_ = thread;
  const exception_state saved = *exceptions_;
  *exceptions_ = t.exceptions;
#ifdef FENCEPOST_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, t.stack.bottom(), t.stack.size());
#endif
  const context::transfer_t back = context::jump_fcontext(t.context, this);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  t.context = back.fctx;
  allocation_hook::in_body = false;
  t.exceptions = *exceptions_;
  *exceptions_ = saved;
  if (t.following && t.at != state::waiting && t.at != state::running) {
    t.following = false;
    --following_;
  }
}

// Back to the scheduler, until it resumes this thread.
void explorer::yield() {
  const bool in_body = allocation_hook::in_body;
  allocation_hook::in_body = false;
#ifdef FENCEPOST_ASAN
  __sanitizer_start_switch_fiber(&threads_[running_].fake_stack, home_stack_, home_size_);
#endif
  const context::transfer_t back = context::jump_fcontext(home_, nullptr);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(threads_[running_].fake_stack, &home_stack_, &home_size_);
#endif
  home_ = back.fctx;
  allocation_hook::in_body = in_body;
}

// The run is over: this thread never goes on. Nothing is unwound.
void explorer::abandon() {
  ended_ = true;
  for (;;) yield();
}

// ---------------------------------------------------------------------------------------------
// A run.

bool explorer::replayed(event_id id) const noexcept {
  return threads_[thread_of(id)].position >= index_of(id);
}

explorer::ending explorer::run() {
  ending end;
  do end = run_once();
  while (end == ending::again);
  return end;
}

explorer::ending explorer::run_once() {
  ++runs_;
  arena_.begin_run(options_.reuse_addresses);
  for (unsigned t = 0; t < created_; ++t) {
    threads_[t].at = state::unused;
    threads_[t].position = 0;
  }
  created_ = 0;
  following_ = 0;
  declared_.clear();
  outcome_.clear();
  found_ = ended_ = dropped_ = probing_ = probing_old_ = false;
  reschedule_ = false;
  owner_ = max_threads;
  start(
      0, [](void* self) { static_cast<explorer*>(self)->body_(); }, this, 0);

  while (!ended_) {
    if (following_ > 0) {
      unsigned t = max_threads;
      for (const unsigned candidate : by_priority_)
        if (threads_[candidate].at == state::running && threads_[candidate].following)
          t = candidate;  // the most preferred one last: it goes straight on
      drive(t);
      continue;
    }
    unsigned t = pick();
    if (t == max_threads) {
      t = pick_turn();
      if (t == max_threads) break;
      if (loop_reads(t) == nullptr) {
        learn_loop(t);
        return ending::again;
      }
      threads_[t].at = state::running;
      threads_[t].resumed = true;
    }
    owner_ = t;
    reschedule_ = false;
    resume(t);
  }
  if (found_) return ending::violation;
  if (dropped_) return ending::blocked;
  for (unsigned t = 0; t < created_; ++t)
    if (threads_[t].at != state::unused && threads_[t].at != state::finished) return stuck();
  if (options_.check_leaks && arena_.live_blocks() > 0) {
    const arena::block* b = arena_.first_live();
    std::ostringstream text;
    text << "a block of " << b->size << " bytes, allocation " << b->ordinal + 1 << " of thread "
         << b->thread << ", is never released";
    running_ = b->thread;
    violate(violation::leak, text.str(), threads_[b->thread].where);
    return ending::violation;
  }
  return ending::complete;
}

// Resumes a thread that follows the graph, and those that it needs, until it is where the graph
// ends for it. A thread that is needed runs on past what is needed; it may then need the first one.
void explorer::drive(unsigned thread, unsigned depth) {
  model_thread& t = threads_[thread];
  while (!ended_) {
    if (t.at == state::running) {
      resume(thread);
      continue;
    }
    if (t.at != state::waiting) return;
    unsigned other = thread_of(t.needs);
    if (t.needs_end ? threads_[other].at == state::finished : replayed(t.needs)) {
      t.at = state::running;
      continue;
    }
    while (threads_[other].at == state::unused && creators_[other] != 0 &&
           !replayed(creators_[other]))
      other = thread_of(creators_[other]);
    const state at = threads_[other].at;
    if ((at != state::running && at != state::waiting) || depth > 4 * max_index) {
      running_ = thread;
      violate(violation::nondeterminism,
              "a thread did not do what it did when the same execution was run before",
              threads_[other].where);
      return;
    }
    drive(other, depth + 1);
  }
}

bool explorer::runnable(const event& e) const {
  if (e.kind == event_kind::join) return threads_[e.partner].at == state::finished;
  if (!e.awaits) return true;
  return graph_.written(graph_.places[e.loc[0]].mo.back(), e.loc[0]) == e.expected;
}

// The next event is a function of the graph alone: the first thread, by priority, that can go on.
// A thread that waits for a value is left for last, and then takes part only if some write has it.
unsigned explorer::pick() const {
  for (const unsigned t : by_priority_)
    if (threads_[t].at == state::frontier && runnable(*threads_[t].wants)) return t;
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::frontier || !threads_[t].wants->awaits) continue;
    const event& e = *threads_[t].wants;
    for (const event_id w : graph_.places[e.loc[0]].mo)
      if (graph_.written(w, e.loc[0]) == e.expected) return t;
  }
  return max_threads;
}

// ---------------------------------------------------------------------------------------------
// Turns of waiting loops.
//
// A thread in spin_pause() is blocked: that what it read changes is explored by making its reads
// read something else, in executions of their own. That is not enough if the turn also writes:
// what follows may depend on it (a thief asks for work, and finds the answer in its next turn).
// Such a thread gets another turn when nobody else can go on and something has changed that the
// turn has read before it wrote.

// The last event of this turn that changes memory, or 0.
unsigned explorer::last_effect(unsigned thread) const {
  const graph::log& l = graph_.logs[thread];
  for (unsigned i = threads_[thread].position; i > threads_[thread].turn; --i) {
    const event& e = l.events[i];
    if (e.kind == event_kind::store || (e.succeeds() && e.written != e.read)) return i;
  }
  return 0;
}

const std::vector<source_location>* explorer::loop_reads(unsigned thread) const {
  for (const loop& l : loops_)
    if (l.pause == threads_[thread].where) return &l.reads;
  return nullptr;
}

// How far up the modification order of a location the thread has seen, up to an event of its own.
unsigned explorer::seen(unsigned thread, location at, unsigned last) const {
  const graph::log& l = graph_.logs[thread];
  unsigned position = 0;
  for (unsigned i = 1; i <= last; ++i) {
    const event& e = l.events[i];
    if (!e.touches(at)) continue;
    const unsigned k = e.field_at(at);
    if (e.reads()) position = std::max(position, graph_.mo_position(e.rf[k], at));
    if (e.writes()) position = std::max<unsigned>(position, e.mo[k]);
  }
  return position;
}

// Is there something new at a location that the loop has read in events first … last?
bool explorer::sees_change(unsigned thread, unsigned first, unsigned last) const {
  const graph::log& l = graph_.logs[thread];
  const std::vector<source_location>* sites = loop_reads(thread);
  for (unsigned i = first; i <= last; ++i) {
    const event& e = l.events[i];
    if (!e.reads()) continue;
    if (sites != nullptr && std::find(sites->begin(), sites->end(), l.where[i]) == sites->end())
      continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      if (seen(thread, e.loc[k], threads_[thread].position) + 1 <
          graph_.places[e.loc[k]].mo.size())
        return true;
  }
  return false;
}

// Did this turn, which is not the first, read anything that the thread did not know?
bool explorer::turn_found_something() const {
  const model_thread& t = threads_[running_];
  const graph::log& l = graph_.logs[running_];
  for (unsigned i = t.turn + 1; i <= t.position; ++i) {
    const event& e = l.events[i];
    if (!e.reads()) continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      if (graph_.mo_position(e.rf[k], e.loc[k]) > seen(running_, e.loc[k], t.turn)) return true;
  }
  return false;
}

// The first thread that may have another turn, or none.
unsigned explorer::pick_turn() const {
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::spinning) continue;
    const unsigned effect = last_effect(t);
    if (effect != 0 && sees_change(t, threads_[t].turn + 1, effect)) return t;
  }
  return max_threads;
}

// Finds out what a turn of the loop reads, by running one more of them on what the thread knows
// already. Leaves the graph as it was; the run has to be begun again.
void explorer::learn_loop(unsigned thread) {
  const std::size_t before = graph_.trail.size();
  model_thread& m = threads_[thread];
  loop learned{m.where, {}};
  unsigned first = m.position + 1;
  probing_ = probing_old_ = true;
  m.at = state::running;
  m.reads = 0;
  owner_ = thread;
  reschedule_ = false;
  resume(thread);
  probing_ = probing_old_ = false;
  if (ended_ || m.at != state::spinning || m.where != learned.pause) first = m.turn + 1;
  const graph::log& l = graph_.logs[thread];
  for (unsigned i = first; i <= l.length(); ++i)
    if (l.events[i].reads()) learned.reads.push_back(l.where[i]);
  loops_.push_back(std::move(learned));
  graph_.cut(before);
}

// ---------------------------------------------------------------------------------------------
// Nobody can go on.

explorer::ending explorer::stuck() {
  unsigned culprit = max_threads;
  bool spinning = false;
  for (unsigned t = 0; t < created_; ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::finished || m.at == state::unused) continue;
    if (m.gave_up) return ending::blocked;
    const graph::log& l = graph_.logs[t];
    if (m.at == state::frontier) {
      if (m.wants->kind == event_kind::join) continue;
      if (m.wants->waits == wait_for::wake_up_or_timeout && options_.timeouts > 0)
        return ending::blocked;
    } else {
      // The last read decides: with another source the thread may go on, in another execution.
      unsigned i = l.length();
      while (i > 0 && !l.events[i].reads()) --i;
      if (i == 0) return ending::blocked;
      const event& e = l.events[i];
      const unsigned k = e.fields() - 1;
      const event_id latest = graph_.places[e.loc[k]].mo.back();
      if (e.torn || (e.rf[k] != latest && latest != make_id(t, i))) return ending::blocked;
      if (e.waits == wait_for::wake_up_or_timeout && options_.timeouts > 0) return ending::blocked;
      spinning = spinning || m.at == state::spinning;
    }
    if (culprit == max_threads) culprit = t;
  }
  if (culprit == max_threads) culprit = 0;
  if (spinning && probe()) return ending::blocked;
  running_ = culprit;
  const model_thread& m = threads_[culprit];
  wait_for what = wait_for::nothing;
  if (m.at == state::frontier)
    what = m.wants->waits;
  else if (m.at == state::blocked)
    what = graph_.logs[culprit].events.back().waits;
  std::ostringstream text;
  text << "thread " << culprit << " waits forever: ";
  switch (what) {
    case wait_for::mutex: text << "the mutex is never unlocked"; break;
    case wait_for::wake_up:
    case wait_for::wake_up_or_timeout: text << "nobody wakes it (lost wake-up)"; break;
    case wait_for::nothing: text << "nothing that it reads can still change"; break;
  }
  violate(violation::liveness, text.str(), m.where);
  return ending::violation;
}

// Gives each thread that is blocked in spin_pause() one more turn, reading the latest of
// everything: what it read before the loop, or in an earlier part of it, may have been old. True if
// one of them gets on.
bool explorer::probe() {
  const std::size_t before = graph_.trail.size();
  probing_ = true;
  bool progress = false;
  for (unsigned t = 0; t < created_ && !progress; ++t) {
    model_thread& m = threads_[t];
    if (m.at != state::spinning) continue;
    const source_location pause = m.where;
    const unsigned position = m.position;
    m.at = state::running;
    m.reads = 0;
    owner_ = t;
    reschedule_ = false;
    resume(t);
    progress = ended_ || m.at != state::spinning || m.where != pause || m.position == position;
  }
  probing_ = ended_ = found_ = false;
  if (progress || !logging_) {
    graph_.cut(before);
  }
  return progress;
}

// ---------------------------------------------------------------------------------------------
// Events, from inside a model thread.

bool explorer::racy() const {
  event_id other = 0;
  for (const entry& t : graph_.trail)
    if (t.part == 0 && graph_.at(t.id).fields() != 0 && model_.races(t.id, other)) return true;
  return false;
}

event& explorer::perform(const event& e, source_location where) {
  ++heartbeat_;
  model_thread& t = threads_[running_];
  t.where = where;
  const graph::log& l = graph_.logs[running_];
  if (t.position < l.length()) {
    follow(e, l.events[t.position + 1], where);
  } else {
    const bool direct = probing_ ? runnable(e)
                                 : following_ == (t.following ? 1u : 0u) && !reschedule_ &&
                                       (owner_ == running_ ? runnable(e) : goes_first(e));
    if (!direct) {
      t.wants = &e;
      t.at = state::frontier;
      yield();
      t.at = state::running;
    }
    if (t.following) {
      t.following = false;
      --following_;
      owner_ = running_;
    }
    add(e, where);
  }
  ++t.position;
  event& done = graph_.logs[running_].events[t.position];
  if (logging_) log_event(make_id(running_, t.position));
  if (done.reads()) {
    ++t.reads;
    if (done.torn || done.waits_on()) {
      t.at = state::blocked;
      for (;;) yield();
    }
  }
  return done;
}

// This thread follows the graph no longer, all others are at its end: is it the next one?
bool explorer::goes_first(const event& e) {
  if (!runnable(e)) return false;
  for (const unsigned t : by_priority_) {
    if (t == running_) return true;
    if (threads_[t].at == state::frontier && runnable(*threads_[t].wants)) return false;
  }
  return true;
}

void explorer::follow(const event& e, const event& recorded, source_location where) {
  const bool same = e.kind == recorded.kind && e.loc[0] == recorded.loc[0] &&
                    e.loc[1] == recorded.loc[1] && e.success == recorded.success &&
                    e.failure == recorded.failure && e.operand == recorded.operand &&
                    e.expected == recorded.expected && e.op == recorded.op &&
                    (e.kind != event_kind::join || e.partner == recorded.partner);
  if (!same)
    fail(violation::nondeterminism,
         "this is not what the thread did when the same execution was run before: the test depends "
         "on something other than its atomics (time, random numbers, static or thread-local "
         "variables, addresses outside its own memory)",
         where);
  model_thread& t = threads_[running_];
  const auto wait = [&](event_id id, bool end) {
    t.needs = id;
    t.needs_end = end;
    t.at = state::waiting;
    yield();
  };
  if (recorded.reads()) {
    for (unsigned k = 0; k < recorded.fields(); ++k)
      if (!replayed(recorded.rf[k])) wait(recorded.rf[k], false);
  } else if (recorded.kind == event_kind::join) {
    if (threads_[recorded.partner].at != state::finished)
      wait(make_id(recorded.partner, graph_.logs[recorded.partner].length()), true);
  }
}

void explorer::add(const event& e, source_location where) {
  const engine_scope scope;
  if (graph_.logs[running_].length() >= options_.max_events) {
    std::ostringstream text;
    text << "the thread made " << options_.max_events
         << " events in one execution: a loop that waits for another thread must call spin_pause()";
    fail(violation::no_progress, text.str(), where);
  }
  for (unsigned k = 0; k < e.fields(); ++k) check_alive(e.loc[k], where);
  const event_id id = graph_.append(running_, e, where);
  switch (e.kind) {
    case event_kind::load:
    case event_kind::rmw: add_read(id); break;
    case event_kind::store: add_write(id); break;
    case event_kind::choose: add_choice(id); break;
    default: model_.settle(id); break;
  }
  const event& done = graph_.at(id);
  if (done.writes()) reschedule_ = true;  // somebody may have waited for it
  event_id other = 0;
  if (done.fields() != 0 && model_.races(id, other)) {
    if (!options_.races_are_outcomes)
      fail(violation::data_race,
           "a plain access and another one to the same location are not ordered by happens-before",
           where);
  }
}

void explorer::check_alive(location l, source_location where) {
  const place& p = graph_.places[l];
  if (!p.alive) {
    std::ostringstream text;
    text << "access to an object whose lifetime ended at " << p.where.file << ":" << p.where.line;
    fail(violation::use_after_free, text.str(), where);
  }
  if (thread_of(p.born) == running_ || p.born == initial_write) return;
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  if (!hb.covers(p.born))
    fail(violation::data_race,
         "the access is not ordered after the construction of the object (thread " +
             std::to_string(thread_of(p.born)) + ", " + p.where.file + ":" +
             std::to_string(p.where.line) + ")",
         where);
}

// ---------------------------------------------------------------------------------------------
// Objects and memory.

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
  const location l = place_for(running_);
  place& p = graph_.places[l];
  if (p.initial != initial && (p.mo.size() > 1 || !p.readers.empty()))
    fail(violation::nondeterminism,
         "an atomic is constructed with another value than when the same execution was run before",
         where);
  p.initial = initial;
  p.address = address;
  p.size = size;
  p.where = where;
  // A location without an address is the front door's own: its construction is no access.
  p.born = address == nullptr ? initial_write : make_id(running_, threads_[running_].position + 1);
  p.alive = true;
  p.plain = false;
  const engine_scope scope;
  declared_.push_back(l);
  return l;
}

location explorer::declare_plain(const void* address, std::size_t size, source_location where) {
  const location l = declare(address, size, 0, where);
  place& p = graph_.places[l];
  p.plain = true;
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
  if (!p.alive) return;
  end_of_life(l, where, "destroyed");
}

// Every access must come before.
void explorer::end_of_life(location l, source_location where, const char* what) {
  place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  bool ordered = true;
  if (p.plain) {
    ordered = !p.written_at.exceeds(hb, running_) && !p.read_at.exceeds(hb, running_);
  } else {
    for (const event_id w : p.mo) ordered = ordered && hb.covers(w);
    for (const event_id r : p.readers) ordered = ordered && hb.covers(r);
    ordered = ordered && (thread_of(p.born) == running_ || hb.covers(p.born));
  }
  if (!ordered) {
    const engine_scope scope;
    fail(violation::use_after_free,
         std::string("an object is ") + what +
             " while an access to it is not ordered before by happens-before",
         where);
  }
  p.alive = false;
  p.where = where;
}

void explorer::plain_read(location l, source_location where) {
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_read, "read " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "read", "written", where);
  p.read_at.set(running_, t.position + 1);
}

void explorer::plain_write(location l, source_location where) {
  place& p = graph_.places[l];
  model_thread& t = threads_[running_];
  t.where = where;
  const clock& hb = graph_.logs[running_].view[t.position].hb;
  if (!p.alive) check_alive(l, where);
  if (logging_) log(step_kind::plain_write, "write " + name(l), where);
  if (p.written_at.exceeds(hb, running_)) race(l, "written", "written", where);
  if (p.read_at.exceeds(hb, running_)) race(l, "written", "read", where);
  p.written_at.set(running_, t.position + 1);
}

void explorer::race(location l, const char* here, const char* there, source_location where) {
  const engine_scope scope;
  const place& p = graph_.places[l];
  const clock& hb = graph_.logs[running_].view[threads_[running_].position].hb;
  const clock& other = std::strcmp(there, "read") == 0 ? p.read_at : p.written_at;
  unsigned by = 0;
  for (unsigned t = 0; t < max_threads; ++t)
    if (t != running_ && other[t] > hb[t]) by = t;
  std::ostringstream text;
  text << "plain data is " << here << " by thread " << running_ << " and " << there << " by thread "
       << by << ", and neither happens before the other";
  fail(violation::data_race, text.str(), where);
}

void* explorer::allocate(std::size_t size, std::size_t alignment) {
  const engine_scope scope;
  void* p = arena_.allocate(running_, size, alignment);
  if (p == nullptr) {
    std::ostringstream text;
    text << "an allocation of " << size << " bytes does not fit: a thread may have "
         << (arena_.bytes_per_thread() >> 20) << " MiB in one execution (memory_size)";
    fail(violation::out_of_memory, text.str(), threads_[running_].where);
  }
  if (logging_)
    log(step_kind::allocate, "allocate " + std::to_string(size) + " bytes",
        threads_[running_].where);
  return p;
}

void explorer::release(void* pointer) {
  const bool in_body = allocation_hook::in_body;
  const engine_scope scope;
  if (!in_body) return;  // the engine lets go of something of a run that is over
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
         "release of a block of " + std::to_string(b->size) + " bytes that was released before",
         where);
  if (logging_) log(step_kind::release, "release " + std::to_string(b->size) + " bytes", where);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  for (const location l : declared_) {
    const place& p = graph_.places[l];
    if (p.alive && reinterpret_cast<std::uintptr_t>(p.address) - begin < b->size)
      end_of_life(l, where, "released");
  }
  arena_.release(running_, b);
}

// ---------------------------------------------------------------------------------------------
// What front doors call.

value explorer::load(word w, order o, source_location where) {
  event e;
  e.kind = event_kind::load;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  return perform(e, where).read;
}

void explorer::store(word w, value v, order o, source_location where) {
  event e;
  e.kind = event_kind::store;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  e.operand = v;
  perform(e, where);
}

value explorer::read_modify_write(word w, operation op, value operand, std::size_t size, order o,
                                  source_location where, value (*custom)(value, value)) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = o;
  e.op = op;
  e.operand = operand;
  e.size = static_cast<std::uint8_t>(size);
  e.custom = custom;
  return perform(e, where).read;
}

exchanged explorer::compare_exchange(word w, value expected, value desired, bool weak,
                                     order success, order failure, source_location where) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = w.fields[0];
  e.loc[1] = w.fields[1];
  e.success = success;
  e.failure = failure;
  e.expected = expected;
  e.operand = desired;
  e.compares = true;
  e.weak = weak;
  const event& done = perform(e, where);
  return {done.read, done.succeeds()};
}

void explorer::fence(order o, source_location where) {
  event e;
  e.kind = event_kind::fence;
  e.success = o;
  perform(e, where);
}

void explorer::spin_pause(source_location where) {
  ++heartbeat_;
  model_thread& t = threads_[running_];
  t.where = where;
  if (t.reads == 0) {
    if (++t.idle_pauses > 10'000)
      fail(violation::no_progress,
           "spin_pause() in a loop that reads nothing: no other thread can end it", where);
    return;
  }
  // A read that took an old value can only be blocked for good: whatever follows was or will be
  // explored with a later one.
  const graph::log& l = graph_.logs[running_];
  if (t.position < l.length()) {
    t.turn = t.position;
    t.reads = 0;
    t.resumed = true;
    return;
  }
  if (!probing_ && t.resumed && !turn_found_something()) {
    dropped_ = true;
    abandon();
  }
  unsigned i = t.position;
  while (!l.events[i].reads()) --i;
  const event& e = l.events[i];
  const unsigned k = e.fields() - 1;
  const auto& mo = graph_.places[e.loc[k]].mo;
  if (!probing_ && last_effect(running_) < i) {
    for (std::size_t p = mo.size(); p-- > 1 && mo[p] != e.rf[k];) {
      if (mo[p] != make_id(running_, i) && graph_.stamp(mo[p]) < e.stamp[k]) {
        dropped_ = true;
        abandon();
      }
    }
  }
  if (logging_) log(step_kind::wait, "waits (spin_pause)", where);
  t.at = state::spinning;
  yield();
  t.turn = t.position;
  t.reads = 0;
}

void explorer::await(location l, value expected, order o, wait_for what, source_location where) {
  event e;
  e.kind = event_kind::load;
  e.loc[0] = l;
  e.success = o;
  e.expected = expected;
  e.awaits = true;
  e.waits = what;
  perform(e, where);
}

void explorer::await_exchange(location l, value expected, value desired, order o, wait_for what,
                              source_location where) {
  event e;
  e.kind = event_kind::rmw;
  e.loc[0] = l;
  e.success = o;
  e.failure = order::relaxed;
  e.expected = expected;
  e.operand = desired;
  e.compares = true;
  e.awaits = true;
  e.waits = what;
  perform(e, where);
}

void explorer::give_up() {
  threads_[running_].gave_up = true;
  threads_[running_].at = state::blocked;
  for (;;) yield();
}

unsigned explorer::choose(unsigned alternatives, budget charge, source_location where) {
  event e;
  e.kind = event_kind::choose;
  e.operand = alternatives;
  e.charge = charge;
  return static_cast<unsigned>(perform(e, where).read);
}

unsigned explorer::create(void (*entry)(void*), void* argument, source_location where) {
  event e;
  e.kind = event_kind::create;
  const model_thread& t = threads_[running_];
  if (t.position == graph_.logs[running_].length() && used_threads() == max_threads)
    fail(violation::misuse,
         "an execution may have " + std::to_string(max_threads) + " threads, the main one included",
         where);
  perform(e, where);
  const event_id id = make_id(running_, t.position);
  event& done = graph_.at(id);
  if (done.partner == 0) {
    unsigned child = 1;
    while (threads_[child].at != state::unused || graph_.logs[child].length() != 0) ++child;
    done.partner = static_cast<std::uint16_t>(child);
  }
  creators_[done.partner] = id;
  start(done.partner, entry, argument, id);
  reschedule_ = true;
  return done.partner;
}

unsigned explorer::used_threads() const {
  unsigned n = 0;
  for (unsigned t = 0; t < max_threads; ++t)
    if (threads_[t].at != state::unused) ++n;
  return n;
}

void explorer::join(unsigned thread, source_location where) {
  event e;
  e.kind = event_kind::join;
  e.partner = static_cast<std::uint16_t>(thread);
  perform(e, where);
}

void explorer::fail(violation kind, std::string_view message, source_location where) {
  allocation_hook::in_body = false;
  violate(kind, message, where);
  abandon();
}

void explorer::violate(violation kind, std::string_view message, source_location where) {
  ended_ = true;
  if (found_) return;
  found_ = true;
  violation_.kind = kind;
  violation_.message = message;
  violation_.thread = running_;
  violation_.where = where;
  log(step_kind::violation, violation_.message, where);
}

void explorer::broken(const char* what, source_location where) {
  fail(violation::assertion, what, where);
}

void explorer::record(std::string_view text) {
  const engine_scope scope;
  record_outcome(text);
}

void explorer::record_outcome(std::string_view text) {
  const engine_scope scope;
  if (!outcome_.empty()) outcome_ += "; ";
  outcome_ += text;
}

}  // namespace fencepost::verify
