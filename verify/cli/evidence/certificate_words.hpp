// Words of the certificate that are used to compare two pages: they mark what differs between runs,
// and what only an exploration under xc20 shows.
#pragma once

#include <string_view>

namespace fencepost::cli {

inline constexpr std::string_view compiler_line = "Compiled by ";
// Follows the number of graphs, if all of them were confirmed.
inline constexpr std::string_view judged_twice = " confirmed by a second implementation. ";
// An item of a list, the end of what follows "Of the other 148, ", and a column's heading.
inline constexpr std::string_view load_buffering_item = "Load buffering.";
inline constexpr std::string_view see_load_buffering = "(see load buffering, below).";
inline constexpr std::string_view xc20_column = "under xc20 too";
inline constexpr std::string_view under_xc20_heading = "Under xc20";  // of a section

}  // namespace fencepost::cli
