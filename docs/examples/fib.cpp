// The Fibonacci numbers, the slow way: every call of the recursion except for the leaves is a task.
// It shows what a task costs.
//
//   fib [N [WORKERS]]
//
// N: 40 unless given, at most 60. WORKERS: one a processor unless given. Exit status: 0; 1 if the
// machine refuses memory or threads; 2 for wrong usage.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>

#include "arguments.hpp"
#include "fencepost/runtime/fork_join.hpp"

namespace {

using fencepost::fork_join;
using fencepost::fork_join_worker;

std::uint64_t sequential(unsigned n) noexcept {
  return n < 2 ? n : sequential(n - 1) + sequential(n - 2);
}

// The worker is a parameter: a stolen task has another worker than the one that spawned it.
std::uint64_t fib(fork_join_worker& me, unsigned n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](fork_join_worker& worker) noexcept { return fib(worker, n - 1); });
  const std::uint64_t right = fib(me, n - 2);
  return me.sync(left) + right;
}

template <class F>
double seconds(F&& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  const auto wanted = arguments_of(argc, argv, "fib", {.otherwise = 40, .least = 0, .most = 60});
  if (!wanted) return 2;
  try {
    fencepost::fork_join_options options;
    options.workers = wanted->workers;
    fork_join pool{options};

    std::uint64_t result = 0, expected = 0;
    const double with = seconds(
        [&] { result = pool.run([&](fork_join_worker& me) { return fib(me, wanted->n); }); });
    const double without = seconds([&] { expected = sequential(wanted->n); });
    std::printf("fib(%u) = %llu; %u workers: %.3f s; without tasks: %.3f s\n", wanted->n,
                static_cast<unsigned long long>(result), pool.workers(), with, without);
    return result == expected ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fib: %s\n", error.what());
    return 1;
  }
}
