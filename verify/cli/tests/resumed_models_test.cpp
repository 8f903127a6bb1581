// Each scenario has the same verdict and the same executions, in the same order, with resume points
// and without. Compares the first 3,000 executions, unless the environment variable
// FENCEPOST_MODEL_EXECUTIONS says otherwise; 0, as at night, means all.
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "fencepost/verify/report.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

std::uint64_t most_executions() {
  const char* const number = std::getenv("FENCEPOST_MODEL_EXECUTIONS");
  return number == nullptr ? 3'000 : std::strtoull(number, nullptr, 10);
}

struct explored {
  verify::result result;
  std::uint64_t in_order = 0;  // a hash of the graphs
};

explored explore(const entry& e, bool resume_points) {
  explored x;
  verify::options o;
  o.resume_points = resume_points;
  o.max_executions = most_executions();
  o.on_graph = [&x](std::uint64_t graph) { x.in_order = x.in_order * 31 + graph; };
  o.on_restart = [&x] { x.in_order = 0; };
  x.result = e.run(o);
  return x;
}

std::string wrong(const entry& e, unsigned& resumed) {
  const explored all = explore(e, false);
  const explored some = explore(e, true);
  const verify::result& r = some.result;
  if (r.from_beginning.empty()) ++resumed;
  if (r.outcome != all.result.outcome) return "another verdict: " + to_text(r);
  if (r.violation && r.violation->path != all.result.violation->path) return "another violation";
  if (r.executions != all.result.executions || r.blocked != all.result.blocked)
    return std::to_string(r.executions) + " executions and " + std::to_string(r.blocked) +
           " blocked, from the beginning " + std::to_string(all.result.executions) + " and " +
           std::to_string(all.result.blocked);
  return some.in_order == all.in_order ? "" : "other executions, or in another order";
}

TEST(resumed_models, have_the_same_executions) {
  unsigned resumed = 0;
  for (const entry& e : registry()) {
    if (e.about.nightly) continue;
    EXPECT_EQ(wrong(e, resumed), "") << e.about.name;
  }
  EXPECT_GT(resumed, 400U);
}

}  // namespace
}  // namespace fencepost::cli
