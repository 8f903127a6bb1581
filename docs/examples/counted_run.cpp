// Counts the primes below a million with jobs of a counting pool, and prints what its workers did.
//
// Exit status: 0; 1 if the machine refuses memory or threads, or the number is wrong.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <string>

#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/thread_pool.hpp"

namespace {

// [type]
using pool_type = fencepost::counted_thread_pool;  // thread_pool: nothing is counted
// [type]

constexpr int end = 1'000'000, primes_below_end = 78'498, at_a_time = 10'000;

bool is_prime(int n) noexcept {
  for (int d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return n > 1;
}

int count_primes(pool_type& pool) {
  std::atomic<int> primes{0};
  fencepost::basic_task_group jobs{pool};
  jobs.run([&] {  // on a worker: its jobs are in its own deque, and the others steal them
    for (int first = 0; first < end; first += at_a_time)
      jobs.run([&primes, first] {
        int here = 0;
        for (int n = first; n < first + at_a_time; ++n) here += is_prime(n) ? 1 : 0;
        primes += here;
      });
  });
  jobs.wait();
  return primes;
}

// [print]
void print(const std::string& who, const fencepost::thread_pool_counts& counts) {
  const auto number = [](auto n) { return static_cast<unsigned long long>(n); };
  std::printf("%-10s %6llu %10llu %7llu %9llu %6llu %7llu\n", who.c_str(), number(counts.jobs),
              number(counts.submitted), number(counts.stolen), number(counts.injected),
              number(counts.parks), number(counts.queued));
}

void print(const fencepost::thread_pool_statistics& now) {
  std::printf("             jobs  submitted  stolen  injected  parks  queued\n");
  for (std::size_t i = 0; i < now.workers.size(); ++i)
    print("worker " + std::to_string(i), now.workers[i]);
  print("outside", now.outside);
  print("all", now);
}
// [print]

}  // namespace

int main() {
  try {
    pool_type pool{{.workers = 3}};
    const int primes = count_primes(pool);
    std::printf("%d primes\n\n", primes);
    print(pool.statistics());  // all jobs have ended here, but any thread may call this at any time
    return primes == primes_below_end ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "counted_run: %s\n", error.what());
    return 1;
  }
}
