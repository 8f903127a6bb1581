// A critical section that only reads, under a spin lock: with a relaxed unlock ISO C++ lets another
// thread in before it has read.
#include <atomic>
#include <cassert>
#include <thread>

#if !defined(UNLOCK)
#define UNLOCK relaxed
#endif

namespace {

std::atomic<int> taken{0}, mark{0}, data{0};

void lock() {
  while (taken.exchange(1, std::memory_order_acquire) != 0) std::this_thread::yield();
}
void unlock() { taken.store(0, std::memory_order::UNLOCK); }

}  // namespace

int main() {
  int read = 0, seen = 0;
  std::thread reader([&] {
    lock();
    mark.store(1, std::memory_order_relaxed);
    read = data.load(std::memory_order_relaxed);
    unlock();
  });
  std::thread writer([&] {
    lock();
    seen = mark.load(std::memory_order_relaxed);
    data.store(1, std::memory_order_relaxed);
    unlock();
  });
  reader.join();
  writer.join();
  assert(seen == 0 || read == 0);
}
