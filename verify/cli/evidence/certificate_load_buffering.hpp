// What a certificate's page says of load buffering: which claims hold under xc20 as well.
#pragma once

#include <string>

#include "evidence/certificate.hpp"

namespace fencepost::cli {

// Says how many of the claims hold under xc20; begins with a space.
std::string under_xc20_too(const certificate&);

// The text for the list of what is not covered.
std::string load_buffering_covered(const certificate&);

// Adds a section with the claims that are not known to hold in full under xc20, by component;
// nothing if there are none.
void add_open_under_xc20(page&, const certificate&);

}  // namespace fencepost::cli
