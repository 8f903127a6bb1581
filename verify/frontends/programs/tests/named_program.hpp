// A program that does one of several things, as its first argument names it.
#pragma once

#include <mutex>
#include <span>
#include <string_view>
#include <thread>

struct named {
  std::string_view name;
  void (*body)();
};
#define FENCEPOST_NAMED(function) \
  named { #function, function }

// Does it, and returns true; false: there is none of that name.
inline bool run_named(std::span<const named> all, std::string_view name) {
  for (const named& n : all) {
    if (n.name != name) continue;
    n.body();
    return true;
  }
  return false;
}

inline int run_named(std::span<const named> all, int argc, char** argv) {
  if (argc < 2) return 9;
  return run_named(all, argv[1]) ? 0 : 8;
}

// Each in a thread of its own, at once.
void both(auto first, auto second) {
  std::thread a(first);
  std::thread b(second);
  a.join();
  b.join();
}

// Held once or twice, it is free then. The first turn of a loop may leave something else on the
// stack than the next ones: so a fault that takes turns for the same shows in the third.
inline void unlock_twice_if_held(std::recursive_mutex& m) {
  for (int i = 0; i < 2; ++i) {
    bool held = false;
    std::thread([&] {
      held = !m.try_lock();
      if (!held) m.unlock();
    }).join();
    if (held) m.unlock();
  }
}
