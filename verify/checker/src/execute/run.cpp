// One execution: the program runs along the graph, then adds to it.

#include <cxxabi.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "execute/explorer.hpp"
#include "fencepost/verify/replay.hpp"

namespace fencepost::verify {

thread_local engine* engine::current_ = nullptr;

[[gnu::noinline]] void engine::clear_below() noexcept {
  char frames[512];
  std::memset(frames, 0, sizeof frames);
  asm volatile("" : : "r"(frames) : "memory");  // not a dead store
}

namespace context = boost::context::detail;

fiber_stack::~fiber_stack() {
  if (base_ != nullptr) munmap(base_, 2 * guard_ + engine_size + size_);
}

void fiber_stack::reserve(std::size_t bytes, unsigned thread) {
  if (base_ != nullptr) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Wide enough that a large frame does not step over it.
  guard_ = 16 * page;
  size_ = (bytes + page - 1) / page * page;
  const std::size_t all = 2 * guard_ + engine_size + size_;
  base_ = static_cast<char*>(map(stacks_address + thread * all, all, MAP_STACK));
  if (base_ == nullptr) throw std::bad_alloc();
  mprotect(base_, guard_, PROT_NONE);
  mprotect(base_ + guard_ + engine_size, guard_, PROT_NONE);
}

// ---------------------------------------------------------------------------------------------
// Fibers.

void explorer::start(unsigned thread, void (*entry)(void*), void* argument, source_location where) {
  model_thread& t = threads_[thread];
  t.stack.reserve(options_.stack_size, thread);
  if (tape_.comparing()) t.stack.fill(fill_);
  unpoison(t.stack.bottom(), t.stack.size());  // the frames of the fiber that was abandoned here
  unpoison(t.stack.whole(), fiber_stack::engine_size);
  if (t.lowest == nullptr) t.lowest = static_cast<char*>(t.stack.top());
  if (frames_are_compared_) {
    // What an earlier run left there would be in frames that have not been written yet.
    std::memset(t.lowest, 0,
                static_cast<std::size_t>(static_cast<char*>(t.stack.top()) - t.lowest));
  }
  t.context = context::make_fcontext(t.stack.top(), t.stack.size(), &explorer::enter);
  t.engine =
      context::make_fcontext(t.stack.engine_top(), fiber_stack::engine_size, &explorer::serve);
  t.live = static_cast<const char*>(t.context);
  t.is_apart = false;
  t.exceptions = {};
  t.at = state::running;
  t.following = true;
  ++following_;
  t.position = t.constructed = t.pauses = 0;
  t.gave_up = false;
  t.turns.begin_run();
  t.wants = nullptr;
  t.entry = entry;
  t.argument = argument;
  t.where = where;
  if (thread >= created_) created_ = thread + 1;
  if (thread >= graph_.threads()) count_thread(thread);
}

// There has never been a thread with this number.
void explorer::count_thread(unsigned thread) {
  const engine_scope scope;
  graph_.count_thread(thread);
  by_priority_.clear();
  for (const unsigned t : preferred_)
    if (t < graph_.threads()) by_priority_.push_back(t);
}

void explorer::enter(context::transfer_t from) {
  auto* self = static_cast<explorer*>(from.data);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->home_stack_, &self->home_size_);
#endif
  self->home_ = from.fctx;
  self->call_body();
  self->end_thread();
}

// Of its own, so that few registers are in use: the frames of the body save them, and what they
// save on its first turn of a loop is to be what they save on the next.
[[gnu::noinline]] void explorer::call_body() {
  allocation_hook::in_body = true;
  try {
    threads_[running_].entry(threads_[running_].argument);
    allocation_hook::in_body = false;
  } catch (const std::exception& e) {
    allocation_hook::in_body = false;
    thrown_.emplace("an exception left the thread: %s", e.what());
  } catch (...) {
    allocation_hook::in_body = false;
    thrown_.emplace("an exception left the thread");
  }
}

void explorer::end_thread() {
  model_thread& t = threads_[running_];
  if (thrown_) fail(violation::exception, *thrown_, t.where);
  fail_if_due();
  const graph::log& l = graph_.thread(running_);
  if (tape_.comparing() && tape_.expected(running_) != nullptr)
    differs(tape_.expected(running_), nullptr, t.where);
  if (t.position < l.length()) {
    const tape::entry then{.asked = l.events[t.position + 1], .where = l.where[t.position + 1]};
    differs(&then, nullptr, t.where);
  }
  compare_ends();
  t.at = state::finished;
  log(step_kind::finish, "ends", t.where);
  yield();
}

void explorer::resume(unsigned thread) {
  model_thread& t = threads_[thread];
  running_ = thread;
  const exception_state saved = *exceptions_;
  *exceptions_ = t.exceptions;
#ifdef FENCEPOST_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, t.stack.whole(), t.stack.whole_size());
#endif
  const context::transfer_t back = context::jump_fcontext(t.context, this);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  t.context = back.fctx;
  allocation_hook::in_body = false;
  t.exceptions = *exceptions_;
  *exceptions_ = saved;
  if (t.following && t.at != state::waiting && t.at != state::running && t.at != state::lingering) {
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

void explorer::run_apart(void (*work)(void*), void* argument) {
  job j{this, work, argument};
  const bool in_body = std::exchange(allocation_hook::in_body, false);
  for (;;) {
    const context::transfer_t back = context::jump_fcontext(threads_[running_].engine, &j);
    threads_[running_].engine = back.fctx;
    if (back.data == nullptr) break;
    violation_here();
  }
  allocation_hook::in_body = in_body;
}

void explorer::serve(context::transfer_t from) {
  for (;;) {
    const job& j = *static_cast<const job*>(from.data);
    model_thread& t = j.self->threads_[j.self->running_];
    t.live = static_cast<const char*>(from.fctx);
    constexpr std::ptrdiff_t deeper = 4096;  // calls that have not come to the engine
    if (t.live - t.lowest < deeper)
      t.lowest =
          t.stack.bottom() + std::max<std::ptrdiff_t>(t.live - t.stack.bottom() - 2 * deeper, 0);
    t.is_apart = true;
    j.work(j.argument);
    t.is_apart = false;
    from = context::jump_fcontext(const_cast<char*>(t.live), nullptr);
  }
}

// For a debugger: on the stack of the thread.
void explorer::show_violation() {
  model_thread& t = threads_[running_];
  if (!t.is_apart) {
    violation_here();
    return;
  }
  t.live = static_cast<const char*>(context::jump_fcontext(const_cast<char*>(t.live), this).fctx);
}

// The run is over: this thread never goes on. Nothing is unwound.
void explorer::abandon() {
  ended_ = true;
  for (;;) yield();
}

// ---------------------------------------------------------------------------------------------
// A run.

explorer::ending explorer::run() {
  for (;;) {
    const ending end = run_once();
    if (restart_) restart_exploration();
    if (end != ending::again) return end;
  }
}

void explorer::restart_exploration() {
  exploration_.restart();
  restart_ = false;
  restarted_ = true;
  if (sampler_.on()) sampler_.restart();
  if (options_.on_restart) options_.on_restart();
}

void explorer::restart() {
  restart_ = true;
  abandon();
}

explorer::ending explorer::run_once() {
  ++runs_;
  if (trace_.on()) trace_.clear();
  arena_.begin_run();
  for (unsigned t = 0; t < created_; ++t) {
    threads_[t].at = state::unused;
    threads_[t].position = 0;
  }
  created_ = 0;
  following_ = 0;
  symmetry_.begin_run();
  tape_.begin_run();
  due_.reset();
  silent_ = 0;
  objects_.begin_run();
  outcome_.clear();
  thrown_.reset();
  limit_.clear();
  recorded_.clear();
  found_ = ended_ = dropped_ = postponed_ = false;
  reschedule_ = aside_ = false;
  bound_.begin_run();
  if (sampler_.on()) sampler_.begin_run();
  trace_.set_ended(no_location);
  owner_ = max_threads;
  frames_are_compared_ = !sites_.empty() && !tape_.comparing();
  start(0, [](void* self) { static_cast<explorer*>(self)->body_(); }, this, {});

  while (!ended_) {
    if (following_ > 0) {
      unsigned t = max_threads;
      for (const unsigned candidate : by_priority_)
        if (threads_[candidate].at == state::running && threads_[candidate].following)
          t = candidate;  // the most preferred one last: it goes straight on
      if (t == max_threads) t = next_to_linger();
      drive(t);
      continue;
    }
    if (postponed_) break;
    unsigned t = sampler_.on() ? pick_at_random() : pick();
    if (t == max_threads) t = pick_parked();
    if (t == max_threads) break;
    if (bound_.on() && !trace_.on() && beyond_bound()) [[unlikely]]
      return ending::cut;
    owner_ = t;
    reschedule_ = false;
    resume(t);
  }
  if (restart_) return ending::again;
  if (postponed_) {
    running_ = violation_.thread;
    log(step_kind::violation, violation_.message, violation_.where);
  }
  if (due_ && !found_) {
    running_ = due_->thread;
    violate(due_->kind, due_->message, due_->where);
  }
  if (found_) return ending::violation;
  if (!limit_.empty()) return ending::limit;
  if (dropped_) return ending::blocked;
  for (unsigned t = 0; t < created_; ++t)
    if (threads_[t].at != state::unused && threads_[t].at != state::finished) return stuck();
  join_outcome();
  if (symmetry_.used() != 0 && !outcome_.empty()) {
    // It may tell which of the threads was which: of 0, 1 and 1, 0 only one would come.
    symmetry_.give_up();
    restart_ = true;
    return ending::again;
  }
  if (const std::optional<message> wrong = forbidden_outcome()) {
    running_ = 0;
    violate(violation::assertion, *wrong, threads_[0].where);
    return ending::violation;
  }
  if (options_.check_leaks && arena_.live_blocks() > 0) {
    const arena::block* b = arena_.first_live();
    running_ = b->thread;
    violate(violation::leak,
            message("a block of %zu bytes, allocation %u of thread %u, is never freed", b->size,
                    b->ordinal + 1, b->thread),
            threads_[b->thread].where);
    return ending::violation;
  }
  if (objects_.constructed().empty() && !accesses_any()) {
    running_ = 0;
    violate(violation::misuse,
            "nothing goes through the checker: the body has no atomic, no plain data and no mutex "
            "of checked_atomics. Is the structure a template on the policy, and is checked_atomics "
            "its argument?",
            threads_[0].where);
    return ending::violation;
  }
  return ending::complete;
}

// Whether there is an event that shows something without an object that was constructed: an access
// to a static one, a choice of the front end.
bool explorer::accesses_any() const {
  return std::any_of(graph_.trail().begin(), graph_.trail().end(), [&](const entry& t) {
    const event& e = graph_.at(t.id);
    return e.fields() != 0 || e.kind == event_kind::choose;
  });
}

// What is wrong with the outcome of this run, if anything is.
std::optional<message> explorer::forbidden_outcome() {
  if (outcome_.empty() || options_.outcomes.empty()) return {};
  const auto known = std::find_if(options_.outcomes.begin(), options_.outcomes.end(),
                                  [&](const known_outcome& k) { return k.result == outcome_; });
  if (known == options_.outcomes.end())
    return message("the outcome %s is not among those that the scenario knows", outcome_.c_str());
  if (known->verdict != expect::forbidden) return {};
  return message("the outcome %s is forbidden%s%.*s", outcome_.c_str(),
                 known->description.empty() ? "" : ": ",
                 static_cast<int>(known->description.size()), known->description.data());
}

// Whether a thread that waits may go on.
bool explorer::has_what_it_needs(const model_thread& t) const {
  return t.needs_end ? threads_[thread_of(t.needs)].at == state::finished : replayed(t.needs);
}

// Resumes a thread that follows the graph, and those that it needs, until it is where the graph
// ends for it. A thread that is needed runs on past what is needed; it may then need the first one.
// The stack of who needs whom is as deep as a token is handed over often: it is no recursion.
void explorer::drive(unsigned thread) {
  constexpr unsigned nobody = max_threads;
  driven_.assign(1, {thread, nobody});
  while (!driven_.empty() && !ended_) {
    needing& top = driven_.back();
    model_thread& t = threads_[top.thread];
    if (top.next != nobody) {
      // Everybody, so that the next join finds them finished. One that waited for this thread,
      // which has come further since, may be what the others wait for.
      const unsigned u = top.next++;
      const model_thread& v = threads_[u];
      if (u != top.thread && ((v.at == state::running && v.following) ||
                              (v.at == state::waiting && has_what_it_needs(v)))) {
        top.found_some = true;
        driven_.push_back({u, nobody});
      }
      continue;
    }
    if (t.at == state::running) {
      resume(top.thread);
      continue;
    }
    if (t.at != state::waiting) {
      driven_.pop_back();
      continue;
    }
    unsigned other = thread_of(t.needs);
    if (has_what_it_needs(t)) {
      t.at = state::running;
      continue;
    }
    while (threads_[other].at == state::unused && creators_[other] != 0 &&
           !replayed(creators_[other]))
      other = thread_of(creators_[other]);
    let_go(other);
    const state at = threads_[other].at;
    // Each that is needed has come further than when it was needed before.
    const bool in_a_circle = driven_.size() > graph_.trail().size() + std::size_t{2} * max_threads;
    if ((at != state::running && at != state::waiting) || in_a_circle) {
      running_ = top.thread;
      violate(violation::nondeterminism,
              "a thread did not do what it did when the same execution was run before",
              threads_[other].where);
      return;
    }
    if (t.needs_end && std::exchange(top.found_some, false))
      top.next = 0;
    else
      driven_.push_back({other, nobody});
  }
}

bool explorer::beyond_bound() {
  return bound_.exceeded(created_, [this](unsigned t) {
    const model_thread& m = threads_[t];
    return m.at == state::finished ||
           (m.at == state::frontier && m.wants->kind == event_kind::join);
  });
}

// A thread that may go on. One that is at a waiting loop less often: as long as what it waits for
// has not come, its turn leads nowhere.
unsigned explorer::pick_at_random() {
  constexpr unsigned likely = 8;
  sampler_.read_latest(false);
  std::array<unsigned, max_threads> odds{};
  for (unsigned t = 0; t < created_; ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::parked && m.turns.parked_at != graph_.trail().size()) odds[t] = 1;
    if (m.at == state::frontier && may_go_on(t)) odds[t] = sites_.waits_at(m.where) ? 1 : likely;
  }
  const std::optional<unsigned> picked = sampler_.pick(odds, owner_);
  return picked ? *picked : max_threads;
}

bool explorer::may_go_on(unsigned thread) {
  const model_thread& m = threads_[thread];
  const event& e = *m.wants;
  if (!e.awaits) return runnable(e);
  const auto& mo = graph_.history(e.loc[0]).mo;
  return std::any_of(mo.begin(), mo.end(),
                     [&](event_id w) { return graph_.written(w, e.loc[0]) == e.expected; }) &&
         sampler_.draw_source(thread, e, m.where);
}

// The next event is a function of the graph alone: the first thread, by priority, that can go on.
// A thread that waits for a value is left for last, and then takes part only if some write has it.
unsigned explorer::pick() const {
  for (const unsigned t : by_priority_)
    if (may_go_first(threads_[t])) return t;
  for (const unsigned t : by_priority_) {
    if (threads_[t].at != state::frontier || !threads_[t].wants->awaits) continue;
    const event& e = *threads_[t].wants;
    for (const event_id w : graph_.history(e.loc[0]).mo)
      if (graph_.written(w, e.loc[0]) == e.expected) return t;
  }
  return max_threads;
}

}  // namespace fencepost::verify
