// The atomic accesses and fences that stand in a header's text, and the reasons given for them.
//
// A small scanner, not a parser: it finds calls such as x.load(std::memory_order_acquire) and
// fence(std::memory_order_seq_cst). What stands inside assert() is left out. A reason is a comment
// beside the statement, or directly above it: "kept acquire: only load buffering could tell".
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::cli {

struct kept_reason {
  std::string what;  // "acquire", "seq_cst on failure", "strong", "fence", "unexercised"
  std::string why;   // to the end of the sentence
};

struct source_operation {
  std::uint32_t line = 0;    // of the opening parenthesis
  std::uint32_t column = 0;  // of it, from 1
  std::string name;          // "back_.store", "fence"
  std::vector<std::string> orders;
  std::vector<kept_reason> reasons;
  std::uint32_t last_line = 0;  // of the closing parenthesis
};

struct source_comment {
  std::uint32_t line = 0;
  std::string text;     // without the slashes
  bool beside = false;  // there is code on the line
};

// In the order of the text.
std::vector<source_operation> scan(std::string_view text);

// One a line, in the order of the text.
std::vector<source_comment> comments_in(std::string_view text);

// The text with spaces for its comments and literals.
std::string code_in(std::string_view text);

// Which of them the compiler means: g++ names the place of the parenthesis, clang++ that of the
// beginning of the expression, some only the line (column 0). An index; none: of.size().
std::size_t find(const std::vector<source_operation>& of, std::uint32_t line, std::uint32_t column);

}  // namespace fencepost::cli
