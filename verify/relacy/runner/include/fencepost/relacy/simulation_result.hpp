// The options and the result of a simulation. Without Relacy, so that code that shows results does
// not need it.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "fencepost/scenario/scenario.hpp"

namespace fencepost::relacy {

// random: draws the next thread, and values among those that Relacy's model allows. bound: makes
// every choice, with at most so many switches away from a thread that could continue. full: makes
// every choice. With bound and full, a load observes a value that is at most one store old, with
// random one that is at most two stores old.
enum class scheduler : std::uint8_t { random, bound, full };

enum class verdict : std::uint8_t {
  holds,     // nothing was wrong in that many iterations
  complete,  // ... in all iterations that the scheduler has
  violated,
  skipped,  // it has something that Relacy cannot express
  broken,   // the simulation crashed or hung, which says nothing about the scenario
};

constexpr std::string_view to_string(scheduler s) noexcept {
  switch (s) {
    case scheduler::random: return "random";
    case scheduler::bound: return "bound";
    case scheduler::full: return "full";
  }
  return "?";
}

constexpr std::string_view to_string(verdict v) noexcept {
  switch (v) {
    case verdict::holds: return "holds";
    case verdict::complete: return "holds, all";
    case verdict::violated: return "violated";
    case verdict::skipped: return "skipped";
    case verdict::broken: return "broken";
  }
  return "?";
}

struct options {
  relacy::scheduler scheduler = scheduler::random;
  std::uint64_t iterations = 100'000;              // at most
  std::chrono::milliseconds timeout{0};            // 0: no limit
  unsigned context_bound = 2;                      // of scheduler::bound
  std::atomic<std::uint64_t>* progress = nullptr;  // how many iterations are done
};

struct result {
  relacy::verdict verdict = verdict::holds;
  std::uint64_t iterations = 0;  // up to the violation
  bool cut_short = false;        // by the time limit
  double seconds = 0;            // without showing the history
  fencepost::violation kind = fencepost::violation::none;
  std::string message;  // of the violation, why it was skipped or how it broke
  std::string history;  // Relacy's own, of a violation
};

}  // namespace fencepost::relacy
