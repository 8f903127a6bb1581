// Waiting on a word: the system's futex, or a table of condition variables where there is none.
#include <atomic>
#include <cstdint>

#include "fencepost/atomics/std_atomics.hpp"

// FENCEPOST_PORTABLE_FUTEX asks for the fallback where there is a futex; the tests do.
#if defined(__linux__) && !defined(FENCEPOST_PORTABLE_FUTEX)

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cerrno>
#include <chrono>
#include <climits>
#include <ctime>

namespace fencepost::detail {

static_assert(sizeof(std::atomic<std::uint32_t>) == sizeof(std::uint32_t) &&
                  std::atomic<std::uint32_t>::is_always_lock_free,
              "the kernel reads the word where the program writes it");

// FUTEX_WAIT_BITSET takes an absolute time, by CLOCK_MONOTONIC, which is what steady_clock counts:
// an early return followed by another wait keeps the deadline.
bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  timespec at{};
  const timespec* timeout = nullptr;
  if (until != no_deadline) {
    using namespace std::chrono;
    const auto since = until.time_since_epoch();
    if (since.count() > 0) {
      const auto whole = duration_cast<seconds>(since);
      at.tv_sec = static_cast<decltype(at.tv_sec)>(whole.count());
      at.tv_nsec =
          static_cast<decltype(at.tv_nsec)>(duration_cast<nanoseconds>(since - whole).count());
    }
    timeout = &at;
  }
  const long result = syscall(SYS_futex, reinterpret_cast<const std::uint32_t*>(&word),
                              FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, expected, timeout, nullptr,
                              FUTEX_BITSET_MATCH_ANY);
  return result == 0 || errno != ETIMEDOUT;  // woken, value differs, or a signal: look again
}

void futex_wake(std::atomic<std::uint32_t>& word, unsigned n) {
  const int count = n > static_cast<unsigned>(INT_MAX) ? INT_MAX : static_cast<int>(n);
  syscall(SYS_futex, reinterpret_cast<std::uint32_t*>(&word), FUTEX_WAKE | FUTEX_PRIVATE_FLAG,
          count, nullptr, nullptr, 0);
}

}  // namespace fencepost::detail

#else

#include <array>
#include <condition_variable>
#include <functional>
#include <mutex>

namespace fencepost::detail {
namespace {

// Words share buckets, so a wake wakes all that wait in the bucket: a futex may return early.
struct bucket {
  std::mutex mutex;
  std::condition_variable changed;
  std::uint64_t wakes = 0;
};

bucket& bucket_of(const void* word) {
  static std::array<bucket, 64> buckets;
  return buckets[std::hash<const void*>{}(word) / 8 % buckets.size()];
}

}  // namespace

bool futex_wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
  bucket& b = bucket_of(&word);
  std::unique_lock lock{b.mutex};
  // The full fence of the contract: what the waker stored before its wake is seen here, or the
  // waker finds this thread waiting, because both hold the bucket's lock.
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (word.load(std::memory_order_seq_cst) != expected) return true;
  const std::uint64_t before = b.wakes;
  const auto woken = [&] { return b.wakes != before; };
  if (until == no_deadline) {
    b.changed.wait(lock, woken);
    return true;
  }
  return b.changed.wait_until(lock, until, woken);
}

void futex_wake(std::atomic<std::uint32_t>& word, unsigned n) {
  if (n == 0) return;
  bucket& b = bucket_of(&word);
  {
    std::lock_guard lock{b.mutex};
    ++b.wakes;
  }
  b.changed.notify_all();
}

}  // namespace fencepost::detail

#endif
