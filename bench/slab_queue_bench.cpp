// The cost of the queue of slabs: a post and a run by one thread, bursts, and concurrent producers;
// the same on a std::deque behind a mutex, and the one-thread case written directly on std::atomic.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "fencepost/queue/slab_queue.hpp"
#include "mutex_deque.hpp"
#include "queue_programs.hpp"

namespace fencepost::bench {
namespace {

// The same steps in the same orders, on a single slab that is reused when it is full.
class direct {
 public:
  [[gnu::noinline]] void push(item&& number) {
    for (;;) {
      slab* const last = tail_.load(std::memory_order_relaxed);
      auto& held = counts_[hash_of_address(reinterpret_cast<std::uintptr_t>(last)) % 32];
      held.fetch_add(1, std::memory_order_acquire);
      if (tail_.load(std::memory_order_acquire) != last) {
        held.fetch_sub(1, std::memory_order_release);
        continue;
      }
      const std::uint64_t slot = last->reserved.fetch_add(1, std::memory_order_relaxed);
      held.fetch_sub(1, std::memory_order_release);
      last->items[slot] = number;
      last->written[slot / 64].fetch_or(std::uint64_t{1} << slot % 64, std::memory_order_release);
      return;
    }
  }
  std::optional<item> pop() {
    slab& from = *tail_.load(std::memory_order_relaxed);
    if (batch_ == 0) {
      for (word_ = taken_ / 64; batch_ == 0; ++word_) {
        if (word_ == 8) return std::nullopt;
        batch_ = from.written[word_].load(std::memory_order_acquire) & ~taken_of_[word_];
        if (batch_ == 0) continue;
        taken_of_[word_] |= batch_;
        break;
      }
    }
    const item number = from.items[64 * word_ + static_cast<unsigned>(std::countr_zero(batch_))];
    batch_ &= batch_ - 1;
    if (++taken_ == 512) {
      for (auto& word : from.written) word.store(0, std::memory_order_relaxed);
      from.reserved.store(0, std::memory_order_relaxed);
      taken_of_ = {};
      taken_ = 0;
    }
    return number;
  }

 private:
  struct slab {
    alignas(64) std::atomic<std::uint64_t> reserved{0};
    alignas(64) std::array<std::atomic<std::uint64_t>, 8> written{};
    alignas(64) std::array<item, 512> items;
  };
  std::unique_ptr<slab> only_ = std::make_unique<slab>();
  alignas(64) std::atomic<slab*> tail_{only_.get()};
  alignas(64) std::atomic<std::uint32_t> counts_[32]{};
  alignas(64) std::uint64_t batch_ = 0;
  std::size_t word_ = 0, taken_ = 0;
  std::array<std::uint64_t, 8> taken_of_{};
};

void BM_slab_queue_post_run(benchmark::State& state) { post_run<slab_queue<item>>(state); }
void BM_direct_post_run(benchmark::State& state) { post_run<direct>(state); }
void BM_mutex_deque_post_run(benchmark::State& state) { post_run<mutex_queue<item>>(state); }
BENCHMARK(BM_slab_queue_post_run);
BENCHMARK(BM_direct_post_run);
BENCHMARK(BM_mutex_deque_post_run);

void BM_slab_queue_burst(benchmark::State& state) { burst<slab_queue<item>>(state); }
void BM_mutex_deque_burst(benchmark::State& state) { burst<mutex_queue<item>>(state); }
BENCHMARK(BM_slab_queue_burst)->Arg(256)->Arg(4096);
BENCHMARK(BM_mutex_deque_burst)->Arg(256)->Arg(4096);

void BM_slab_queue_producers(benchmark::State& state) { producers<slab_queue<item>>(state); }
void BM_mutex_deque_producers(benchmark::State& state) { producers<mutex_queue<item>>(state); }
BENCHMARK(BM_slab_queue_producers)->DenseRange(1, 4)->UseRealTime();
BENCHMARK(BM_mutex_deque_producers)->DenseRange(1, 4)->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
