// Kinds of characters in the text of a source.
#pragma once

#include <cctype>

namespace fencepost::cli {

inline bool is_space(char c) noexcept { return std::isspace(static_cast<unsigned char>(c)) != 0; }

inline bool in_word(char c) noexcept {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

}  // namespace fencepost::cli
