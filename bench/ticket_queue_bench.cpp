// The cost of the queue of tickets: a push and a pop by one thread, bursts, and concurrent
// producers; the one-thread case written directly on std::atomic. slab_queue_bench.cpp has the same
// on slab_queue and on a std::deque behind a mutex.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "fencepost/queue/ticket_queue.hpp"
#include "queue_programs.hpp"

namespace fencepost::bench {
namespace {

// The same steps in the same orders, on a single slab that is reused when it is full.
class direct {
 public:
  [[gnu::noinline]] void push(item&& number) {
    std::uintptr_t tail = tail_.load(std::memory_order_relaxed);
    for (;;) {
      if (tail % 512 == 508) return;
      if (tail_.compare_exchange_weak(tail, tail + 1, std::memory_order_acquire,
                                      std::memory_order_relaxed)) {
        break;
      }
    }
    slab* const last = reinterpret_cast<slab*>(tail - tail % 512);
    slot& mine = last->slots[tail % 512];
    mine.value = number;
    mine.mark.store(last->turn, std::memory_order_release);
  }
  std::optional<item> pop() {
    slot& from = only_->slots[next_];
    if (from.mark.load(std::memory_order_acquire) != only_->turn) return std::nullopt;
    const item number = from.value;
    if (++next_ == 508) {
      next_ = 0;
      only_->turn = !only_->turn;
      tail_.store(reinterpret_cast<std::uintptr_t>(only_.get()), std::memory_order_release);
    }
    return number;
  }

 private:
  struct slot {
    std::atomic<bool> mark{false};
    item value;
  };
  struct alignas(512) slab {
    bool turn = true;
    alignas(64) std::array<slot, 508> slots;
  };
  std::unique_ptr<slab> only_ = std::make_unique<slab>();
  alignas(64) std::atomic<std::uintptr_t> tail_{reinterpret_cast<std::uintptr_t>(only_.get())};
  alignas(64) std::size_t next_ = 0;
};

void BM_ticket_queue_post_run(benchmark::State& state) { post_run<ticket_queue<item>>(state); }
void BM_direct_ticket_queue_post_run(benchmark::State& state) { post_run<direct>(state); }
BENCHMARK(BM_ticket_queue_post_run);
BENCHMARK(BM_direct_ticket_queue_post_run);

void BM_ticket_queue_burst(benchmark::State& state) { burst<ticket_queue<item>>(state); }
BENCHMARK(BM_ticket_queue_burst)->Arg(256)->Arg(4096);

void BM_ticket_queue_producers(benchmark::State& state) { producers<ticket_queue<item>>(state); }
BENCHMARK(BM_ticket_queue_producers)->DenseRange(1, 4)->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
