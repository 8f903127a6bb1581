// An operator new for all types: the checker's own library functions would call it, too.
#include <atomic>
#include <cstdlib>
#include <new>

std::atomic<int> live{0};

void* operator new(std::size_t size) {
  ++live;
  if (void* const p = std::malloc(size)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main() {
  delete new int;
  return live == 1 ? 0 : 1;
}
