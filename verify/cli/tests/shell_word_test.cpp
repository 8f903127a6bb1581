#include "base/shell_word.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <string>

namespace fencepost::cli {
namespace {

TEST(shell_word, what_a_shell_leaves_alone_has_no_quotes) {
  for (const char* meant : {"mailbox/message_arrives", "chase_lev.hpp:120:3=relaxed", "--next",
                            "/tmp/parts-1,2", "a+b@c%d"}) {
    EXPECT_EQ(shell_word(meant), meant);
  }
}

TEST(shell_word, the_rest_is_in_single_quotes) {
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("my parts"), "'my parts'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
}

// Returns the word as a shell reads it.
std::string read_by_a_shell(const std::string& word) {
  const std::string command = "printf %s " + word;
  std::FILE* pipe = ::popen(command.c_str(), "r");
  if (pipe == nullptr) return "no shell";
  std::string read;
  std::array<char, 256> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe))
    read.append(part.data(), n);
  return ::pclose(pipe) == 0 ? read : "no such word: " + read;
}

TEST(shell_word, a_shell_reads_what_was_meant) {
  std::string each;
  for (int c = 1; c < 128; ++c) each += static_cast<char>(c);
  EXPECT_EQ(read_by_a_shell(shell_word(each)), each);
  for (int c = 1; c < 128; ++c) {
    const std::string one(1, static_cast<char>(c));
    EXPECT_EQ(read_by_a_shell(shell_word(one)), one) << "character " << c;
  }
  for (const char* meant : {"my parts", "it's", "~", "$HOME", "`date`", "a\\b", "x*", "''", "é"})
    EXPECT_EQ(read_by_a_shell(shell_word(meant)), meant);
}

}  // namespace
}  // namespace fencepost::cli
