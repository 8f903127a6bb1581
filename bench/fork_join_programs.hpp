// Programs for comparing fork-join schedulers, each as a sequential function and as one that
// spawns: Fibonacci's numbers, the n queens, matrix multiplication, unbalanced tree search. They
// spawn where the benchmarks of C Lace do, so that the numbers of tasks are the same; see `tasks`.
//
// The worker is a template parameter: fork_join's own, one with statistics, or a test's.
//
// Everything is noexcept, including the tasks, which throw nothing: a function that an exception
// may leave needs code that discards what it has spawned, and because of that code g++ does not
// inline the recursion.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "uts.hpp"

namespace fencepost::bench {

// How many tasks each program spawns, on any scheduler, with any number of workers, by any
// schedule.
namespace tasks {
constexpr std::uint64_t fib(unsigned n) {  // one less than the number of leaves
  std::uint64_t a = 1, b = 1;              // leaves of fib(0), fib(1)
  for (unsigned i = 0; i < n; ++i) b += std::exchange(a, b);
  return a - 1;
}
constexpr std::uint64_t queens_12 = 856'188;  // ways to place one to twelve queens, rows in order
constexpr std::uint64_t matmul_1024 = 56'173;
constexpr std::uint64_t uts_t2 = uts::t2::nodes - 1;  // all but the root
constexpr std::uint64_t uts_t3 = uts::t3::nodes - 1;
static_assert(fib(35) == 14'930'351 && uts_t2 == 4'117'768 && uts_t3 == 4'112'896);
}  // namespace tasks

// ---- Fibonacci's numbers: nothing but tasks

inline std::uint64_t fib_sequential(unsigned n) noexcept {
  return n < 2 ? n : fib_sequential(n - 1) + fib_sequential(n - 2);
}

template <class Worker>
std::uint64_t fib(Worker& me, unsigned n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](Worker& worker) noexcept { return fib(worker, n - 1); });
  const std::uint64_t right = fib(me, n - 2);
  return me.sync(left) + right;
}

// The same with join().
template <class Worker>
std::uint64_t fib_joined(Worker& me, unsigned n) noexcept {
  if (n < 2) return n;
  const auto [left, right] =
      me.join([n](Worker& worker) noexcept { return fib_joined(worker, n - 1); },
              [n](Worker& worker) noexcept { return fib_joined(worker, n - 2); });
  return left + right;
}

// ---- n queens: tasks of a hundred nanoseconds, several in each frame

// For each row that has a queen, its column.
struct board {
  static constexpr int most = 20;
  std::array<std::uint8_t, most> queens;
  std::uint8_t rows;

  // True if no queen attacks another. Compares all pairs, like the programs this is compared with.
  // Not inlined, so that both versions of the program run the same code.
  [[gnu::noinline]] bool peaceful() const noexcept {
    for (int i = 0; i < rows; ++i) {
      const int p = queens[static_cast<std::size_t>(i)];
      for (int j = i + 1; j < rows; ++j) {
        const int q = queens[static_cast<std::size_t>(j)];
        if (q == p || q == p - (j - i) || q == p + (j - i)) return false;
      }
    }
    return true;
  }
  board with(int column) const noexcept {
    board next = *this;
    next.queens[next.rows++] = static_cast<std::uint8_t>(column);
    return next;
  }
};

inline std::uint64_t queens_sequential(int n, const board& placed = {}) noexcept {
  if (placed.rows == n) return 1;
  std::uint64_t solutions = 0;
  for (int column = 0; column < n; ++column) {
    const board next = placed.with(column);
    if (next.peaceful()) solutions += queens_sequential(n, next);
  }
  return solutions;
}

template <class Worker>
std::uint64_t queens(Worker& me, int n, const board& placed = {}) noexcept;

// Places the next queen in each of the columns from `column` on.
template <class Worker>
std::uint64_t queens_from(Worker& me, int n, const board& placed, int column) noexcept {
  while (column < n && !placed.with(column).peaceful()) ++column;
  if (column == n) return 0;
  // The task makes its board from the one here, which outlives it; otherwise the board would be
  // copied twice.
  auto first = me.spawn([n, &placed, column](Worker& worker) noexcept {
    return queens(worker, n, placed.with(column));
  });
  const std::uint64_t others = queens_from(me, n, placed, column + 1);
  return me.sync(first) + others;
}

template <class Worker>
std::uint64_t queens(Worker& me, int n, const board& placed) noexcept {
  return placed.rows == n ? 1 : queens_from(me, n, placed, 0);
}

// ---- Matrix multiplication: few tasks, of microseconds

// c = a * b, or c += a * b: a is m × n, b is n × p, parts of matrices with rows of `row` numbers.
struct product {
  const float *a, *b;
  float* c;
  int m, n, p, row;
  bool add;

  bool small() const noexcept { return m + n + p <= 64; }
  std::ptrdiff_t at(int i, int k) const noexcept { return std::ptrdiff_t{i} * row + k; }

  // Not inlined: see peaceful().
  [[gnu::noinline]] void multiply() const noexcept {
    for (int i = 0; i < m; ++i) {
      for (int k = 0; k < p; ++k) {
        float sum = 0;
        for (int j = 0; j < n; ++j) sum += a[at(i, j)] * b[at(j, k)];
        c[at(i, k)] = add ? c[at(i, k)] + sum : sum;
      }
    }
  }

  // Halves the longest side. Halves of the middle one (n) add to the same result, and so must run
  // one after the other.
  bool one_after_the_other() const noexcept { return !(m >= n && n >= p) && n >= m && n >= p; }
  std::pair<product, product> halves() const noexcept {
    product first = *this, second = *this;
    if (m >= n && n >= p) {
      first.m = m / 2;
      second.m = m - first.m;
      second.a += at(first.m, 0);
      second.c += at(first.m, 0);
    } else if (n >= m && n >= p) {
      first.n = n / 2;
      second.n = n - first.n;
      second.a += first.n;
      second.b += at(first.n, 0);
      second.add = true;
    } else {
      first.p = p / 2;
      second.p = p - first.p;
      second.b += first.p;
      second.c += first.p;
    }
    return {first, second};
  }
};

inline void matmul_sequential(const product& all) noexcept {
  if (all.small()) return all.multiply();
  const auto [first, second] = all.halves();
  matmul_sequential(first);
  matmul_sequential(second);
}

template <class Worker>
void matmul(Worker& me, const product& all) noexcept {
  if (all.small()) return all.multiply();
  const std::pair<product, product> halves = all.halves();
  if (all.one_after_the_other()) {
    matmul(me, halves.first);
    matmul(me, halves.second);
  } else {
    auto first = me.spawn([part = halves.first](Worker& worker) noexcept { matmul(worker, part); });
    matmul(me, halves.second);
    me.sync(first);
  }
}

// Three n × n matrices: two of numbers from a fixed sequence, and their product.
struct matrices {
  explicit matrices(int size) : n(size), a(numbers(1)), b(numbers(2)), c(a.size()) {}
  product all() noexcept { return {a.data(), b.data(), c.data(), n, n, n, n, false}; }

  int n;
  std::vector<float> a, b, c;

 private:
  std::vector<float> numbers(std::uint32_t seed) const {
    std::vector<float> all(static_cast<std::size_t>(n) * static_cast<std::size_t>(n));
    for (float& each : all) {
      seed = seed * 1664525 + 1013904223;
      each = static_cast<float>(seed >> 8) / 16777216.0F;
    }
    return all;
  }
};

// ---- Unbalanced tree search: steals that find little, frames that are deep

namespace uts {

template <class Tree, class Worker>
counts search(Worker& me, const node& at) noexcept;

// Searches the subtrees of the children from number `i` on, of `children`.
template <class Tree, class Worker>
counts search_from(Worker& me, const node& of, std::uint32_t i, std::uint32_t children) noexcept {
  if (i == children) return {};
  auto first =
      me.spawn([&of, i](Worker& worker) noexcept { return search<Tree>(worker, child(of, i)); });
  counts found = search_from<Tree>(me, of, i + 1, children);
  found += me.sync(first);
  return found;
}

template <class Tree, class Worker>
counts search(Worker& me, const node& at) noexcept {
  const std::uint32_t children = Tree::children(at);
  counts found{1, children == 0 ? 1U : 0U, at.depth};
  if (children != 0) found += search_from<Tree>(me, at, 0, children);
  return found;
}

}  // namespace uts

}  // namespace fencepost::bench
