// Links and commands on the page of a certificate, which may be another project's.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

// A page of another project's scenarios has no links: it lies anywhere, and has Fencepost's pages
// nowhere near.
std::string link_or_text(std::string_view text, std::string_view to);

// Of this program.
std::string command_named(std::string_view arguments);

}  // namespace fencepost::cli
