// Parts of the search tree, named by the choices that lead to them: no graph has to be stored to
// stop an exploration, to continue it elsewhere, or to divide it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fencepost::verify {

// How often each choice on the stack has been changed.
using choice_path = std::vector<std::uint32_t>;

// True if the search completes the paths that begin with `a` before those that begin with `b`. It
// goes through paths in lexicographic order, except that a path is complete only after all longer
// ones that begin with it.
[[nodiscard]] inline bool ends_before(const choice_path& a, const choice_path& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_b == b.end()) return in_a != a.end();
  return in_a != a.end() && *in_a < *in_b;
}

// Zeros at the end of a path say nothing: a run makes choices that were never changed by itself.
[[nodiscard]] inline choice_path without_zeros(choice_path p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

// What the search visits between two places. Where parts follow one another, the `last` of one is
// the `after` of the next: such a chain from the beginning, which is null, to the end, which is the
// empty path, shows that nothing is missing.
struct part {
  std::optional<choice_path> after;  // all paths that begin with it are done
  choice_path last;                  // the paths that begin with it are the end of this part
};

}  // namespace fencepost::verify
