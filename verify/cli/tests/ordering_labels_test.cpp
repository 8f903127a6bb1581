#include "source/label_checker.hpp"
#include "source/label_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The label of each operation, or "" if it has none.
std::vector<std::string> labels_of(std::string_view text) {
  const labelled_source source = read_labels("folder/a.hpp", text);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < source.operations.size(); ++i) {
    const order_label* label = source.label_of(i);
    names.push_back(label == nullptr ? "" : label->name);
  }
  return names;
}

TEST(labels, name_the_operations_below_or_beside) {
  EXPECT_THAT(labels_of("// [a] relaxed, alone: why.\n"
                        "x.load(std::memory_order_relaxed);  // no label\n"
                        "y.load(std::memory_order_relaxed);  // [b] relaxed, alone: why.\n"
                        "z.load(std::memory_order_relaxed);\n"),
              ElementsAre("a", "b", ""));
}

TEST(labels, several_name_as_many_operations_in_the_order_of_the_text) {
  EXPECT_THAT(labels_of("// [a], [b] relaxed, alone: why. [c] release, alone: why.\n"
                        "x.store(y.load(std::memory_order_relaxed), std::memory_order_relaxed);\n"
                        "z.store(1,\n"
                        "        std::memory_order_release);\n"
                        "z.store(1, std::memory_order_release);\n"),
              ElementsAre("a", "b", "c", ""));
}

TEST(labels, do_not_reach_over_other_labels_blank_lines_and_the_end_of_braces) {
  EXPECT_THAT(labels_of("// [a], [b] relaxed, alone: why.\n"
                        "x.load(std::memory_order_relaxed);\n"
                        "// [c] relaxed, alone: why.\n"
                        "x.load(std::memory_order_relaxed);\n"),
              ElementsAre("a", "c"));
  EXPECT_THAT(labels_of("// [a] relaxed, alone: why.\n\nx.load(std::memory_order_relaxed);\n"),
              ElementsAre(""));
  EXPECT_THAT(labels_of("{ // [a] relaxed, alone: why.\n y(); }\n"
                        "x.load(std::memory_order_relaxed);\n"),
              ElementsAre(""));
  EXPECT_THAT(labels_of("{\n// [a] relaxed, alone: why.\ny(); }\n"
                        "x.load(std::memory_order_relaxed);\n"),
              ElementsAre(""));
  EXPECT_THAT(labels_of("do {\n// [a] relaxed, alone: why.\n"
                        "} while (x.load(std::memory_order_relaxed));\n"),
              ElementsAre("a"));
}

TEST(labels, stand_in_comments_of_both_kinds_and_not_in_code) {
  EXPECT_THAT(labels_of("/* [a] relaxed, alone: why. */\nx.load(std::memory_order_relaxed);\n"
                        "s = \"// [b] relaxed, alone: why.\";\nx.load(std::memory_order_relaxed);"),
              ElementsAre("a", ""));
}

TEST(labels, a_file_is_known_by_its_name) {
  EXPECT_EQ(read_labels("some/folder/a.hpp", "").name, "a.hpp");
  EXPECT_THAT(check_labels({read_labels("one/a.hpp",
                                        "// [a] relaxed, with [b.hpp/b]: why.\n"
                                        "x.load(std::memory_order_relaxed);"),
                            read_labels("two/b.hpp",
                                        "// [b] relaxed, with [a.hpp/a]: why.\n"
                                        "x.load(std::memory_order_relaxed);")}),
              IsEmpty());
}

}  // namespace
}  // namespace fencepost::cli
