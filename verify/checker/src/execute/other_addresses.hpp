// Other addresses for what the checker does not track.
#pragma once

#include <vector>

namespace fencepost::verify {

// While one exists, malloc and mmap return other addresses, which must make no difference to a
// program.
class other_addresses {
 public:
  explicit other_addresses(unsigned each);  // `each`: how many blocks of each size it holds
  ~other_addresses();
  other_addresses(const other_addresses&) = delete;
  other_addresses& operator=(const other_addresses&) = delete;

 private:
  std::vector<void*> blocks_;
  void* pages_ = nullptr;
};

}  // namespace fencepost::verify
