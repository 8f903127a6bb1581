// The Fibonacci numbers, the slow way: every call of the recursion but the leaves is a task. What
// it shows is what a task costs.
//
//   fib [N [WORKERS]]
//
// N: 40 unless given, at most 60. WORKERS: one a processor unless given. Exit status: 0; 1 if the
// machine refuses memory or threads; 2 for wrong usage.
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <optional>
#include <string_view>
#include <system_error>

#include "fencepost/runtime/fork_join.hpp"

namespace {

using fencepost::fork_join;
using fencepost::fork_join_worker;

std::uint64_t sequential(unsigned n) noexcept {
  return n < 2 ? n : sequential(n - 1) + sequential(n - 2);
}

// The worker is a parameter: a task that was stolen has another than the one that spawned it.
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

// A number from `least` to `most`, and nothing else.
std::optional<unsigned> number(std::string_view text, unsigned least, unsigned most) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return {};
  return value >= least && value <= most ? std::optional{value} : std::nullopt;
}

int wrong_usage(const char* what, const char* given) {
  std::fprintf(stderr, "fib: %s: \"%s\"\nusage: fib [N [WORKERS]]\n", what, given);
  return 2;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<unsigned> n = 40, workers;
  if (argc > 3) return wrong_usage("too many arguments", argv[3]);
  if (argc > 1 && !(n = number(argv[1], 0, 60))) {
    return wrong_usage("N is a number from 0 to 60", argv[1]);
  }
  if (argc > 2 && !(workers = number(argv[2], 1, 1024))) {
    return wrong_usage("WORKERS is a number from 1 to 1024", argv[2]);
  }
  try {
    fencepost::fork_join_options options;
    if (workers) options.workers = *workers;
    fork_join pool{options};

    std::uint64_t result = 0, expected = 0;
    const double with =
        seconds([&] { result = pool.run([&](fork_join_worker& me) { return fib(me, *n); }); });
    const double without = seconds([&] { expected = sequential(*n); });
    std::printf("fib(%u) = %llu; %u workers: %.3f s; without tasks: %.3f s\n", *n,
                static_cast<unsigned long long>(result), pool.workers(), with, without);
    return result == expected ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fib: %s\n", error.what());
    return 1;
  }
}
