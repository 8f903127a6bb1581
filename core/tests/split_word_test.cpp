#include "fencepost/deque/split_word.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {
namespace {

// The transitions in plain arithmetic, for small indices.
constexpr std::uint32_t half_up(std::uint32_t n) { return (n + 1) / 2; }

// Small indices, indices whose sum exceeds 32 bits, and indices that wrap around themselves.
constexpr std::uint32_t bases[] = {0, 1, 0x7fff'fff0, 0x8000'0000, 0xffff'fff0, 0xffff'fffd};
constexpr std::uint32_t span = 24;

TEST(split_point, packs_the_split_above_the_tail) {
  EXPECT_EQ((split_point{.tail = 1, .split = 2}.pack()), 0x0000'0002'0000'0001u);
  EXPECT_EQ((split_point{.tail = 0xffff'ffff, .split = 0}.pack()), 0x0000'0000'ffff'ffffu);
}

TEST(split_point, unpacks_what_it_packs) {
  for (const std::uint32_t tail : bases) {
    for (const std::uint32_t split : bases) {
      const split_point point{tail, split};
      EXPECT_EQ(split_point::unpack(point.pack()), point);
    }
  }
}

TEST(split_point, is_stealable_while_the_tail_is_before_the_split) {
  for (const std::uint32_t base : bases) {
    for (std::uint32_t tail = 0; tail < span; ++tail) {
      for (std::uint32_t split = 0; split < span; ++split) {
        EXPECT_EQ((split_point{base + tail, base + split}.stealable()), tail < split)
            << base << " + " << tail << ", " << split;
      }
    }
  }
}

TEST(split_point, every_transition_is_the_plain_arithmetic_at_any_base) {
  for (const std::uint32_t base : bases) {
    for (std::uint32_t tail = 0; tail < span; ++tail) {
      for (std::uint32_t split = tail; split < span; ++split) {
        const split_point point{base + tail, base + split};
        EXPECT_EQ(point.stolen(), (split_point{base + tail + 1, base + split}));
        EXPECT_EQ(point.shrunk(), (split_point{base + tail, base + (tail + split) / 2}));
        for (std::uint32_t end = split; end < span; ++end) {
          EXPECT_EQ(point.grown(base + end),
                    (split_point{base + tail, base + split + half_up(end - split)}));
        }
      }
    }
  }
}

// In Lace's own terms: (split + head + 2) / 2 when slot `head` has just been filled.
TEST(split_point, grows_at_a_push_as_lace_does) {
  for (std::uint32_t split = 0; split < span; ++split) {
    for (std::uint32_t head = split; head < span; ++head) {
      EXPECT_EQ((split_point{0, split}.grown(head + 1).split), (split + head + 2) / 2);
    }
  }
}

TEST(split_point, growing_shares_something_if_anything_is_private_and_no_more_than_that) {
  for (const std::uint32_t base : bases) {
    for (std::uint32_t split = 0; split < span; ++split) {
      EXPECT_EQ((split_point{base, base + split}.grown(base + split).split), base + split);
      for (std::uint32_t end = split + 1; end < span; ++end) {
        const std::uint32_t grown = split_point{base, base + split}.grown(base + end).split - base;
        EXPECT_GT(grown, split);
        EXPECT_LE(grown, end);
      }
    }
  }
}

TEST(split_point, shrinking_takes_back_something_if_anything_is_shared) {
  for (const std::uint32_t base : bases) {
    for (std::uint32_t shared = 1; shared < span; ++shared) {
      const split_point shrunk = split_point{base, base + shared}.shrunk();
      EXPECT_LT(shrunk.split - base, shared);
      EXPECT_EQ(shrunk.tail, base);
    }
  }
}

TEST(split_point, transitions_are_constant_expressions) {
  static_assert(split_point::rebased(7) == split_point{7, 8});
  static_assert(split_point::rebased(7).stealable() &&
                !split_point::rebased(7).stolen().stealable());
  static_assert(split_point::before(0xffff'ffff, 0) && !split_point::before(0, 0xffff'ffff));
}

template <class Word>
struct split_words : testing::Test {};

using words = testing::Types<iso_split_word<default_atomics>
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
                             ,
                             lace_split_word<default_atomics>
#endif
                             >;
TYPED_TEST_SUITE(split_words, words, );

template <class Word>
bool take(Word& word, split_point seen) {
  for (int attempt = 0; attempt < 1000; ++attempt) {  // it may fail spuriously
    if (word.take(seen)) return true;
  }
  return false;
}

TYPED_TEST(split_words, raising_and_lowering_leave_the_tail) {
  TypeParam word;
  word.rebase({5, 6});
  word.raise(6, 9);
  EXPECT_EQ(word.load(), (split_point{5, 9}));
  EXPECT_EQ(word.lower(9, 7), 5u);
  EXPECT_EQ(word.load(), (split_point{5, 7}));
}

TYPED_TEST(split_words, taking_advances_the_tail_by_one) {
  TypeParam word;
  word.rebase({5, 7});
  EXPECT_TRUE(take(word, {5, 7}));
  EXPECT_EQ(word.load(), (split_point{6, 7}));
}

TYPED_TEST(split_words, taking_fails_when_either_half_has_changed) {
  TypeParam word;
  word.rebase({5, 7});
  EXPECT_FALSE(take(word, {4, 7}));
  EXPECT_FALSE(take(word, {5, 8}));
  EXPECT_EQ(word.load(), (split_point{5, 7}));
}

TYPED_TEST(split_words, the_split_moves_over_the_greatest_index) {
  TypeParam word;
  word.rebase({0xffff'fffe, 0xffff'ffff});
  word.raise(0xffff'ffff, 1);
  EXPECT_EQ(word.load(), (split_point{0xffff'fffe, 1}));
  EXPECT_EQ(word.lower(1, 0xffff'ffff), 0xffff'fffeu);
  EXPECT_EQ(word.load(), (split_point{0xffff'fffe, 0xffff'ffff}));
}

}  // namespace
}  // namespace fencepost
