// Does not compile, and the message has to say what to write instead. It is not built:
// CMakeLists.txt has a test that reads the message.
#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost {

template <class P>
struct ring {
  typename P::template plain<int> slots[2];
  void put(int value) { slots[0] = value; }
};

template struct ring<std_atomics>;
template struct ring<checked_atomics>;

}  // namespace fencepost
