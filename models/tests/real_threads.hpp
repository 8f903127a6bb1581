// Runs a scenario on real threads, many times: a first look, not a proof.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/scenario.hpp"

namespace fencepost::models {

// default_atomics for tests that have more threads than processors: waiting lends the processor.
struct yielding_atomics : default_atomics {
  static void spin_pause() { std::this_thread::yield(); }
};

// What went wrong, with how often. The scenario goes on after a broken claim.
class tally final : public runner {
 public:
  void broken(const char* what, source_location where) override;
  void record(std::string_view outcome) override;

  void expect_nothing_broken(unsigned executions) const;  // GoogleTest
  void expect_outcomes_among(std::span<const known_outcome> known) const;
  const std::map<std::string, unsigned>& outcomes() const { return outcomes_; }

 private:
  std::mutex mutex_;
  std::map<std::string, unsigned> broken_;
  std::map<std::string, unsigned> outcomes_;
};

namespace detail {

template <class S>
class real_threads {
 public:
  explicit real_threads(tally& result) : result_(result) {}

  void run(unsigned executions) {
    current_runner = &result_;
    std::vector<std::thread> threads;
    for (unsigned index = 0; index < S::about.threads; ++index) {
      threads.emplace_back([this, index, executions] {
        current_runner = &result_;
        for (unsigned n = 1; n <= executions; ++n) {
          wait_until(started_, n);
          subject_->thread(index);
          finished_.fetch_add(1, std::memory_order_release);  // pairs with the wait in run()
        }
      });
    }
    for (unsigned n = 1; n <= executions; ++n) {
      S subject;
      if constexpr (requires { subject.before(); }) subject.before();
      subject_ = &subject;
      started_.store(n, std::memory_order_release);  // pairs with the wait in the threads
      wait_until(finished_, n * S::about.threads);
      if constexpr (requires { subject.after(); }) subject.after();
    }
    for (std::thread& thread : threads) thread.join();
    current_runner = nullptr;
  }

 private:
  // A few turns at full speed, so that the threads start together; then the processor is lent.
  static void wait_until(const std::atomic<unsigned>& count, unsigned value) {
    for (unsigned turn = 0; count.load(std::memory_order_acquire) != value; ++turn) {
      if (turn > 1000) std::this_thread::yield();
    }
  }

  tally& result_;
  S* subject_ = nullptr;
  std::atomic<unsigned> started_{0};
  std::atomic<unsigned> finished_{0};
};

}  // namespace detail

// The threads live as long as the run, and start each execution together.
template <class S>
void run_on_real_threads(unsigned executions, tally& result) {
  detail::real_threads<S>{result}.run(executions);
}

// Fails the test if anything that the scenario requires is broken.
template <class S>
void expect_on_real_threads(unsigned executions = 2000) {
  tally result;
  run_on_real_threads<S>(executions, result);
  result.expect_nothing_broken(executions);
  result.expect_outcomes_among(S::about.outcomes);
}

}  // namespace fencepost::models
