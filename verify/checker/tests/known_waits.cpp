// Programs of known count that wait: for locks, and in loops that are left after some turns.
#include <mutex>

#include "known_counts.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;

}  // namespace

void locks(std::vector<known_program>& all) {
  for (unsigned n = 2; n <= 5; ++n) {
    all.push_back({numbered("ticket lock, threads", n), factorial(n), [n] {
                     integer next{0}, serving{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const int ticket = next.fetch_add(1, relaxed);
                       while (serving.load(acquire) != ticket) checked::spin_pause();
                       inside.set(inside.get() + 1);
                       serving.store(ticket + 1, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
    all.push_back({numbered("mutex, threads", n), factorial(n), [n] {
                     checked::mutex m;
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const std::lock_guard lock(m);
                       inside.set(inside.get() + 1);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
  for (unsigned n = 2; n <= 4; ++n) {
    // Each success of the exchange reads the unlock before it; what spins leaves no other trace.
    all.push_back({numbered("test-and-test-and-set lock, threads", n), 0, [n] {
                     integer held{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       for (;;) {
                         while (held.load(relaxed) != 0) checked::spin_pause();
                         if (held.exchange(1, acquire) == 0) break;
                       }
                       inside.set(inside.get() + 1);
                       held.store(0, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
}

// Loops that are left after three turns at the latest: none, one, two or three of them are in vain.
// And one that waits for ever where its first turn is not told from what comes before it.
void loops_that_count(std::vector<known_program>& all) {
  const auto add = [&](const char* name, auto count) {
    all.push_back({std::string("a loop that counts ") + name, 4, [count] {
                     integer x{0};
                     int of_main = 0;
                     const auto on_heap = std::make_unique<int>(0);
                     concurrently([&] { x.store(1, relaxed); },
                                  [&] {
                                    int in_register = 0;
                                    volatile int on_stack = 0;
                                    while (x.load(relaxed) == 0 &&
                                           count(in_register, on_stack, of_main, *on_heap) < 3) {
                                    }
                                  });
                   }});
  };
  add("in a register", [](int& i, volatile int&, int&, int&) { return ++i; });
  add("on its stack", [](int&, volatile int& i, int&, int&) {
    i = i + 1;
    return int{i};
  });
  add("on another stack", [](int&, volatile int&, int& i, int&) { return ++i; });
  add("on the heap", [](int&, volatile int&, int&, int& i) { return ++i; });
  all.push_back({"a loop behind a read", 2, [] {
                   integer x{0}, own{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  int c = x.load(relaxed);
                                  own.store(1, relaxed);
                                  while (c == 0) c = x.load(relaxed);
                                });
                 }});
  all.push_back({"a loop that takes turns", 1, [] {
                   integer x{0}, y{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  while (x.load(relaxed) == 0) {
                                  }
                                  y.store(1, relaxed);
                                },
                                [&] {
                                  while (y.load(relaxed) == 0) {
                                  }
                                });
                 }});
}

}  // namespace fencepost::verify::testing
