// Notices that a body allocates with malloc: a block that it frees after a resume point would be
// freed again by each run that continues from there.
//
// The definitions are weak, so that another malloc can replace them. allocation_hook::sees_malloc()
// tells whether one has.

#include <cerrno>
#include <cstdlib>

#include "execute/address_sanitizer.hpp"
#include "execute/memory.hpp"

// The sanitizers define their own.
#if defined(__GLIBC__) && !defined(FENCEPOST_ASAN) && !defined(__SANITIZE_THREAD__)

using fencepost::verify::allocation_hook;

namespace {

void notice() noexcept {
  if (allocation_hook::in_body) [[unlikely]]
    allocation_hook::allocates_elsewhere = true;
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,readability-identifier-naming,bugprone-reserved-identifier)
extern "C" {

void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

[[gnu::weak]] void* malloc(std::size_t size) noexcept {
  notice();
  return __libc_malloc(size);
}

[[gnu::weak]] void* calloc(std::size_t n, std::size_t size) noexcept {
  notice();
  return __libc_calloc(n, size);
}

[[gnu::weak]] void* realloc(void* p, std::size_t size) noexcept {
  notice();
  return __libc_realloc(p, size);
}

[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  notice();
  return __libc_memalign(alignment, size);
}

[[gnu::weak]] int posix_memalign(void** to, std::size_t alignment, std::size_t size) noexcept {
  notice();
  const bool is_power = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!is_power || alignment % sizeof(void*) != 0) return EINVAL;
  void* const p = __libc_memalign(alignment, size);
  if (p == nullptr) return ENOMEM;
  *to = p;
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,readability-identifier-naming,bugprone-reserved-identifier)

#endif

namespace fencepost::verify {

constinit thread_local bool allocation_hook::allocates_elsewhere = false;

bool allocation_hook::sees_malloc() noexcept {
  static const bool sees = [] {
    void* (*volatile allocate)(std::size_t) = std::malloc;
    allocates_elsewhere = false;
    in_body = true;
    void* const p = allocate(1);
    in_body = false;
    std::free(p);
    const bool seen = allocates_elsewhere;
    allocates_elsewhere = false;
    return seen;
  }();
  return sees;
}

}  // namespace fencepost::verify
