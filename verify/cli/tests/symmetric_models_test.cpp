// Each scenario that declares symmetric threads has the same verdict and the same classes of graphs
// with the reduction and without, and the reduction visits each class once. Covers the scenarios
// that have up to 6,000 executions with it, unless the environment variable
// FENCEPOST_MODEL_EXECUTIONS says otherwise; 0, as at night, means all.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <map>

#include "fencepost/verify/report.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

std::uint64_t most_executions() {
  const char* const number = std::getenv("FENCEPOST_MODEL_EXECUTIONS");
  return number == nullptr ? 6'000 : std::strtoull(number, nullptr, 10);
}

struct explored {
  verify::result result;
  std::map<std::uint64_t, unsigned> classes;  // and how often each was visited
};

explored explore(const entry& e, bool symmetry, std::uint64_t most = 0) {
  explored x;
  verify::options o;
  o.symmetry = symmetry;
  o.max_executions = most;
  o.on_class = [&](std::uint64_t id) { ++x.classes[id]; };
  o.on_restart = [&] { x.classes.clear(); };
  x.result = e.run(o);
  return x;
}

std::string wrong(const entry& e, unsigned& reduced) {
  const explored one = explore(e, true, most_executions());
  const verify::result& r = one.result;
  if (r.limit == "max_executions") return "";
  const explored all = explore(e, false);
  if (r.outcome != all.result.outcome) return "another verdict: " + to_text(r);
  if (r.violation) {
    return r.violation->kind == all.result.violation->kind ? "" : "another violation";
  }
  // The reduction is given up if the turns of a loop depend on which thread is which.
  if (r.symmetric == 0) return r.executions == all.result.executions ? "" : "not all are explored";
  if (r.symmetric != e.about.symmetric.count) return "the declaration is not used";
  ++reduced;
  const std::string numbers = std::to_string(r.executions) + " executions of " +
                              std::to_string(one.classes.size()) + " classes, without " +
                              std::to_string(all.result.executions) + " of " +
                              std::to_string(all.classes.size());
  if (!std::equal(one.classes.begin(), one.classes.end(), all.classes.begin(), all.classes.end(),
                  [](const auto& a, const auto& b) { return a.first == b.first; }))
    return "other classes: " + numbers;
  return r.executions == one.classes.size() ? "" : "a class is met twice: " + numbers;
}

TEST(symmetric_models, the_reduction_loses_nothing) {
  unsigned reduced = 0;
  for (const entry& e : registry()) {
    if (e.about.symmetric.count < 2 || e.about.nightly) continue;
    EXPECT_EQ(wrong(e, reduced), "") << e.about.name;
  }
  EXPECT_GT(reduced, 35U);
}

}  // namespace
}  // namespace fencepost::cli
