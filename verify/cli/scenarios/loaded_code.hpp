// Identifies the code that runs, for results that are kept between runs.
#pragma once

#include <string>

namespace fencepost::cli {

// Returns a digest of the program and of the shared libraries that it has loaded, except for those
// of the system: equal digests mean equal results. "" if a file cannot be read.
std::string digest_of_loaded_code();

}  // namespace fencepost::cli
