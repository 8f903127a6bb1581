// Memory that the body can change and that no resume point restores: static and thread-local
// variables of the program and of its libraries, other than the system's, and the stack of the
// caller of check().
#pragma once

#include <cstddef>
#include <vector>

namespace fencepost::verify {

class foreign_memory {
 public:
  struct range {
    const char* begin;
    std::size_t size;
  };

  // Copies the bytes as they are now; of the calling thread's stack, those above `frame`, without
  // `own`, which is the checker's. Returns false if the memory is unknown, or too large to be
  // copied.
  bool remember(const void* frame, range own);
  void forget() noexcept { bytes_.clear(); }
  // True if the bytes differ from those that were remembered; false if none were.
  [[nodiscard]] bool has_changed() const noexcept;

 private:
  bool find(const void* frame, range own);

  std::vector<range> ranges_;
  std::vector<char> bytes_;
};

}  // namespace fencepost::verify
