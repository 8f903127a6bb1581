#include "base/names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/usage.hpp"
#include "run/entry.hpp"

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(names, patterns_match_as_in_a_shell_and_star_crosses_folders) {
  EXPECT_TRUE(matches("*", "tail_split/steal"));
  EXPECT_TRUE(matches("*steal*", "tail_split/steal_against_pop"));
  EXPECT_TRUE(matches("tail_split/st?al", "tail_split/steal"));
  EXPECT_TRUE(matches("[a-t]*/steal", "tail_split/steal"));
  EXPECT_TRUE(matches("[!a]*/steal", "tail_split/steal"));
  EXPECT_FALSE(matches("[!t]*/steal", "tail_split/steal"));
  EXPECT_FALSE(matches("steal", "tail_split/steal"));
  EXPECT_FALSE(matches("tail_split/stea", "tail_split/steal"));
  EXPECT_FALSE(matches("", "tail_split/steal"));
}

TEST(names, a_folder_stands_for_all_that_is_in_it) {
  EXPECT_TRUE(matches("tail_split", "tail_split/steal"));
  EXPECT_TRUE(matches("tail_split/", "tail_split/steal"));
  EXPECT_TRUE(matches("published", "published/lace/shrink"));
  EXPECT_TRUE(matches("published/lace", "published/lace/shrink"));
  EXPECT_FALSE(matches("tail", "tail_split/steal"));
}

TEST(names, distance_counts_edits) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("steal", "steal"), 0u);
  EXPECT_EQ(edit_distance("stael", "steal"), 1u);
  EXPECT_EQ(edit_distance("stea", "steal"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

TEST(names, closest_looks_at_the_name_its_folder_and_its_last_part) {
  const std::vector<std::string_view> names = {"chase_lev/pop", "tail_split/steal",
                                               "tail_split/grow"};
  EXPECT_THAT(closest("stael", names, 1), ElementsAre("tail_split/steal"));
  EXPECT_THAT(closest("chase_lef/*", names, 1), ElementsAre("chase_lev/pop"));
  EXPECT_THAT(closest("tail_splt", names, 2), ElementsAre("tail_split/steal", "tail_split/grow"));
  EXPECT_EQ(closest("x", names).size(), 3u);
  EXPECT_TRUE(closest("x", {}).empty());
}

std::vector<entry> table() {
  std::vector<entry> entries;
  for (const char* name : {"a/one", "a/two", "b/one"})
    entries.push_back({scenario{.name = name}, {}});
  return entries;
}

TEST(names, selection_keeps_the_order_of_the_table_and_has_nothing_twice) {
  const std::vector<entry> entries = table();
  EXPECT_EQ(select(entries, {}).size(), 3u);
  const auto selected = select(entries, {"*/one", "b/*", "a/one"});
  ASSERT_EQ(selected.size(), 2u);
  EXPECT_EQ(selected[0]->about.name, "a/one");
  EXPECT_EQ(selected[1]->about.name, "b/one");
}

TEST(names, a_pattern_that_matches_nothing_is_an_error_even_beside_one_that_does) {
  const std::vector<entry> entries = table();
  try {
    select(entries, {"a/*", "a/tow"});
    FAIL() << "no error";
  } catch (const usage_error& e) {
    EXPECT_THAT(e.what(), HasSubstr("'a/tow'"));
    EXPECT_THAT(e.what(), HasSubstr("are\n  a/two\n"));
  }
}

}  // namespace
}  // namespace fencepost::cli
