// The threads of the program in one run, and how far each has come.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

struct model_thread {
  enum class state : std::uint8_t {
    unused,     // not created in this run
    running,    // following the graph: may be resumed
    waiting,    // following the graph, for an event of another thread
    lingering,  // following the graph, with only reads left to follow: to go last
    frontier,   // wants to add an event
    parked,     // likewise, but its next turn is idle unless something changes
    spinning,   // blocked behind an idle turn of a waiting loop
    blocked,    // blocked: has read a value with which it must not continue
    gave_up,    // blocked: the execution does not count
    finished,
  };

  state at = state::unused;
  bool following = false;    // not yet where the graph ends for it
  bool needs_end = false;    // waiting: for the end of the thread of `needs`
  unsigned position = 0;     // events executed in this run
  unsigned constructed = 0;  // locations constructed
  unsigned pauses = 0;       // since its last event
  unsigned last_lock = 0;    // the last event by which it took a mutex in a turn of a loop
  event_id needs = 0;        // waiting: for this event
  const event* wants = nullptr;
  source_location where;  // of the last thing it did
  void (*entry)(void*) = nullptr;
  void* argument = nullptr;
};

class model_threads {
 public:
  using state = model_thread::state;

  explicit model_threads(const graph& g) noexcept : graph_(g) {}

  [[nodiscard]] model_thread& operator[](unsigned thread) noexcept { return all_[thread]; }
  [[nodiscard]] const model_thread& operator[](unsigned thread) const noexcept {
    return all_[thread];
  }
  // All threads of this run have numbers below this.
  [[nodiscard]] unsigned created() const noexcept { return created_; }
  // How many threads follow the graph.
  [[nodiscard]] unsigned following() const noexcept { return following_; }
  // The event that creates the thread.
  [[nodiscard]] event_id creator(unsigned thread) const noexcept { return creators_[thread]; }
  void set_creator(unsigned thread, event_id e) noexcept { creators_[thread] = e; }

  void begin_run() noexcept {
    for (unsigned t = 0; t < created_; ++t) {
      all_[t].at = state::unused;
      all_[t].position = 0;
    }
    created_ = following_ = 0;
  }
  void begin(unsigned thread, void (*entry)(void*), void* argument,
             const source_location& where) noexcept {
    model_thread& t = all_[thread];
    t.at = state::running;
    t.following = true;
    ++following_;
    t.position = t.constructed = t.pauses = t.last_lock = 0;
    t.wants = nullptr;
    t.entry = entry;
    t.argument = argument;
    t.where = where;
    if (thread >= created_) created_ = thread + 1;
  }
  // The thread has reached the end of its part of the graph.
  void stop_following(unsigned thread) noexcept {
    if (!all_[thread].following) return;
    all_[thread].following = false;
    --following_;
  }
  // The same if that is where the thread has yielded.
  void has_yielded(unsigned thread) noexcept {
    const state at = all_[thread].at;
    if (at != state::waiting && at != state::running && at != state::lingering)
      stop_following(thread);
  }

  // The threads of a run, as they are now.
  struct saved {
    std::vector<model_thread> all;
    std::vector<event_id> creators;
  };
  void save(saved& s) const {
    s.all.assign(all_, all_ + created_);
    s.creators.assign(creators_, creators_ + created_);
  }
  // None of the threads follows the graph then.
  void put_back(const saved& s) noexcept {
    for (std::size_t t = s.all.size(); t < created_; ++t) all_[t] = {};
    std::copy(s.all.begin(), s.all.end(), all_);
    std::copy(s.creators.begin(), s.creators.end(), creators_);
    created_ = static_cast<unsigned>(s.all.size());
    following_ = 0;
  }
  // Makes a thread that is restored follow the graph.
  void follow_again(unsigned thread) noexcept {
    all_[thread].at = state::running;
    all_[thread].following = true;
    ++following_;
  }

  // True if the event has happened in this run.
  [[nodiscard]] bool replayed(event_id id) const noexcept {
    return all_[thread_of(id)].position >= index_of(id);
  }
  // `threads`: a bit each.
  [[nodiscard]] bool all_finished(std::uint64_t threads) const noexcept {
    for (; threads != 0; threads &= threads - 1)
      if (all_[std::countr_zero(threads)].at != state::finished) return false;
    return true;
  }
  // True if what a waiting thread waits for has happened.
  [[nodiscard]] bool has_what_it_needs(const model_thread& t) const noexcept {
    return t.needs_end ? all_[thread_of(t.needs)].at == state::finished : replayed(t.needs);
  }
  // True if the event could be added now.
  [[nodiscard]] bool runnable(const event& e) const noexcept {
    if (e.kind == event_kind::join) return all_finished(e.partners);
    if (!e.awaits) return true;
    return graph_.written(graph_.history(e.loc[0]).mo.back(), e.loc[0]) == e.expected;
  }
  [[nodiscard]] unsigned number_used() const noexcept {
    unsigned n = 0;
    for (unsigned t = 0; t < created_; ++t)
      if (all_[t].at != state::unused) ++n;
    return n;
  }

 private:
  const graph& graph_;
  model_thread all_[max_threads];
  unsigned created_ = 0;
  unsigned following_ = 0;
  event_id creators_[max_threads] = {};
};

}  // namespace fencepost::verify
