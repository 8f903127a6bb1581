// How a watchdog judges its successive looks at one thread. It reads no clock, so that tests can
// pass any times.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace fencepost {

class watchdog_look {
 public:
  using clock = std::chrono::steady_clock;

  // `number`, which is odd during a task, was read between `before` and `after`. If it is that of a
  // task, and has been the same for `limit` or longer, returns the time by which the task had
  // begun: once for each task.
  std::optional<clock::time_point> operator()(std::uint64_t number, clock::time_point before,
                                              clock::time_point after, clock::duration limit) {
    if (number != number_) {
      number_ = number;
      since_ = after;
      told_ = false;
      return std::nullopt;
    }
    if (number % 2 == 0 || told_ || before - since_ < limit) return std::nullopt;
    told_ = true;
    return since_;
  }

 private:
  std::uint64_t number_ = 0;
  clock::time_point since_{};
  bool told_ = false;
};

}  // namespace fencepost
