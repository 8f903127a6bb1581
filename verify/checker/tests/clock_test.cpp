// Clocks, against arrays whose lanes are compared one by one.
#include "graph/clock.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fencepost::verify {
namespace {

using lanes = std::array<unsigned, max_threads>;

// Two clocks of few threads or many, whose indices are often equal, or close to a limit.
rc::Gen<std::pair<lanes, lanes>> two_clocks() {
  return rc::gen::exec([] {
    const unsigned threads = *rc::gen::elementOf(std::array{1u, 7u, 8u, 9u, 15u, 16u, 17u, 64u});
    const auto index = rc::gen::element(0u, 1u, 2u, 0x7fffu, 0x8000u, max_index, max_index + 1);
    std::pair<lanes, lanes> both{};
    for (unsigned t = 0; t < threads; ++t) {
      both.first[t] = *index;
      both.second[t] =
          *rc::gen::weightedOneOf<unsigned>({{5, rc::gen::just(both.first[t])}, {1, index}});
    }
    return both;
  });
}

clock of(const lanes& all) {
  clock c;
  for (unsigned t = 0; t < max_threads; ++t)
    if (all[t] != 0) c.set(t, all[t]);
  return c;
}

lanes lanes_of(const clock& c) {
  lanes all;
  for (unsigned t = 0; t < max_threads; ++t) all[t] = c[t];
  return all;
}

bool exceeds(const lanes& a, const lanes& b, unsigned except) {
  for (unsigned t = 0; t < max_threads; ++t)
    if (t != except && a[t] > b[t]) return true;
  return false;
}

RC_GTEST_PROP(clock, has_what_is_set, ()) {
  const lanes all = (*two_clocks()).first;
  RC_ASSERT(lanes_of(of(all)) == all);
}

RC_GTEST_PROP(clock, is_ahead_if_some_lane_is_but_the_one_that_is_excepted, ()) {
  const auto [a, b] = *two_clocks();
  const clock one = of(a), other = of(b);
  for (unsigned except = 0; except < max_threads; ++except)
    RC_ASSERT(one.exceeds(other, except) == exceeds(a, b, except));
}

RC_GTEST_PROP(clock, is_another_if_some_lane_is, ()) {
  const auto [a, b] = *two_clocks();
  RC_ASSERT((of(a) == of(b)) == (a == b));
}

RC_GTEST_PROP(clock, joins_lane_by_lane, ()) {
  const auto [a, b] = *two_clocks();
  lanes larger;
  std::transform(a.begin(), a.end(), b.begin(), larger.begin(),
                 [](unsigned x, unsigned y) { return std::max(x, y); });
  clock joined = of(a);
  joined.join(of(b));
  RC_ASSERT(lanes_of(joined) == larger);
}

}  // namespace
}  // namespace fencepost::verify
