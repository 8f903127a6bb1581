#include "explore/search_path.hpp"

#include <charconv>

namespace fencepost::verify {

namespace {

void write(const choice_path& p, std::string& text) {
  const std::size_t n = p.size();
  if (n == 0) text += '0';
  for (std::size_t i = 0; i < n;) {
    std::size_t same = i;
    while (same < n && p[same] == p[i]) ++same;
    if (i != 0) text += '.';
    text += std::to_string(p[i]);
    if (same - i > 2)
      text += "*" + std::to_string(same - i);
    else
      same = i + 1;
    i = same;
  }
}

std::optional<std::uint32_t> take_number(std::string_view& text) {
  std::uint32_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error != std::errc{}) return {};
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return n;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<choice_path> take_path(std::string_view& text) {
  constexpr std::size_t longest = 10'000'000;
  choice_path p;
  do {
    const auto n = take_number(text);
    const auto times = n && take(text, '*') ? take_number(text) : 1;
    if (!n || !times || *times > longest - p.size()) return {};
    p.insert(p.end(), *times, *n);
  } while (take(text, '.'));
  return p;
}

std::optional<lesson> take_contended(std::string_view& text) {
  lesson l;
  do {
    const auto owner = take_number(text);
    const auto ordinal = owner && take(text, '.') ? take_number(text) : std::nullopt;
    if (!ordinal) return {};
    l.contended.push_back({*owner, *ordinal});
  } while (take(text, '+'));
  return l;
}

}  // namespace

std::string to_text(const search_path& s) {
  std::string text;
  for (const lesson& l : s.lessons) {
    if (l.contended.empty()) write(without_zeros(l.at), text);
    for (const location_name& n : l.contended) {
      text += &n == l.contended.data() ? '@' : '+';
      text += std::to_string(n.owner) + "." + std::to_string(n.ordinal);
    }
    text += '/';
  }
  write(without_zeros(s.choices), text);
  return text;
}

std::optional<search_path> search_path_from(std::string_view text) {
  search_path s;
  for (;;) {
    if (take(text, '@')) {
      std::optional<lesson> l = take_contended(text);
      if (!l || !take(text, '/')) return {};
      s.lessons.push_back(std::move(*l));
      continue;
    }
    std::optional<choice_path> p = take_path(text);
    if (!p) return {};
    choice_path run = without_zeros(std::move(*p));
    if (!take(text, '/')) {
      s.choices = std::move(run);
      break;
    }
    s.lessons.push_back({std::move(run), {}});
  }
  if (!text.empty()) return {};
  return s;
}

std::string place_to_text(const choice_path& p) {
  if (p.empty()) return "end";
  std::string text;
  write(p, text);
  return text;
}

std::optional<choice_path> place_from(std::string_view text) {
  if (text == "end") return choice_path{};
  std::optional<choice_path> p = take_path(text);
  return text.empty() ? p : std::nullopt;
}

}  // namespace fencepost::verify
