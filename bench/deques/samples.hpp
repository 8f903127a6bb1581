// The measurements of a study: the seconds of a run, and the median of several with their spread.
#pragma once

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../formatted.hpp"

namespace fencepost::bench {

struct seconds {
  double processor = 0, clock = 0;  // of the process, all its threads
};

// Runs f once, and returns its time.
template <class F>
seconds timed(F&& f) {
  const auto used = [] {
    rusage all{};
    getrusage(RUSAGE_SELF, &all);
    const auto of = [](const timeval& t) {
      return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
    };
    return of(all.ru_utime) + of(all.ru_stime);
  };
  const double before = used();
  const auto start = std::chrono::steady_clock::now();
  f();
  const std::chrono::duration<double> clock = std::chrono::steady_clock::now() - start;
  return {used() - before, clock.count()};
}

// Ends the program with status 1 if a result is not the sequential program's.
inline void check(std::uint64_t result, std::uint64_t right) {
  if (result == right) return;
  std::fprintf(stderr, "a program computes a different result with tasks than without\n");
  std::exit(1);
}

struct sample {
  double median = 0, least = 0, most = 0;
  // "2.52 (2.41–2.70)"
  std::string text(int digits) const {
    const std::string format = "%." + std::to_string(digits) + "f";
    const auto one = [&](double value) { return bench::text(format.c_str(), value); };
    return one(median) + " (" + one(least) + "–" + one(most) + ")";
  }
};
inline sample sample_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return {values[values.size() / 2], values.front(), values.back()};
}

}  // namespace fencepost::bench
