// A fake worker for tests of loops: random bits decide where loops are divided, on one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/runtime/fork_join_task.hpp"
#include "fencepost/runtime/task_outcome.hpp"

namespace fencepost::test {

enum class thieves { none, some };

// Runs a task when it is synced or, with thieves, sometimes at once, as if it had been stolen.
class fake_worker {
 public:
  explicit fake_worker(std::uint64_t seed, thieves who = thieves::none)
      : random_(seed | 1), who_(who) {}
  fake_worker(const fake_worker&) = delete;
  fake_worker& operator=(const fake_worker&) = delete;

  template <class F>
  class handle {
   public:
    using result = detail::task_result<F, fake_worker>;

    handle(fake_worker& owner, F f) : owner_(&owner), f_(std::move(f)) {
      ++owner_->open_;
      if (owner_->who_ == thieves::some && owner_->bits() % 2 == 0) steal();
    }
    handle(handle&&) = delete;
    handle& operator=(handle&&) = delete;
    ~handle() {
      if (owner_ != nullptr) --owner_->open_;
    }
    result run(fake_worker& me) {
      --std::exchange(owner_, nullptr)->open_;
      if (stolen_) return stolen_->take();
      return call_with(std::move(f_), me);
    }

   private:
    void steal() {
      fake_worker thief{owner_->bits(), thieves::some};
      stolen_.emplace().keep_of([&]() -> result { return call_with(std::move(f_), thief); });
    }

    fake_worker* owner_;
    F f_;
    std::optional<task_outcome<result>> stolen_;
  };

  template <class F>
  handle<F> spawn(F f) {
    ++spawned;
    return handle<F>{*this, std::move(f)};
  }
  template <class F>
  decltype(auto) sync(handle<F>& task) {
    return task.run(*this);
  }
  bool wants_tasks() noexcept { return bits() % 4 == 0; }
  void poll() noexcept {}
  void share() noexcept {}
  scratch_arena& scratch() noexcept {  // one for all workers: they are nested
    static scratch_arena arena;
    return arena;
  }

  std::size_t spawned = 0;
  int open() const noexcept { return open_; }

 private:
  std::uint64_t bits() noexcept {
    random_ ^= random_ << 13;
    random_ ^= random_ >> 7;
    random_ ^= random_ << 17;
    return random_ >> 32;
  }

  std::uint64_t random_;
  thieves who_;
  int open_ = 0;
};

}  // namespace fencepost::test
