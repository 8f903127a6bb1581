// A team: the threads of one scenario, which live as long as the run.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

#include "fencepost/stress/stress_run.hpp"
#include "shared_state.hpp"

namespace fencepost::stress {

using clock = std::chrono::steady_clock;

// xorshift64*: cheap enough for a step between two instances.
class random_numbers {
 public:
  explicit random_numbers(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U | 1U) {
    for (int i = 0; i < 8; ++i) next();
  }
  std::uint32_t next() noexcept {
    state_ ^= state_ >> 12U;
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return static_cast<std::uint32_t>((state_ * 0x2545F4914F6CDD1DU) >> 32U);
  }
  std::uint32_t below(std::size_t end) noexcept {
    return static_cast<std::uint32_t>(next() % static_cast<std::uint32_t>(end));
  }

 private:
  std::uint64_t state_;
};

// Where the threads of a team wait for each other.
class meeting {
 public:
  explicit meeting(unsigned parties) : parties_(parties) {}

  // The last thread that arrives calls `last`, before any other continues. `crowded`: waiters may
  // occupy the processor of a thread that has not arrived.
  template <class F>
  void wait(bool crowded, F&& last) {
    const std::uint32_t round = round_.load(std::memory_order_acquire);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) + 1 == parties_) {
      arrived_.store(0, std::memory_order_relaxed);
      last();
      round_.store(round + 1, std::memory_order_release);
      round_.notify_all();
      return;
    }
    for (unsigned turn = crowded ? 20'000 : 0; round_.load(std::memory_order_acquire) == round;
         ++turn) {
      if (turn > 20'050) return round_.wait(round, std::memory_order_acquire);
      if (turn > 20'000) std::this_thread::yield();
    }
  }
  void wait(bool crowded) {
    wait(crowded, [] {});
  }

 private:
  const unsigned parties_;
  std::atomic<std::uint32_t> arrived_{0};
  alignas(line_size) std::atomic<std::uint32_t> round_{0};
};

class team {
 public:
  team(const subject&, const options&, const processors&, shared_state&, unsigned number,
       clock::time_point began);

  // Runs thread `index` of the team, until the time is up.
  void work(unsigned index);

 private:
  // How the threads pass through the instances of a round.
  enum class pace : std::uint8_t {
    free,     // each as fast as it can
    in_step,  // they enter each instance together
    crowded,  // the same, but a waiting thread yields its processor
  };
  struct plan {
    bool stop = false;
    std::uint32_t instances = 4;
    pace how = pace::free;
    std::uint32_t delay = 0;  // a mask: the most turns that a thread waits before an instance
    std::uint32_t first = 0;  // the part that thread 0 constructs; the others' parts follow
    std::vector<bool> early;  // for each thread: those that are not start when these are done
    std::size_t seating = 0;  // changes when the threads are to move
    std::vector<unsigned> seats;
    std::size_t room = 1;  // how many of the threads can run at once
    bool crowded = false;  // the team has more threads than that
  };

  void make_plan();
  void choose_pace();
  void choose_places();
  void sit(unsigned index) const;
  void wait_for_the_early(unsigned index) const;
  void meet_at(unsigned index, std::uint32_t instance) const;
  void* instance(std::uint32_t n) const noexcept { return memory_.get() + n * stride_; }
  bool is_early(unsigned index) const noexcept { return plan_.early[index]; }

  struct free_memory {
    std::size_t alignment;
    void operator()(std::byte* p) const noexcept {
      ::operator delete[](p, std::align_val_t(alignment));
    }
  };

  const subject& what_;
  const options& how_;
  const processors& machine_;
  shared_state& shared_;
  const unsigned number_;
  const unsigned threads_;
  const clock::time_point began_;
  const std::size_t stride_;
  const std::uint32_t most_instances_;
  std::unique_ptr<std::byte[], free_memory> memory_;
  std::vector<placement> placements_;
  meeting meeting_;
  random_numbers random_;

  // Constant between two meetings of all threads; the last one that arrives writes it.
  plan plan_;
  std::uint64_t round_ = 0;
  clock::time_point round_began_;
  clock::time_point seated_;
};

}  // namespace fencepost::stress
