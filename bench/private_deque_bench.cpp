// The cost to its owner of the deque that answers requests, compared with the same steps on a ring
// without requests; and a request that is answered at once.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "fencepost/deque/private_deque.hpp"

namespace fencepost::bench {
namespace {

using item = std::uint64_t;
constexpr std::size_t capacity = 1024;

struct kit {
  private_deque<item> deque{capacity};
  void push(item i) {
    deque.push(i);
    deque.poll();
  }
  std::optional<item> pop() {
    deque.poll();
    return deque.pop();
  }
};

// For one thread.
struct direct {
  std::array<item, capacity> slots;
  std::size_t first = 0, end = 0;
  void push(item i) { slots[end++ % capacity] = i; }
  std::optional<item> pop() {
    if (first == end) return std::nullopt;
    return slots[--end % capacity];
  }
};

// A push and a pop by the owner alone, each with a poll, above items that stay.
template <class Deque>
void push_pop(benchmark::State& state) {
  Deque deque;
  for (item i = 0; i < 8; ++i) deque.push(i);
  for (auto step : state) {
    static_cast<void>(step);
    deque.push(1);
    benchmark::DoNotOptimize(deque.pop().value_or(0));
  }
}
void BM_private_deque_push_pop(benchmark::State& state) { push_pop<kit>(state); }
void BM_direct_private_deque_push_pop(benchmark::State& state) { push_pop<direct>(state); }
BENCHMARK(BM_private_deque_push_pop);
BENCHMARK(BM_direct_private_deque_push_pop);

// A push, and a request, answered by the same thread.
void BM_private_deque_push_steal(benchmark::State& state) {
  private_deque<item> deque{capacity};
  private_deque<item>::request mine;
  for (auto step : state) {
    static_cast<void>(step);
    deque.push(1);
    const auto theft = deque.steal(mine, 1, [&deque] { deque.poll(); });
    benchmark::DoNotOptimize(theft.item);
  }
}
BENCHMARK(BM_private_deque_push_steal);

}  // namespace
}  // namespace fencepost::bench
