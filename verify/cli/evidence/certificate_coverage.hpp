// The list of what a certificate's verdicts do not cover.
#pragma once

#include "evidence/certificate.hpp"

namespace fencepost::cli {

page_list not_covered(const certificate&);

}  // namespace fencepost::cli
