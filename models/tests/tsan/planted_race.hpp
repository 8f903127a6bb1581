// Programs with a planted race, and the same without it, for planted_races_test.cpp.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/scenario/scenario.hpp"

namespace fencepost::models::planted {

using policy = default_atomics;

// Runs executions until the time is over, then ends the process.
using program = void (*)(std::chrono::milliseconds);

struct race {
  std::string component, fault;
  program planted, without;
};

// The races by component, each in a source of its own.
std::vector<race> in_deques();
std::vector<race> in_sync();
std::vector<race> in_queues();
std::vector<race> in_runtimes();

// A fault may violate what its scenario requires; here only races count.
struct deaf final : runner {
  void broken(const char*, source_location) override {}
  void record(std::string_view) override {}
};

// Executions of S on threads that start together and live as long as the run.
template <class S>
class executions {
 public:
  explicit executions(unsigned threads) : threads_{threads} {}

  void run_until(std::chrono::steady_clock::time_point end) {
    std::vector<std::thread> running;
    for (unsigned index = 0; index < threads_; ++index) {
      running.emplace_back([this, index] { take_part(index); });
    }
    current_runner = &nobody_;
    unsigned n = 0;
    do {
      const auto subject = std::make_unique<S>();
      if constexpr (requires { subject->before(); }) subject->before();
      subject_ = subject.get();
      started_.store(++n, std::memory_order_release);  // pairs with the wait in take_part()
      wait_until(finished_, n * threads_);
      if constexpr (requires { subject->after(); }) subject->after();
    } while (std::chrono::steady_clock::now() < end);
    subject_ = nullptr;
    started_.store(n + 1, std::memory_order_release);  // pairs with the wait in take_part()
    for (std::thread& thread : running) thread.join();
  }

 private:
  void take_part(unsigned index) {
    current_runner = &nobody_;
    for (unsigned n = 1;; ++n) {
      wait_until(started_, n);
      if (subject_ == nullptr) return;
      subject_->thread(index);
      finished_.fetch_add(1, std::memory_order_release);  // pairs with the wait in run_until()
    }
  }
  static void wait_until(const std::atomic<unsigned>& count, unsigned value) {
    for (unsigned turn = 0; count.load(std::memory_order_acquire) != value; ++turn) {
      if (turn > 100) std::this_thread::yield();
    }
  }

  unsigned threads_;
  deaf nobody_;
  S* subject_ = nullptr;
  std::atomic<unsigned> started_{0};
  std::atomic<unsigned> finished_{0};
};

template <class S, unsigned Threads>
[[noreturn]] void run(std::chrono::milliseconds time) {
  executions<S>{Threads}.run_until(std::chrono::steady_clock::now() + time);
  std::exit(0);
}

// Faulty is the same as Whole except for the fault.
template <class Faulty, class Whole, unsigned Threads = 2>
race plant(std::string component, std::string fault) {
  return {std::move(component), std::move(fault), run<Faulty, Threads>, run<Whole, Threads>};
}

}  // namespace fencepost::models::planted
