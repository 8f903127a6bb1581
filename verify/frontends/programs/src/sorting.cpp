// qsort() and bsearch(), which call functions of the program; qsort() also moves its elements.

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;

namespace {

using comparison = int (*)(const void*, const void*);

// Sorts by a heap: the standard leaves the order of equal elements open.
class heap_of_elements {
 public:
  heap_of_elements(void* elements, std::size_t size, comparison compare, const call_site& caller)
      : begin_(static_cast<char*>(elements)), size_(size), compare_(compare), caller_(caller) {}

  void sort(std::size_t count) const {
    for (std::size_t root = count / 2; root-- > 0;) sink(root, count);
    for (std::size_t end = count; --end > 0;) {
      exchange(at(0), at(end));
      sink(0, end);
    }
  }

 private:
  [[nodiscard]] char* at(std::size_t i) const { return begin_ + i * size_; }

  void sink(std::size_t root, std::size_t end) const {
    for (std::size_t child = 0; (child = 2 * root + 1) < end; root = child) {
      if (child + 1 < end && compare_(at(child), at(child + 1)) < 0) ++child;
      if (compare_(at(root), at(child)) >= 0) return;
      exchange(at(root), at(child));
    }
  }

  void exchange(char* a, char* b) const {
    const entered s;
    const fencepost::source_location where = s->place(caller_);
    char part[256];
    for (std::size_t done = 0; done < size_; done += sizeof part) {
      const std::size_t bytes = std::min(sizeof part, size_ - done);
      s->read(a + done, bytes, where);
      std::memcpy(part, a + done, bytes);
      s->copy(a + done, b + done, bytes, where);
      std::memcpy(a + done, b + done, bytes);
      s->write(b + done, bytes, where);
      std::memcpy(b + done, part, bytes);
    }
  }

  char* begin_;
  std::size_t size_;
  comparison compare_;
  call_site caller_;
};

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

void qsort(void* elements, std::size_t count, std::size_t size, comparison compare) {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(qsort)(elements, count, size, compare);
  if (count > 1) heap_of_elements(elements, size, compare, FENCEPOST_CALL_SITE).sort(count);
}

// Only the comparison reads the elements. (Named differently, since headers define it inline where
// programs are optimized.)
void* fencepost_bsearch(const void*, const void*, std::size_t, std::size_t,
                        comparison) __asm__("bsearch");
void* fencepost_bsearch(const void* key, const void* elements, std::size_t count, std::size_t size,
                        comparison compare) {
  const char* begin = static_cast<const char*>(elements);
  for (; count != 0; count /= 2) {
    const char* const middle = begin + count / 2 * size;
    const int order = compare(key, middle);
    if (order == 0) return const_cast<char*>(middle);
    if (order < 0) continue;
    begin = middle + size;
    --count;
  }
  return nullptr;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
