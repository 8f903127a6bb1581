// Prints what two threads can observe of each other: docs/guide/checking-your-code.md.
#include <atomic>
#include <iostream>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"

int main() {
  using namespace fencepost;
  // [outcomes]
  const auto body = [] {
    checked_atomics::atomic<int> x{0}, y{0};
    int a = 0, b = 0;
    checked_atomics::thread t([&] {
      x.store(1, std::memory_order_relaxed);
      a = y.load(std::memory_order_relaxed);
    });
    y.store(1, std::memory_order_relaxed);
    b = x.load(std::memory_order_relaxed);
    t.join();
    outcome(a, b);
  };
  std::cout << to_text(verify::check({}, body));
  // [outcomes]
}
