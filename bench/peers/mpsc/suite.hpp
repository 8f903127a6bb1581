// Queues with many producers and one consumer.
//
//   throughput   producers are released all at once, round after round, and each pushes 1,000
//                items; the consumer pops them, and yields when it finds none; the time is per item
//   hand_over    two threads pass one item back and forth through two queues: half a round trip
//
// A queue has push(item), which any thread calls, and pop(), which returns std::optional<item>. A
// queue that keeps each producer's items in order has `fifo = true`, which is checked. A queue that
// needs to know its threads has a type `thread`; each thread constructs one: thread(queue). A queue
// whose threads spin until another thread completes its operation has `spins = true`, and is
// measured only if each thread has a processor: otherwise an item takes as long as the system lets
// other threads run.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <thread>
#include <vector>

#include "../bench.hpp"
#include "../on_processor.hpp"

namespace fencepost::bench::peers {

using item = std::uint64_t;

struct any_thread {
  template <class Queue>
  explicit any_thread(Queue&) {}
};
template <class Queue>
struct thread_of {
  using type = any_thread;
};
template <class Queue>
requires requires { typename Queue::thread; }
struct thread_of<Queue> {
  using type = typename Queue::thread;
};

// Pushes through the producer's own `thread`, if that has push(), otherwise directly.
template <class Queue, class Thread>
void push(Queue& queue, Thread& mine, item i) {
  if constexpr (requires { mine.push(i); }) {
    mine.push(i);
  } else {
    queue.push(i);
  }
}

template <class Queue>
void throughput(benchmark::State& state, unsigned producers) {
  constexpr item each = 1000;
  using thread_type = typename thread_of<Queue>::type;
  Queue queue;
  std::atomic<unsigned> round{0};
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (item producer = 0; producer < producers; ++producer) {
    threads.emplace_back([&, producer] {
      thread_type mine{queue};
      for (unsigned seen = 0;; ++seen) {
        round.wait(seen, std::memory_order_acquire);
        if (done.load(std::memory_order_acquire)) return;
        for (item i = 1; i <= each; ++i) push(queue, mine, producer << 32 | i);
      }
    });
  }
  const auto next_round = [&] {
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  };
  thread_type mine{queue};
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    next_round();
    item sum = 0, last[8] = {};
    for (item popped = 0; popped < each * producers;) {
      const std::optional<item> got = queue.pop();
      if (!got) {
        std::this_thread::yield();
        continue;
      }
      ++popped;
      const item i = *got & 0xffff'ffffU;
      sum += i;
      if constexpr (Queue::fifo) {
        item& before = last[*got >> 32];
        right = right && i == before + 1;
        before = i;
      }
    }
    right = right && sum == producers * each * (each + 1) / 2;
  }
  done.store(true, std::memory_order_release);
  next_round();
  for (auto& thread : threads) thread.join();
  items(state, static_cast<double>(each) * producers);
  if (!right || queue.pop()) {
    state.SkipWithError("items were lost, popped twice, or in the wrong order");
  }
}

template <class Queue>
void hand_over(benchmark::State& state) {
  constexpr item trips = 1000;
  using thread_type = typename thread_of<Queue>::type;
  Queue there, back;
  // Spins, but sometimes yields to a thread that has no processor.
  const auto next = [](Queue& queue) {
    for (unsigned look = 1;; ++look) {
      if (const std::optional<item> got = queue.pop()) return *got;
      if (look % 1024 == 0) std::this_thread::yield();
    }
  };
  std::thread other([&] {
    const on_processor second{1};
    thread_type to_there{there}, to_back{back};
    while (const item i = next(there)) push(back, to_back, i);
  });
  const on_processor first{0};
  thread_type to_there{there}, to_back{back};
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    for (item i = 1; i <= trips; ++i) {
      push(there, to_there, i);
      right = next(back) == i && right;
    }
  }
  push(there, to_there, 0);
  other.join();
  items(state, 2 * trips);
  if (!right) state.SkipWithError("a different item came back");
}

template <class Queue>
bool register_queue(const char* name) {
  for (const unsigned producers : {1U, 2U, 4U, 8U}) {
    if constexpr (requires { Queue::spins; }) {
      if (producers >= processors()) continue;
    }
    benchmark::RegisterBenchmark(name_of("mpsc", "throughput", name, producers).c_str(),
                                 throughput<Queue>, producers)
        ->UseRealTime();
  }
  benchmark::RegisterBenchmark(name_of("mpsc", "hand_over", name, 1).c_str(), hand_over<Queue>)
      ->UseRealTime();
  return true;
}

}  // namespace fencepost::bench::peers
