// Shared by the tests of fork_join.
#pragma once

#include <cstdint>
#include <stdexcept>

#include "fencepost/runtime/fork_join.hpp"

namespace fencepost {

using counting = basic_fork_join<fork_join_features{.statistics = true}>;

inline fork_join_options with(std::uint32_t workers, std::uint32_t tasks = 1u << 20) {
  fork_join_options options;
  options.workers = workers;
  options.tasks = tasks;
  return options;
}

template <class Worker>
long fib(Worker& me, int n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](Worker& mine) noexcept { return fib(mine, n - 1); });
  const long right = fib(me, n - 2);
  return me.sync(left) + right;
}

struct failure : std::runtime_error {
  failure() : std::runtime_error{"failure"} {}
};

}  // namespace fencepost
