// The cost of the split deque: push and pop by the owner alone, and a steal.
#include <benchmark/benchmark.h>

#include "fencepost/deque/tail_split.hpp"

namespace fencepost::bench {
namespace {

struct task {
  void (*run)(task&);
  unsigned arguments[12];
};

template <template <class> class Word>
void BM_tail_split_push_pop(benchmark::State& state) {
  tail_split<task, std_atomics, Word> deque{1024};
  for (auto step : state) {
    static_cast<void>(step);
    const bool pushed = deque.try_emplace([](task& t) { t.arguments[0] = 1; });
    benchmark::DoNotOptimize(pushed);
    benchmark::DoNotOptimize(deque.pop());
  }
}
BENCHMARK(BM_tail_split_push_pop<iso_split_word>);
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
BENCHMARK(BM_tail_split_push_pop<lace_split_word>);
#endif

// The owner shares a task, and the same thread steals, completes and retires it.
template <template <class> class Word>
void BM_tail_split_push_steal(benchmark::State& state) {
  tail_split<task, std_atomics, Word> deque{1024};
  for (auto step : state) {
    static_cast<void>(step);
    const bool pushed = deque.try_emplace([](task& t) { t.arguments[0] = 1; });
    benchmark::DoNotOptimize(pushed);
    auto stolen = deque.steal(&state);
    stolen.task->complete();
    benchmark::DoNotOptimize(deque.pop());
    deque.retire();
  }
}
BENCHMARK(BM_tail_split_push_steal<iso_split_word>);
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
BENCHMARK(BM_tail_split_push_steal<lace_split_word>);
#endif

}  // namespace
}  // namespace fencepost::bench
