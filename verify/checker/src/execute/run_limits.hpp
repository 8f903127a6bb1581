// Ends runs that would never end where no event shows it: limits the stack of a thread, steps that
// are no events, and loops that read nothing; and the number of events of a thread. Ends runs that
// are long when the exploration is to end.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

#include "execute/fibers.hpp"
#include "execute/model_threads.hpp"
#include "execute/progress_watch.hpp"
#include "execute/run_control.hpp"
#include "execute/spin_loops.hpp"
#include "execute/supervisor.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class run_limits {
 public:
  struct parts {
    const graph& events;
    const fibers& stacks;
    model_threads& threads;
    const spin_loops& loops;
    progress_watch& progress;
    supervisor& watch;
    run_control& run;
    const options& asked;
  };
  explicit run_limits(const parts& p)
      : graph_(p.events),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        progress_(p.progress),
        supervisor_(p.watch),
        run_(p.run),
        options_(p.asked),
        most_(p.asked.max_events != 0 ? p.asked.max_events : most_at_first) {}

  void begin_run() noexcept { silent_ = 0; }
  // Called when the thread, which is running, reaches an event.
  void count_event(model_thread& t) noexcept {
    progress_.beat();
    silent_ = 0;
    t.pauses = 0;
  }
  // Called for a step that is no event: there is a limit to these as well.
  void count_silent_step(const source_location& where) {
    if (++silent_ >= most_silent) [[unlikely]]
      report_silent(where);
  }
  // Called for spin_pause(). Loops are recognized by what they read; one that reads nothing is
  // found only here.
  void count_pause();
  // Some of the engine's work is done on the stack of the thread, which must have room for it.
  void check_stack() {
    const char here = 0;
    const std::size_t size = fibers_.stack(fibers_.running()).size();
    const std::size_t room = fibers_.room(&here);
    if (room - enough_stack >= size - enough_stack) [[unlikely]]
      report_stack(room, size);
  }
  // Called when the running thread is about to add an event to the graph.
  void check_length() {
    if (graph_.thread(fibers_.running()).length() >= most_) [[unlikely]]
      report_length();
    if (++added_ >= between_looks) [[unlikely]]
      look_at_time();
  }
  // The exploration ends between two runs, once its time is up or it is told to stop. Calls `run`,
  // which may make a single run that takes long: that ends as well, a second later.
  template <class Run>
  auto in_time(Run run) {
    heeds_time_ = true;
    out_of_time_ = false;
    const auto end = run();
    heeds_time_ = false;
    return end;
  }
  // True if the last such run was ended in this way.
  [[nodiscard]] bool is_out_of_time() const noexcept { return out_of_time_; }
  // Called when an execution is complete.
  void note_complete() noexcept {
    if (first_ == 0) [[unlikely]]
      note_first();
  }

 private:
  static constexpr std::uint64_t most_silent = 1'000'000;
  static constexpr std::size_t most_at_first = 50'000;  // events of a thread
  static constexpr std::size_t growth = 2'000;
  static constexpr std::size_t enough_stack = std::size_t{24} << 10U;
  static constexpr unsigned between_looks = 4096;  // events that are added

  using steady = std::chrono::steady_clock;

  [[noreturn]] void report_silent(source_location);
  [[noreturn]] void report_stack(std::size_t room, std::size_t size);
  [[noreturn]] void report_length();
  void look_at_time();
  [[noreturn]] void end_for(const char* limit);
  void note_first() noexcept;

  const graph& graph_;
  const fibers& fibers_;
  model_threads& threads_;
  const spin_loops& loops_;
  progress_watch& progress_;
  supervisor& supervisor_;
  run_control& run_;
  const options& options_;
  std::uint64_t silent_ = 0;  // steps since the last event
  std::size_t most_;          // events of a thread
  std::size_t first_ = 0;     // events of the longest thread of the first complete execution
  unsigned added_ = 0;        // events since the last look at the time
  bool heeds_time_ = false;
  bool out_of_time_ = false;
  const steady::time_point begin_ = steady::now();
  std::optional<steady::time_point> told_to_stop_;  // when that was first noticed
};

}  // namespace fencepost::verify
