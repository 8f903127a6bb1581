// How many processes each worker may use.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>
#include <vector>

namespace fencepost::cli {

// Counts in shared memory, which the workers read while they run.
class process_shares {
 public:
  using share = std::atomic<unsigned>;
  static_assert(share::is_always_lock_free);

  // `file`: where workers that are other programs find the counts.
  explicit process_shares(unsigned processes, int file = -1) : processes_(processes) {
    if (file >= 0 && ::ftruncate(file, static_cast<off_t>(processes * sizeof(share))) != 0)
      throw std::bad_alloc();
    void* const at = ::mmap(nullptr, processes * sizeof(share), PROT_READ | PROT_WRITE,
                            MAP_SHARED | (file < 0 ? MAP_ANONYMOUS : 0), file, 0);
    if (at == MAP_FAILED) throw std::bad_alloc();
    all_ = static_cast<share*>(at);
  }
  ~process_shares() { ::munmap(all_, processes_ * sizeof(share)); }
  process_shares(const process_shares&) = delete;
  process_shares& operator=(const process_shares&) = delete;

  // Returns a share that is not taken, with one process.
  share& take(const std::vector<const share*>& taken) {
    share* free = all_;
    while (std::find(taken.begin(), taken.end(), free) != taken.end()) ++free;
    free->store(1, std::memory_order_relaxed);
    return *free;
  }
  // Returns the index of the share in the file.
  [[nodiscard]] std::size_t number_of(const share& s) const noexcept {
    return static_cast<std::size_t>(&s - all_);
  }
  // Divides all processes among the workers that still run. A worker never gets fewer than before.
  void divide(const std::vector<const share*>& taken) {
    auto spare = processes_ % static_cast<unsigned>(taken.size());
    for (const share* const mine : taken) {
      const unsigned more = spare == 0 ? 0 : 1;
      spare -= more;
      share& s = all_[mine - all_];
      const unsigned least = s.load(std::memory_order_relaxed);
      s.store(std::max(least, processes_ / static_cast<unsigned>(taken.size()) + more),
              std::memory_order_relaxed);
    }
  }

 private:
  unsigned processes_;
  share* all_;
};

}  // namespace fencepost::cli
