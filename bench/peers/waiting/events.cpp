// event_count, the policy's futex, wake_event, and those of the standard library and POSIX.
#include <poll.h>
#include <semaphore.h>

#include <condition_variable>
#include <mutex>
#include <semaphore>

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/runtime/wake_event.hpp"
#include "fencepost/sync/event_count.hpp"
#include "wake.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_event_count {
  event_count<> sleepers;
  std::atomic<bool> is_set{false};
  void set() {
    is_set.store(true, std::memory_order_release);
    sleepers.notify_one();
  }
  void wait() {
    sleepers.await([this] { return is_set.exchange(false, std::memory_order_acquire); });
  }
};
struct on_futex {
  std::atomic<std::uint32_t> word{0};
  void set() {
    word.store(1, std::memory_order_release);
    std_atomics::futex_wake(word, 1);
  }
  void wait() {
    while (word.exchange(0, std::memory_order_acquire) == 0) {
      std_atomics::futex_wait(word, 0, no_deadline);
    }
  }
};
struct on_wake_event {
  wake_event event;
  void set() { event.signal(); }
  void wait() {
    pollfd polled{event.descriptor(), POLLIN, 0};
    while (::poll(&polled, 1, -1) < 1) continue;
    event.clear();
  }
};
struct on_std_atomic {
  std::atomic<int> word{0};
  void set() {
    word.store(1, std::memory_order_release);
    word.notify_one();
  }
  void wait() {
    while (word.exchange(0, std::memory_order_acquire) == 0) word.wait(0);
  }
};
struct on_condition_variable {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_set = false;
  void set() {
    {
      const std::lock_guard lock{mutex};
      is_set = true;
    }
    changed.notify_one();
  }
  void wait() {
    std::unique_lock lock{mutex};
    changed.wait(lock, [this] { return is_set; });
    is_set = false;
  }
};
struct on_std_semaphore {
  std::binary_semaphore semaphore{0};
  void set() { semaphore.release(); }
  void wait() { semaphore.acquire(); }
};
struct on_posix_semaphore {
  sem_t semaphore;
  on_posix_semaphore() { sem_init(&semaphore, 0, 0); }
  on_posix_semaphore(const on_posix_semaphore&) = delete;
  on_posix_semaphore& operator=(const on_posix_semaphore&) = delete;
  ~on_posix_semaphore() { sem_destroy(&semaphore); }
  void set() { sem_post(&semaphore); }
  void wait() {
    while (sem_wait(&semaphore) != 0) continue;
  }
};

[[maybe_unused]] const bool registered =
    register_event<on_event_count>("event_count") && register_event<on_futex>("futex") &&
    register_event<on_wake_event>("wake_event") &&
    register_event<on_std_atomic>("std::atomic::wait") &&
    register_event<on_condition_variable>("std::condition_variable") &&
    register_event<on_std_semaphore>("std::binary_semaphore") &&
    register_event<on_posix_semaphore>("sem_t");

}  // namespace
}  // namespace fencepost::bench::peers
