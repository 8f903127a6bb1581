// A program that does one of several things, as its first argument names it.
#pragma once

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
