// Arithmetic and names for programs whose number of executions is known.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "known_programs.hpp"

namespace fencepost::verify::testing {

inline std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

inline std::uint64_t power(std::uint64_t base, std::uint64_t n) {
  return n == 0 ? 1 : base * power(base, n - 1);
}

inline std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  return factorial(n) / factorial(k) / factorial(n - k);
}

inline std::string numbered(const char* what, std::uint64_t n) {
  return std::string(what) + ", " + std::to_string(n);
}

// Programs of known count that wait: for locks, and in loops.
void locks(std::vector<known_program>&);
void loops_that_count(std::vector<known_program>&);
void loops_in_deep_frames(std::vector<known_program>&);

}  // namespace fencepost::verify::testing
