// The word of the sleep protocol: how many workers sleep, how many are idle, and whether there may
// be jobs that an idle worker has not observed.
//
//   bit 63                        32 31            16 15             0
//      +----------------------------+----------------+----------------+
//      |    jobs event counter      |    inactive    |    sleeping    |
//      +----------------------------+----------------+----------------+
//
// inactive: workers that search for work, sleeping ones included. sleeping: those registered as
// blocked. The jobs event counter is odd if a job was posted since a worker last announced that it
// is sleepy, and even otherwise:
//
//      even --- posted() ---> odd --- announced() ---> the next even number
//
// A worker remembers the counter that it read when it announced itself, and sleeps only if the
// counter is unchanged. It occupies the upper bits, where it overflows without touching the rest:
// after 2^32 events it has the same value again. worker_sleep.hpp has the consequences.
//
// A value type: every transition is pure and returns the new word.
// Source: Blitz's AtomicCounters (BLITZ-04 to 16), with the direction of Rayon (BLITZ-12).
#pragma once

#include <cstdint>

namespace fencepost {

struct sleep_counters {
  static constexpr std::uint32_t most_workers = 0xffff;

  // Added to the word to add one worker to a field; subtracted to remove one.
  static constexpr std::uint64_t one_sleeping = 1;
  static constexpr std::uint64_t one_inactive = std::uint64_t{1} << 16;
  static constexpr std::uint64_t one_job_event = std::uint64_t{1} << 32;

  std::uint64_t word = 0;

  constexpr std::uint32_t sleeping() const noexcept { return word & 0xffff; }
  constexpr std::uint32_t inactive() const noexcept { return word >> 16 & 0xffff; }
  constexpr std::uint32_t jobs() const noexcept { return static_cast<std::uint32_t>(word >> 32); }

  // Idle workers that search for work and need no wake-up.
  constexpr std::uint32_t awake_but_idle() const noexcept {
    return inactive() > sleeping() ? inactive() - sleeping() : 0;
  }
  // No job was posted since a worker last announced that it is sleepy.
  constexpr bool sleepy() const noexcept { return (jobs() & 1) == 0; }

  // A job was posted: the counter becomes odd, if it is not.
  constexpr sleep_counters posted() const noexcept {
    return {sleepy() ? word + one_job_event : word};
  }
  // A worker gets sleepy: the counter becomes even, if it is not.
  constexpr sleep_counters announced() const noexcept {
    return {sleepy() ? word : word + one_job_event};
  }
  // One more worker sleeps.
  constexpr sleep_counters one_more_asleep() const noexcept { return {word + one_sleeping}; }

  // How many workers to wake for `jobs` new ones: if the queue was empty, each idle worker that is
  // awake will take one; otherwise those workers have enough to do.
  constexpr std::uint32_t to_wake(std::uint32_t jobs, bool queue_was_empty) const noexcept {
    const std::uint32_t taken = queue_was_empty ? awake_but_idle() : 0;
    const std::uint32_t left = jobs > taken ? jobs - taken : 0;
    return left < sleeping() ? left : sleeping();
  }

  // How many workers to wake, at most `most`, when an idle one leaves: a poster may have counted on
  // it to find more than it takes.
  constexpr std::uint32_t to_wake_in_its_place(std::uint32_t most) const noexcept {
    return most < sleeping() ? most : sleeping();
  }

  friend constexpr bool operator==(sleep_counters, sleep_counters) = default;
};

}  // namespace fencepost
