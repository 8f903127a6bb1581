// How far the exploration of a program may go: whether it is to stop, and what its result cannot
// say.
#pragma once

#include <atomic>
#include <string>
#include <utility>

#include "fencepost/source_location.hpp"

namespace fencepost::programs {

class exploration_state {
 public:
  void begin() noexcept {
    limit_.clear();
    new_memory_ = {};
    has_failed_assumptions_ = false;
    has_left_threads_ = false;
    compares_addresses_ = false;
    releases_ = false;
    stopped_.store(false);
    if (interrupted()) stop();  // asked last: an interrupt in between is not lost
  }

  // The execution under way is the last one.
  void stop() noexcept { stopped_.store(true); }
  [[nodiscard]] const std::atomic<bool>& stopped() const noexcept { return stopped_; }

  // The first thing that was not the program's fault, and made the result incomplete.
  void note_limit(std::string why, const source_location& where) {
    if (limit_.empty())
      limit_ = std::move(why) + " (" + where.file + ":" + std::to_string(where.line) + ")";
  }
  [[nodiscard]] const std::string& limit() const noexcept { return limit_; }

  // Plain data that no execution before has accessed. The execution under way is the last one.
  void note_new_memory(const source_location& where) noexcept {
    if (new_memory_.line == 0) new_memory_ = where;
    stop();
  }
  // The first of it; line 0: there was none.
  [[nodiscard]] const source_location& new_memory() const noexcept { return new_memory_; }

  // Something that the program assumes did not hold in some execution.
  void note_failed_assumption() noexcept { has_failed_assumptions_ = true; }
  [[nodiscard]] bool has_failed_assumptions() const noexcept { return has_failed_assumptions_; }

  // The program has ended while threads waited for what never came, in some execution.
  void note_left_threads() noexcept { has_left_threads_ = true; }
  [[nodiscard]] bool has_left_threads() const noexcept { return has_left_threads_; }

  // Where blocks are released and the addresses of blocks are compared, it makes a difference
  // whether freed addresses come back.
  void note_compared_address() noexcept { compares_addresses_ = true; }
  void note_release() noexcept { releases_ = true; }
  [[nodiscard]] bool depends_on_addresses() const noexcept {
    return compares_addresses_ && releases_;
  }

  // Of this exploration, and of those to come. A signal handler may call this.
  static void interrupt_all() noexcept { interrupted_.store(true); }
  [[nodiscard]] static bool interrupted() noexcept { return interrupted_.load(); }

 private:
  static inline std::atomic<bool> interrupted_ = false;
  static_assert(std::atomic<bool>::is_always_lock_free);

  std::atomic<bool> stopped_ = false;
  std::string limit_;
  source_location new_memory_;
  bool has_failed_assumptions_ = false;
  bool has_left_threads_ = false;
  bool compares_addresses_ = false;
  bool releases_ = false;
};

}  // namespace fencepost::programs
