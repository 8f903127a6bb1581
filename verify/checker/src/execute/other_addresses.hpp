// Other addresses for what the checker does not track.
#pragma once

#include <vector>

namespace fencepost::verify {

// While one exists, what must make no difference to a program is different: malloc and mmap give
// other addresses.
class other_addresses {
 public:
  explicit other_addresses(unsigned each);  // so many blocks of each size are taken
  ~other_addresses();
  other_addresses(const other_addresses&) = delete;
  other_addresses& operator=(const other_addresses&) = delete;

 private:
  std::vector<void*> blocks_;
  void* pages_ = nullptr;
};

}  // namespace fencepost::verify
