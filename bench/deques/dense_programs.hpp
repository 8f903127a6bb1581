// Dense linear algebra as tasks, by quarters: factorizes a matrix into triangular ones.
//
//   lu         A = L·U, without exchanges of rows: for matrices whose diagonal dominates
//   cholesky   A = L·Lᵀ, of the lower half: for symmetric, positive definite matrices
//
//   | A00 A01 |    A00 is factorized; A01 and A10 are solved for, in parallel; their product is
//   | A10 A11 |    subtracted from A11, which is then factorized
//
// Every element is computed by the same operations in the same order however the tasks are run, and
// the functions that compute are not inlined: the result is the same bit for bit. The sequential
// program is the same source, with a worker that calls what it spawns.
#pragma once

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace fencepost::bench::dense {

constexpr int leaf = 32;

// A square part of a matrix with rows of `stride` numbers.
struct square {
  double* first;
  int n, stride;
  double& at(int i, int k) const noexcept { return first[std::ptrdiff_t{i} * stride + k]; }
  square quarter(int row, int column) const noexcept {
    return {&at(row * n / 2, column * n / 2), n / 2, stride};
  }
};

// Runs a task immediately when it is spawned.
struct sequential_worker {
  template <class F>
  struct task {
    F f;
  };
  template <class F>
  task<F> spawn(F f) noexcept {
    f(*this);
    return {std::move(f)};
  }
  template <class F>
  void sync(task<F>&) noexcept {}
};
// The same, and counts the tasks.
struct counting_worker {
  std::uint64_t tasks = 0;
  template <class F>
  sequential_worker::task<F> spawn(F f) noexcept {
    ++tasks;
    f(*this);
    return {std::move(f)};
  }
  template <class F>
  void sync(sequential_worker::task<F>&) noexcept {}
};

// Runs both, perhaps in parallel.
template <class Worker, class F, class G>
void both(Worker& me, F spawned, G here) noexcept {
  auto task = me.spawn(std::move(spawned));
  here(me);
  me.sync(task);
}

// c -= a·b, or a·bᵀ: three of the four quarters are spawned; the two products of a quarter follow
// each other.
template <bool Transposed>
[[gnu::noinline]] void subtract_leaf(square c, square a, square b) noexcept {
  for (int i = 0; i < c.n; ++i) {
    for (int j = 0; j < c.n; ++j) {
      double sum = c.at(i, j);
      for (int k = 0; k < c.n; ++k) sum -= a.at(i, k) * (Transposed ? b.at(j, k) : b.at(k, j));
      c.at(i, j) = sum;
    }
  }
}
template <bool Transposed, class Worker>
void subtract_product(Worker& me, square c, square a, square b) noexcept {
  if (c.n <= leaf) return subtract_leaf<Transposed>(c, a, b);
  const auto quarter = [=](int i, int j) noexcept {
    return [=](Worker& worker) noexcept {
      for (int k = 0; k < 2; ++k) {
        subtract_product<Transposed>(worker, c.quarter(i, j), a.quarter(i, k),
                                     Transposed ? b.quarter(j, k) : b.quarter(k, j));
      }
    };
  };
  both(
      me, [quarter](Worker& worker) noexcept { both(worker, quarter(0, 0), quarter(0, 1)); },
      [quarter](Worker& worker) noexcept { both(worker, quarter(1, 0), quarter(1, 1)); });
}

// b = l⁻¹·b, l lower triangular with ones on its diagonal: columns are independent.
[[gnu::noinline]] inline void solve_lower_leaf(square l, square b) noexcept {
  for (int i = 0; i < b.n; ++i) {
    for (int k = 0; k < i; ++k) {
      for (int j = 0; j < b.n; ++j) b.at(i, j) -= l.at(i, k) * b.at(k, j);
    }
  }
}
template <class Worker>
void solve_lower(Worker& me, square l, square b) noexcept {
  if (b.n <= leaf) return solve_lower_leaf(l, b);
  const auto half = [=](int column) noexcept {
    return [=](Worker& worker) noexcept {
      solve_lower(worker, l.quarter(0, 0), b.quarter(0, column));
      subtract_product<false>(worker, b.quarter(1, column), l.quarter(1, 0), b.quarter(0, column));
      solve_lower(worker, l.quarter(1, 1), b.quarter(1, column));
    };
  };
  both(me, half(0), half(1));
}

// b = b·u⁻¹, u upper triangular, or the transpose of a lower one: rows are independent.
template <bool Transposed>
[[gnu::noinline]] void solve_upper_leaf(square u, square b) noexcept {
  for (int i = 0; i < b.n; ++i) {
    for (int j = 0; j < b.n; ++j) {
      double sum = b.at(i, j);
      for (int k = 0; k < j; ++k) sum -= b.at(i, k) * (Transposed ? u.at(j, k) : u.at(k, j));
      b.at(i, j) = sum / u.at(j, j);
    }
  }
}
template <bool Transposed, class Worker>
void solve_upper(Worker& me, square u, square b) noexcept {
  if (b.n <= leaf) return solve_upper_leaf<Transposed>(u, b);
  const auto half = [=](int row) noexcept {
    return [=](Worker& worker) noexcept {
      solve_upper<Transposed>(worker, u.quarter(0, 0), b.quarter(row, 0));
      subtract_product<Transposed>(worker, b.quarter(row, 1), b.quarter(row, 0),
                                   Transposed ? u.quarter(1, 0) : u.quarter(0, 1));
      solve_upper<Transposed>(worker, u.quarter(1, 1), b.quarter(row, 1));
    };
  };
  both(me, half(0), half(1));
}

// An n × n matrix, n a power of two, of numbers from a fixed sequence.
class matrix {
 public:
  explicit matrix(int n)
      : n_{n}, numbers_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n)) {
    std::uint32_t seed = 1;
    for (double& each : numbers_) {
      seed = seed * 1664525 + 1013904223;
      each = static_cast<double>(seed >> 8) / 16777216.0;
    }
  }
  square whole() noexcept { return {numbers_.data(), n_, n_}; }
  // Differs if any bit of the matrix differs.
  std::uint64_t digest() const noexcept {
    std::uint64_t sum = 0;
    for (const double each : numbers_) sum = sum * 31 + std::bit_cast<std::uint64_t>(each);
    return sum;
  }

 private:
  int n_;
  std::vector<double> numbers_;
};

struct lu {
  static matrix example(int n) {
    matrix a{n};
    for (int i = 0; i < n; ++i) a.whole().at(i, i) += n;
    return a;
  }
  template <class Worker>
  static void run(Worker& me, square a) noexcept {
    if (a.n <= leaf) return run_leaf(a);
    const square a00 = a.quarter(0, 0), a01 = a.quarter(0, 1), a10 = a.quarter(1, 0),
                 a11 = a.quarter(1, 1);
    run(me, a00);
    both(
        me, [=](Worker& worker) noexcept { solve_lower(worker, a00, a01); },
        [=](Worker& worker) noexcept { solve_upper<false>(worker, a00, a10); });
    subtract_product<false>(me, a11, a10, a01);
    run(me, a11);
  }

 private:
  [[gnu::noinline]] static void run_leaf(square a) noexcept {
    for (int k = 0; k < a.n; ++k) {
      for (int i = k + 1; i < a.n; ++i) {
        a.at(i, k) /= a.at(k, k);
        for (int j = k + 1; j < a.n; ++j) a.at(i, j) -= a.at(i, k) * a.at(k, j);
      }
    }
  }
};

struct cholesky {
  static matrix example(int n) {
    matrix a{n};
    const square all = a.whole();
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < i; ++k) all.at(k, i) = all.at(i, k);
      all.at(i, i) += n;
    }
    return a;
  }
  template <class Worker>
  static void run(Worker& me, square a) noexcept {
    if (a.n <= leaf) return run_leaf(a);
    const square a00 = a.quarter(0, 0), a10 = a.quarter(1, 0), a11 = a.quarter(1, 1);
    run(me, a00);
    solve_upper<true>(me, a00, a10);
    subtract_from_lower(me, a11, a10);
    run(me, a11);
  }

 private:
  [[gnu::noinline]] static void run_leaf(square a) noexcept {
    for (int k = 0; k < a.n; ++k) {
      a.at(k, k) = std::sqrt(a.at(k, k));
      for (int i = k + 1; i < a.n; ++i) {
        a.at(i, k) /= a.at(k, k);
        for (int j = k + 1; j <= i; ++j) a.at(i, j) -= a.at(i, k) * a.at(j, k);
      }
    }
  }
  // c -= a·aᵀ, where only the lower half of c is needed.
  template <class Worker>
  static void subtract_from_lower(Worker& me, square c, square a) noexcept {
    if (c.n <= leaf) return subtract_leaf<true>(c, a, a);
    const auto diagonal = [=](int i) noexcept {
      return [=](Worker& worker) noexcept {
        for (int k = 0; k < 2; ++k) {
          subtract_from_lower(worker, c.quarter(i, i), a.quarter(i, k));
        }
      };
    };
    both(
        me, [diagonal](Worker& worker) noexcept { both(worker, diagonal(0), diagonal(1)); },
        [=](Worker& worker) noexcept {
          for (int k = 0; k < 2; ++k) {
            subtract_product<true>(worker, c.quarter(1, 0), a.quarter(1, k), a.quarter(0, k));
          }
        });
  }
};

}  // namespace fencepost::bench::dense
