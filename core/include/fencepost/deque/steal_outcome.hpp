// The outcome of steal(), for all of the deques.
#pragma once

#include <cstdint>

namespace fencepost {

enum class steal_outcome : std::uint8_t {
  stolen,
  stolen_last,  // and it was the last task that the victim shared (tail_split only)
  retry,        // another thread got in first: there may be more
  no_work,      // there was nothing to steal
};

}  // namespace fencepost
