// The code that runs, for results that are kept from one run to the next.
#pragma once

#include <string>

namespace fencepost::cli {

// A digest of the program and of the shared libraries that it has loaded, without those of the
// system: equal digests, equal results. "" where the files cannot be read.
std::string digest_of_loaded_code();

}  // namespace fencepost::cli
