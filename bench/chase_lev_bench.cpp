// The cost of the Chase-Lev deque, compared with the same steps on std::atomic, with the fences of
// the published forms, and with a std::deque behind a mutex.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "fencepost/deque/boxed_chase_lev.hpp"
#include "fencepost/deque/chase_lev.hpp"
#include "mutex_deque.hpp"

namespace fencepost::bench {
namespace {

using item = std::uint64_t;
constexpr std::size_t capacity = 1024;

struct kit {
  chase_lev<item> deque{capacity};
  void push(item i) { deque.push(i); }
  std::optional<item> pop() { return deque.pop(); }
  std::optional<item> steal() {
    const auto theft = deque.steal();
    return theft.outcome == steal_outcome::stolen ? std::optional{theft.item} : std::nullopt;
  }
};

// The obvious implementation, with a fixed buffer and both indices atomic; front and back are Line
// bytes apart.
template <bool Fences, std::size_t Line = 64>
struct direct {
  static constexpr std::int64_t mask = capacity - 1;
  static constexpr auto order = Fences ? std::memory_order_relaxed : std::memory_order_seq_cst;
  alignas(Line) std::atomic<std::int64_t> front{0};
  alignas(Line) std::atomic<std::int64_t> back{0};
  alignas(Line) std::unique_ptr<std::atomic<item>[]> slots { new std::atomic<item>[ capacity ] };

  std::atomic<item>& at(std::int64_t index) {
    return slots[static_cast<std::size_t>(index & mask)];
  }

  bool push(item i) {
    const auto b = back.load(std::memory_order_relaxed);
    if (b - front.load(std::memory_order_acquire) > mask) return false;
    at(b).store(i, std::memory_order_relaxed);
    if (Fences) std::atomic_thread_fence(std::memory_order_release);
    back.store(b + 1, Fences ? std::memory_order_relaxed : std::memory_order_release);
    return true;
  }
  std::optional<item> pop() {
    const auto last = back.load(std::memory_order_relaxed) - 1;
    back.store(last, order);
    if (Fences) std::atomic_thread_fence(std::memory_order_seq_cst);
    auto f = front.load(order);
    if (f < last) return at(last).load(std::memory_order_relaxed);
    const bool mine = f == last && front.compare_exchange_strong(f, f + 1);
    back.store(last + 1, std::memory_order_relaxed);
    return mine ? std::optional{at(last).load(std::memory_order_relaxed)} : std::nullopt;
  }
  std::optional<item> steal() {
    auto f = front.load(order);
    if (Fences) std::atomic_thread_fence(std::memory_order_seq_cst);
    const auto b = back.load(Fences ? std::memory_order_acquire : order);
    if (f >= b) return std::nullopt;
    const item i = at(f).load(std::memory_order_relaxed);
    return front.compare_exchange_strong(f, f + 1) ? std::optional{i} : std::nullopt;
  }
};

// A push and a pop by the owner alone, above eight items that stay.
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
void BM_chase_lev_push_pop(benchmark::State& state) { push_pop<kit>(state); }
void BM_direct_push_pop(benchmark::State& state) { push_pop<direct<false>>(state); }
void BM_direct_fences_push_pop(benchmark::State& state) { push_pop<direct<true>>(state); }
void BM_mutex_push_pop(benchmark::State& state) { push_pop<mutex_work_deque<item>>(state); }
BENCHMARK(BM_chase_lev_push_pop);
BENCHMARK(BM_direct_push_pop);
BENCHMARK(BM_direct_fences_push_pop);
BENCHMARK(BM_mutex_push_pop);

// The same in an empty deque: each item is the last one.
template <class Deque>
void push_pop_last(benchmark::State& state) {
  Deque deque;
  for (auto step : state) {
    static_cast<void>(step);
    deque.push(1);
    benchmark::DoNotOptimize(deque.pop().value_or(0));
  }
}
void BM_chase_lev_push_pop_last(benchmark::State& state) { push_pop_last<kit>(state); }
void BM_direct_push_pop_last(benchmark::State& state) { push_pop_last<direct<false>>(state); }
void BM_direct_fences_push_pop_last(benchmark::State& state) { push_pop_last<direct<true>>(state); }
void BM_mutex_push_pop_last(benchmark::State& state) {
  push_pop_last<mutex_work_deque<item>>(state);
}
BENCHMARK(BM_chase_lev_push_pop_last);
BENCHMARK(BM_direct_push_pop_last);
BENCHMARK(BM_direct_fences_push_pop_last);
BENCHMARK(BM_mutex_push_pop_last);

// A push, and a steal by the same thread.
template <class Deque>
void push_steal(benchmark::State& state) {
  Deque deque;
  for (auto step : state) {
    static_cast<void>(step);
    deque.push(1);
    benchmark::DoNotOptimize(deque.steal().value_or(0));
  }
}
void BM_chase_lev_push_steal(benchmark::State& state) { push_steal<kit>(state); }
void BM_direct_push_steal(benchmark::State& state) { push_steal<direct<false>>(state); }
void BM_direct_fences_push_steal(benchmark::State& state) { push_steal<direct<true>>(state); }
void BM_mutex_push_steal(benchmark::State& state) { push_steal<mutex_work_deque<item>>(state); }
BENCHMARK(BM_chase_lev_push_steal);
BENCHMARK(BM_direct_push_steal);
BENCHMARK(BM_direct_fences_push_steal);
BENCHMARK(BM_mutex_push_steal);

// A thief that repeatedly finds nothing.
template <class Deque>
void steal_nothing(benchmark::State& state) {
  Deque deque;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(deque.steal().value_or(0));
  }
}
void BM_chase_lev_steal_nothing(benchmark::State& state) { steal_nothing<kit>(state); }
void BM_direct_steal_nothing(benchmark::State& state) { steal_nothing<direct<false>>(state); }
void BM_direct_fences_steal_nothing(benchmark::State& state) { steal_nothing<direct<true>>(state); }
void BM_mutex_steal_nothing(benchmark::State& state) {
  steal_nothing<mutex_work_deque<item>>(state);
}
BENCHMARK(BM_chase_lev_steal_nothing);
BENCHMARK(BM_direct_steal_nothing);
BENCHMARK(BM_direct_fences_steal_nothing);
BENCHMARK(BM_mutex_steal_nothing);

// Thread 0 pushes eight items and pops until none is left; the other one steals meanwhile.
template <class Deque>
void owner_and_thief(benchmark::State& state) {
  static Deque* deque;
  if (state.thread_index() == 0) deque = new Deque;
  std::int64_t items = 0;
  for (auto step : state) {
    static_cast<void>(step);
    if (state.thread_index() == 0) {
      for (item i = 0; i < 8; ++i) deque->push(i);
      while (deque->pop()) continue;
      items += 8;
    } else {
      benchmark::DoNotOptimize(deque->steal().value_or(0));
    }
  }
  state.SetItemsProcessed(items);
  if (state.thread_index() == 0) delete deque;
}
void BM_chase_lev_owner_and_thief(benchmark::State& state) { owner_and_thief<kit>(state); }
void BM_direct_owner_and_thief(benchmark::State& state) { owner_and_thief<direct<false>>(state); }
void BM_direct_one_line_owner_and_thief(benchmark::State& state) {
  owner_and_thief<direct<false, alignof(std::int64_t)>>(state);
}
void BM_mutex_owner_and_thief(benchmark::State& state) {
  owner_and_thief<mutex_work_deque<item>>(state);
}
BENCHMARK(BM_chase_lev_owner_and_thief)->Threads(2)->UseRealTime();
BENCHMARK(BM_direct_owner_and_thief)->Threads(2)->UseRealTime();
BENCHMARK(BM_direct_one_line_owner_and_thief)->Threads(2)->UseRealTime();
BENCHMARK(BM_mutex_owner_and_thief)->Threads(2)->UseRealTime();

// A push and a pop with a box for each item.
void BM_boxed_chase_lev_push_pop(benchmark::State& state) {
  boxed_chase_lev<item> deque{capacity};
  for (auto step : state) {
    static_cast<void>(step);
    deque.emplace(1u);
    benchmark::DoNotOptimize(deque.pop());
  }
}
BENCHMARK(BM_boxed_chase_lev_push_pop);

// Growth from one slot to 1,024.
void BM_chase_lev_grow_to_1024(benchmark::State& state) {
  for (auto step : state) {
    static_cast<void>(step);
    chase_lev<item> deque{1};
    for (item i = 0; i < 1024; ++i) deque.push(i);
    benchmark::DoNotOptimize(deque.size());
  }
}
BENCHMARK(BM_chase_lev_grow_to_1024);

}  // namespace
}  // namespace fencepost::bench
