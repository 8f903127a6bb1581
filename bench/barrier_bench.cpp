// A round of the barrier, compared with the same few lines on std::atomic, and with std::barrier.
#include <benchmark/benchmark.h>

#include <atomic>
#include <barrier>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "fencepost/sync/barrier.hpp"

namespace fencepost::bench {
namespace {

// The barrier's own steps, spinning only.
class direct_barrier {
 public:
  explicit direct_barrier(std::uint32_t threads) : threads_(threads) {}
  void wait() {
    const std::uint32_t sense = sense_.load(std::memory_order_relaxed);
    if (arrivals_.fetch_add(1, std::memory_order_acq_rel) + 1 == threads_) {
      arrivals_.store(0, std::memory_order_relaxed);
      leaving_.store(threads_, std::memory_order_relaxed);
      sense_.exchange(sense ^ 1, std::memory_order_release);
    } else {
      while (sense_.load(std::memory_order_acquire) == sense) std_atomics::spin_pause();
    }
    leaving_.fetch_sub(1, std::memory_order_release);
  }

 private:
  alignas(64) std::atomic<std::uint32_t> arrivals_{0};
  std::atomic<std::uint32_t> leaving_{0};
  alignas(64) std::atomic<std::uint32_t> sense_{0};
  const std::uint32_t threads_;
};

class std_barrier {
 public:
  explicit std_barrier(std::uint32_t threads) : barrier_(static_cast<std::ptrdiff_t>(threads)) {}
  void wait() { barrier_.arrive_and_wait(); }

 private:
  std::barrier<> barrier_;
};

class spinning_barrier {
 public:
  explicit spinning_barrier(std::uint32_t threads) : barrier_(threads, spin_for_ever) {}
  void wait() { barrier_.wait(); }

 private:
  barrier<> barrier_;
};

// One barrier for all threads of a run; each iteration is a round.
template <class Barrier>
struct rounds {
  static inline std::unique_ptr<Barrier> meeting;
  static void set_up(const benchmark::State& state) {
    meeting = std::make_unique<Barrier>(static_cast<std::uint32_t>(state.threads()));
  }
  static void tear_down(const benchmark::State&) { meeting.reset(); }
  static void run(benchmark::State& state) {
    for (auto step : state) {
      static_cast<void>(step);
      meeting->wait();
    }
  }
};

void BM_barrier_round(benchmark::State& state) { rounds<barrier<>>::run(state); }
void BM_barrier_round_spinning(benchmark::State& state) { rounds<spinning_barrier>::run(state); }
void BM_direct_round(benchmark::State& state) { rounds<direct_barrier>::run(state); }
void BM_std_barrier_round(benchmark::State& state) { rounds<std_barrier>::run(state); }

template <class Barrier>
void threads(benchmark::internal::Benchmark* b) {
  b->Setup(rounds<Barrier>::set_up)->Teardown(rounds<Barrier>::tear_down);
  b->Threads(1)->Threads(2)->UseRealTime();
}
// Also with more threads than processors, where a barrier that only spins is useless.
template <class Barrier>
void many_threads(benchmark::internal::Benchmark* b) {
  threads<Barrier>(b);
  b->Threads(8);
}
BENCHMARK(BM_barrier_round)->Apply(many_threads<barrier<>>);
BENCHMARK(BM_barrier_round_spinning)->Apply(threads<spinning_barrier>);
BENCHMARK(BM_direct_round)->Apply(threads<direct_barrier>);
BENCHMARK(BM_std_barrier_round)->Apply(many_threads<std_barrier>);

}  // namespace
}  // namespace fencepost::bench
