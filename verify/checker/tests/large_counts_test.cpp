// Known numbers of executions that take a while to count.
#include <array>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

TEST(large_counts, store_buffering_of_three_threads_with_fences_in_three_rounds) {
  const result r = check({}, [] {
    std::array<checked::atomic<int>, 3> x{};
    in_threads(3, [&](unsigned i) {
      for (int round = 1; round <= 3; ++round) {
        x[i].store(round, relaxed);
        checked::fence(seq_cst);
        static_cast<void>(x[(i + 1) % 3].load(relaxed));
        static_cast<void>(x[(i + 2) % 3].load(relaxed));
      }
    });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1'494'859U);
}

TEST(large_counts, nine_threads_that_increment) {
  const result r = check({}, [] {
    checked::atomic<int> x{0};
    in_threads(9, [&](unsigned) { x.fetch_add(1, relaxed); });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 362'880U);
}

}  // namespace
}  // namespace fencepost::verify::testing
