// How the owner of a tail_split deque has moved the split, as it tells its caller.
#pragma once

#include <cstdint>

namespace fencepost {

enum class split_move : std::uint8_t {
  begun,    // above stolen tasks, or in an empty deque, a first task is shared
  raised,   // more is shared, at the request of a thief or by share_all()
  lowered,  // shared tasks were taken back
};

}  // namespace fencepost
