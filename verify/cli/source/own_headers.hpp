// The headers that the program's project calls its own: HEADERS of fencepost_add_model_cli(). The
// program fencepost has none, and uses those of a folder.
#pragma once

#include <string>
#include <vector>

#include "source/source_files.hpp"

namespace fencepost::cli {

bool has_own_headers();

// The folder that contains all of them, as it is shown: relative to the source tree if it is in it,
// else only its own name.
std::string own_headers_folder();

// Their names: relative to that folder, unless the path of another header ends in the same; then
// the whole path.
std::vector<std::string> own_header_names();

// Returns them by name; `path` is absolute. Throws usage_error, which begins with `who`, for one
// that cannot be read.
std::vector<source_file> own_headers(const std::string& who);

// Returns those whose path is `path` or ends in it.
std::vector<source_file> own_headers_ending_in(const std::string& path);

}  // namespace fencepost::cli
