// A planted fault, as mutate.cmake lists it.
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string_view>

namespace fencepost::programs::testing {

struct planted_fault {
  unsigned number;
  const char* file;
  const char* what;
};

// Returns null if there is none of that name.
inline const planted_fault* find_fault(std::span<const planted_fault> all, std::string_view what) {
  const auto f =
      std::find_if(all.begin(), all.end(), [&](const planted_fault& p) { return p.what == what; });
  return f == all.end() ? nullptr : &*f;
}

// Returns the names of the faults, or of those that programs notice.
std::set<std::string_view> names_of(const auto& all) {
  std::set<std::string_view> names;
  for (const auto& one : all) names.insert(one.what);
  return names;
}

}  // namespace fencepost::programs::testing
