// What a certificate's page says of what its verdicts do not cover.
#pragma once

#include <string>

#include "evidence/certificate.hpp"

namespace fencepost::cli {

// How many of the claims hold under xc20; with a space before it.
std::string under_xc20_too(const certificate&);

page_list not_covered(const certificate&);

}  // namespace fencepost::cli
