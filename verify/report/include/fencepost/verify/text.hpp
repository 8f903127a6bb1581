// Numbers, durations and paragraphs as text, for reports.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fencepost::verify {

// 1234567 as "1,234,567".
std::string grouped(std::uint64_t);
// An estimate with two digits: 1234567 as "1,200,000", 12e20 as "1.2e+21".
std::string rounded(double);
// "0.12 s", "12.3 s", "3 min 05 s", "2 h 03 min".
std::string duration(double seconds);
// "12 %", "0.3 %", "< 0.1 %".
std::string percent(double fraction);
// The text broken at spaces into lines of at most this many columns; a longer word is cut.
std::vector<std::string> wrapped(std::string_view text, std::size_t width);
// How many columns a terminal needs for this UTF-8 text (escapes must not be in it).
std::size_t columns(std::string_view text) noexcept;
// At most this many columns of the text, ending in "..." if something was cut.
std::string shortened(std::string_view text, std::size_t width);

// The path as people know it: relative to the source tree or to the current directory if below one.
std::string shown_path(std::string_view file);

}  // namespace fencepost::verify
