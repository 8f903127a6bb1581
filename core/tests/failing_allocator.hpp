// operator new for tests, which counts, and fails on request. Include it in one source of a
// program.
#pragma once

#include <cstdlib>
#include <limits>
#include <new>

namespace fencepost {

// While an instance exists, allocations on its thread fail after the first `allowed`. Instances
// nest: each counts what happens within the inner ones, too.
class allocations_fail_after {
 public:
  explicit allocations_fail_after(unsigned allowed = std::numeric_limits<unsigned>::max())
      : before_(current), allowed_(allowed) {
    current = this;
  }
  ~allocations_fail_after() { current = before_; }
  allocations_fail_after(const allocations_fail_after&) = delete;
  allocations_fail_after& operator=(const allocations_fail_after&) = delete;

  // Blocks allocated and not yet freed since the instance was created.
  long outstanding() const { return outstanding_; }

  static void* allocate(std::size_t size) {
    for (auto* each = current; each != nullptr; each = each->before_) {
      if (each->allowed_ == 0) throw std::bad_alloc();
    }
    for (auto* each = current; each != nullptr; each = each->before_) {
      --each->allowed_;
      ++each->outstanding_;
    }
    void* memory = std::malloc(size);  // NOLINT(cppcoreguidelines-no-malloc)
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
  }
  static void free(void* memory) {
    for (auto* each = memory == nullptr ? nullptr : current; each != nullptr;
         each = each->before_) {
      --each->outstanding_;
    }
    std::free(memory);  // NOLINT(cppcoreguidelines-no-malloc)
  }

 private:
  static inline thread_local allocations_fail_after* current = nullptr;
  allocations_fail_after* before_;
  unsigned allowed_;
  long outstanding_ = 0;
};

}  // namespace fencepost

// NOLINTBEGIN(misc-definitions-in-headers): that is what this header is for
void* operator new(std::size_t size) { return fencepost::allocations_fail_after::allocate(size); }
void* operator new[](std::size_t size) { return fencepost::allocations_fail_after::allocate(size); }
void operator delete(void* memory) noexcept { fencepost::allocations_fail_after::free(memory); }
void operator delete[](void* memory) noexcept { fencepost::allocations_fail_after::free(memory); }
void operator delete(void* memory, std::size_t) noexcept {
  fencepost::allocations_fail_after::free(memory);
}
void operator delete[](void* memory, std::size_t) noexcept {
  fencepost::allocations_fail_after::free(memory);
}
// NOLINTEND(misc-definitions-in-headers)
