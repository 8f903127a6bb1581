#include "execute/fiber_stack.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <new>

#include "execute/memory.hpp"

namespace fencepost::verify {

fiber_stack::~fiber_stack() {
  if (base_ != nullptr) munmap(base_, 2 * guard_ + engine_size + size_);
}

void fiber_stack::reserve(std::size_t bytes, unsigned thread) {
  if (base_ != nullptr) return;
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  // Wide enough that a large frame does not step over it.
  guard_ = 16 * page;
  size_ = (bytes + page - 1) / page * page;
  const std::size_t all = 2 * guard_ + engine_size + size_;
  base_ = static_cast<char*>(map(stacks_address + thread * all, all, MAP_STACK));
  if (base_ == nullptr) throw std::bad_alloc();
  mprotect(base_, guard_, PROT_NONE);
  mprotect(base_ + guard_ + engine_size, guard_, PROT_NONE);
}

void fiber_stack::make_executable() {
  if (mprotect(bottom(), size_, PROT_READ | PROT_WRITE | PROT_EXEC) != 0) throw std::bad_alloc();
}

}  // namespace fencepost::verify
