#include "source/label_sentence.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(label_sentence, has_labels_orders_partners_and_a_reason) {
  const auto all = label_sentences(
      " [steal.take] seq_cst, relaxed on failure, with [full], [other.hpp/pop.back]: the later\n"
      " sees what the earlier did. Relaxed on failure: nothing is done with it.");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].fault, "");
  EXPECT_EQ(all[0].at, 1u);
  EXPECT_THAT(all[0].labels, ElementsAre("steal.take"));
  EXPECT_THAT(all[0].orders, ElementsAre("seq_cst", "relaxed"));
  EXPECT_THAT(all[0].partners, ElementsAre("full", "other.hpp/pop.back"));
  EXPECT_EQ(all[0].reason,
            "the later sees what the earlier did. Relaxed on failure: nothing is done with it.");
}

TEST(label_sentence, ends_where_the_next_one_begins) {
  const auto all = label_sentences(
      "Prose first. [a], [b_2] relaxed, alone: one\n"
      "[c] release, with\n"
      "[d]: two. [d] acquire, with [c]: three");
  ASSERT_EQ(all.size(), 3u);
  EXPECT_THAT(all[0].labels, ElementsAre("a", "b_2"));
  EXPECT_THAT(all[0].partners, IsEmpty());
  EXPECT_EQ(all[0].reason, "one");
  EXPECT_THAT(all[1].partners, ElementsAre("d"));
  EXPECT_EQ(all[1].reason, "two.");
  EXPECT_THAT(all[2].labels, ElementsAre("d"));
  EXPECT_EQ(all[2].reason, "three");
}

TEST(label_sentence, prose_that_names_a_label_is_none) {
  EXPECT_THAT(label_sentences("As [put] release, with [get]: in the middle."), IsEmpty());
  EXPECT_THAT(label_sentences("It ends here. [put] then sees it, as does slots_[i]."), IsEmpty());
  EXPECT_THAT(label_sentences("[begin, end) is the range of [begin"), IsEmpty());
  EXPECT_THAT(label_sentences("kept acquire: only load buffering"), IsEmpty());
}

TEST(label_sentence, no_text_is_too_broken) {
  for (const char* text : {"",
                           "[",
                           "]",
                           "[]",
                           "[a",
                           "[a]",
                           "[a],",
                           "[a], [",
                           "[a] relaxed",
                           "[a] relaxed,",
                           "[a] relaxed, with",
                           "[a] relaxed, with [",
                           "[a] relaxed, relaxed",
                           "[a] relaxed, alone:",
                           "[a] relaxed, relaxed on",
                           "[a][b] relaxed, alone: x",
                           "[ a ] relaxed, alone: x",
                           "[a] relaxedly, alone: x",
                           "[a]\n\n[b]",
                           "[[a]] relaxed, alone: x"}) {
    for (const label_sentence& s : label_sentences(text)) EXPECT_NE(s.fault, "") << text;
  }
}

}  // namespace
}  // namespace fencepost::cli
