// The headers that the program's project calls its own: HEADERS of fencepost_add_model_cli(). The
// program fencepost has none, and takes those of a folder.
#pragma once

#include <string>
#include <vector>

#include "source/source_files.hpp"

namespace fencepost::cli {

bool has_own_headers();

// The folder that has all of them in it, as it is shown: within the source tree where it is there.
std::string own_headers_folder();

// Their names: within that folder, so that no other of them ends in the same; otherwise the path.
std::vector<std::string> own_header_names();

// By name. `path` is absolute. Throws usage_error for one that cannot be read, with `who` in front.
std::vector<source_file> own_headers(const std::string& who);

// Those whose path is that or ends in it.
std::vector<source_file> own_headers_ending_in(const std::string& path);

}  // namespace fencepost::cli
