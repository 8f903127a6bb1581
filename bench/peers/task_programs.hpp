// The programs of fork_join_programs.hpp for runtimes without fork_join's spawn and sync. They need
// two operations:
//
//   tasks.both(f, g)    f() and g(), perhaps in parallel
//   tasks.sum(n, f)     f(0) + … + f(n - 1), perhaps in parallel
//
// They create tasks where those programs spawn, so that the work is the same.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../fork_join_programs.hpp"

namespace fencepost::bench::peers {

template <class Tasks>
std::uint64_t fib(Tasks& tasks, unsigned n) noexcept {
  if (n < 2) return n;
  std::uint64_t left = 0, right = 0;
  tasks.both([&, n]() noexcept { left = peers::fib(tasks, n - 1); },
             [&, n]() noexcept { right = peers::fib(tasks, n - 2); });
  return left + right;
}

template <class Tasks>
std::uint64_t queens(Tasks& tasks, int n, const board& placed = {}) noexcept {
  if (placed.rows == n) return 1;
  std::array<std::uint8_t, board::most> columns;
  std::uint32_t peaceful = 0;
  for (int column = 0; column < n; ++column) {
    if (placed.with(column).peaceful()) columns[peaceful++] = static_cast<std::uint8_t>(column);
  }
  return tasks.sum(peaceful, [&, n](std::uint32_t i) noexcept {
    return peers::queens(tasks, n, placed.with(columns[i]));
  });
}

template <class Tasks>
void matmul(Tasks& tasks, const product& all) noexcept {
  if (all.small()) return all.multiply();
  const std::pair<product, product> halves = all.halves();
  if (all.one_after_the_other()) {
    peers::matmul(tasks, halves.first);
    peers::matmul(tasks, halves.second);
  } else {
    tasks.both([&]() noexcept { peers::matmul(tasks, halves.first); },
               [&]() noexcept { peers::matmul(tasks, halves.second); });
  }
}

template <class Tree, class Tasks>
uts::counts search(Tasks& tasks, const uts::node& at) noexcept {
  const std::uint32_t children = Tree::children(at);
  uts::counts found{1, children == 0 ? 1U : 0U, at.depth};
  if (children != 0) {
    found += tasks.sum(children, [&](std::uint32_t i) noexcept {
      return peers::search<Tree>(tasks, uts::child(at, i));
    });
  }
  return found;
}

// sum() for a runtime that has only both(): halves the range until one is left.
template <class Tasks, class F>
std::invoke_result_t<const F&, std::uint32_t> sum_of_halves(Tasks& tasks, std::uint32_t first,
                                                            std::uint32_t count,
                                                            const F& f) noexcept {
  if (count == 0) return {};
  if (count == 1) return f(first);
  std::invoke_result_t<const F&, std::uint32_t> lower{}, upper{};
  const std::uint32_t half = count / 2;
  tasks.both([&]() noexcept { lower = sum_of_halves(tasks, first, half, f); },
             [&]() noexcept { upper = sum_of_halves(tasks, first + half, count - half, f); });
  return lower += upper;
}

}  // namespace fencepost::bench::peers
