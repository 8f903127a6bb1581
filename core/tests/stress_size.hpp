// How many tasks each stress test runs: a small number, unless the environment variable
// FENCEPOST_STRESS_TASKS asks for another, as the nightly runs do.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

namespace fencepost {

inline unsigned stress_tasks() {
  const char* const number = std::getenv("FENCEPOST_STRESS_TASKS");
  if (number == nullptr) return 500'000;
  const int tasks = std::atoi(number);
  if (tasks < 1000) {
    throw std::invalid_argument{"FENCEPOST_STRESS_TASKS=" + std::string{number} +
                                ": say a number of tasks, at least 1000"};
  }
  return static_cast<unsigned>(tasks);
}

}  // namespace fencepost
