// Memory that the body can change and the checker does not put back at a resume point: static and
// thread-local variables of the program and of its libraries, other than the system's, and the
// stack of the caller of check().
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

  // Its bytes as they are now. Of the calling thread's stack that above `frame`, without `own`,
  // which is the checker's. False: it cannot be known, or is too large to be looked at.
  bool remember(const void* frame, range own);
  void forget() noexcept { bytes_.clear(); }
  // Are the bytes others than those that were remembered? False if none were.
  [[nodiscard]] bool has_changed() const noexcept;

 private:
  bool find(const void* frame, range own);

  std::vector<range> ranges_;
  std::vector<char> bytes_;
};

}  // namespace fencepost::verify
