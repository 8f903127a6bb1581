// What a certificate's page says of load buffering: which claims hold under xc20 as well.
#pragma once

#include <string>

#include "evidence/certificate.hpp"

namespace fencepost::cli {

// How many of the claims hold under xc20; with a space before it.
std::string under_xc20_too(const certificate&);

// Of what is not covered.
std::string load_buffering_covered(const certificate&);

// The claims of which it is not known in full, by component, under a heading of their own; nothing
// where there are none.
void add_open_under_xc20(page&, const certificate&);

}  // namespace fencepost::cli
