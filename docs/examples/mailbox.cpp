// The program at the top of README.md. It is wrong on purpose: the release is missing.
//
//   fencepost c++ -std=c++20 -o mailbox docs/examples/mailbox.cpp
//   fencepost check ./mailbox
// [program]
#include <atomic>
#include <cassert>
#include <thread>

int letter = 0;
std::atomic<bool> full{false};

int main() {
  std::thread writer([] {
    letter = 42;
    full.store(true, std::memory_order_relaxed);  // fine on x86
  });
  if (full.load(std::memory_order_acquire)) assert(letter == 42);
  writer.join();
}
// [program]
