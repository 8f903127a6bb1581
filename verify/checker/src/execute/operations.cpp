// What the program does, as events: from inside a model thread.

#include <algorithm>
#include <bit>
#include <cstdio>

#include "execute/explorer.hpp"
#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

// ---------------------------------------------------------------------------------------------
// Events, from inside a model thread.

bool explorer::racy() const {
  event_id other = 0;
  for (const entry& t : graph_.trail())
    if (t.part == 0 && graph_.at(t.id).fields() != 0 && consistency_.races(t.id, other))
      return true;
  return false;
}

const event& explorer::perform(const event& e, source_location where) {
  ++heartbeat_;
  silent_ = 0;
  model_thread& t = threads_[running_];
  t.where = where;
  t.pauses = 0;
  check_stack();
  if (due_) [[unlikely]]
    fail_if_due();
  if (tape_.on()) [[unlikely]]
    note({.what = tape::act::event, .asked = e, .where = where});
  const graph::log& l = graph_.thread(running_);
  const bool may_come_round =
      (e.kind == event_kind::load && e.looks == look_for::nothing) || e.kind == event_kind::rmw;
  // Nothing is lost when the reads of a turn come one right after the other.
  const bool removable_kind =
      !e.awaits && (may_come_round || e.kind == event_kind::fence || e.kind == event_kind::choose);
  if (t.position < l.length()) {
    const bool last = may_come_round && sites_.contains(where) && only_reads_follow();
    if (last) linger();
    follow(e, l.events[t.position + 1], where);
    if (last) note_arrival(where);
  } else {
    bool direct = false;
    if (may_come_round && !postponed_) direct = arrive(e, where);
    if (!direct && !postponed_)
      direct = sampler_.on() ? removable_kind && t.turns.used != 0
                             : following_ == (t.following ? 1u : 0u) && !reschedule_ &&
                                   (owner_ == running_ ? runnable(e) : goes_first(e));
    if (!removable_kind) settle_overtaking();
    if (!direct) {
      settle_overtaking();
      t.wants = &e;
      t.at = state::frontier;
      yield_in_turn();
      t.at = state::running;
    }
    if (t.following) {
      t.following = false;
      --following_;
      owner_ = running_;
    }
    if (may_come_round && sites_.contains(where)) {
      arrival& a = note_arrival(where);
      a.trail = graph_.trail().size();
      a.choices = exploration_.choices();
    }
    compare_with_alike(e, where);
    add(e, where);
  }
  ++t.position;
  const event& done = graph_.thread(running_).events[t.position];
  if (!removable(done)) {
    settle_overtaking();
    t.turns.clear();
  }
  if (options_.typed_memory) objects_.check_typed(here(), done, where);
  // What waits for its second field has not happened yet.
  if (trace_.on() && !done.torn) trace_.record(make_id(running_, t.position), orders_);
  if (done.reads() && (done.torn || done.waits_on())) {
    t.at = state::blocked;
    for (;;) yield();
  }
  return done;
}

// This thread follows the graph no longer, all others are at its end: is it the next one?
bool explorer::goes_first(const event& e) {
  if (!runnable(e)) return false;
  for (const unsigned t : by_priority_) {
    if (t == running_) return true;
    const model_thread& m = threads_[t];
    if (may_go_first(m)) return false;
  }
  return true;
}

void explorer::follow(const event& e, const event& recorded, source_location where) {
  model_thread& t = threads_[running_];
  if (!same_request(e, recorded)) {
    const tape::entry now{.asked = e, .where = where};
    const tape::entry then{.asked = recorded,
                           .where = graph_.thread(running_).where[t.position + 1]};
    differs(&then, &now, where);
  }
  const auto wait = [&](event_id id, bool end) {
    t.needs = id;
    t.needs_end = end;
    t.at = state::waiting;
    yield_in_turn();
  };
  if (recorded.reads()) {
    for (unsigned k = 0; k < recorded.fields(); ++k)
      if (!replayed(recorded.rf[k])) wait(recorded.rf[k], false);
  } else if (recorded.kind == event_kind::join) {
    for (unsigned child = 0; child < graph_.threads(); ++child)
      if (recorded.concerns(child) && threads_[child].at != state::finished)
        wait(make_id(child, graph_.thread(child).length()), true);
  }
}

void explorer::add(const event& e, source_location where) {
  const engine_scope scope;
  if (graph_.thread(running_).length() >= options_.max_events) no_end();
  for (unsigned k = 0; k < e.fields(); ++k) objects_.check_alive(here(), e.loc[k], where);
  const event_id id = graph_.append(running_, e, where);
  if (sampler_.on()) [[unlikely]]
    sampler_.add(id);
  else
    exploration_.add(id);
  const event& done = graph_.at(id);
  if (done.writes()) reschedule_ = true;  // somebody may have waited for it
  event_id other = 0;
  if (done.fields() != 0 && consistency_.races(id, other)) {
    if (!options_.races_are_outcomes)
      fail(violation::data_race,
           "a plain access and another one to the same location are not ordered by happens-before",
           where);
  }
}

// What the thread is about to add, against the threads that are declared symmetric.
void explorer::compare_with_alike(const event& e, source_location where) {
  if (symmetry_.used() == 0) return;
  for (const unsigned other : symmetry_.group(running_)) {
    if (other == running_) continue;
    const model_thread& o = threads_[other];
    const bool waits = o.at == state::frontier || o.at == state::parked;
    const event* const wanted = waits ? o.wants : nullptr;
    switch (symmetry_.compare(running_, e, where, other, wanted, o.at == state::finished)) {
      case symmetry::standing::fine: break;
      case symmetry::standing::unlike:
        fail(violation::misuse,
             message(
                 "threads %u and %u are declared symmetric, but after the same beginning they do "
                 "different things",
                 std::min(other, running_), std::max(other, running_)),
             where);
      case symmetry::standing::overtaken:
        threads_[running_].turns.overtakes = true;
        if (o.at != state::parked || threads_[running_].turns.used == 0) settle_overtaking();
    }
  }
}

void explorer::compare_ends() {
  if (symmetry_.used() == 0) return;
  settle_overtaking();
  for (const unsigned other : symmetry_.group(running_))
    if (other != running_ && !symmetry_.ends_like(running_, other))
      fail(violation::misuse,
           message("threads %u and %u are declared symmetric, but after the same beginning thread "
                   "%u ends "
                   "and the other one goes on",
                   std::min(other, running_), std::max(other, running_), running_),
           threads_[running_].where);
}

// ---------------------------------------------------------------------------------------------
// What front ends call.

// The next event of the graph, if it is what is asked for and no source has to be waited for: most
// events of most runs. Null: perform() has to look at it.
const event* explorer::recorded(event_kind kind, word w, order o, value operand,
                                source_location where) {
  model_thread& t = threads_[running_];
  const graph::log& l = graph_.thread(running_);
  if (t.position >= l.length() || trace_.on() || tape_.on()) return nullptr;
  const event& e = l.events[t.position + 1];
  if (e.kind != kind || e.loc[0] != w.fields[0] || e.loc[1] != w.fields[1] || e.success != o ||
      e.operand != operand || e.awaits || e.torn || e.looks != look_for::nothing)
    return nullptr;
  if (e.reads()) {
    if (!replayed(e.rf[0]) || !replayed(e.rf[1])) return nullptr;
  }
  ++t.position;
  ++heartbeat_;
  silent_ = 0;
  t.pauses = 0;
  t.where = where;
  if (t.turns.used != 0 && !removable(e)) t.turns.clear();
  return &e;
}

// On the thread's own stack nothing is done but to call the engine, unless the program has no
// loops.

value explorer::on_load(word w, order o, const char* file, const char* function,
                        std::uint64_t place) {
  const source_location where = at(file, function, place);
  if (sites_.empty())
    if (const event* done = recorded(event_kind::load, w, o, 0, where)) return done->read;
  return apart([&] {
    if (!sites_.contains(where))
      if (const event* done = recorded(event_kind::load, w, o, 0, where)) return done->read;
    event e;
    e.kind = event_kind::load;
    e.loc[0] = w.fields[0];
    e.loc[1] = w.fields[1];
    e.success = o;
    return perform(e, where).read;
  });
}

value explorer::look(location l, look_for what, source_location where) {
  return apart([&] {
    event e;
    e.kind = event_kind::load;
    e.loc[0] = l;
    e.success = order::relaxed;
    e.looks = what;
    return perform(e, where).read;
  });
}

void explorer::on_store(word w, value v, order o, const char* file, const char* function,
                        std::uint64_t place) {
  const source_location where = at(file, function, place);
  if (sites_.empty() && recorded(event_kind::store, w, o, v, where) != nullptr) return;
  apart([&] {
    if (recorded(event_kind::store, w, o, v, where) != nullptr) return;
    event e;
    e.kind = event_kind::store;
    e.loc[0] = w.fields[0];
    e.loc[1] = w.fields[1];
    e.success = o;
    e.operand = v;
    perform(e, where);
  });
}

value explorer::on_read_modify_write(word w, change_of change, value operand, const char* file,
                                     const char* function, std::uint64_t place,
                                     value (*custom)(value, value)) {
  const source_location where = at(file, function, place);
  return apart([&] {
    event e;
    e.kind = event_kind::rmw;
    e.loc[0] = w.fields[0];
    e.loc[1] = w.fields[1];
    e.success = change.how;
    e.op = change.op;
    e.operand = operand;
    e.size = change.size;
    e.custom = custom;
    return perform(e, where).read;
  });
}

exchanged explorer::on_compare_exchange(word w, value expected, value desired, orders_of orders,
                                        const char* file, const char* function,
                                        std::uint64_t place) {
  const source_location where = at(file, function, place);
  return apart([&] {
    event e;
    e.kind = event_kind::rmw;
    e.loc[0] = w.fields[0];
    e.loc[1] = w.fields[1];
    e.success = orders.success;
    e.failure = orders.failure;
    e.expected = expected;
    e.operand = desired;
    e.compares = true;
    e.weak = orders.weak;
    const event& done = perform(e, where);
    return exchanged{done.read, done.succeeds()};
  });
}

void explorer::on_fence(order o, const char* file, const char* function, std::uint64_t place) {
  const source_location where = at(file, function, place);
  if (sites_.empty() && recorded(event_kind::fence, {}, o, 0, where) != nullptr) return;
  apart([&] {
    if (recorded(event_kind::fence, {}, o, 0, where) != nullptr) return;
    event e;
    e.kind = event_kind::fence;
    e.success = o;
    perform(e, where);
  });
}

// A loop is known by what it reads. Only that it reads nothing shows here.
void explorer::spin_pause() {
  ++heartbeat_;
  model_thread& t = threads_[running_];
  if (++t.pauses > 10'000)
    fail(
        violation::no_progress,
        "spin_pause() in a loop that reads nothing, after the place named: no other thread can end "
        "it",
        t.where);
}

void explorer::await(location l, value expected, order o, wait_for what, source_location where) {
  apart([&] {
    event e;
    e.kind = event_kind::load;
    e.loc[0] = l;
    e.success = o;
    e.expected = expected;
    e.awaits = true;
    e.waits = what;
    perform(e, where);
  });
}

void explorer::await_exchange(location l, value expected, value desired, order o, wait_for what,
                              source_location where) {
  apart([&] {
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
  });
}

void explorer::give_up() {
  apart([&] {
    threads_[running_].gave_up = true;
    threads_[running_].at = state::blocked;
    for (;;) yield();
  });
}

unsigned explorer::choose(unsigned alternatives, budget charge, source_location where) {
  return apart([&] {
    event e;
    e.kind = event_kind::choose;
    e.operand = alternatives;
    e.charge = charge;
    return static_cast<unsigned>(perform(e, where).read);
  });
}

void explorer::create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
                      source_location where) {
  apart([&] { create_threads(entry, arguments, ids, count, where); });
}

void explorer::create_threads(void (*entry)(void*), void* const* arguments, unsigned* ids,
                              unsigned count, source_location where) {
  event e;
  e.kind = event_kind::create;
  e.operand = count;
  const model_thread& t = threads_[running_];
  if (t.position == graph_.thread(running_).length() && used_threads() + count > max_threads) {
    reach_limit(
        message("an execution may have %u threads, the main one and those that have ended included",
                max_threads),
        where);
  }
  perform(e, where);
  const event_id id = make_id(running_, t.position);
  const event& done = graph_.at(id);
  unsigned child = 0;
  for (unsigned i = 0; i < count; ++i) {
    ++child;
    if (done.named) {
      while (!done.concerns(child)) ++child;
    } else {
      while (threads_[child].at != state::unused || graph_.thread(child).length() != 0) ++child;
      graph_.begin_thread(child, id);
      creators_[child] = id;
    }
    ids[i] = child;
    trace_.forget_allocation(arguments[i]);
    start(child, entry, arguments[i], where);
  }
  graph_.name_children(id);
  if (running_ == 0) {
    const engine_scope scope;
    symmetry_.created(ids, count);
  }
  reschedule_ = true;
}

unsigned explorer::used_threads() const {
  unsigned n = 0;
  for (unsigned t = 0; t < graph_.threads(); ++t)
    if (threads_[t].at != state::unused) ++n;
  return n;
}

void explorer::join(const unsigned* ids, unsigned count, source_location where) {
  apart([&] {
    event e;
    e.kind = event_kind::join;
    for (unsigned i = 0; i < count; ++i) e.partners |= std::uint64_t{1} << ids[i];
    perform(e, where);
  });
}

bool explorer::all_finished(std::uint64_t threads) const noexcept {
  for (; threads != 0; threads &= threads - 1)
    if (threads_[std::countr_zero(threads)].at != state::finished) return false;
  return true;
}

// Some of what the engine does is done on the stack of the thread.
void explorer::check_stack() {
  constexpr std::size_t enough = std::size_t{24} << 10U;
  const char here = 0;
  const model_thread& t = threads_[running_];
  const char* const at = t.is_apart ? t.live : &here;
  const auto room = static_cast<std::size_t>(at - t.stack.bottom());
  if (room - enough < t.stack.size() - enough) return;
  if (room >= t.stack.size()) left();
  char text[160];
  std::snprintf(text, sizeof text,
                "the stack of the thread is used up (stack_size is %zu KiB): endless recursion, or "
                "large local variables",
                t.stack.size() >> 10U);
  fail(violation::stack_overflow, text, threads_[running_].where);
}

// What is no event must come to an end as well.
void explorer::count_silent_step(source_location where) {
  if (++silent_ < 1'000'000) return;
  silent_ = 0;
  reach_limit(
      "a million plain accesses and allocations without an atomic operation: an endless loop?",
      where);
}

// A violation while the graph is replayed for a counterexample: what the other threads have done is
// shown before it, the access that it is about among it.
bool explorer::postpone() {
  if (!trace_.on() || postponed_ || following_ < (threads_[running_].following ? 2U : 1U))
    return false;
  postponed_ = true;
  threads_[running_].at = state::blocked;
  return true;
}

void explorer::fail(violation kind, std::string_view message, source_location where) {
  end_with(kind, message, where, no_location);
}

void explorer::end_with(violation kind, std::string_view message, source_location where,
                        location ended) {
  allocation_hook::in_body = false;
  violate(kind, message, where, ended);
  if (postponed_)
    for (;;) yield();
  abandon();
}

// Nothing is known of what would come behind it, nor of the executions that are not explored yet.
void explorer::reach_limit(std::string_view what, source_location where) {
  const engine_scope scope;
  limit_ = std::string(what) + "; the last of it at " + base_name(where.file) + ":" +
           std::to_string(where.line);
  abandon();
}

void explorer::violate(violation kind, std::string_view message, source_location where,
                       location ended) {
  if (found_) {
    ended_ = true;
    return;
  }
  found_ = true;
  trace_.set_ended(ended);
  if (replaying_) show_violation();
  ended_ = !postpone();
  violation_.kind = kind;
  violation_.message = message;
  violation_.thread = running_;
  violation_.where = where;
  if (ended_) log(step_kind::violation, violation_.message, where);
}

bool explorer::fail_later(violation kind, std::string_view message, std::string_view file,
                          unsigned line) {
  if (!allocation_hook::in_body) return false;
  const engine_scope scope;
  if (due_) return true;  // the first one counts
  due_.emplace();
  due_->kind = kind;
  due_->message = message;
  due_->thread = running_;
  due_->where = {kept_name(file), "", line, 0};
  return true;
}

void explorer::fail_if_due() {
  if (!due_ || due_->thread != running_) return;
  fail(due_->kind, due_->message, due_->where);
}

void explorer::broken(const char* what, source_location where) {
  fail(violation::assertion, what, where);
}

void explorer::record(std::string_view text) {
  const engine_scope scope;
  record_outcome(text);
}

// A moment is the last event before it. A turn with an operation in it is never idle: the history
// tells it from the next.
runner::moment explorer::called() {
  threads_[running_].turns.clear();
  return make_id(running_, threads_[running_].position);
}

// An operation without events has come back when the thread's next event comes before something.
runner::moment explorer::returned(moment called) {
  threads_[running_].turns.clear();
  const event_id last = make_id(running_, threads_[running_].position);
  return last == called ? last + 1 : last;
}

bool explorer::is_before(moment returned, moment called) {
  const auto last = static_cast<event_id>(returned);
  const clock& hb = graph_.view(static_cast<event_id>(called)).hb;
  if (index_of(last) <= graph_.thread(thread_of(last)).length()) return hb.covers(last);
  // Nothing came after it: it comes before what comes after a join.
  for (unsigned t = 0; t < graph_.threads(); ++t) {
    for (unsigned i = 1; i <= hb[t]; ++i) {
      const event& e = graph_.thread(t).events[i];
      if (e.kind == event_kind::join && e.concerns(thread_of(last))) return true;
    }
  }
  return false;
}

void explorer::record_outcome(std::string_view text) {
  const engine_scope scope;
  if (tape_.on())
    note(
        {.what = tape::act::outcome, .text = std::string(text), .where = threads_[running_].where});
  threads_[running_].turns.clear();  // a turn that records is not idle
  recorded_.push_back({way_to(running_), std::string(text)});
}

// A thread's number depends on the order of the threads; which child of which thread it is does
// not.
std::vector<unsigned> explorer::way_to(unsigned thread) const {
  std::vector<unsigned> way;
  for (; thread != 0; thread = thread_of(creators_[thread])) {
    unsigned nth = 0;
    for (unsigned t = 0; t < thread; ++t)
      if (graph_.at(creators_[thread]).concerns(t)) ++nth;
    way.push_back(nth);
    way.push_back(index_of(creators_[thread]));
  }
  std::reverse(way.begin(), way.end());
  return way;
}

// By thread, and by program order within each: no other order of what the threads record belongs to
// the graph.
void explorer::join_outcome() {
  std::stable_sort(
      recorded_.begin(), recorded_.end(),
      [](const recorded_outcome& a, const recorded_outcome& b) { return a.thread < b.thread; });
  for (const recorded_outcome& r : recorded_) {
    if (!outcome_.empty()) outcome_ += "; ";
    outcome_ += r.text;
  }
}

}  // namespace fencepost::verify
