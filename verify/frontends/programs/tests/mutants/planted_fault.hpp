// A fault as mutate.cmake lists those that it has planted.
#pragma once

namespace fencepost::programs::testing {

struct planted_fault {
  unsigned number;
  const char* file;
  const char* what;
};

}  // namespace fencepost::programs::testing
