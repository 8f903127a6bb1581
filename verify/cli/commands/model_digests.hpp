// What the results of a component's scenarios depend on (run/digests.cmake).
#pragma once

#include <string_view>

namespace fencepost::cli {

// Of its object file and the checker. Empty: of none that is known.
std::string_view digest_of_model(std::string_view component);

}  // namespace fencepost::cli
