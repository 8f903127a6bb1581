// The benchmarks beside the peers: those that were found when this was built. ci/bench runs them
// and makes the tables, and fails if a peer has computed something else than it should.
//
//   peers_bench [options of Google Benchmark]
//
// Exit status: 0, 2 (usage).
#include <benchmark/benchmark.h>

#include <atomic>
#include <thread>

#include "../suite.hpp"

namespace {

// A thread that sleeps meanwhile: in a process of one thread a mutex costs less than anywhere else.
class other_thread {
 public:
  ~other_thread() {
    done_.store(true, std::memory_order_release);
    done_.notify_one();
    thread_.join();
  }

 private:
  std::atomic<bool> done_{false};
  std::thread thread_{[this] { done_.wait(false, std::memory_order_acquire); }};
};

}  // namespace

int main(int argc, char** argv) {
  const other_thread other;
  benchmark::ConsoleReporter console;
  return fencepost::bench::run_suite(argc, argv, "peers_bench", console);
}
