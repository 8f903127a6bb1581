// Words of the certificate by which two pages are compared: what differs from run to run, and what
// only an exploration under xc20 shows, is found by them.
#pragma once

#include <string_view>

namespace fencepost::cli {

inline constexpr std::string_view compiler_line = "Compiled by ";
// Behind how many graphs there are, where all of them were confirmed.
inline constexpr std::string_view judged_twice = " confirmed by a second implementation. ";
// The item of a list, the end of what follows "Of the other 148, ", and the head of a column.
inline constexpr std::string_view load_buffering_item = "Load buffering.";
inline constexpr std::string_view see_load_buffering = "(see load buffering, below).";
inline constexpr std::string_view xc20_column = "under xc20 too";
inline constexpr std::string_view under_xc20_heading = "Under xc20";  // of a section

}  // namespace fencepost::cli
