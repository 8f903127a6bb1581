// For the tests of `fencepost necessity`: a label that belongs to no place in its table.
#pragma once

namespace fencepost::cli::parts {

// [gone] relaxed, alone: what it named is no more.
inline int gone() { return 0; }

}  // namespace fencepost::cli::parts
