// How a run ends: by itself, or prematurely.
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

// How a run ended.
enum class run_end : std::uint8_t {
  complete,
  blocked,
  violation,
  again,  // the exploration is to be restarted, or was
  cut,    // it leads beyond the bound on preemptions
  limit,
};

// True if the other threads can continue after this violation of one thread.
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

  // Called whether the run starts from the body or from a resume point.
  void begin_run() noexcept {
    state_ = state::going_on;
    due_.reset();
    doubts_.clear();
    limit_.clear();
  }

  // True if no thread continues.
  [[nodiscard]] bool is_over() const noexcept { return state_ > state::showing; }
  // True if a violation was found, and what the other threads have done is still to be shown.
  [[nodiscard]] bool is_showing() const noexcept { return state_ == state::showing; }
  [[nodiscard]] bool is_violated() const noexcept {
    return state_ >= state::showing && state_ <= state::violation;
  }
  [[nodiscard]] bool is_dropped() const noexcept { return state_ == state::dropped; }
  // True if the run is to be made again from the beginning: see leave().
  [[nodiscard]] bool is_left() const noexcept { return state_ == state::left; }
  // The last violation that was found, in this run or an earlier one.
  [[nodiscard]] const counterexample& found() const noexcept { return violation_; }
  // The limit that ended the run, which is no fault of the program's; or "".
  [[nodiscard]] const std::string& limit() const noexcept { return limit_; }

  // Reports a violation of the thread: the first one of a run counts.
  void violate(unsigned thread, violation, std::string_view, source_location,
               location ended = no_location);
  // The same, in place of a violation that was found.
  void violate_instead(unsigned thread, violation kind, std::string_view text,
                       source_location where) {
    state_ = state::going_on;
    violate(thread, kind, text, where);
  }
  // The running thread ends the run with this violation at its next event, or at its end; the first
  // of these counts. Returns false, and does nothing, if no code under test is running.
  bool report_later(violation, std::string_view, std::string_view file, unsigned line);
  // The same for any thread of a run that is judged: that ends when no thread can continue.
  void report_at_end(unsigned thread, violation, std::string_view, source_location,
                     location ended = no_location);
  [[nodiscard]] bool is_due() const noexcept { return due_.has_value(); }
  void report_if_due();
  // Called when no thread can continue. Adds a violation that was postponed to the trace, and
  // reports one that is due.
  void finish();

  // True if options::judge_run decides, when the run is over, whether anything is wrong. If nothing
  // is, what the other threads do must not be missing.
  [[nodiscard]] bool is_judged() const noexcept { return options_.judge_run != nullptr; }
  // In a run that is judged: a use of an object that may be unordered with its construction or end.
  struct doubtful {
    violation kind;  // data_race: with the construction; use_after_free: with the end
    location object;
    unsigned thread;  // the one that uses or ends it
    source_location where;
    std::string text;
  };
  [[nodiscard]] bool has_doubts() const noexcept { return !doubts_.empty(); }
  // Returns nullptr if there is none. For an object's end there is at most one, of whatever thread.
  [[nodiscard]] const doubtful* doubt_of(violation, location object,
                                         unsigned thread) const noexcept;

  // Abandons the run, which is to be made again from the beginning.
  [[noreturn]] void leave();
  // Why the exploration is to be restarted when the run is over: something that the search depends
  // on was learned, or earlier runs were wrong.
  enum class restart_for : std::uint8_t { nothing, lesson, mistake };
  void restart_later(restart_for why) noexcept {
    if (restart_ != restart_for::mistake) restart_ = why;
  }
  [[nodiscard]] bool wants_restart() const noexcept { return restart_ != restart_for::nothing; }
  [[nodiscard]] restart_for restart_wanted() const noexcept { return restart_; }
  void restarted() noexcept { restart_ = restart_for::nothing; }

  // Called if what the other threads do cannot be shown.
  void show_no_more() noexcept {
    if (is_showing()) state_ = state::shown;
  }
  // Whether a debugger is told where the violation is.
  void show_to_debugger(bool shown) noexcept { shown_to_debugger_ = shown; }

 private:
  enum class state : std::uint8_t {
    going_on,
    showing,  // a violation: the other threads follow the graph to its end
    shown,    // the same, but something else has ended them
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
  std::optional<counterexample> due_;  // see report_later()
  location due_ended_ = no_location;   // its argument of violate()
  std::vector<doubtful> doubts_;
  std::string limit_;
};

}  // namespace fencepost::verify
