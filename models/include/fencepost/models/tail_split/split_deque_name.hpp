// The names of the split deque's scenarios, by the word on which it runs.
#pragma once

#include "fencepost/deque/split_word.hpp"
#include "fencepost/scenario/scenario_name.hpp"

namespace fencepost::models::tail_split_scenarios {

template <template <class> class Word>
inline constexpr text component{"tail_split"};
template <>
inline constexpr text component<lace_split_word>{"tail_split_lace"};

}  // namespace fencepost::models::tail_split_scenarios
