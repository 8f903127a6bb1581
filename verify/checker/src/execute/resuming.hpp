// Decides whether runs continue from a resume point, and detects what shows that they may not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "execute/foreign_memory.hpp"
#include "execute/resume_points.hpp"
#include "execute/run_ending.hpp"
#include "execute/tape.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/loop_sites.hpp"
#include "explore/preemption_bound.hpp"
#include "explore/sampler.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class resuming {
 public:
  struct parts {
    resume_points& points;
    const tape& recording;
    const trace_recorder& trace;
    const sampler& samples;
    const preemption_bound& bound;
    const loop_sites& sites;
    run_ending& ending;
    const options& asked;
  };
  // `own`: memory of the checker on the stack that is watched, which is left out.
  resuming(const parts& p, foreign_memory::range own)
      : points_(p.points),
        tape_(p.recording),
        trace_(p.trace),
        sampler_(p.samples),
        bound_(p.bound),
        sites_(p.sites),
        ending_(p.ending),
        asked_for_(p.asked.resume_points.value_or(false)),
        own_(own) {}

  // From this frame up, the stack is that of the caller of check().
  void begin(const void* frame) noexcept { caller_ = frame; }
  // All runs are from the beginning, from now on: no mistake of a resumed run then restarts the
  // exploration, of which the caller has skipped a part.
  void forbid() noexcept { asked_for_ = false; }
  // While it exists, all runs begin at the beginning: those that lead to a place in the search
  // tree, and those of a probe.
  class pause {
   public:
    explicit pause(resuming& r) noexcept : paused_(r.paused_) { paused_ = true; }
    ~pause() { paused_ = false; }
    pause(const pause&) = delete;
    pause& operator=(const pause&) = delete;

   private:
    bool& paused_;
  };

  // Whether runs keep resume points and are resumed: not, for instance, those that are recorded,
  // compared or shown.
  [[nodiscard]] bool keeps_points() const noexcept;
  [[nodiscard]] bool has_points() const noexcept { return points_.any(); }

  // Called when a run begins. True if the program was restored to where the run first differs from
  // the last one, or before.
  [[nodiscard]] bool go_on();
  void begin_at_the_beginning() noexcept { resumed_ = false; }
  // True if the run was resumed.
  [[nodiscard]] bool resumed() const noexcept { return resumed_; }
  void forget_points() noexcept { points_.clear(); }

  // The running thread is about to yield for a resume point; keep_point() is called once it has.
  void want_point_at(std::size_t trail_index) noexcept { point_at_ = trail_index; }
  [[nodiscard]] bool is_point_wanted() const noexcept { return point_at_.has_value(); }
  void keep_point(unsigned thread);

  // The first is called at the beginning of a run, the second at each new choice and at the end.
  void watch_foreign_memory();
  void look_at_foreign_memory();

  // From now on, all runs begin at the beginning.
  void give_up(const char* why);
  // Why; "" if resuming was not given up.
  [[nodiscard]] const std::string& given_up() const noexcept { return from_beginning_; }

 private:
  resume_points& points_;
  const tape& tape_;
  const trace_recorder& trace_;
  const sampler& sampler_;
  const preemption_bound& bound_;
  const loop_sites& sites_;
  run_ending& ending_;
  bool asked_for_;
  bool paused_ = false;
  bool resumed_ = false;
  std::optional<std::size_t> point_at_;
  std::uint64_t keeping_ = 0;  // how many runs kept resume points
  foreign_memory foreign_;
  const foreign_memory::range own_;
  const void* caller_ = nullptr;
  std::string from_beginning_;
};

}  // namespace fencepost::verify
