#include "base/this_program.hpp"

#include <utility>

#if !defined(FENCEPOST_SOURCE_DIR)
#define FENCEPOST_SOURCE_DIR ""
#endif
#if !defined(FENCEPOST_BUILD_DIR)
#define FENCEPOST_BUILD_DIR ""
#endif

namespace fencepost::cli {
namespace {

program_identity& identity() {
  static program_identity one{"fencepost", FENCEPOST_SOURCE_DIR, FENCEPOST_BUILD_DIR, {}, true};
  return one;
}

}  // namespace

const program_identity& this_program() { return identity(); }
void become(program_identity other) { identity() = std::move(other); }

}  // namespace fencepost::cli
