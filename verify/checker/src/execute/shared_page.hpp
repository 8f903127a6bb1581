// A T that is shared by this process and those forked from it.
#pragma once

#include <sys/mman.h>

#include <new>
#include <type_traits>

namespace fencepost::verify {

template <class T>
class shared_page {
  static_assert(
      std::is_trivially_destructible_v<T>,
      "no process knows whether it is the last one, which would have to run the destructor");

 public:
  shared_page() {
    void* const at =
        mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    state_ = new (at) T;
  }
  ~shared_page() { munmap(state_, sizeof(T)); }
  shared_page(const shared_page&) = delete;
  shared_page& operator=(const shared_page&) = delete;

  T& operator*() const noexcept { return *state_; }
  T* operator->() const noexcept { return state_; }

 private:
  T* state_;
};

}  // namespace fencepost::verify
