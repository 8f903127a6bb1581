// The cost of a submission, and of its way to a worker and back.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "fencepost/queue/external_slots.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::bench {
namespace {

struct job {
  int result = 0;
  completion<> done;
};

// On one thread: the cost of the table and the completion themselves.
void BM_external_slots_submit_take_complete(benchmark::State& state) {
  external_slots<job> slots;
  for (auto step : state) {
    static_cast<void>(step);
    job mine;
    const bool submitted = slots.try_submit(mine);
    benchmark::DoNotOptimize(submitted);
    slots.take()->done.complete();
    mine.done.wait();
  }
}
BENCHMARK(BM_external_slots_submit_take_complete);

// The same few lines on std::atomic.
void BM_direct_submit_take_complete(benchmark::State& state) {
  struct direct_job {
    int result = 0;
    std::atomic<std::uint32_t> done{0};
  };
  std::atomic<std::uint32_t> count{0};
  static std::atomic<direct_job*> slots[64];
  for (auto step : state) {
    static_cast<void>(step);
    direct_job mine;
    std::uint32_t place = count.load(std::memory_order_relaxed);
    while (place < 64 &&
           !count.compare_exchange_weak(place, place + 1, std::memory_order_relaxed)) {
    }
    for (std::uint32_t i = 0; i < 64; ++i) {
      direct_job* none = nullptr;
      if (slots[(place + i) % 64].compare_exchange_strong(none, &mine, std::memory_order_release,
                                                          std::memory_order_relaxed)) {
        break;
      }
    }
    direct_job* taken = nullptr;
    for (std::uint32_t i = 0; i < 64 && taken == nullptr; ++i) {
      if (slots[i].load(std::memory_order_relaxed) == nullptr) continue;
      taken = slots[i].exchange(nullptr, std::memory_order_acquire);
    }
    count.fetch_sub(1, std::memory_order_relaxed);
    std::uint32_t pending = 0;
    benchmark::DoNotOptimize(taken->done.compare_exchange_strong(
        pending, 3, std::memory_order_release, std::memory_order_relaxed));
    while (mine.done.load(std::memory_order_acquire) != 3) std_atomics::spin_pause();
  }
}
BENCHMARK(BM_direct_submit_take_complete);

// With a worker on another thread, which sleeps while there is nothing to do.
void BM_external_slots_round_trip(benchmark::State& state) {
  external_slots<job> slots;
  event_count<> idle;
  std::atomic<bool> stop{false};
  std::thread worker([&] {
    while (!stop.load(std::memory_order_relaxed)) {
      idle.await([&] { return slots.any() || stop.load(std::memory_order_relaxed); });
      if (job* taken = slots.take()) {
        taken->result = 1;
        taken->done.complete();
      }
    }
  });
  for (auto step : state) {
    static_cast<void>(step);
    job mine;
    const bool submitted = slots.try_submit(mine);
    benchmark::DoNotOptimize(submitted);
    idle.notify_one();
    mine.done.wait(static_cast<std::uint32_t>(state.range(0)));
    benchmark::DoNotOptimize(mine.result);
  }
  stop.store(true, std::memory_order_relaxed);
  idle.notify_all();
  worker.join();
}
BENCHMARK(BM_external_slots_round_trip)
    ->ArgName("spins")
    ->Arg(0)
    ->Arg(256)
    ->Arg(4096)
    ->UseRealTime();

}  // namespace
}  // namespace fencepost::bench
