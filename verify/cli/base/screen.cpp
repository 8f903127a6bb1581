#include "base/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "base/streams.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {
namespace {

bool set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

bool leads_to_terminal(std::FILE* file) { return ::isatty(::fileno(file)) == 1; }

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal == nullptr || *terminal == '\0' || std::strcmp(terminal, "dumb") == 0;
}

std::size_t width_of(std::FILE* file) {
  winsize size{};
  if (file != nullptr && ::ioctl(::fileno(file), TIOCGWINSZ, &size) == 0 && size.ws_col != 0) {
    return std::max<std::size_t>(size.ws_col, 40);
  }
  return 100;
}

}  // namespace

screen::screen(std::FILE* text, when color)
    : text_(text),
      live_(is_dumb()                   ? nullptr
            : leads_to_terminal(text)   ? text
            : leads_to_terminal(stderr) ? stderr
                                        : nullptr),
      terminal_(leads_to_terminal(text)),
      color_(color == when::always || (color == when::automatic && leads_to_terminal(text) &&
                                       !is_dumb() && !set("NO_COLOR"))) {}

std::size_t screen::width() const { return width_of(text_); }

std::string screen::tinted(tint t, std::string_view text) const {
  constexpr const char* codes[] = {"", "32", "1;31", "33", "2", "1"};
  const char* code = codes[static_cast<std::size_t>(t)];
  if (!color_ || *code == '\0' || text.empty()) return std::string(text);
  return std::string("\033[").append(code).append("m").append(text).append("\033[0m");
}

void screen::print(std::string_view text) {
  clear();
  cli::print(text_, text);
}

void screen::live(std::string_view line) {
  if (live_ == nullptr) return;
  // A few columns fewer: a terminal may wrap after the last column, and it echoes ^C.
  const std::string text = "\r\033[2K" + verify::shortened(line, width_of(live_) - 4);
  std::fwrite(text.data(), 1, text.size(), live_);
  std::fflush(live_);
  drawn_ = true;
}

void screen::clear() {
  if (!drawn_) return;
  std::fputs("\r\033[2K", live_);
  std::fflush(live_);
  drawn_ = false;
}

}  // namespace fencepost::cli
