// A program that the checker is timed on, as a user would write it: with std::atomic and
// std::thread. `ci/bench programs` compiles it with "fencepost c++", with one of the types of
// programs.txt as BENCH_PROGRAM, and compares its time with that of the same type as a scenario.
#include <memory>
#include <thread>

#include "../genmc/bounded_deque.hpp"
#include "../genmc/suite_programs.hpp"

int main() {
  using program = fencepost::bench::BENCH_PROGRAM;
  const auto shared = std::make_unique<program>();
  std::thread threads[program::about.threads];
  for (unsigned index = 0; index < program::about.threads; ++index)
    threads[index] = std::thread([&shared, index] { shared->thread(index); });
  for (std::thread& thread : threads) thread.join();
}
