// Loops that wait: finds the turns that are idle, and leaves them out.
//
// A turn is what a thread does between two arrivals at the same read of the source. It is idle if
//
// - the thread's state is the same at both ends, compared byte by byte: its stack, with the return
//   addresses and the saved registers, the stacks of the other threads, and all blocks of memory;
// - its events are reads, fences, and read-modify-writes that wrote what they read; lock() and
//   unlock() of mutexes that no other thread reads without waiting for them; and changes of atomic
//   objects that it takes back, and that no other thread has seen in any execution.
//
// An idle turn can be removed from an execution: take its events out, redirect the reads of its
// writes to what it has read, and the graph is consistent, since it orders less; the thread
// continues as before, and no race disappears. So a thread is blocked behind an idle turn. Other
// sources of its reads are explored like those of any read.
//
// How the loop is written plays no part, nor does spin_pause(). A turn that is not idle is explored
// like anything else; if there is no end to them, that is a limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "execute/fibers.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_control.hpp"
#include "execute/snapshots.hpp"
#include "execute/tape.hpp"
#include "execute/thread_turns.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/contention.hpp"
#include "explore/dead_ends.hpp"
#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "explore/priorities.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// True if the event may be removed with an idle turn. A store of the existing value may not: its
// position in modification order is chosen later. That of a read-modify-write follows from its
// source.
[[nodiscard]] bool removable(const event&) noexcept;

class spin_loops {
 public:
  // What it inspects, and what it restores when it takes a turn back.
  struct parts {
    graph& events;
    exploration& search;
    sampler& samples;
    symmetry& symmetric;
    loop_sites& sites;
    contention& contended;
    const priorities& preferred;
    arena& memory;
    lifetimes& objects;
    trace_recorder& trace;
    tape& recording;
    fibers& stacks;
    model_threads& threads;
    run_control& run;
    const options& asked;
  };
  explicit spin_loops(const parts& p)
      : graph_(p.events),
        exploration_(p.search),
        sampler_(p.samples),
        symmetry_(p.symmetric),
        sites_(p.sites),
        contention_(p.contended),
        priorities_(p.preferred),
        arena_(p.memory),
        objects_(p.objects),
        trace_(p.trace),
        tape_(p.recording),
        fibers_(p.stacks),
        threads_(p.threads),
        run_(p.run),
        options_(p.asked),
        snapshots_(p.stacks, p.threads, p.memory) {}

  void begin(unsigned thread) noexcept { loops_[thread].begin_run(); }
  // `f` is called with the position where a turn of the running thread began when it is taken back.
  void on_taken_back(std::function<void(unsigned)> f) { taken_back_ = std::move(f); }
  // Called when memory may have changed since it was compared.
  void program_has_run() noexcept { memory_is_ = unknown; }

  // Called when the running thread does something that no idle turn does.
  void end_turn() noexcept { here().clear(); }
  // Called when its last event is not removable: that ends the turn, unless it locks or unlocks.
  void note_effect();
  // True if it has arrived where a turn may have begun.
  [[nodiscard]] bool in_turn() const noexcept { return loops_[fibers_.running()].used != 0; }

  // True if all events that are left for it to follow may belong to an idle turn.
  [[nodiscard]] bool only_reads_follow();
  // Lets the other threads follow the graph first: nothing depends on the reads that are left, and
  // nothing changes between them when they are followed last.
  void linger();
  void note_arrival(source_location where) { note(where); }
  // Called when it is about to make a read that is not in the graph. True if an idle turn was taken
  // back here and the read is to be made now; or if the read is in the graph now, because the run
  // was dropped and has passed on to the next one. The latter may happen only if `resumed`: the run
  // was resumed, and nothing is wrong so far.
  bool arrive(const event&, source_location where, bool resumed);
  // Called when it makes this read, which is added to the graph next.
  void note_new_arrival(source_location where);
  // Called when it adds this event. Returns null unless that is a load that tries its older sources
  // first.
  [[nodiscard]] dead_ends* to_try(const event&, const source_location& where);
  // True if the running thread's last event tries an older source.
  [[nodiscard]] bool tries_older() const noexcept {
    const unsigned self = fibers_.running();
    return here().tried.tries(make_id(self, graph_.thread(self).length()));
  }
  // True while the running thread makes an idle turn again, beside the graph.
  [[nodiscard]] bool repeats() const noexcept { return here().repeated.has_value(); }
  // Called then, when it makes this event. Returns the event of the turn, with what it has read;
  // null if the turn was made often enough, and the thread now continues. `differs` is called with
  // the event of the turn if this one is another.
  template <class F>
  [[nodiscard]] const event* repeat(const event&, const source_location& where, F&& differs);
  // The event with which the repeated turn continues.
  [[nodiscard]] tape::entry next_repeated() const;
  // Lets other threads run in the middle of what may be a turn.
  void yield_in_turn();
  // True if yielding would make it forget turns, because it has itself changed memory in them.
  [[nodiscard]] bool would_forget() const;

  // Notes an access to plain data by the running thread.
  void note_plain(location l, bool write, lifetimes::before_access before) {
    if (in_turn()) add_plain(l, write, before);
  }
  // Called when it writes plain data or ends a lifetime: notes the threads that may race with that.
  void note_meanwhile(location l) {
    if (!sites_.empty()) add_meanwhile(l);
  }
  // Called when its event reads something that may be a mutex.
  void note_watched(const event&);

  // Called when it overtakes the symmetric thread that ought to come first; this may be taken back
  // with an idle turn.
  void overtakes() noexcept { here().overtakes = true; }
  // Called when that can no longer be taken back.
  void settle_overtaking() {
    if (here().overtakes) [[unlikely]]
      give_up_symmetry();
  }

  // Called at the end of a run. True if the exploration is to restart, because a thread has seen
  // what another one had changed for a moment. `stuck`: no thread can continue. What the blocked
  // ones saw before they came to wait may have led them there, and they may wait to see more.
  [[nodiscard]] bool note_seen(bool stuck = false);

  // Called when threads seem to wait for ever. True if the exploration is to restart without turns
  // that change something for a moment, since such a change may be what another thread waits for.
  [[nodiscard]] bool note_awaited();

  // The thread no longer lingers: it is needed, or is the last one.
  void let_go(unsigned thread) noexcept;
  // Lets a thread that lingers continue, and returns it; max_threads if there is none.
  unsigned next_to_linger() noexcept;
  // Called when no other thread can continue. Returns a parked thread, which may now take its idle
  // turn, and keep it in the graph; max_threads if there is none.
  unsigned next_parked();
  // True if there is a new write where the turn of this parked thread reads.
  [[nodiscard]] bool changed(unsigned thread) const;
  // True if anything was added to the graph since this thread was parked.
  [[nodiscard]] bool grown_since_parked(unsigned thread) const noexcept {
    return loops_[thread].idle.parked_at != graph_.trail().size();
  }

  // The position after which the idle turn of this spinning thread begins.
  [[nodiscard]] unsigned turn_begins(unsigned thread) const noexcept {
    return loops_[thread].idle.begin;
  }
  // True if the event, of an idle turn, read the latest of everything except what idle turns wrote.
  [[nodiscard]] bool read_latest(unsigned thread, unsigned index) const;
  // Says how the running thread's last two turns differ, if that is known.
  [[nodiscard]] std::optional<std::string> difference(const source_location& where) const;

  // A resumed run that would be dropped may pass on, this many times, to the run that backtracking
  // makes the next one.
  void may_pass_on(std::uint64_t times) noexcept { may_pass_on_ = times; }
  // How many runs have passed on since the last call.
  [[nodiscard]] std::uint64_t take_passed() noexcept { return std::exchange(passed_, 0); }

  // The turns of all threads, for resume_points; the running thread is about to yield. They are
  // those of a run from the beginning, which follows their reads: none is the youngest. Memory is
  // copied again when the thread continues.
  using saved = std::vector<thread_turns::saved>;  // of each thread
  [[nodiscard]] bool can_save() const;
  [[nodiscard]] std::size_t saved_size() const noexcept;
  void save(saved&) const;
  void put_back(const saved&);  // before the fibers
  // Called when the running thread continues from there.
  void go_on();

 private:
  [[nodiscard]] thread_turns& here() noexcept { return loops_[fibers_.running()]; }
  [[nodiscard]] const thread_turns& here() const noexcept { return loops_[fibers_.running()]; }
  arrival& note(source_location where);
  void copy_state(snapshot&);
  void copy_memory(std::size_t n);
  void leave_changed();
  void take_in_changes();
  [[nodiscard]] bool is_as_in(std::size_t n) const;
  [[nodiscard]] bool same_state(const snapshot& s) const {
    return snapshots_.same_thread(s) && is_as_in(s.memory);
  }
  [[nodiscard]] bool comes_round(source_location where, bool undo, unsigned times) const;
  [[nodiscard]] bool may_be_idle(unsigned index, bool undo) const;
  [[nodiscard]] bool looks_for_undone() const noexcept;
  [[noreturn]] void give_up_symmetry();

  // idle_turns.cpp
  [[nodiscard]] bool is_youngest(const arrival&) const;
  [[nodiscard]] bool is_settled(unsigned begin) const;
  [[nodiscard]] bool leaves_nothing(const arrival&) const;
  [[nodiscard]] bool comes_after_another(const arrival&) const;
  [[nodiscard]] bool others_came_between(unsigned begin) const;
  [[nodiscard]] bool is_wait(unsigned begin) const;
  [[nodiscard]] bool read_old(unsigned thread, unsigned index, unsigned field) const;
  [[nodiscard]] bool may_be_whole_turn(const event& load, const source_location& where) const;
  void note_tried(std::size_t begin);
  void leave_out(std::size_t begin, const event&, bool resumed, bool repeated);
  void park(std::size_t begin, const event&);
  bool pass_on(std::size_t begin);
  void take_back(std::size_t begin);
  void go_back(std::size_t begin);

  // repeated_turns.cpp
  [[nodiscard]] bool is_newest(const arrival&) const;
  [[nodiscard]] bool begin_to_repeat(const arrival&);
  [[nodiscard]] unsigned repetitions(const source_location& where);
  void end_repeating();

  // left_out_races.cpp
  template <class F>
  void for_each_access(const arrival& from, unsigned position, std::size_t plains, F&&) const;
  [[nodiscard]] bool adds_access(std::size_t begin) const;
  void note_left_out(const arrival&);
  void add_plain(location, bool write, lifetimes::before_access);
  void add_meanwhile(location);
  [[nodiscard]] std::uint64_t threads_meanwhile();

  // seen_changes.cpp
  bool note_undone(const arrival&);
  [[nodiscard]] bool is_in_idle_turn(event_id) const;
  [[nodiscard]] bool may_come_to_nothing(event_id) const;
  [[nodiscard]] bool sees_change(event_id, unsigned field) const;
  [[nodiscard]] bool may_await(unsigned thread, location) const;

  graph& graph_;
  exploration& exploration_;
  sampler& sampler_;
  symmetry& symmetry_;
  loop_sites& sites_;
  contention& contention_;
  const priorities& priorities_;
  arena& arena_;
  lifetimes& objects_;
  trace_recorder& trace_;
  tape& tape_;
  fibers& fibers_;
  model_threads& threads_;
  run_control& run_;
  const options& options_;
  snapshots snapshots_;
  std::function<void(unsigned)> taken_back_;
  // Which of the running thread's copies of memory is known to equal memory.
  static constexpr std::size_t unknown = ~std::size_t{0};
  mutable std::size_t memory_is_ = unknown;
  thread_turns loops_[max_threads];
  // The state of the running thread for which `meanwhile_` is valid: the threads that may run
  // meanwhile, a bit each.
  struct since_when {
    std::uint64_t resumed = 0;
    unsigned position = 0;
    friend bool operator==(const since_when&, const since_when&) = default;
  };
  since_when meanwhile_since_;
  std::vector<std::pair<source_location, std::uint64_t>> idle_at_;  // how often a turn was idle
  std::uint64_t meanwhile_ = 0;
  std::uint64_t may_pass_on_ = 0;
  std::uint64_t passed_ = 0;
};

template <class F>
const event* spin_loops::repeat(const event& e, const source_location& where, F&& differs) {
  repeated_turn& r = *here().repeated;
  const std::size_t i = r.done % r.events.size();
  if (!same_request(e, r.events[i]) || !(where == r.where[i])) differs(next_repeated());
  if (r.left == 0) {
    end_repeating();
    return nullptr;
  }
  if (i == 0) arena_.go_back(fibers_.running(), r.next);
  ++r.done;
  --r.left;
  return &r.events[i];
}

}  // namespace fencepost::verify
