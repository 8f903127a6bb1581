// Programs with threads that are alike, and what must hold of the graphs of each that are explored.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify::testing {

struct alike_program {
  const char* name;
  thread_range alike;
  std::function<void()> body;
  std::uint64_t classes = 0;  // where they can be counted by hand
  options bounds = {};
  bool reduced = true;  // false: explored without the reduction, which gives up
};

std::vector<alike_program> programs_of_alike_threads();

struct alike_exploration {
  verify::result result;
  std::vector<std::uint64_t> graphs;
  std::map<std::uint64_t, unsigned> classes;  // and how often each was met
};

alike_exploration explored(const alike_program&, options);

// Each class of graphs is met once, with the options given. What is wrong, or "".
std::string wrong_classes(const alike_program&, const options&);

}  // namespace fencepost::verify::testing
