// Colours for a terminal, and paragraphs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "fencepost/verify/text.hpp"

namespace fencepost::verify {

class painter {
 public:
  explicit painter(bool on) : on_(on) {}
  std::string bold(std::string_view text) const { return in("1", text); }
  std::string dim(std::string_view text) const { return in("2", text); }
  std::string red(std::string_view text) const { return in("1;31", text); }
  std::string green(std::string_view text) const { return in("32", text); }
  std::string yellow(std::string_view text) const { return in("33", text); }

 private:
  std::string in(const char* code, std::string_view text) const {
    if (!on_ || text.empty()) return std::string(text);
    return std::string("\033[").append(code).append("m").append(text).append("\033[0m");
  }
  bool on_;
};

// Breaks the text into lines of at most `width` columns, each of which begins with the indent.
inline std::string paragraph(std::string_view text, std::size_t width,
                             std::string_view indent = "") {
  std::string out;
  if (text.empty()) return out;
  for (const std::string& line :
       wrapped(text, width > indent.size() + 20 ? width - indent.size() : 20)) {
    out.append(indent).append(line).append("\n");
  }
  return out;
}

}  // namespace fencepost::verify
