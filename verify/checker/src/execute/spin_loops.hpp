// Loops that wait: finds the turns that are idle, and leaves them out.
//
// A turn is what a thread does between two arrivals at the same read of the source. It is idle if
//
// - the thread's state is the same at both ends, compared byte by byte: its stack, with the return
//   addresses and the saved registers, the stacks of the other threads, and all blocks of memory;
// - its events are reads, fences, and read-modify-writes that wrote what they read; and lock() and
//   unlock() of mutexes which no other thread looks at without waiting.
//
// An execution with an idle turn is one without it, and something that changes nothing: take its
// events out, let the reads of what it wrote read what it has read, and the graph is consistent,
// for there is less that orders anything; the thread continues as before, and no race is gone. So a
// thread is blocked behind an idle turn. That its reads read something else is explored as of any
// read.
//
// What the source says, spin_pause() included, decides nothing. A turn that is not idle is explored
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

// May an event of an idle turn be taken out? Not a store of the value that is there: it has a
// position in modification order, which is chosen later. That of a read-modify-write follows from
// its source.
[[nodiscard]] bool removable(const event&) noexcept;

class spin_loops {
 public:
  // What it looks at, and what it takes back with a turn.
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
  // Called when the running thread's turn is taken back, with the position where it began.
  void on_taken_back(std::function<void(unsigned)> f) { taken_back_ = std::move(f); }
  // Memory may have changed since it was looked at.
  void program_has_run() noexcept { memory_is_ = unknown; }

  // The running thread does something that no idle turn does.
  void end_turn() noexcept { here().clear(); }
  // Its last event is not removable: that, perhaps.
  void note_effect();
  // Has it arrived where a turn may have begun?
  [[nodiscard]] bool in_turn() const noexcept { return loops_[fibers_.running()].used != 0; }

  // It follows the graph: is what is left there the beginning of a turn, perhaps a whole one?
  [[nodiscard]] bool only_reads_follow();
  // Nothing depends on these reads. When they are followed last, nothing changes meanwhile.
  void linger();
  void note_arrival(source_location where) { note(where); }
  // It is about to make a read that is not in the graph. True if it was parked here, and is to make
  // it now; or if it is in the graph now, since the run was dropped and has passed on to the next
  // one, which may happen where `resumed`: the run went on from a resume point, all is well so far.
  bool arrive(const event&, source_location where, bool resumed);
  // It makes this read, which is added to the graph next.
  void note_new_arrival(source_location where);
  // It is to add this event: a load that tries its older sources first, or null.
  [[nodiscard]] dead_ends* to_try(const event&, const source_location& where);
  // Does the running thread's last event try an older source?
  [[nodiscard]] bool tries_older() const noexcept {
    const unsigned self = fibers_.running();
    return here().tried.tries(make_id(self, graph_.thread(self).length()));
  }
  // Lets others go on in the middle of what may be a turn.
  void yield_in_turn();
  // Would it then forget turns, in which it has itself changed memory?
  [[nodiscard]] bool would_forget() const;

  // Accesses to plain data by the running thread.
  void note_plain(location l, bool write, lifetimes::before_access before) {
    if (in_turn()) add_plain(l, write, before);
  }
  // It writes plain data, or ends a lifetime: which threads may it race with?
  void note_meanwhile(location l) {
    if (!sites_.empty()) add_meanwhile(l);
  }
  // Its event reads something that may be a mutex.
  void note_watched(const event&);

  // It begins something before the symmetric thread that ought to come first; this may be taken
  // back with an idle turn.
  void overtakes() noexcept { here().overtakes = true; }
  // It cannot be taken back any more.
  void settle_overtaking() {
    if (here().overtakes) [[unlikely]]
      give_up_symmetry();
  }

  // The thread that lingers is needed, or the last.
  void let_go(unsigned thread) noexcept;
  // One that lingers goes on; none: max_threads.
  unsigned next_to_linger() noexcept;
  // No other thread can go on: a parked thread may take its idle turn, which stays; none:
  // max_threads.
  unsigned next_parked();
  // Parked: is there a new write where its turn reads?
  [[nodiscard]] bool changed(unsigned thread) const;
  // Parked: has anything been added since?
  [[nodiscard]] bool grown_since_parked(unsigned thread) const noexcept {
    return loops_[thread].idle.parked_at != graph_.trail().size();
  }

  // Spinning: its idle turn is what comes after this position.
  [[nodiscard]] unsigned turn_begins(unsigned thread) const noexcept {
    return loops_[thread].idle.begin;
  }
  // Has the event of an idle turn read the latest of everything, but for what idle turns wrote?
  [[nodiscard]] bool read_latest(unsigned thread, unsigned index) const;
  // Why the running thread's last two turns differ; nothing: it is not known.
  [[nodiscard]] std::optional<std::string> difference(const source_location& where) const;

  // A resumed run, where it is dropped, may pass on to what backtracking makes the next one: so
  // many times.
  void may_pass_on(std::uint64_t times) noexcept { may_pass_on_ = times; }
  // The runs that were dropped like that, since this was asked last.
  [[nodiscard]] std::uint64_t take_passed() noexcept { return std::exchange(passed_, 0); }

  // The turns of all threads, of which the running one is about to yield, for resume_points. Each
  // is what a run from the beginning makes of it, which follows its reads: it is never the
  // youngest. What memory holds is looked at again when the thread goes on.
  using saved = std::vector<thread_turns::saved>;  // of each thread
  [[nodiscard]] bool can_save() const;
  [[nodiscard]] std::size_t saved_size() const noexcept;
  void save(saved&) const;
  void put_back(const saved&);  // before the fibers
  // The running thread goes on from there.
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
  [[nodiscard]] bool comes_round(source_location where) const;
  [[nodiscard]] bool may_be_idle(unsigned index) const;
  [[noreturn]] void give_up_symmetry();

  // idle_turns.cpp
  [[nodiscard]] bool is_youngest(const arrival&) const;
  [[nodiscard]] bool is_settled(unsigned begin) const;
  [[nodiscard]] bool leaves_nothing(const arrival&) const;
  [[nodiscard]] bool others_came_between(unsigned begin) const;
  [[nodiscard]] bool is_wait(unsigned begin) const;
  [[nodiscard]] bool read_old(unsigned thread, unsigned index, unsigned field) const;
  [[nodiscard]] bool may_be_whole_turn(const event& load, const source_location& where) const;
  void note_tried(std::size_t begin);
  void leave_out(std::size_t begin, const event&, bool resumed);
  void park(std::size_t begin, const event&);
  bool pass_on(std::size_t begin);
  void take_back(std::size_t begin);
  void go_back(std::size_t begin);

  // left_out_races.cpp
  template <class F>
  void for_each_access(const arrival& from, unsigned position, std::size_t plains, F&&) const;
  [[nodiscard]] bool adds_access(std::size_t begin) const;
  void note_left_out(const arrival&);
  void add_plain(location, bool write, lifetimes::before_access);
  void add_meanwhile(location);
  [[nodiscard]] std::uint64_t threads_meanwhile();

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
  // Of the running thread's copies of memory, one that memory is known to be like.
  static constexpr std::size_t unknown = ~std::size_t{0};
  mutable std::size_t memory_is_ = unknown;
  thread_turns loops_[max_threads];
  // The running thread's, with those that may run meanwhile, a bit each.
  struct since_when {
    std::uint64_t resumed = 0;
    unsigned position = 0;
    friend bool operator==(const since_when&, const since_when&) = default;
  };
  since_when meanwhile_since_;
  std::uint64_t meanwhile_ = 0;
  std::uint64_t may_pass_on_ = 0;
  std::uint64_t passed_ = 0;
};

}  // namespace fencepost::verify
