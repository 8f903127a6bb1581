// dynamic_cast: the C++ library reads the pointer to the virtual table in the program's object.

#include <cxxabi.h>

#include <cstddef>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::watch_read;

// The C++ library names its functions and parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
namespace __cxxabiv1 {

extern "C" void* __dynamic_cast(const void* object, const __class_type_info* from,
                                const __class_type_info* to, std::ptrdiff_t hint) {
  watch_read(object, sizeof(void*), FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(__dynamic_cast)(object, from, to, hint);
}

}  // namespace __cxxabiv1
// NOLINTEND(readability-inconsistent-declaration-parameter-name,bugprone-reserved-identifier,readability-identifier-naming)
