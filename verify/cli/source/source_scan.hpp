// Finds the atomic accesses and fences in a header's text, and the reasons given for them.
//
// A small scanner, not a parser: it finds calls such as x.load(std::memory_order_acquire) and
// fence(std::memory_order_seq_cst), except for those inside assert(). A reason is a comment beside
// the statement, or directly above it: "kept acquire: only load buffering could tell".
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

// Returns the operations in the order of the text.
std::vector<source_operation> scan(std::string_view text);

// Returns one comment for each line, in the order of the text.
std::vector<source_comment> comments_in(std::string_view text);

// Returns the text with its comments and literals replaced by spaces.
std::string code_in(std::string_view text);

// Finds the operation that the compiler means: g++ reports the place of the parenthesis, clang++
// that of the beginning of the expression, some compilers only the line (column 0). Returns an
// index; of.size() if there is none.
std::size_t find(const std::vector<source_operation>& of, std::uint32_t line, std::uint32_t column);

}  // namespace fencepost::cli
