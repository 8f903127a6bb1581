// What the results of a component's scenarios depend on (run/digests.cmake).
#pragma once

#include <string_view>

namespace fencepost::cli {

// Returns a digest of the component's object file and of the checker; empty for an unknown
// component.
std::string_view digest_of_model(std::string_view component);

}  // namespace fencepost::cli
