// The cost of the injector, compared with the same few lines on std::atomic, with a Treiber stack
// without reclamation, whose pop is only correct while one thread pops, and with a std::deque
// behind a mutex.
#include <benchmark/benchmark.h>

#include <atomic>
#include <cstddef>
#include <deque>
#include <mutex>
#include <vector>

#include "fencepost/queue/injector.hpp"

namespace fencepost::bench {
namespace {

struct job : injector_link<job> {
  std::size_t number = 0;
};

struct direct_job {
  direct_job* next = nullptr;
  std::size_t number = 0;
};
class direct_injector {
 public:
  bool push(direct_job& job) {
    direct_job* top = stack_.load(std::memory_order_relaxed);
    do {
      job.next = top;
    } while (!stack_.compare_exchange_weak(top, &job, std::memory_order_release,
                                           std::memory_order_relaxed));
    return top == nullptr;
  }
  direct_job* pop() {
    for (;; std_atomics::spin_pause()) {
      if (stack_.load(std::memory_order_acquire) == nullptr &&
          front_.load(std::memory_order_relaxed) == nullptr) {
        return nullptr;
      }
      direct_job* job = front_.load(std::memory_order_relaxed);
      if (job == &locked_ ||
          !front_.compare_exchange_strong(job, &locked_, std::memory_order_acquire,
                                          std::memory_order_relaxed)) {
        continue;
      }
      if (job == nullptr) job = reversed(stack_.exchange(nullptr, std::memory_order_acq_rel));
      front_.store(job != nullptr ? job->next : nullptr, std::memory_order_release);
      return job;
    }
  }

 private:
  static direct_job* reversed(direct_job* job) {
    direct_job* after = nullptr;
    while (job != nullptr) {
      direct_job* const before = job->next;
      job->next = after;
      after = job;
      job = before;
    }
    return after;
  }
  direct_job locked_;
  alignas(64) std::atomic<direct_job*> stack_{nullptr};
  alignas(64) std::atomic<direct_job*> front_{nullptr};
};

class treiber_stack {
 public:
  bool push(direct_job& job) {
    direct_job* top = head_.load(std::memory_order_relaxed);
    do {
      job.next = top;
    } while (!head_.compare_exchange_weak(top, &job, std::memory_order_release,
                                          std::memory_order_relaxed));
    return top == nullptr;
  }
  direct_job* pop() {
    direct_job* top = head_.load(std::memory_order_acquire);
    while (top != nullptr &&
           !head_.compare_exchange_weak(top, top->next, std::memory_order_acquire)) {
    }
    return top;
  }

 private:
  alignas(64) std::atomic<direct_job*> head_{nullptr};
};

class locked_deque {
 public:
  bool push(direct_job& job) {
    const std::unique_lock lock{mutex_};
    jobs_.push_back(&job);
    return jobs_.size() == 1;
  }
  direct_job* pop() {
    const std::unique_lock lock{mutex_};
    if (jobs_.empty()) return nullptr;
    direct_job* job = jobs_.front();
    jobs_.pop_front();
    return job;
  }

 private:
  alignas(64) std::mutex mutex_;
  std::deque<direct_job*> jobs_;
};

// Each thread pushes `batch` jobs and pops as many, its own or another thread's.
template <class Queue, class Job>
void push_and_pop(benchmark::State& state, Queue& queue) {
  const auto batch = static_cast<std::size_t>(state.range(0));
  // The jobs that this thread holds between two iterations.
  std::vector<Job*> mine;
  for (std::size_t i = 0; i < batch; ++i) mine.push_back(new Job);
  for (auto step : state) {
    static_cast<void>(step);
    for (Job* job : mine) queue.push(*job);
    for (Job*& job : mine) {
      do {
        job = queue.pop();
      } while (job == nullptr);
    }
  }
  for (Job* job : mine) delete job;
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

void BM_injector_push_pop(benchmark::State& state) {
  static injector<job> queue;
  push_and_pop<injector<job>, job>(state, queue);
}
BENCHMARK(BM_injector_push_pop)->Arg(1)->Arg(64)->ThreadRange(1, 2)->UseRealTime();

void BM_direct_injector_push_pop(benchmark::State& state) {
  static direct_injector queue;
  push_and_pop<direct_injector, direct_job>(state, queue);
}
BENCHMARK(BM_direct_injector_push_pop)->Arg(1)->Arg(64)->ThreadRange(1, 2)->UseRealTime();

void BM_treiber_push_pop(benchmark::State& state) {
  static treiber_stack queue;
  push_and_pop<treiber_stack, direct_job>(state, queue);
}
BENCHMARK(BM_treiber_push_pop)->Arg(1)->Arg(64)->UseRealTime();

void BM_locked_deque_push_pop(benchmark::State& state) {
  static locked_deque queue;
  push_and_pop<locked_deque, direct_job>(state, queue);
}
BENCHMARK(BM_locked_deque_push_pop)->Arg(1)->Arg(64)->ThreadRange(1, 2)->UseRealTime();

void BM_injector_push_take_all(benchmark::State& state) {
  injector<job> queue;
  std::vector<job> jobs(static_cast<std::size_t>(state.range(0)));
  for (auto step : state) {
    static_cast<void>(step);
    for (job& j : jobs) queue.push(j);
    auto all = queue.take_all();
    while (const job* j = all.pop()) benchmark::DoNotOptimize(j->number);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(BM_injector_push_take_all)->Arg(64);

// The cost to an idle worker of each search.
void BM_injector_pop_of_nothing(benchmark::State& state) {
  injector<job> queue;
  for (auto step : state) {
    static_cast<void>(step);
    benchmark::DoNotOptimize(queue.pop());
  }
}
BENCHMARK(BM_injector_pop_of_nothing);

}  // namespace
}  // namespace fencepost::bench
