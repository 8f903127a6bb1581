// The cost of scratch memory, compared with bare pointers, malloc() and the stack; and the cost to
// a worker that goes to sleep of giving pages back.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdlib>
#include <cstring>

#include "fencepost/memory/scratch_arena.hpp"

namespace fencepost::bench {
namespace {

constexpr std::size_t block = 64;
constexpr std::size_t batch = 1024;

// The same few lines on bare pointers. Compares the sizes, so that nothing wraps; or, as it is
// often written, the pointers. Neither version aligns or grows.
template <bool Wraps>
struct direct_arena {
  std::byte* top;
  std::byte* end;

  void* allocate(std::size_t size) {
    std::byte* const at = top;
    if (Wraps ? at + size > end : size > static_cast<std::size_t>(end - at)) [[unlikely]] {
      std::abort();
    }
    top = at + size;
    return at;
  }
};

// Allocates blocks of 64 bytes, one after the other, and frees them in batches of 1,024. The time
// is that of one block.
template <class Arena, class Reset>
void allocate_batches(benchmark::State& state, Arena& arena, Reset reset) {
  for (auto step : state) {
    static_cast<void>(step);
    for (std::size_t i = 0; i < batch; ++i) benchmark::DoNotOptimize(arena.allocate(block));
    reset();
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(batch));
}

void BM_scratch_arena_allocate(benchmark::State& state) {
  scratch_arena arena;
  const scratch_mark mark = arena.mark();
  allocate_batches(state, arena, [&] { arena.reset(mark); });
}
BENCHMARK(BM_scratch_arena_allocate);

template <bool Wraps>
void direct_allocate(benchmark::State& state) {
  std::array<std::byte, batch * block> memory;
  direct_arena<Wraps> arena{memory.data(), memory.data() + memory.size()};
  allocate_batches(state, arena, [&] { arena.top = memory.data(); });
}

void BM_direct_allocate(benchmark::State& state) { direct_allocate<false>(state); }
BENCHMARK(BM_direct_allocate);

void BM_direct_allocate_unchecked(benchmark::State& state) { direct_allocate<true>(state); }
BENCHMARK(BM_direct_allocate_unchecked);

// Writes to both ends of a block, as a task does between allocating and freeing it.
void touch(void* at, std::size_t size) {
  auto* const bytes = static_cast<volatile unsigned char*>(at);
  bytes[0] = 1;
  bytes[size - 1] = 1;
}

void BM_scratch_arena_mark_allocate_reset(benchmark::State& state) {
  scratch_arena arena;
  const auto size = static_cast<std::size_t>(state.range(0));
  for (auto step : state) {
    static_cast<void>(step);
    const scratch_scope scope{arena};
    touch(arena.allocate(size), size);
  }
}
BENCHMARK(BM_scratch_arena_mark_allocate_reset)->Arg(64)->Arg(4096)->Arg(256 << 10);

void BM_malloc_free(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  for (auto step : state) {
    static_cast<void>(step);
    void* const at = std::malloc(size);
    touch(at, size);
    std::free(at);
  }
}
BENCHMARK(BM_malloc_free)->Arg(64)->Arg(4096)->Arg(256 << 10);

template <std::size_t Size>
void BM_stack_array(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    std::array<unsigned char, Size> memory;
    touch(memory.data(), Size);
    benchmark::DoNotOptimize(memory.data());
  }
}
BENCHMARK(BM_stack_array<64>);
BENCHMARK(BM_stack_array<4096>);

// Trims an arena that has grown by so many kilobytes beyond its band, all of them written to.
void BM_scratch_arena_trim(benchmark::State& state) {
  scratch_arena arena;
  const auto size = static_cast<std::size_t>(state.range(0)) << 10;
  const scratch_mark mark = arena.mark();
  for (auto step : state) {
    static_cast<void>(step);
    state.PauseTiming();
    const std::size_t all = size + (std::size_t{1} << 20);
    std::memset(arena.allocate(all), 1, all);
    arena.reset(mark);
    state.ResumeTiming();
    benchmark::DoNotOptimize(arena.trim());
  }
}
BENCHMARK(BM_scratch_arena_trim)->Arg(64)->Arg(1 << 10)->Arg(16 << 10);

// The same when there is nothing to give back: the cost of each further turn of an idle worker.
void BM_scratch_arena_idle(benchmark::State& state) {
  scratch_arena arena;
  {
    const scratch_scope scope{arena};
    touch(arena.allocate(block), block);
  }
  for (auto step : state) {
    static_cast<void>(step);
    arena.idle();
    benchmark::ClobberMemory();
  }
}
BENCHMARK(BM_scratch_arena_idle);

// Commits a band, and touches its pages for the first time: the later cost of a trim.
void BM_scratch_arena_grow(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0)) << 10;
  for (auto step : state) {
    static_cast<void>(step);
    state.PauseTiming();
    {
      scratch_arena arena;
      state.ResumeTiming();
      std::memset(arena.allocate(size), 1, size);
      state.PauseTiming();
    }
    state.ResumeTiming();
  }
}
BENCHMARK(BM_scratch_arena_grow)->Arg(64)->Arg(1 << 10)->Arg(16 << 10);

}  // namespace
}  // namespace fencepost::bench
