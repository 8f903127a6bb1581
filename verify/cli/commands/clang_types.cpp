#include "commands/clang_types.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <system_error>

namespace fencepost::cli {

std::string_view trimmed(std::string_view t) {
  const std::size_t begin = t.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return t.substr(begin, t.find_last_not_of(' ') - begin + 1);
}

std::string_view type_of(std::string_view t) {
  int depth = 0;
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] == '<' || t[i] == '{' || t[i] == '[' || t[i] == '(') ++depth;
    if (t[i] == '>' || t[i] == '}' || t[i] == ']' || t[i] == ')') --depth;
    if (depth == 0 && (t[i] == ',' || (t[i] == ' ' && t.substr(i, 2) != " (")))
      return t.substr(0, i);
  }
  return t;
}

namespace {

std::optional<unsigned> number(std::string_view digits) {
  unsigned n = 0;
  const auto [end, wrong] = std::from_chars(digits.data(), digits.data() + digits.size(), n);
  if (wrong != std::errc() || end != digits.data() + digits.size()) return {};
  return n;
}

unsigned bits_of_structure(std::string_view type);

// Returns 0 for a type whose size is unknown.
unsigned bits_of(std::string_view type) {
  if (type == "ptr" || type.ends_with("*")) return 64;
  if (type == "float") return 32;
  if (type == "double") return 64;
  if (type == "half" || type == "bfloat") return 16;
  if (type == "fp128") return 128;
  if (type == "x86_fp80") return 80;
  if (type.starts_with('i')) return number(type.substr(1)).value_or(0);
  const bool vector = type.starts_with('<');
  if ((vector || type.starts_with('[')) && type.size() > 2) {
    const std::string_view inside = type.substr(1, type.size() - 2);
    const std::size_t by = inside.find(" x ");
    if (by == std::string_view::npos) return 0;
    return number(trimmed(inside.substr(0, by))).value_or(0) *
           bits_of(trimmed(inside.substr(by + 3)));
  }
  if (type.starts_with("{ ") && type.ends_with(" }")) return bits_of_structure(type);
  return 0;
}

// For structures that functions return in registers: numbers and pointers, each aligned to its
// size.
unsigned bits_of_structure(std::string_view type) {
  std::string_view left = trimmed(type.substr(1, type.size() - 2));
  unsigned end = 0;
  unsigned alignment = 8;
  while (!left.empty()) {
    const std::string_view member = type_of(left);
    const unsigned bits = member.starts_with('{') ? 0 : bits_of(member);
    if (bits != 8 && bits != 16 && bits != 32 && bits != 64) return 0;
    alignment = std::max(alignment, bits);
    end = (end + bits - 1) / bits * bits + bits;
    left = trimmed(left.substr(std::min(member.size() + 1, left.size())));
  }
  return (end + alignment - 1) / alignment * alignment;
}

}  // namespace

bool is_announced(std::string_view type) {
  const unsigned bits = bits_of(type);
  const unsigned bytes = (bits + 7) / 8;
  return bits != 0 && (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16);
}

}  // namespace fencepost::cli
