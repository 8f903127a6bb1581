// The names of std under relacy_std.hpp.
#include <gtest/gtest.h>

// After the standard library and GoogleTest: std is a macro from here on.
#include "fencepost/compat/relacy_std.hpp"
#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

// Code as in a file that knows nothing of Relacy.
class mailbox {
 public:
  void put(int v) {
    const std::lock_guard<std::mutex> lock(guard_);
    values_.push_back(v);
    full_.store(true, std::memory_order_release);
    changed_.notify_one();
  }
  int take() {
    std::unique_lock<std::mutex> lock(guard_);
    changed_.wait(lock, [&] { return !values_.empty(); });
    return values_.back();
  }
  bool full() const { return full_.load(std::memory_order_acquire); }

 private:
  std::mutex guard_;
  std::condition_variable changed_;
  std::vector<int> values_;
  std::atomic<bool> full_{false};
};

struct mail : rl::test_suite<mail, 1> {
  void thread(unsigned) {
    mailbox box;
    std::thread sender([&] { box.put(7); });
    RL_ASSERT(box.take() == 7 && box.full());
    sender.join();
  }
};
TEST(relacy_std, code_in_the_words_of_std) { EXPECT_TRUE(has_declared_result<mail>()); }

template <bool Released>
struct handover : rl::test_suite<handover<Released>, 2,
                                 Released ? rl::test_result_success : rl::test_result_data_race> {
  std::atomic<int> ready{0};
  rl::var<int> data;
  void thread(unsigned index) {
    if (index == 0) {
      data($) = 1;
      std::atomic_thread_fence(Released ? std::memory_order_release : std::memory_order_relaxed);
      ready.store(1, std::memory_order_relaxed);
    } else if (ready.load(std::memory_order_relaxed) == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);
      data($).load();
    }
  }
};
TEST(relacy_std, fences) {
  EXPECT_TRUE(has_declared_result<handover<true>>());
  EXPECT_TRUE(has_declared_result<handover<false>>());
}

struct flags : rl::test_suite<flags, 2> {
  std::atomic_flag set = ATOMIC_FLAG_INIT;
  std::atomic_int n{0};
  void thread(unsigned) {
    if (!set.test_and_set()) n.fetch_add(1);
  }
  void after() { RL_ASSERT(n == 1 && std::max(1, n.load()) == 1); }
};
TEST(relacy_std, other_names_are_those_of_the_library) {
  EXPECT_TRUE(has_declared_result<flags>());
}

}  // namespace
}  // namespace fencepost::relacy_testing
