// The state of the exploration of a program: whether it is to stop, and what its result does not
// cover. What holds for some execution is known in all processes that explore the program, the rest
// only in the process that has met it (kept_sessions::why_over()).
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "execute/shared_page.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::programs {

class exploration_state {
 public:
  void begin() noexcept {
    limit_.clear();
    new_memory_ = {};
    executions_->failed_assumptions.forget();
    executions_->left_threads.forget();
    executions_->compared_addresses.forget();
    executions_->releases.forget();
    stopped_.store(false);
    if (interrupted()) stop();  // checked last, so that no interrupt is lost
  }

  // Makes the current execution the last one.
  void stop() noexcept { stopped_.store(true); }
  [[nodiscard]] const std::atomic<bool>& stopped() const noexcept { return stopped_; }

  // Notes the first reason, other than a fault of the program, for which the result is incomplete.
  void note_limit(std::string why, const source_location& where) {
    if (limit_.empty())
      limit_ = std::move(why) + " (" + where.file + ":" + std::to_string(where.line) + ")";
  }
  [[nodiscard]] const std::string& limit() const noexcept { return limit_; }

  // Notes an access to plain data that no earlier execution has accessed. The exploration stops
  // after this execution.
  void note_new_memory(const source_location& where) noexcept {
    if (new_memory_.line == 0) new_memory_ = where;
    stop();
  }
  // The first such access; its line is 0 if there was none.
  [[nodiscard]] const source_location& new_memory() const noexcept { return new_memory_; }

  // Notes that an assumption of the program did not hold in some execution.
  void note_failed_assumption() noexcept { executions_->failed_assumptions.note(); }
  [[nodiscard]] bool has_failed_assumptions() const noexcept {
    return executions_->failed_assumptions.is_noted();
  }

  // Notes that in some execution the program ended while detached threads were waiting for ever.
  void note_left_threads() noexcept { executions_->left_threads.note(); }
  [[nodiscard]] bool has_left_threads() const noexcept {
    return executions_->left_threads.is_noted();
  }

  // If a program releases blocks and compares addresses of blocks, it makes a difference whether
  // freed addresses come back.
  void note_compared_address() noexcept { executions_->compared_addresses.note(); }
  void note_release() noexcept { executions_->releases.note(); }
  [[nodiscard]] bool depends_on_addresses() const noexcept {
    return executions_->compared_addresses.is_noted() && executions_->releases.is_noted();
  }

  // Notes that this exploration and all later ones are to end. A signal handler may call this.
  static void interrupt_all() noexcept { interrupted_.store(true); }
  [[nodiscard]] static bool interrupted() noexcept { return interrupted_.load(); }

 private:
  // Set by any process, read when the others have ended, which orders the two: relaxed.
  class note_of_all {
   public:
    // Not written again: other processes read the flags beside it.
    void note() noexcept {
      if (!is_noted()) noted_.store(true, std::memory_order_relaxed);
    }
    void forget() noexcept { noted_.store(false, std::memory_order_relaxed); }
    [[nodiscard]] bool is_noted() const noexcept { return noted_.load(std::memory_order_relaxed); }

   private:
    std::atomic<bool> noted_{false};
  };
  struct some_execution {
    note_of_all failed_assumptions, left_threads, compared_addresses, releases;
  };

  static inline std::atomic<bool> interrupted_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);

  std::atomic<bool> stopped_ = false;
  std::string limit_;
  source_location new_memory_;
  verify::shared_page<some_execution> executions_;
};

}  // namespace fencepost::programs
