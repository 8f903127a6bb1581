#include "counted_slabs.hpp"

#include <cstdlib>
#include <new>

namespace fencepost {
namespace {

void* allocate_slab(std::size_t size, std::size_t alignment) noexcept {
  if (slabs_until_refusal == 0) return nullptr;
  if (slabs_until_refusal > 0) --slabs_until_refusal;
  ++slabs_alive;
  ++slabs_allocated;
  bytes_of_slabs += static_cast<long>(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
void release_slab(void* slab) noexcept {
  if (slab == nullptr) return;
  --slabs_alive;
  std::free(slab);
}

}  // namespace
}  // namespace fencepost

void* operator new(std::size_t size, std::align_val_t alignment) {
  void* const slab = fencepost::allocate_slab(size, static_cast<std::size_t>(alignment));
  if (slab == nullptr) throw std::bad_alloc();
  return slab;
}
void* operator new(std::size_t size, std::align_val_t alignment, const std::nothrow_t&) noexcept {
  return fencepost::allocate_slab(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* slab, std::align_val_t) noexcept { fencepost::release_slab(slab); }
void operator delete(void* slab, std::size_t, std::align_val_t) noexcept {
  fencepost::release_slab(slab);
}
void operator delete(void* slab, std::align_val_t, const std::nothrow_t&) noexcept {
  fencepost::release_slab(slab);
}
