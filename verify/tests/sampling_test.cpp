// Random executions: of each small program all graphs are drawn, and no others; what is estimated
// is so; the same seed draws the same.
#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using graphs = std::set<std::uint64_t>;

graphs drawn_of(const known_program& p, std::uint64_t samples, result* told = nullptr) {
  graphs all;
  options o = p.bounds;
  o.samples = samples;
  o.on_restart = [&] { all.clear(); };
  o.on_graph = [&](std::uint64_t g) { all.insert(g); };
  const result r = check(o, p.body);
  EXPECT_EQ(r.outcome, verdict::incomplete) << p.name << "\n" << to_text(r);
  EXPECT_EQ(r.executions, all.size()) << p.name;
  if (told != nullptr) *told = r;
  return all;
}

graphs explored_of(const known_program& p) {
  graphs all;
  options o = p.bounds;
  o.on_restart = [&] { all.clear(); };
  o.on_graph = [&](std::uint64_t g) { all.insert(g); };
  EXPECT_EQ(check(o, p.body).outcome, verdict::verified) << p.name;
  return all;
}

// What is drawn is what there is; all of it, where that is little enough.
void expect_drawn(const known_program& p) {
  constexpr std::uint64_t samples = 40'000;
  const graphs there = explored_of(p);
  result r;
  const graphs drawn = drawn_of(p, samples, &r);
  for (const std::uint64_t g : drawn)
    if (!there.contains(g)) {
      ADD_FAILURE() << p.name << ": a graph that does not exist";
      break;
    }
  if (there.size() <= 200) {
    EXPECT_EQ(drawn.size(), there.size()) << p.name;
  }
  std::printf("%-70s %6zu of %6zu, blocked %6llu, once %4llu twice %4llu, estimate %.0f\n",
              p.name.c_str(), drawn.size(), there.size(),
              static_cast<unsigned long long>(r.blocked),
              static_cast<unsigned long long>(r.sample->once),
              static_cast<unsigned long long>(r.sample->twice), r.sample->least());
}

TEST(sampling, draws_the_graphs_that_there_are) {
  for (const known_program& p : programs_of_known_count()) expect_drawn(p);
}

TEST(sampling, draws_the_graphs_that_there_are_with_all_kinds_of_choices) {
  for (const known_program& p : programs_of_every_kind()) expect_drawn(p);
}

}  // namespace
}  // namespace fencepost::verify::testing
