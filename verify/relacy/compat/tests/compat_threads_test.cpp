// Threads that a suite starts itself, choices, memory, and whatever else a suite uses.
#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

struct started : rl::test_suite<started, 1> {
  static constexpr rl::thread_id_t dynamic_thread_count = 2;
  rl::var<int> n{0};
  static void* increment(void* self) {
    static_cast<started*>(self)->n($) += 1;
    return nullptr;
  }
  void thread(unsigned) {
    rl::dyn_thread a, b;
    a.start(&increment, this);
    a.join();
    b.start(&increment, this);
    b.join();
    RL_ASSERT(n($) == 2 && params::thread_count == 3);
  }
};
TEST(relacy_threads, threads_of_a_thread) { EXPECT_TRUE(has_declared_result<started>()); }

struct by_callable : rl::test_suite<by_callable, 1> {
  void thread(unsigned) {
    rl::atomic<int> n{0};
    rl::thread a([&](int i) { n($) += i; }, 1);
    rl::thread b([&] { n($) += 2; }, $);
    rl::thread c;
    RL_ASSERT(a.get_id() != b.get_id() && c.get_id() == rl::thread::id());
    RL_ASSERT(a.get_id() != rl::this_thread::get_id());
    c = std::move(a);
    RL_ASSERT(c.joinable() && b.joinable());
    c.join();
    b.join();
    RL_ASSERT(n($) == 3);
  }
};
TEST(relacy_threads, threads_of_a_callable) { EXPECT_TRUE(has_declared_result<by_callable>()); }

struct not_joined : rl::test_suite<not_joined, 1, rl::test_result_other_violation> {
  void thread(unsigned) {
    const rl::thread t([] {}, $);
  }
};
TEST(relacy_threads, a_thread_that_is_not_joined) {
  EXPECT_TRUE(has_declared_result<not_joined>());
}

void two_increments() {
  rl::atomic<int> n{0};
  rl::thread a([&] { ++n($); });
  ++n($);
  a.join();
  RL_ASSERT(n($) == 2);
}
TEST(relacy_threads, a_function_in_the_place_of_a_suite) {
  std::ostringstream out;
  rl::test_params p;
  p.output_stream = p.progress_stream = &out;
  EXPECT_TRUE((rl::execute<two_increments, 1>(p))) << out.str();
}

struct indices : rl::test_suite<indices, 3> {
  void thread(unsigned index) {
    RL_ASSERT(rl::thread_index() == static_cast<int>(index));
    RL_ASSERT(rl::ctx().threadx_->index_ == rl::thread_index());
  }
};
TEST(relacy_threads, indices) { EXPECT_TRUE(has_declared_result<indices>()); }

template <unsigned Wanted>
struct chosen : rl::test_suite<chosen<Wanted>, 1, rl::test_result_until_condition_hit> {
  void thread(unsigned) { RL_UNTIL(rl::rand(5) == Wanted); }
};
TEST(relacy_threads, every_choice_is_explored) {
  EXPECT_TRUE(has_declared_result<chosen<0>>());
  EXPECT_TRUE(has_declared_result<chosen<4>>());
  EXPECT_FALSE(has_declared_result<chosen<5>>());
}

struct memory : rl::test_suite<memory, 1> {
  void thread(unsigned) {
    auto* numbers = static_cast<int*>(calloc(4, sizeof(int)));
    RL_ASSERT(numbers[3] == 0);
    free(numbers);
    RL_ASSERT(calloc(SIZE_MAX / 2, sizeof(int)) == nullptr);
    auto* one = RL_NEW rl::var<int>(1);
    RL_ASSERT((*one)($) == 1);
    RL_DELETE(one);
    auto* many = RL_NEW_ARR(rl::var<int>, 3);
    many[2]($) = 2;
    RL_DELETE_ARR(many);
    RL_ASSERT(rl::hash_ptr(&many, 10) == rl::hash_ptr(&many, 10));
  }
};
TEST(relacy_threads, memory) { EXPECT_TRUE(has_declared_result<memory>()); }

// ABA: if the allocator reuses addresses, the head has the old address of a new object.
struct aba : rl::test_suite<aba, 2, rl::test_result_until_condition_hit> {
  rl::atomic<int*> head{new int(1)};
  void thread(unsigned index) {
    int* seen = head.load(rl::mo_acquire);
    if (index == 0) {
      delete head.exchange(nullptr);
      head.store(new int(2));
    } else if (seen != nullptr) {
      const int value = *seen;
      RL_UNTIL(head.compare_exchange_strong(seen, seen) && value != *seen);
    }
  }
  void after() { delete head.load(); }
};
TEST(relacy_threads, addresses_come_back_on_demand) {
  rl::test_params p;
  EXPECT_FALSE(has_declared_result<aba>(p));
  p.checker.reuse_addresses = true;
  EXPECT_TRUE(has_declared_result<aba>(p));
}

struct fails_quietly : rl::test_suite<fails_quietly, 2> {
  void thread(unsigned index) {
    RL_ASSERT(errno == 0);
    errno = static_cast<int>(index) + 1;
    rl::yield(1, $);
    RL_ASSERT(errno == static_cast<int>(index) + 1);
    assert(index < 2);
  }
};
TEST(relacy_threads, errno_is_each_threads_own) {
  EXPECT_TRUE(has_declared_result<fails_quietly>());
}

}  // namespace
}  // namespace fencepost::relacy_testing
