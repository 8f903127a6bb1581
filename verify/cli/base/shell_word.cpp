#include "base/shell_word.hpp"

#include <algorithm>

namespace fencepost::cli {
namespace {

bool is_plain(char c) {
  constexpr std::string_view marks = "_-./:,=+@%";
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         marks.find(c) != std::string_view::npos;
}

}  // namespace

std::string shell_word(std::string_view text) {
  if (!text.empty() && std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string word = "'";
  for (const char c : text) {
    // Between single quotes, only the quote itself is special.
    if (c == '\'') {
      word += R"('\'')";
    } else {
      word += c;
    }
  }
  return word + "'";
}

}  // namespace fencepost::cli
