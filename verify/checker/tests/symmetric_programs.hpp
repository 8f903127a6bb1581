// Programs with symmetric threads, and what must hold of the graphs explored of each.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify::testing {

struct symmetric_program {
  const char* name;
  thread_range symmetric;
  std::function<void()> body;
  std::uint64_t classes = 0;  // 0 unless they can be counted by hand
  options bounds = {};
  bool reduced = true;  // false: the exploration gives up the reduction
};

std::vector<symmetric_program> programs_of_symmetric_threads();

struct symmetric_exploration {
  verify::result result;
  std::vector<std::uint64_t> graphs;
  std::map<std::uint64_t, unsigned> classes;  // and how often each was met
};

symmetric_exploration explored(const symmetric_program&, options);

// Each class of graphs is met once, with the options given. Returns what is wrong, or "".
std::string wrong_classes(const symmetric_program&, const options&);

}  // namespace fencepost::verify::testing
