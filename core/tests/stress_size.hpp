// How many tasks each stress test runs: set when it is compiled, for every day or for the night;
// the environment variable FENCEPOST_STRESS_TASKS overrides it.
#pragma once

#include <cstdlib>
#include <stdexcept>
#include <string>

#ifndef FENCEPOST_STRESS_TASKS
#define FENCEPOST_STRESS_TASKS 500'000
#endif

namespace fencepost {

inline unsigned stress_tasks() {
  const char* const number = std::getenv("FENCEPOST_STRESS_TASKS");
  if (number == nullptr) return FENCEPOST_STRESS_TASKS;
  const int tasks = std::atoi(number);
  if (tasks < 1000) {
    throw std::invalid_argument{"FENCEPOST_STRESS_TASKS=" + std::string{number} +
                                ": say a number of tasks, at least 1000"};
  }
  return static_cast<unsigned>(tasks);
}

}  // namespace fencepost
