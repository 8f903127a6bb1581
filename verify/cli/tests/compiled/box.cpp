// Compiled code for the tests of `fencepost necessity`, which lists it as outside the scenarios.
#include <atomic>

namespace fencepost::cli::compiled {

std::atomic<int> full{0};

// [fill] release, with [is_full]: what was put in is seen. kept unexercised: it is not a header.
void fill() { full.store(1, std::memory_order_release); }

// [is_full] acquire, with [fill]: sees what was put in.
bool is_full() { return full.load(std::memory_order_acquire) != 0; }

}  // namespace fencepost::cli::compiled
