// Parts of the search tree, named by the choices that lead to them: nothing of a graph is written
// down to stop an exploration, to go on with it elsewhere, or to divide it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace fencepost::verify {

// How often each choice on the stack has been changed.
using choice_path = std::vector<std::uint32_t>;

// The search goes through all paths that begin with `a` before it is through with a shorter one
// that begins `a`, and otherwise in lexicographic order. Is it through with those that begin with
// `a` before it is through with those that begin with `b`?
[[nodiscard]] inline bool ends_before(const choice_path& a, const choice_path& b) {
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (in_b == b.end()) return in_a != a.end();
  return in_a != a.end() && *in_a < *in_b;
}

// A run makes choices that were never changed by itself, so at the end of its path they say
// nothing.
[[nodiscard]] inline choice_path without_zeros(choice_path p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
  return p;
}

// What the search comes to from one place to another. Parts that follow one another have the
// `last` of one as the `after` of the next: from the beginning, which is null, to the end, which is
// the empty path, that shows that nothing is missing.
struct part {
  std::optional<choice_path> after;  // all that begins with it is done
  choice_path last;                  // all that begins with it is the end of this part
};

}  // namespace fencepost::verify
