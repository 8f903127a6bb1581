// A mark on a file descriptor in a poll set: its watch is pending, and the descriptor must not be
// polled again before the watch has run. poll() ignores negative descriptors, so a mark is a
// negative number.
//
// Perfetto's task runner uses the sign as the mark: -fd. Descriptor 0 is then its own mark, stays
// polled, and its watch is posted again and again (PERF-37). The complement has no such case.
#include <gtest/gtest.h>

#include <limits>

namespace fencepost {
namespace {

constexpr int negated(int fd) noexcept { return -fd; }

constexpr int masked(int fd) noexcept { return ~fd; }
constexpr int unmasked(int mask) noexcept { return ~mask; }

constexpr int descriptors[] = {0, 1, 2, 3, 1023, std::numeric_limits<int>::max()};

TEST(masked_descriptor, as_published_descriptor_0_is_not_masked) {
  EXPECT_FALSE(negated(0) < 0);
  EXPECT_LT(negated(1), 0);
}

TEST(masked_descriptor, the_complement_masks_every_descriptor) {
  for (const int fd : descriptors) EXPECT_LT(masked(fd), 0) << fd;
}

TEST(masked_descriptor, a_mask_says_which_descriptor_it_is_of) {
  for (const int fd : descriptors) EXPECT_EQ(unmasked(masked(fd)), fd);
}

}  // namespace
}  // namespace fencepost
