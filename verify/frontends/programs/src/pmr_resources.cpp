// Memory resources of the C++ library: an access to one counts as an access to the whole resource.
// They get their memory from another resource, which may be the program's.

#include <memory_resource>

#include "library_calls.hpp"

using namespace fencepost::programs;
using std::pmr::monotonic_buffer_resource;
using std::pmr::unsynchronized_pool_resource;

namespace {

constexpr char table_of_monotonic[] = "_ZTVNSt3pmr25monotonic_buffer_resourceE";

// The library does not export a name for this virtual function.
returned allocate_monotonically(argument resource, argument size, argument alignment) {
  using function = returned (*)(argument, argument, argument);
  static constinit const function* behind = nullptr;
  if (behind == nullptr) behind = c_library<const function*>(table_of_monotonic) + 4;
  const argument all[] = {resource, size, alignment};
  const library_call<changes<monotonic_buffer_resource>, nothing, nothing, calls_the_program> call(
      FENCEPOST_CALL_SITE, all);
  return (*behind)(resource, size, alignment);
}
void deallocate_nothing(void*, void*, std::size_t, std::size_t) {}
bool is_same(const void* a, const void* b) { return a == b; }

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)

FENCEPOST_LIBRARY_CALL(_ZNSt3pmr15memory_resourceD1Ev, destroys<void*>)
FENCEPOST_LIBRARY_CALL(_ZNSt3pmr15memory_resourceD2Ev, destroys<void*>)

#define FENCEPOST_RESOURCE(name, ...) \
  FENCEPOST_LIBRARY_CALL(_ZNSt3pmr25monotonic_buffer_resource##name, __VA_ARGS__)
FENCEPOST_RESOURCE(13_M_new_bufferEmm, changes<monotonic_buffer_resource>, nothing, nothing,
                   calls_the_program)
FENCEPOST_RESOURCE(18_M_release_buffersEv, changes<monotonic_buffer_resource>, calls_the_program)
FENCEPOST_RESOURCE(D0Ev, destroys<monotonic_buffer_resource>, calls_the_program)
FENCEPOST_RESOURCE(D1Ev, destroys<monotonic_buffer_resource>, calls_the_program)
FENCEPOST_RESOURCE(D2Ev, destroys<monotonic_buffer_resource>, calls_the_program)
#undef FENCEPOST_RESOURCE

#define FENCEPOST_RESOURCE(name, ...) \
  FENCEPOST_LIBRARY_CALL(_ZNSt3pmr28unsynchronized_pool_resource##name, __VA_ARGS__)
FENCEPOST_RESOURCE(C1ERKNS_12pool_optionsEPNS_15memory_resourceE,
                   makes<unsynchronized_pool_resource>, reads<std::pmr::pool_options>, nothing,
                   calls_the_program)
FENCEPOST_RESOURCE(C2ERKNS_12pool_optionsEPNS_15memory_resourceE,
                   makes<unsynchronized_pool_resource>, reads<std::pmr::pool_options>, nothing,
                   calls_the_program)
FENCEPOST_RESOURCE(D1Ev, destroys<unsynchronized_pool_resource>, calls_the_program)
FENCEPOST_RESOURCE(D2Ev, destroys<unsynchronized_pool_resource>, calls_the_program)
FENCEPOST_RESOURCE(7releaseEv, changes<unsynchronized_pool_resource>, calls_the_program)
FENCEPOST_RESOURCE(11do_allocateEmm, changes<unsynchronized_pool_resource>, nothing, nothing,
                   calls_the_program)
FENCEPOST_RESOURCE(13do_deallocateEPvmm, changes<unsynchronized_pool_resource>, nothing, nothing,
                   calls_the_program)
#undef FENCEPOST_RESOURCE

extern "C" {

extern const char type_of_monotonic[] __asm__("_ZTINSt3pmr25monotonic_buffer_resourceE");

// The virtual table that the program's objects use instead of the library's.
struct fencepost_virtual_table {
  std::ptrdiff_t to_top;
  const void* type;
  returned (*destroy)(argument, argument, argument, argument, argument, argument, double);
  returned (*destroy_and_free)(argument, argument, argument, argument, argument, argument, double);
  returned (*allocate)(argument, argument, argument);
  void (*deallocate)(void*, void*, std::size_t, std::size_t);
  bool (*is_equal)(const void*, const void*);
};
extern const fencepost_virtual_table fencepost_monotonic __asm__(
    "_ZTVNSt3pmr25monotonic_buffer_resourceE");
const fencepost_virtual_table fencepost_monotonic = {0,
                                                     type_of_monotonic,
                                                     _ZNSt3pmr25monotonic_buffer_resourceD1Ev,
                                                     _ZNSt3pmr25monotonic_buffer_resourceD0Ev,
                                                     allocate_monotonically,
                                                     deallocate_nothing,
                                                     is_same};

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
