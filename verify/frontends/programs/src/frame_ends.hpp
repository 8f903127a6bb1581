// Where the frame of a function of the program ends, which is where the frames of its callers
// begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace fencepost::programs {

class frame_ends {
 public:
  // Of the function that goes on there when what it has called returns. `frame`: what its frame
  // pointer points to, the address of its caller's and that to which it returns.
  std::uintptr_t of(const void* return_address, const void* frame) {
    const auto begin = reinterpret_cast<std::uintptr_t>(frame);
#if defined(__aarch64__)
    // g++ has the two words at the other end of the frame.
    const auto found = known_.find(return_address);
    return begin + (found == known_.end() ? ask(return_address, frame) : found->second);
#else
    static_cast<void>(return_address);
    return begin + 2 * sizeof(void*);
#endif
  }

 private:
  // As exceptions find it.
  std::size_t ask(const void* return_address, const void* frame);

  std::unordered_map<const void*, std::size_t> known_;  // from the two words on
};

}  // namespace fencepost::programs
