#include "box.hpp"

namespace {
int number = 0;
}  // namespace

void put(int n) { number = n; }
int got() { return number; }
