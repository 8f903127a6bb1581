// sum() for a runtime that spawns tasks and waits for all of them: sixteen at a time, as in
// fork_join_programs.hpp, all of them spawned before the first wait.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace fencepost::bench::peers {

// A Group has spawn(f), which copies f, and wait(), which waits for all spawned tasks.
template <class Group, class F>
std::invoke_result_t<const F&, std::uint32_t> sum_of_blocks(std::uint32_t first,
                                                            std::uint32_t count, const F& f) {
  constexpr std::uint32_t most = 16;
  using result = std::invoke_result_t<const F&, std::uint32_t>;
  result results[most], sum{};
  const std::uint32_t here = std::min(count, most);
  Group group;
  for (std::uint32_t i = 0; i < here; ++i) {
    group.spawn([&f, i, first, where = &results[i]] { *where = f(first + i); });
  }
  if (count > here) sum += sum_of_blocks<Group>(first + here, count - here, f);
  group.wait();
  for (std::uint32_t i = 0; i < here; ++i) sum += results[i];
  return sum;
}

}  // namespace fencepost::bench::peers
