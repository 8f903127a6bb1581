// What a certificate's page says of what its verdicts do not cover.
#pragma once

#include "evidence/certificate.hpp"

namespace fencepost::cli {

page_list not_covered(const certificate&);

}  // namespace fencepost::cli
