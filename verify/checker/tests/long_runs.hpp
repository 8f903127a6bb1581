// An exploration that is to end does not wait for the end of a run that takes long. For the tests
// of that, and of the faults planted there.
#pragma once

#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <ctime>
#include <string>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::verify::testing {

// Has more events than are added between two looks at the clock, and takes more than a second for
// these. Sleeps by a system call, since the checker reports a body that calls a function for it.
inline void take_long(checked_atomics::atomic<int>& x, int events = 20'000) {
  constexpr timespec some_time{0, 5'000'000};
  for (int i = 0; i < events; ++i) {
    x.store(1, std::memory_order_relaxed);
    if (i % 16 == 0) ::syscall(SYS_nanosleep, &some_time, nullptr);
  }
}

inline std::string wrong_end_of_a_long_run(const result& r, const char* limit) {
  if (r.limit != limit) return "a long run ends otherwise: " + to_text(r);
  if (r.events >= 20'000) return "a long run goes on";
  if (!r.from_beginning.empty()) return "a long run is made again from the beginning";
  return "";
}

inline std::string wrong_long_run_out_of_time() {
  options o;
  o.timeout = std::chrono::milliseconds(1);
  const result r = check(o, [] {
    checked_atomics::atomic<int> x{0};
    take_long(x);
  });
  return wrong_end_of_a_long_run(r, "timeout");
}

// The last run, from a resume point, is the long one. The first few always begin at the beginning.
inline std::string wrong_long_resumed_run() {
  options o;
  o.timeout = std::chrono::milliseconds(500);
  o.resume_points = true;
  o.max_events = 50'000;  // otherwise it depends on the first run
  const result r = check(o, [] {
    checked_atomics::atomic<int> x{0}, y{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        for (int i = 1; i <= 100; ++i) y.store(i, std::memory_order_relaxed);
      } else if (y.load(std::memory_order_relaxed) == 0) {
        take_long(x);
      }
    });
  });
  if (r.executions != 100) return "the short runs are not complete: " + to_text(r);
  return wrong_end_of_a_long_run(r, "timeout");
}

inline std::string wrong_long_run_told_to_stop() {
  std::atomic<bool> stop{false};
  options o;
  o.stop = &stop;
  const result r = check(o, [&] {
    stop = true;
    checked_atomics::atomic<int> x{0};
    take_long(x);
  });
  return wrong_end_of_a_long_run(r, "interrupted");
}

// The next sitting makes the run again.
inline std::string wrong_long_run_in_sittings() {
  const auto body = [] {
    checked_atomics::atomic<int> x{0};
    take_long(x, 5'000);
  };
  options o;
  std::string left;
  o.on_checkpoint = [&](const std::string& text) { left = text; };
  o.timeout = std::chrono::milliseconds(1);
  const result first = check(o, body);
  if (first.limit != "timeout") return "a long run of a part ends otherwise: " + to_text(first);
  o.timeout = std::chrono::milliseconds(0);
  o.resume = left;
  const result whole = check(o, body);
  return whole && whole.executions == 1 ? "" : "a long run is not made again: " + to_text(whole);
}

inline std::string wrong_long_runs() {
  for (const auto wrong : {wrong_long_run_out_of_time, wrong_long_resumed_run,
                           wrong_long_run_told_to_stop, wrong_long_run_in_sittings})
    if (std::string what = wrong(); !what.empty()) return what;
  return "";
}

}  // namespace fencepost::verify::testing
