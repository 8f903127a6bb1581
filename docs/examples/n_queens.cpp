// Counts the ways to place n queens on a board of n by n so that none attacks another. The first
// rows are divided into tasks; what is below them takes a microsecond or more, and is done by the
// worker that has the task.
//
//   n_queens [N [WORKERS]]
//
// N: 12 unless given, at most 20. WORKERS: one a processor unless given. Exit status: 0; 1 if the
// machine refuses memory or threads; 2 for wrong usage.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "arguments.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"

namespace {

using fencepost::fork_join;
using fencepost::fork_join_worker;

// The attacked columns of the next row: a bit per column, and the diagonals as they reach it.
struct row {
  std::uint32_t columns = 0, left = 0, right = 0;
  unsigned number = 0;

  bool free(unsigned column) const noexcept {
    return ((columns | left | right) >> column & 1) == 0;
  }
  row below(unsigned column) const noexcept {
    const std::uint32_t queen = std::uint32_t{1} << column;
    return {columns | queen, (left | queen) << 1, (right | queen) >> 1, number + 1};
  }
};

constexpr unsigned rows_below_tasks = 6;

std::uint64_t sequential(unsigned n, const row& at) noexcept {
  if (at.number == n) return 1;
  std::uint64_t solutions = 0;
  for (unsigned column = 0; column < n; ++column) {
    if (at.free(column)) solutions += sequential(n, at.below(column));
  }
  return solutions;
}

// The solutions for all columns of a row; other workers may count some of them.
std::uint64_t solutions(fork_join_worker& me, unsigned n, const row& at) noexcept {
  if (n - at.number <= rows_below_tasks) return sequential(n, at);
  return fencepost::parallel_reduce(
      me, 0u, n, std::uint64_t{0},
      [n, &at](fork_join_worker& worker, std::uint64_t sum, unsigned column) noexcept {
        return at.free(column) ? sum + solutions(worker, n, at.below(column)) : sum;
      },
      [](std::uint64_t a, std::uint64_t b) noexcept { return a + b; });
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted =
      arguments_of(argc, argv, "n_queens", {.otherwise = 12, .least = 1, .most = 20});
  if (!wanted) return 2;
  try {
    fencepost::fork_join_options options;
    options.workers = wanted->workers;
    fork_join pool{options};

    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t found =
        pool.run([&](fork_join_worker& me) { return solutions(me, wanted->n, row{}); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::printf("%u queens: %llu solutions; %u workers: %.3f s\n", wanted->n,
                static_cast<unsigned long long>(found), pool.workers(), took.count());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "n_queens: %s\n", error.what());
    return 1;
  }
}
