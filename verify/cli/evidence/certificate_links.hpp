// Links and commands on the page of a certificate, which may be another project's.
#pragma once

#include <string>
#include <string_view>

namespace fencepost::cli {

// Returns a link, or only its text on the page of another project, which may be anywhere, far from
// Fencepost's pages.
std::string link_or_text(std::string_view text, std::string_view to);

// Returns a command of this program.
std::string command_named(std::string_view arguments);

}  // namespace fencepost::cli
