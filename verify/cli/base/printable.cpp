#include "base/printable.hpp"

#include <cstddef>
#include <cstdint>

namespace fencepost::cli {
namespace {

constexpr std::size_t longest_line = 1000;

unsigned char byte(std::string_view text, std::size_t at) {
  return at < text.size() ? static_cast<unsigned char>(text[at]) : 0;
}

// Returns the length in bytes of the character at `at`; 0 if there is no valid character, or a
// control character.
std::size_t shown_at(std::string_view text, std::size_t at) {
  const std::uint32_t first = byte(text, at);
  if (first < 0x80) return (first >= 0x20 && first != 0x7f) || first == '\n' || first == '\t';
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  std::uint32_t code = first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(text, at + i) & 0xc0U) != 0x80) return 0;
    code = code << 6U | (byte(text, at + i) & 0x3fU);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  return overlong || surrogate || code > 0x10ffff || code < 0xa0 ? 0 : length;
}

}  // namespace

std::string printable(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = shown_at(text, at);
    if (length != 0) {
      shown += text.substr(at, length);
      at += length;
    } else {
      const unsigned char c = byte(text, at++);
      shown += {'\\', 'x', digits[c / 16], digits[c % 16]};
    }
  }
  return shown;
}

std::string printable_message(std::string_view text) {
  std::string shown;
  while (true) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    if (line.size() <= longest_line) {
      shown += printable(line);
    } else {
      shown += printable(line.substr(0, longest_line / 2)) + " ... " +
               printable(line.substr(line.size() - longest_line / 4));
    }
    if (end == std::string_view::npos) return shown;
    shown += '\n';
    text.remove_prefix(end + 1);
  }
}

}  // namespace fencepost::cli
