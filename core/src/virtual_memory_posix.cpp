// Virtual memory by mmap and mprotect.
#include <sys/mman.h>
#include <unistd.h>
#include <cerrno>
#include <system_error>

#include "virtual_memory.hpp"

#if !defined(MAP_ANONYMOUS)
#define MAP_ANONYMOUS MAP_ANON
#endif

namespace fencepost::detail::virtual_memory {

std::size_t page_size() noexcept {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

// Without MAP_NORESERVE: the system does not account for inaccessible memory anyway, and it must
// account for committed memory: otherwise committing never fails, and touching the memory does.
void* reserve(std::size_t size) noexcept {
  void* const at = mmap(nullptr, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

void release(void* at, std::size_t size) noexcept { munmap(at, size); }

bool commit(void* at, std::size_t size) noexcept {
  return mprotect(at, size, PROT_READ | PROT_WRITE) == 0;
}

// Replaces the mapping by a new one. That frees its pages at once, which madvise() guarantees only
// on Linux, and ends the accounting for it, which mprotect() to no access does not.
bool decommit(void* at, std::size_t size) noexcept {
  return mmap(at, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

int system_error() noexcept { return errno; }
std::string describe(int error) { return std::generic_category().message(error); }

}  // namespace fencepost::detail::virtual_memory
