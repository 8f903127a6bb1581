// Two threads use the box at once.
#include <thread>

#include "box.hpp"

int main() {
  std::thread other([] { put(1); });
  const int n = got();
  other.join();
  return n > 1 ? 1 : 0;
}
