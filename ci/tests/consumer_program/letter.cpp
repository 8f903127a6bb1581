// Hands a letter over, using only std::atomic and std::thread.
#include <atomic>
#include <cassert>
#include <thread>

#ifndef SENT
#define SENT std::memory_order_release
#endif

int main() {
  int letter = 0;
  std::atomic<bool> is_sent{false};
  std::thread sender([&] {
    letter = 42;
    is_sent.store(true, SENT);
  });
  if (is_sent.load(std::memory_order_acquire)) assert(letter == 42);
  sender.join();
}
