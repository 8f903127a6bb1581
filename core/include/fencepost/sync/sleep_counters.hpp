// The word of the sleep protocol: how many workers sleep, how many are idle, and whether there may
// be jobs that an idle worker has not seen.
//
//   bit 63                        32 31            16 15             0
//      +----------------------------+----------------+----------------+
//      |    jobs event counter      |    inactive    |    sleeping    |
//      +----------------------------+----------------+----------------+
//
// inactive: workers that look for work, those that sleep included. sleeping: those that are
// registered as blocked. The jobs event counter is odd when a job was posted since a worker last
// announced that it gets sleepy, and even otherwise:
//
//      even --- posted() ---> odd --- announced() ---> the next even number
//
// A worker keeps the counter that it saw when it announced itself, and sleeps only if the counter
// still is the same. It stands in the upper bits, where it wraps around without touching the rest:
// after 2^32 events it has the same value again. worker_sleep.hpp says what that means.
//
// A value type: every transition is pure and returns the new word.
// Source: Blitz's AtomicCounters (BLITZ-04 to 16), with the direction of Rayon (BLITZ-12).
#pragma once

#include <cstdint>

namespace fencepost {

struct sleep_counters {
  static constexpr std::uint32_t most_workers = 0xffff;

  // What is added to the word to add one worker to a field; subtracted, to take one off.
  static constexpr std::uint64_t one_sleeping = 1;
  static constexpr std::uint64_t one_inactive = std::uint64_t{1} << 16;
  static constexpr std::uint64_t one_job_event = std::uint64_t{1} << 32;

  std::uint64_t word = 0;

  constexpr std::uint32_t sleeping() const noexcept { return word & 0xffff; }
  constexpr std::uint32_t inactive() const noexcept { return word >> 16 & 0xffff; }
  constexpr std::uint32_t jobs() const noexcept { return static_cast<std::uint32_t>(word >> 32); }

  // Idle workers that look for work and need no waking.
  constexpr std::uint32_t awake_but_idle() const noexcept {
    return inactive() > sleeping() ? inactive() - sleeping() : 0;
  }
  // No job was posted since a worker last announced that it gets sleepy.
  constexpr bool sleepy() const noexcept { return (jobs() & 1) == 0; }

  // A job was posted: the counter is odd, as it may have been before.
  constexpr sleep_counters posted() const noexcept {
    return {sleepy() ? word + one_job_event : word};
  }
  // A worker gets sleepy: the counter is even, as it may have been before.
  constexpr sleep_counters announced() const noexcept {
    return {sleepy() ? word : word + one_job_event};
  }
  // One more worker sleeps.
  constexpr sleep_counters one_more_asleep() const noexcept { return {word + one_sleeping}; }

  // How many workers to wake for `jobs` new ones: if the queue was empty, idle workers that are
  // awake will take as many; if it was not, they have enough to do.
  constexpr std::uint32_t to_wake(std::uint32_t jobs, bool queue_was_empty) const noexcept {
    const std::uint32_t taken = queue_was_empty ? awake_but_idle() : 0;
    const std::uint32_t left = jobs > taken ? jobs - taken : 0;
    return left < sleeping() ? left : sleeping();
  }

  // How many workers to wake, at most `most`, when an idle one leaves: someone may have counted on
  // it to find more than it takes.
  constexpr std::uint32_t to_wake_in_its_place(std::uint32_t most) const noexcept {
    return most < sleeping() ? most : sleeping();
  }

  friend constexpr bool operator==(sleep_counters, sleep_counters) = default;
};

}  // namespace fencepost
