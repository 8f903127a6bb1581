// Task runners: the time of a task.
//
//   post         threads concurrently post 16,000 small tasks in total, round after round, and the
//                runner's thread runs them; the runner may sleep between the rounds. There are so
//                many tasks that the start of a round, which wakes up to eight threads, is less
//                than a twentieth of it; and each round ends with its last task, so that none
//                begins with tasks left
//   hand_over    two runners, each on its own thread and processor, post one task back and forth:
//                half a round trip
//
// A runner has post(callable), which any thread calls, run(), which returns after quit(), and
// quit(), which a task calls. One thread constructs, runs and destroys it.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include "../bench.hpp"
#include "../on_processor.hpp"

namespace fencepost::bench::peers {

template <class Runner>
void posts(benchmark::State& state, unsigned posters) {
  const unsigned each = 16'000 / posters;
  Runner runner;
  std::atomic<unsigned> round{0};
  std::atomic<bool> done{false};
  unsigned ran = 0;  // accessed only by the runner's thread
  std::vector<std::thread> threads;
  for (unsigned poster = 0; poster < posters; ++poster) {
    threads.emplace_back([&] {
      for (unsigned seen = 0;; ++seen) {
        round.wait(seen, std::memory_order_acquire);
        if (done.load(std::memory_order_acquire)) return;
        for (unsigned i = 0; i < each; ++i) {
          runner.post([&] {
            if (++ran == posters * each) runner.quit();
          });
        }
      }
    });
  }
  const auto next_round = [&] {
    round.fetch_add(1, std::memory_order_release);
    round.notify_all();
  };
  bool right = true;
  for (auto step : state) {
    static_cast<void>(step);
    ran = 0;
    next_round();
    runner.run();
    right = right && ran == posters * each;
  }
  done.store(true, std::memory_order_release);
  next_round();
  for (auto& thread : threads) thread.join();
  items(state, static_cast<double>(each) * posters);
  if (!right) state.SkipWithError("tasks were lost, or run twice");
}

// The task that goes back and forth. The thread of `here` calls its members, except for away().
template <class Runner>
class ball {
 public:
  ball(Runner& here, Runner& there) : here_(here), there_(there) {}

  // Runs `here` until the task has come back so many times.
  void play(unsigned times) {
    left_ = times;
    here_.post([this] { at_home(); });
    here_.run();
  }
  // Returns how often the task was away.
  unsigned trips() const { return trips_; }

 private:
  void at_home() {
    if (left_ == 0) return here_.quit();
    --left_;
    there_.post([this] { away(); });
  }
  void away() {
    ++trips_;
    here_.post([this] { at_home(); });
  }

  Runner &here_, &there_;
  unsigned left_ = 0, trips_ = 0;
};

template <class Runner>
void hand_over(benchmark::State& state) {
  constexpr unsigned trips = 1000;
  std::atomic<Runner*> other{nullptr};
  std::thread thread([&other] {
    const on_processor second{1};
    Runner there;
    other.store(&there, std::memory_order_release);
    other.notify_one();
    there.run();
    other.wait(&there, std::memory_order_acquire);  // until the last post to it has returned
  });
  other.wait(nullptr, std::memory_order_acquire);
  const on_processor first{0};
  Runner here;
  Runner& there = *other.load(std::memory_order_acquire);
  ball<Runner> the{here, there};
  unsigned rounds = 0;
  for (auto step : state) {
    static_cast<void>(step);
    the.play(trips);
    ++rounds;
  }
  there.post([&there] { there.quit(); });
  other.store(nullptr, std::memory_order_release);
  other.notify_one();
  thread.join();
  items(state, 2 * trips);
  if (the.trips() != rounds * trips) state.SkipWithError("the task was lost, or run twice");
}

template <class Runner>
bool register_runner(const char* name) {
  for (const unsigned posters : {1U, 2U, 4U, 8U}) {
    benchmark::RegisterBenchmark(name_of("runner", "post", name, posters).c_str(), posts<Runner>,
                                 posters)
        ->UseRealTime();
  }
  benchmark::RegisterBenchmark(name_of("runner", "hand_over", name, 1).c_str(), hand_over<Runner>)
      ->UseRealTime();
  return true;
}

}  // namespace fencepost::bench::peers
