#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "fencepost/verify/text.hpp"

// The source tree, for the files that the compiler named relative to it.
#if !defined(FENCEPOST_SOURCE_DIR)
#define FENCEPOST_SOURCE_DIR ""
#endif

namespace fencepost::verify {
namespace {

namespace fs = std::filesystem;

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[64];
  const int length = std::snprintf(text, sizeof text, format, values...);
  return std::string(text, static_cast<std::size_t>(std::max(length, 0)));
}

constexpr bool continues_character(char c) noexcept {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

// The length in bytes of the first `width` columns.
std::size_t prefix(std::string_view text, std::size_t width) noexcept {
  std::size_t seen = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (continues_character(text[i])) continue;
    if (seen == width) return i;
    ++seen;
  }
  return text.size();
}

}  // namespace

std::string grouped(std::uint64_t value) {
  const std::string digits = std::to_string(value);
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i != 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

std::string rounded(double value) {
  constexpr double longest = 1e15;
  if (!(value > 0)) return "0";
  if (value >= longest) return formatted("%.1e", value);
  double unit = 1;
  while (value / unit >= 99.5) unit *= 10;
  return grouped(static_cast<std::uint64_t>(std::llround(value / unit) * std::llround(unit)));
}

std::string duration(double seconds) {
  if (!(seconds > 0)) seconds = 0;
  // The limits are where the shorter form would round up to the next unit.
  if (seconds < 9.995) return formatted("%.2f s", seconds);
  if (seconds < 99.95) return formatted("%.1f s", seconds);
  if (seconds > 1e9) return "years";
  const auto whole = static_cast<unsigned long long>(std::llround(seconds));
  if (whole < 3600) return formatted("%llu min %02llu s", whole / 60, whole % 60);
  return formatted("%llu h %02llu min", whole / 3600, whole / 60 % 60);
}

std::string percent(double fraction) {
  if (!(fraction > 0)) return "0 %";
  const double value = fraction * 100;
  if (value < 0.1) return "< 0.1 %";
  if (value < 9.95) return formatted("%.1f %%", value);
  return formatted("%.0f %%", std::floor(std::min(value, 100.0)));
}

std::size_t columns(std::string_view text) noexcept {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return !continues_character(c); }));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (columns(text) <= width) return std::string(text);
  if (width <= 3) return std::string(width, '.');
  std::string result(text.substr(0, prefix(text, width - 3)));
  while (!result.empty() && result.back() == ' ') result.pop_back();
  return result + "...";
}

std::vector<std::string> wrapped(std::string_view text, std::size_t width) {
  width = std::max<std::size_t>(width, 1);
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;
  const auto flush = [&] {
    lines.push_back(std::move(line));
    line.clear();
    used = 0;
  };
  while (!text.empty()) {
    if (text.front() == '\n') {
      flush();
      text.remove_prefix(1);
      continue;
    }
    if (text.front() == ' ') {
      text.remove_prefix(1);
      continue;
    }
    std::string_view word = text.substr(0, text.find_first_of(" \n"));
    text.remove_prefix(word.size());
    if (used != 0 && used + 1 + columns(word) > width) flush();
    if (used != 0) {
      line += ' ';
      ++used;
    }
    while (columns(word) > width - used) {
      const std::size_t cut = prefix(word, width - used);
      line += word.substr(0, cut);
      word.remove_prefix(cut);
      flush();
    }
    line += word;
    used += columns(word);
  }
  if (!line.empty() || lines.empty()) flush();
  return lines;
}

std::string shown_path(std::string_view file) {
  const fs::path path = fs::path(file).lexically_normal();
  if (path.is_relative()) return path.generic_string();
  std::error_code failed;
  for (const fs::path& root : {fs::path(FENCEPOST_SOURCE_DIR), fs::current_path(failed)}) {
    if (root.empty() || root == root.root_path()) continue;
    std::string below = path.lexically_relative(root).generic_string();
    if (!below.empty() && below != "." && !below.starts_with("..")) return below;
  }
  return path.generic_string();
}

}  // namespace fencepost::verify
