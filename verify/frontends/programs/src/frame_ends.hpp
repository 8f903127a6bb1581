// Where the frame of a function of the program ends, which is where the frames of its callers
// begin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace fencepost::programs {

class frame_ends {
 public:
  // The end of the frame of the function that continues at `return_address`. `frame` is what its
  // frame pointer points to: the frame pointer of its caller, and the address to which it returns.
  std::uintptr_t of(const void* return_address, const void* frame) {
    const auto begin = reinterpret_cast<std::uintptr_t>(frame);
#if defined(__aarch64__)
    // g++ puts the two words at the other end of the frame.
    const auto found = known_.find(return_address);
    return begin + (found == known_.end() ? ask(return_address, frame) : found->second);
#else
    static_cast<void>(return_address);
    return begin + 2 * sizeof(void*);
#endif
  }

 private:
  // Finds the end by unwinding, as exceptions do.
  std::size_t ask(const void* return_address, const void* frame);

  std::unordered_map<const void*, std::size_t> known_;  // from the two words to the end
};

}  // namespace fencepost::programs
