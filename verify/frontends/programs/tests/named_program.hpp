// A program that runs one of several functions: the one that its first argument names.
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

// Calls the function of that name. Returns false if there is none.
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

// Runs the two concurrently, each in a thread of its own.
void both(auto first, auto second) {
  std::thread a(first);
  std::thread b(second);
  a.join();
  b.join();
}

// Frees a mutex that this thread holds once or twice. The first turn of a loop may leave other
// bytes on the stack than later turns: a fault that takes turns to be equal shows in the third.
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
