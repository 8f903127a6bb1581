// What the processes of one exploration see of each other while they are under way.
#pragma once

#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#include <new>

namespace fencepost::verify {

inline constexpr unsigned most_processes = 256;

struct shared_state {
  struct counts {
    std::atomic<std::uint64_t> executions{0};
    std::atomic<std::uint64_t> blocked{0};
  };
  std::atomic<bool> stop{false};
  std::atomic<int> wanted{0};  // parts, for processes that have none
  counts of[most_processes];
};

class shared_page {
 public:
  shared_page() {
    void* const at = mmap(nullptr, sizeof(shared_state), PROT_READ | PROT_WRITE,
                          MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    state_ = new (at) shared_state;
  }
  ~shared_page() { munmap(state_, sizeof(shared_state)); }
  shared_page(const shared_page&) = delete;
  shared_page& operator=(const shared_page&) = delete;

  shared_state& operator*() const noexcept { return *state_; }
  shared_state* operator->() const noexcept { return state_; }

 private:
  shared_state* state_;
};

}  // namespace fencepost::verify
