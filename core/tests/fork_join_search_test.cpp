// How long idle workers of fork_join pause between two attempts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "fencepost/runtime/fork_join_search.hpp"

namespace fencepost {
namespace {

using testing::ElementsAre;

// The first five pauses, beginning with one of length 1.
std::vector<std::uint32_t> first_five(std::uint32_t longest) {
  fork_join_search search;
  search.pauses = longest;
  std::vector<std::uint32_t> lengths{1};
  while (lengths.size() < 5) lengths.push_back(search.pauses_after(lengths.back()));
  return lengths;
}

TEST(fork_join_search, pauses_double_up_to_the_longest) {
  EXPECT_THAT(first_five(1), ElementsAre(1, 1, 1, 1, 1));
  EXPECT_THAT(first_five(3), ElementsAre(1, 3, 3, 3, 3));
  EXPECT_THAT(first_five(8), ElementsAre(1, 2, 4, 8, 8));
  EXPECT_THAT(first_five(1000), ElementsAre(1, 2, 4, 8, 16));
}

}  // namespace
}  // namespace fencepost
