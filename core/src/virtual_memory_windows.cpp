// Virtual memory by VirtualAlloc. Compiled and run against fakes of the system's functions
// (core/tests/ports), never on Windows.
#include <system_error>

#include "virtual_memory.hpp"
#include "windows_api.hpp"

namespace fencepost::detail::virtual_memory {

std::size_t page_size() noexcept {
  SYSTEM_INFO info;
  GetSystemInfo(&info);
  return info.dwPageSize;
}

void* reserve(std::size_t size) noexcept {
  return VirtualAlloc(nullptr, size, MEM_RESERVE, PAGE_NOACCESS);
}

void release(void* at, std::size_t) noexcept { VirtualFree(at, 0, MEM_RELEASE); }

bool commit(void* at, std::size_t size) noexcept {
  return VirtualAlloc(at, size, MEM_COMMIT, PAGE_READWRITE) != nullptr;
}

bool decommit(void* at, std::size_t size) noexcept {
  return VirtualFree(at, size, MEM_DECOMMIT) != 0;
}

int system_error() noexcept { return static_cast<int>(GetLastError()); }
std::string describe(int error) { return std::system_category().message(error); }

}  // namespace fencepost::detail::virtual_memory
