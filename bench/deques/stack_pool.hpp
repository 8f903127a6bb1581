// A minimal fork-join scheduler, with tasks on the call stack, for comparing the deques beneath it
// on the programs that fork_join is measured with. Workers steal at random, whether they wait for a
// task or have none, and yield when they find nothing.
//
// A kind of deque defines how a worker publishes, takes back and steals pointers to tasks:
// on_chase_lev, on_private_deque.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "fencepost/deque/call_stack_deque.hpp"
#include "fencepost/deque/private_deque.hpp"
#include "fencepost/runtime/random_sequence.hpp"
#include "fencepost/runtime/worker_thread.hpp"
#include "fencepost/sync/completion.hpp"

namespace fencepost::bench {

// The steals of thieves; each worker counts its own.
struct steal_counts {
  std::uint64_t steals = 0, attempts = 0;
};

struct on_chase_lev {
  template <class Task>
  class deque {
   public:
    void push(Task* task) { pointers_.push(task); }
    auto pop() noexcept { return pointers_.pop(); }
    void poll() noexcept {}
    template <class Own>
    auto steal_for(Own&) noexcept {
      return pointers_.steal();
    }

   private:
    chase_lev<Task*> pointers_{1024};
  };
};

struct on_private_deque {
  template <class Task>
  class deque {
   public:
    // A worker answers before it spawns or syncs, and while it waits for an answer itself.
    void push(Task* task) {
      pointers_.push(task);
      pointers_.poll();
    }
    auto pop() noexcept {
      pointers_.poll();
      return pointers_.pop();
    }
    void poll() noexcept { pointers_.poll(); }
    // Uses the request in the thief's own deque.
    auto steal_for(deque& own) noexcept {
      typename default_atomics::back_off turn;
      return pointers_.steal(own.request_, 64, [&]() noexcept {
        own.poll();
        turn();
      });
    }

   private:
    private_deque<Task*> pointers_{1024};
    typename private_deque<Task*>::request request_;
  };
};

template <class Kind>
class stack_pool;

template <class Kind>
class stack_worker {
 public:
  using task = stack_task<stack_worker>;

  // A task in the frame that spawns it. It is never moved.
  template <class F>
  class spawned : public task {
   public:
    using result = std::invoke_result_t<F&, stack_worker&>;
    spawned(stack_worker& me, F&& f) noexcept : task{&run_it}, f_{std::move(f)} {
      me.deque_.push(*this);
    }

   private:
    friend stack_worker;
    struct nothing {};
    static void run_it(task& base, stack_worker& me) noexcept {
      auto& self = static_cast<spawned&>(base);
      if constexpr (std::is_void_v<result>) {
        self.f_(me);
      } else {
        self.result_ = self.f_(me);
      }
    }
    F f_;
    std::conditional_t<std::is_void_v<result>, nothing, result> result_{};
  };

  template <class F>
  [[nodiscard]] spawned<F> spawn(F f) noexcept {
    return spawned<F>{*this, std::move(f)};
  }

  template <class F>
  typename spawned<F>::result sync(spawned<F>& last) noexcept {
    if (deque_.pop(last)) [[likely]]
      return last.f_(*this);
    while (!last.done()) find_work();
    if constexpr (!std::is_void_v<typename spawned<F>::result>) return last.result_;
  }

 private:
  friend class stack_pool<Kind>;
  using pointers = typename Kind::template deque<task>;

  stack_worker(stack_pool<Kind>& pool, std::uint32_t index)
      : pool_{pool}, index_{index}, random_{index} {}

  [[gnu::noinline]] void find_work() noexcept {
    deque_.pointers().poll();
    const std::uint32_t among = static_cast<std::uint32_t>(pool_.workers_.size()) - 1;
    if (among == 0) return;
    std::uint32_t victim = random_.below(among);
    if (victim >= index_) ++victim;
    ++counts_.attempts;
    auto theft = pool_.workers_[victim]->deque_.pointers().steal_for(deque_.pointers());
    if (theft.outcome != steal_outcome::stolen) return std_atomics::yield();
    ++counts_.steals;
    theft.item->run_stolen(*this);
  }

  call_stack_deque<stack_worker, default_atomics, pointers> deque_;
  stack_pool<Kind>& pool_;
  const std::uint32_t index_;
  random_sequence random_;
  steal_counts counts_;
};

template <class Kind>
class stack_pool {
 public:
  using worker = stack_worker<Kind>;

  stack_pool(std::uint32_t workers, std::size_t stack) {
    for (std::uint32_t index = 0; index < workers; ++index) {
      workers_.push_back(std::unique_ptr<worker>{new worker{*this, index}});
    }
    for (std::uint32_t index = 0; index < workers; ++index) {
      threads_.emplace_back(worker_thread_options{.stack = stack},
                            [this, index] { work(*workers_[index]); });
    }
  }
  ~stack_pool() { stop(); }
  stack_pool(const stack_pool&) = delete;
  stack_pool& operator=(const stack_pool&) = delete;

  // Calls f(worker) on the first worker, and waits for it.
  template <class F>
  auto run(F f) noexcept {
    struct root : worker::task {
      explicit root(F&& callable) noexcept : worker::task{&call}, f{std::move(callable)} {}
      static void call(typename worker::task& base, worker& me) noexcept {
        auto& self = static_cast<root&>(base);
        self.result = self.f(me);
      }
      F f;
      std::invoke_result_t<F&, worker&> result{};
    } all{std::move(f)};
    root_.store(&all);
    all.wait();
    return all.result;
  }
  void stop() noexcept {
    over_.store(true);
    for (auto& thread : threads_) thread.join();
    threads_.clear();
  }
  // To be called after stop().
  steal_counts counts() const noexcept {
    steal_counts sum;
    for (const auto& each : workers_) {
      sum.steals += each->counts_.steals;
      sum.attempts += each->counts_.attempts;
    }
    return sum;
  }

 private:
  friend worker;
  void work(worker& me) noexcept {
    while (!over_.load()) {
      if (me.index_ == 0) {
        if (auto* const task = root_.exchange(nullptr)) task->run_stolen(me);
        std_atomics::yield();
      } else {
        me.find_work();
      }
    }
  }

  std::vector<std::unique_ptr<worker>> workers_;
  std::atomic<typename worker::task*> root_{nullptr};
  std::atomic<bool> over_{false};
  std::vector<worker_thread> threads_;
};

}  // namespace fencepost::bench
