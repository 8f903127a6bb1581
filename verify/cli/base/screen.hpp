// The destination of a report: a terminal, with colours and a line that is redrawn, or a file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace fencepost::cli {

enum class when : std::uint8_t { automatic, always, never };

enum class tint : std::uint8_t { none, good, bad, warning, faint, strong };

class screen {
 public:
  screen(std::FILE* text, when color);
  screen(const screen&) = delete;
  screen& operator=(const screen&) = delete;
  ~screen() { clear(); }

  std::size_t width() const;  // of the terminal, else 100
  bool is_terminal() const noexcept { return terminal_; }
  bool color() const noexcept { return color_; }
  std::string tinted(tint, std::string_view) const;

  // Prints the text above the live line, without adding a newline. Throws like print() in
  // streams.hpp.
  void print(std::string_view text);
  // Replaces the live line, cut to the terminal's width. Does nothing without a terminal.
  void live(std::string_view line);
  bool is_live() const noexcept { return live_ != nullptr; }
  void clear();

 private:
  std::FILE* text_;
  std::FILE* live_;  // the terminal of the live line, or null
  bool terminal_;
  bool color_;
  bool drawn_ = false;
};

}  // namespace fencepost::cli
