// Shows the progress of a long exploration, if standard error is a terminal.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "fencepost/verify/progress.hpp"
#include "fencepost/verify/text.hpp"

namespace fencepost::programs {

// One line, which the destructor erases.
class progress_line {
 public:
  explicit progress_line(int file) : file_(leads_to_terminal(file) ? file : -1) {}
  ~progress_line() {
    if (is_shown_) write(erase);
  }
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  void show(const verify::progress& p) {
    if (file_ < 0 || p.seconds < next_) return;
    next_ = p.seconds + between;
    is_shown_ = true;
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, ", %.1f s", p.seconds);
    write(erase + verify::grouped(p.executions) + " executions, " + verify::grouped(p.blocked) +
          " blocked" + seconds);
  }

 private:
  static constexpr double between = 0.5;  // seconds; also before the first update
  inline static const std::string erase = "\r\x1b[K";

  static bool leads_to_terminal(int file) {
    const char* const kind = std::getenv("TERM");
    return isatty(file) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
  }
  // If it cannot be shown, nothing is lost.
  void write(const std::string& text) const {
    if (::write(file_, text.data(), text.size()) < 0) return;
  }

  int file_;  // -1 if it is no terminal
  double next_ = between;
  bool is_shown_ = false;
};

}  // namespace fencepost::programs
