// How a run ends: of itself, or before its time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "execute/fibers.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_control.hpp"
#include "execute/trace_recorder.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/options.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// What became of a run.
enum class run_end : std::uint8_t {
  complete,
  blocked,
  violation,
  again,  // the exploration is to be restarted, or was
  cut,    // it leads beyond the bound on preemptions
  limit,
};

// Can the other threads go on when this is wrong with one?
constexpr bool halts_one_thread(violation v) noexcept {
  switch (v) {
    case violation::assertion:
    case violation::exception:
    case violation::data_race:
    case violation::use_after_free:
    case violation::double_free:
    case violation::invalid_free:
    case violation::crash: return true;
    default: return false;
  }
}

class run_ending final : public run_control {
 public:
  struct parts {
    fibers& stacks;
    model_threads& threads;
    trace_recorder& trace;
    const options& asked;
  };
  explicit run_ending(const parts& p)
      : fibers_(p.stacks), threads_(p.threads), trace_(p.trace), options_(p.asked) {}

  // Wherever the run begins.
  void begin_run() noexcept {
    state_ = state::going_on;
    due_.reset();
    doubts_.clear();
    limit_.clear();
  }

  // No thread goes on.
  [[nodiscard]] bool is_over() const noexcept { return state_ > state::showing; }
  // A violation was found, and what the other threads have done is still to be shown.
  [[nodiscard]] bool is_showing() const noexcept { return state_ == state::showing; }
  [[nodiscard]] bool is_violated() const noexcept {
    return state_ >= state::showing && state_ <= state::violation;
  }
  [[nodiscard]] bool is_dropped() const noexcept { return state_ == state::dropped; }
  // To be run from the beginning: see leave().
  [[nodiscard]] bool is_left() const noexcept { return state_ == state::left; }
  // The last one that was found, in this run or an earlier one.
  [[nodiscard]] const counterexample& found() const noexcept { return violation_; }
  // What ended the run, and is no fault of the program's; or "".
  [[nodiscard]] const std::string& limit() const noexcept { return limit_; }

  // A violation of the thread: the first one of a run counts.
  void violate(unsigned thread, violation, std::string_view, source_location,
               location ended = no_location);
  // In the place of one that was found.
  void violate_instead(unsigned thread, violation kind, std::string_view text,
                       source_location where) {
    state_ = state::going_on;
    violate(thread, kind, text, where);
  }
  // The first of these counts: the running thread ends the run when it comes to its next event, or
  // to its end. False, and nothing is done: no code under test is running.
  bool report_later(violation, std::string_view, std::string_view file, unsigned line);
  // The same of any thread, and it ends the run when no thread can go on.
  void report_at_end(unsigned thread, violation, std::string_view, source_location,
                     location ended = no_location);
  [[nodiscard]] bool is_due() const noexcept { return due_.has_value(); }
  void report_if_due();
  // No thread can go on. A violation that is due was found; one that was found is shown.
  void finish();

  // Whether anything is wrong is judged when the run is over, and it may be that nothing is. What
  // the other threads do must not be missing then.
  [[nodiscard]] bool is_judged() const noexcept { return options_.judge_run != nullptr; }
  // Of such a run: a use and a life of an object that may be unordered.
  struct doubtful {
    violation kind;  // data_race: with the construction; use_after_free: with the end
    location object;
    unsigned thread;  // which uses or ends it
    source_location where;
    std::string text;
  };
  [[nodiscard]] bool has_doubts() const noexcept { return !doubts_.empty(); }
  // None: nullptr. Of an object's end there is one, whichever thread it is.
  [[nodiscard]] const doubtful* doubt_of(violation, location object,
                                         unsigned thread) const noexcept;

  // A run that goes on from a resume point is to be run from the beginning.
  [[noreturn]] void leave();
  // The exploration is to be restarted when the run is over, because of something that the search
  // depends on: was it learned, or were runs wrong before?
  enum class restart_for : std::uint8_t { nothing, lesson, mistake };
  void restart_later(restart_for why) noexcept {
    if (restart_ != restart_for::mistake) restart_ = why;
  }
  [[nodiscard]] bool wants_restart() const noexcept { return restart_ != restart_for::nothing; }
  [[nodiscard]] restart_for restart_wanted() const noexcept { return restart_; }
  void restarted() noexcept { restart_ = restart_for::nothing; }

  // What the other threads do cannot be shown.
  void show_no_more() noexcept {
    if (is_showing()) state_ = state::shown;
  }
  // A debugger is told where the violation is.
  void show_to_debugger(bool shown) noexcept { shown_to_debugger_ = shown; }

 private:
  enum class state : std::uint8_t {
    going_on,
    showing,  // a violation: the others follow the graph to its end
    shown,    // … and were ended by something else
    violation,
    limit,
    restart,
    dropped,  // what follows is explored elsewhere
    left,
  };

  // run_control
  [[noreturn]] void end_with(violation, std::string_view, source_location, location ended) override;
  bool doubt(violation, std::string_view, source_location, location object) override;
  [[noreturn]] void end_with_restart() override;
  [[noreturn]] void end_with_drop() override;
  [[noreturn]] void end_with_limit(std::string_view, source_location) override;

  [[noreturn]] void abandon(state);
  [[nodiscard]] bool postpones(unsigned thread) const noexcept;

  fibers& fibers_;
  model_threads& threads_;
  trace_recorder& trace_;
  const options& options_;
  state state_ = state::going_on;
  restart_for restart_ = restart_for::nothing;
  bool shown_to_debugger_ = false;
  counterexample violation_;
  std::optional<counterexample> due_;  // that its thread has not come to yet
  location due_ended_ = no_location;   // … see violate()
  std::vector<doubtful> doubts_;
  std::string limit_;
};

}  // namespace fencepost::verify
