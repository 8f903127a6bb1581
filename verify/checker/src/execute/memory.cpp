#include "execute/memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "execute/address_sanitizer.hpp"
#include "execute/front_end_state.hpp"

namespace fencepost::verify {

constinit thread_local std::span<const std::span<char>> program_variables::all;
constinit thread_local front_end_state* front_end_state::current = nullptr;
constinit thread_local allocation_hook* allocation_hook::current = nullptr;
constinit thread_local bool allocation_hook::in_body = false;
constinit thread_local bool allocation_hook::unshown = false;

// The wanted address is a hint: if it is taken, the system chooses another one. MAP_FIXED_NOREPLACE
// is not used: ThreadSanitizer replaces an address for which it has no shadow by 0, and root would
// get memory there.
void* map(std::uintptr_t wanted, std::size_t bytes, int flags) noexcept {
  void* const p = mmap(reinterpret_cast<void*>(wanted), bytes, PROT_READ | PROT_WRITE,
                       flags | MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

arena::~arena() {
  if (base_ != 0) munmap(reinterpret_cast<void*>(base_), bytes_ * regions);
}

void arena::reserve(std::size_t bytes_per_thread) {
  bytes_ = (bytes_per_thread + 4095) / 4096 * 4096;
  void* p = map(arena_address, bytes_ * regions, 0);
  if (p == nullptr) throw std::bad_alloc();
  base_ = reinterpret_cast<std::uintptr_t>(p);
}

void arena::begin_run() noexcept {
  ++run_;
  live_ = 0;
  blocks_.clear();
  const auto empty = [&](unsigned t) { regions_[t] = {base_ + t * bytes_, 0, nullptr}; };
  for (unsigned t = 0; t <= used_; ++t) empty(t);
  empty(max_threads);
  used_ = 0;
}

void* arena::allocate_aside(std::size_t size, std::size_t alignment) noexcept {
  region& r = regions_[max_threads];
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::uintptr_t at = (r.top + alignment - 1) / alignment * alignment;
  if (size >= base_ + regions * bytes_ - at) return nullptr;
  r.top = at + (size == 0 ? 1 : size);
  unpoison(reinterpret_cast<void*>(at), size);
  return reinterpret_cast<void*>(at);
}

void* arena::allocate(unsigned thread, std::size_t size, std::size_t alignment) noexcept {
  region& r = regions_[thread];
  used_ = std::max(used_, thread);
  if (alignment < alignof(std::max_align_t)) alignment = alignof(std::max_align_t);
  const std::uintptr_t limit = base_ + (thread + 1) * bytes_;
  const std::uintptr_t at = (r.top + sizeof(block) + alignment - 1) / alignment * alignment;
  if (size > bytes_ || at + size >= limit) return nullptr;
  r.top = (at + (size == 0 ? 1 : size) + 7) / 8 * 8;
  auto* b = reinterpret_cast<block*>(at) - 1;
  unpoison(b, r.top - (at - sizeof(block)));
  *b = {size, run_, thread, r.ordinal++, nullptr, live, 0, 0};
  std::memset(reinterpret_cast<void*>(at), fill_, size < 4096 ? size : 4096);
  ++live_;
  blocks_.push_back(b);
  return reinterpret_cast<void*>(at);
}

arena::block* arena::find(void* p) noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  if (!contains(p) || at % alignof(std::max_align_t) != 0) return nullptr;
  const std::size_t thread = (at - base_) / bytes_;
  if (at >= regions_[thread].top || at < base_ + thread * bytes_ + sizeof(block)) return nullptr;
  block* b = reinterpret_cast<block*>(p) - 1;
  return b->run == run_ && (b->state == live || b->state == freed) ? b : nullptr;
}

const arena::block* arena::around(const void* p) const noexcept {
  const auto at = reinterpret_cast<std::uintptr_t>(p);
  for (const block* b : blocks_)
    if (at - reinterpret_cast<std::uintptr_t>(b + 1) < b->size) return b;
  return nullptr;
}

void arena::release(block* b) noexcept {
  b->state = freed;
  --live_;
}

namespace {

bool fits(const arena::block& b, std::size_t size, std::size_t alignment) noexcept {
  return b.size == size && reinterpret_cast<std::uintptr_t>(&b + 1) % alignment == 0;
}

}  // namespace

void arena::keep(unsigned list, block* b) noexcept {
  if (list != of_all) used_ = std::max(used_, list);
  b->next_free = regions_[list].free;
  regions_[list].free = b;
}

unsigned arena::count(unsigned list, std::size_t size, std::size_t alignment) const noexcept {
  unsigned n = 0;
  for (const block* b = regions_[list].free; b != nullptr; b = b->next_free)
    if (fits(*b, size, alignment)) ++n;
  return n;
}

arena::block& arena::take(unsigned list, unsigned n, unsigned thread, std::size_t size,
                          std::size_t alignment) noexcept {
  used_ = std::max(used_, thread);
  block** b = &regions_[list].free;
  while (!fits(**b, size, alignment) || n-- > 0) b = &(*b)->next_free;
  block& found = **b;
  *b = found.next_free;
  found.state = live;
  found.thread = thread;
  found.ordinal = regions_[thread].ordinal++;
  ++live_;
  unpoison(&found + 1, size);
  return found;
}

void arena::go_back(unsigned thread, place to) noexcept {
  region& r = regions_[thread];
  if (r.ordinal == to.ordinal) return;
  std::erase_if(blocks_,
                [&](const block* b) { return b->thread == thread && b->ordinal >= to.ordinal; });
  r.top = to.top;
  r.ordinal = to.ordinal;
}

std::size_t arena::objects_while_newest(const block& b, std::size_t all) const noexcept {
  const auto next =
      std::upper_bound(blocks_.begin(), blocks_.end(), b.objects,
                       [](std::uint32_t n, const block* later) { return n < later->objects; });
  // The program may have overwritten the number.
  return next == blocks_.end() ? all : std::min<std::size_t>((*next)->objects, all);
}

const arena::block* arena::first_live() const noexcept {
  for (const block* b : blocks_)
    if (b->state == live) return b;
  return nullptr;
}

}  // namespace fencepost::verify

// Allocations of code under test go to the explorer, all others to malloc.

namespace {

using fencepost::verify::allocation_hook;

void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (allocation_hook::in_body) [[unlikely]]
    return allocation_hook::current->allocate(size, alignment);
  if (size == 0) size = 1;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void release(void* p) noexcept {
  if (p == nullptr) return;
  if (allocation_hook::current != nullptr &&
      (allocation_hook::in_body || allocation_hook::current->owns(p))) [[unlikely]] {
    allocation_hook::current->release(p);
    return;
  }
  std::free(p);
}

void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  void* p = allocate(size, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

constexpr std::size_t natural = alignof(std::max_align_t);

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n, natural); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, natural); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, natural); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, natural); }
void* operator new(std::size_t n, std::align_val_t a) {
  return allocate_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return allocate_or_throw(n, static_cast<std::size_t>(a));
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, static_cast<std::size_t>(a));
}
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t, const std::nothrow_t&) noexcept { release(p); }
