#include "reexecute/path_to_beginning.hpp"

#include <charconv>

namespace fencepost::verify {

namespace {

constexpr std::string_view mark = "xc20:";

bool skip(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<std::uint64_t> number_at(std::string_view& text) {
  std::uint64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return n;
}

}  // namespace

std::string to_text(const path_to_beginning& p) {
  std::string text(mark);
  for (const met_race& r : p.races) {
    if (text.size() != mark.size()) text += '.';
    text += std::to_string(r.execution) + "-" + std::to_string(r.number);
  }
  return text + ":" + p.run;
}

std::optional<path_to_beginning> path_to_beginning_from(std::string_view text) {
  if (!text.starts_with(mark)) return {};
  text.remove_prefix(mark.size());
  path_to_beginning p;
  do {
    const auto execution = number_at(text);
    const auto number = execution && skip(text, '-') ? number_at(text) : std::nullopt;
    if (!number) return {};
    p.races.push_back({*execution, *number});
  } while (skip(text, '.'));
  if (!skip(text, ':') || text.empty()) return {};
  p.run = text;
  return p;
}

}  // namespace fencepost::verify
