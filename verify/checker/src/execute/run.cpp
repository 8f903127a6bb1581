// One execution: the program runs along the graph, then adds to it.

#include <algorithm>
#include <cstring>
#include <utility>

#include "execute/explorer.hpp"
#include "execute/liveness.hpp"

namespace fencepost::verify {

thread_local engine* engine::current_ = nullptr;

[[gnu::noinline]] void engine::clear_below() noexcept {
  char frames[512];
  std::memset(frames, 0, sizeof frames);
  asm volatile("" : : "r"(frames) : "memory");  // not a dead store
}

run_end explorer::run() {
  for (;;) {
    const run_end end = run_or_learn();
    if (end != run_end::again) return end;
    contention_.begin();
  }
}

// run_end::again: the exploration has begun from the beginning.
run_end explorer::run_or_learn() {
  const run_end end = run_once();
  if (ending_.restart_wanted() != run_ending::restart_for::nothing) restart_exploration();
  return end;
}

void explorer::restart_exploration() {
  resuming_.forget_points();
  if (!sampler_.on() && ending_.restart_wanted() == run_ending::restart_for::lesson)
    lessons_.push_back({without_zeros(exploration_.path()), contention_.found()});
  exploration_.restart();
  ending_.restarted();
  restarted_ = true;
  if (sampler_.on()) sampler_.restart();
  if (options_.on_restart) options_.on_restart();
}

void explorer::begin_run() {
  ++runs_;
  if (trace_.on()) trace_.clear();
  arena_.begin_run();
  threads_.begin_run();
  symmetry_.begin_run();
  tape_.begin_run();
  objects_.begin_run();
  wait_lists_.begin_run();
  outcomes_.begin_run();
  bound_.begin_run();
  if (sampler_.on()) sampler_.begin_run();
  trace_.set_ended(no_location);
  begin_to_go_on();
}

// Of every run, wherever it begins.
void explorer::begin_to_go_on() {
  ending_.begin_run();
  limits_.begin_run();
  thread_runner_.begin_run();
  frames_are_compared_ = thread_runner_.frames_are_compared();
  histories_.begin_run();
  scheduler_.begin_run();
}

run_end explorer::run_once() {
  const extent before{graph_.trail().size(), exploration_.choices()};
  if (!resuming_.go_on()) return run_from_the_body();
  ++runs_;
  begin_to_go_on();
  resuming_.watch_foreign_memory();
  const run_end end = run_on();
  if (!ending_.is_left()) return end;
  graph_.cut(before.trail);
  exploration_.discard_choices(before.choices);
  resuming_.begin_at_the_beginning();
  return run_from_the_body();
}

run_end explorer::run_from_the_body() {
  resuming_.watch_foreign_memory();
  begin_run();
  thread_runner_.start(0, [](void* self) { static_cast<explorer*>(self)->body_(); }, this, {});
  return run_on();
}

run_end explorer::run_on() {
  while (!ending_.is_over()) {
    if (threads_.following() > 0) {
      follow_graph();
      continue;
    }
    if (ending_.is_showing()) break;
    const unsigned t = scheduler_.next();
    if (t == scheduler::nobody) break;
    if (bound_.on() && !trace_.on() && beyond_bound()) [[unlikely]]
      return run_end::cut;
    scheduler_.begin_turn(t);
    thread_runner_.resume(t);
  }
  if (ending_.is_left()) return run_end::again;
  return end_of_run();
}

// Until a thread that follows the graph is where the graph ends for it.
void explorer::follow_graph() {
  scheduler_.begin_to_follow();
  while (!ending_.is_over()) {
    const scheduler::step next = scheduler_.next_needed();
    switch (next.what) {
      case scheduler::step::kind::resume: thread_runner_.resume(next.thread); break;
      case scheduler::step::kind::done: return;
      case scheduler::step::kind::diverged:
        ending_.violate(next.thread, violation::nondeterminism,
                        "a thread did not do what it did when the same execution was run before",
                        threads_[next.other].where);
        return;
    }
  }
}

run_end explorer::end_of_run() {
  resuming_.look_at_foreign_memory();
  if (ending_.restart_wanted() != run_ending::restart_for::nothing) return run_end::again;
  ending_.finish();
  if (ending_.is_violated()) return run_end::violation;
  if (!ending_.limit().empty()) return run_end::limit;
  if (ending_.is_dropped()) return run_end::blocked;
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (threads_[t].at != model_thread::state::unused &&
        threads_[t].at != model_thread::state::finished)
      return stuck();
  outcomes_.join();
  if (symmetry_.used() != 0 && !outcomes_.text().empty()) {
    // It may tell which of the threads was which: of 0, 1 and 1, 0 only one would come.
    symmetry_.give_up();
    ending_.restart_later(run_ending::restart_for::lesson);
    return run_end::again;
  }
  if (const std::optional<message> wrong = forbidden_outcome()) {
    ending_.violate(0, violation::assertion, *wrong, threads_[0].where);
    return run_end::violation;
  }
  if (options_.check_leaks && arena_.live_blocks() > 0) {
    const arena::block* b = arena_.first_live();
    ending_.violate(b->thread, violation::leak,
                    message("a block of %zu bytes, allocation %u of thread %u, is never freed",
                            b->size, b->ordinal + 1, b->thread),
                    threads_[b->thread].where);
    return run_end::violation;
  }
  if (objects_.constructed().empty() && !accesses_any()) {
    ending_.violate(
        0, violation::misuse,
        "nothing goes through the checker: the body has no atomic, no plain data and no mutex "
        "of checked_atomics. Is the structure a template on the policy, and is checked_atomics "
        "its argument?",
        threads_[0].where);
    return run_end::violation;
  }
  return run_end::complete;
}

run_end explorer::stuck() {
  const std::optional<endless_wait> w = waits_forever(graph_, threads_, loops_, options_);
  if (!w) return run_end::blocked;
  ending_.violate(w->thread, violation::liveness,
                  message("thread %u waits forever: %s", w->thread, w->reason),
                  threads_[w->thread].where);
  return run_end::violation;
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
  const std::string& outcome = outcomes_.text();
  if (outcome.empty() || options_.outcomes.empty()) return {};
  const auto known = std::find_if(options_.outcomes.begin(), options_.outcomes.end(),
                                  [&](const known_outcome& k) { return k.result == outcome; });
  if (known == options_.outcomes.end())
    return message("the outcome %s is not among those that the scenario knows", outcome.c_str());
  if (known->verdict != expect::forbidden) return {};
  return message("the outcome %s is forbidden%s%.*s", outcome.c_str(),
                 known->description.empty() ? "" : ": ",
                 static_cast<int>(known->description.size()), known->description.data());
}

bool explorer::beyond_bound() {
  return bound_.exceeded(threads_.created(), [this](unsigned t) {
    const model_thread& m = threads_[t];
    return m.at == model_thread::state::finished ||
           (m.at == model_thread::state::frontier && m.wants->kind == event_kind::join);
  });
}

}  // namespace fencepost::verify
