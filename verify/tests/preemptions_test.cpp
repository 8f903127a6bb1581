// A bound on preemptions: what is within it is explored, all of it, and nothing twice.
#include <map>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using counted = std::map<std::uint64_t, unsigned>;  // graphs, and the preemptions that each takes

counted explored(const known_program& p, std::optional<unsigned> bound, result& r,
                 std::vector<unsigned> priorities = {}) {
  counted all;
  options o = p.bounds;
  o.preemptions = bound;
  o.priorities = std::move(priorities);
  o.on_restart = [&] { all.clear(); };
  bool twice = false;
  o.on_preemptions = [&](std::uint64_t g, unsigned n) {
    twice = !all.emplace(g, n).second || twice;
  };
  r = check(o, p.body);
  EXPECT_FALSE(twice) << p.name;
  return all;
}

void expect_within_bounds(const known_program& p, std::vector<unsigned> priorities = {}) {
  result whole;
  const counted all = explored(p, {}, whole);
  EXPECT_EQ(whole.outcome, verdict::verified) << p.name;
  unsigned most = 0;
  for (const auto& [g, n] : all) most = std::max(most, n);
  std::printf("%-66s", p.name.c_str());
  for (unsigned bound = 0; bound <= most + 1; ++bound) {
    result r;
    const counted some = explored(p, bound, r, priorities);
    std::size_t within = 0, found = 0;
    for (const auto& [g, n] : all) within += n <= bound ? 1 : 0;
    for (const auto& [g, n] : some) {
      if (!all.contains(g)) ADD_FAILURE() << p.name << ": a graph that does not exist";
      found += n <= bound ? 1 : 0;
    }
    EXPECT_EQ(found, within) << p.name << ", bound " << bound;
    EXPECT_EQ(r.outcome, r.cut == 0 ? verdict::verified : verdict::incomplete) << p.name;
    if (r.cut == 0) {
      EXPECT_EQ(some.size(), all.size()) << p.name;
    }
    if (bound > most) {
      EXPECT_EQ(r.cut, 0U) << p.name;
    }
    std::printf(" %u: %zu/%zu", bound, within, some.size());
  }
  std::printf(" of %zu\n", all.size());
}

TEST(preemptions, all_graphs_within_the_bound_are_explored) {
  for (const known_program& p : programs_of_known_count())
    if (p.executions <= 1000) expect_within_bounds(p);
}

TEST(preemptions, all_graphs_within_the_bound_are_explored_with_all_kinds_of_choices) {
  for (const known_program& p : programs_of_every_kind()) {
    expect_within_bounds(p);
    expect_within_bounds(p, {2, 1, 0, 3});
  }
}

}  // namespace
}  // namespace fencepost::verify::testing
