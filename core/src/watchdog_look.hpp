// What a watchdog makes of its looks at one thread: pure, so that tests give it any times.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace fencepost {

class watchdog_look {
 public:
  using clock = std::chrono::steady_clock;

  // `number`, odd within a task, was read between the two times. The first task that has had one
  // number for the limit or longer gives the time by which it had begun; the next call, nothing.
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
