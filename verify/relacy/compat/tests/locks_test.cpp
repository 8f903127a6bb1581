// Mutexes, locks and condition variables.
#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

struct counter : rl::test_suite<counter, 3> {
  rl::mutex guard;
  rl::var<int> n{0};
  void thread(unsigned index) {
    if (index == 0) {
      guard.lock($);
      n($) += 1;
      guard.unlock($);
    } else if (index == 1) {
      const rl::lock_guard<rl::mutex> lock(guard, $);
      n($) += 1;
    } else {
      rl::unique_lock<rl::mutex> lock(guard, $);
      n($) += 1;
      lock.unlock($);
      RL_ASSERT(!lock.owns_lock());
    }
  }
  void after() { RL_ASSERT(n($) == 3); }
};
TEST(relacy_locks, a_counter) { EXPECT_TRUE(has_declared_result<counter>()); }

struct recursive : rl::test_suite<recursive, 2> {
  rl::recursive_mutex guard;
  rl::var<int> n{0};
  void thread(unsigned) {
    while (!guard.try_lock($)) rl::yield(1, $);
    guard.lock($);
    RL_ASSERT(guard.try_lock($));
    n($) += 1;
    for (int i = 0; i < 3; ++i) guard.unlock($);
  }
  void after() { RL_ASSERT(n($) == 2); }
};
TEST(relacy_locks, a_recursive_mutex) { EXPECT_TRUE(has_declared_result<recursive>()); }

template <bool Ordered>
struct two_mutexes : rl::test_suite<two_mutexes<Ordered>, 2,
                                    Ordered ? rl::test_result_success : rl::test_result_deadlock> {
  rl::mutex a, b;
  void thread(unsigned index) {
    const bool turned = !Ordered && index == 1;
    (turned ? b : a).lock($);
    (turned ? a : b).lock($);
    a.unlock($);
    b.unlock($);
  }
};
TEST(relacy_locks, two_in_one_order) { EXPECT_TRUE(has_declared_result<two_mutexes<true>>()); }
TEST(relacy_locks, two_in_two_orders) { EXPECT_TRUE(has_declared_result<two_mutexes<false>>()); }

struct locked_twice
    : rl::test_suite<locked_twice, 1, rl::test_result_recursion_on_nonrecursive_mutex> {
  void thread(unsigned) {
    rl::mutex m;
    m.lock($);
    m.lock($);
  }
};
TEST(relacy_locks, locked_twice) { EXPECT_TRUE(has_declared_result<locked_twice>()); }

struct not_mine : rl::test_suite<not_mine, 2, rl::test_result_unlocking_mutex_wo_ownership> {
  rl::mutex m;
  rl::atomic<int> locked{0};
  void thread(unsigned index) {
    if (index == 0) {
      m.lock($);
      locked($) = 1;
    } else if (locked($) == 1) {
      m.unlock($);
    }
  }
};
TEST(relacy_locks, unlocked_by_another) { EXPECT_TRUE(has_declared_result<not_mine>()); }

struct destroyed : rl::test_suite<destroyed, 1, rl::test_result_destroying_owned_mutex> {
  void thread(unsigned) {
    rl::mutex m;
    m.lock($);
  }
};
TEST(relacy_locks, destroyed_while_locked) { EXPECT_TRUE(has_declared_result<destroyed>()); }

// How the second thread waits for the flag.
enum class how { loop, no_loop, predicate, timed, any_lock };

template <how How>
struct flag_under_mutex : rl::test_suite<flag_under_mutex<How>, 2,
                                         How == how::no_loop ? rl::test_result_user_assert_failed
                                                             : rl::test_result_success> {
  rl::mutex m;
  rl::condition_variable changed;
  rl::condition_variable_any changed_any;
  rl::var<int> flag{0};
  void thread(unsigned index) {
    rl::unique_lock<rl::mutex> lock(m, $);
    if (index == 0) {
      flag($) = 1;
      changed.notify_all($);
      changed_any.notify_one($);
      return;
    }
    if (How == how::loop) {
      while (flag($) == 0) changed.wait(lock, $);
    } else if (How == how::no_loop) {
      if (flag($) == 0) changed.wait(lock, $);  // may wake up spuriously
    } else if (How == how::predicate) {
      changed.wait(
          lock, [&] { return flag($) != 0; }, $);
    } else if (How == how::timed) {
      if (!changed.wait_for(
              lock, 1, [&] { return flag($) != 0; }, $))
        return;
    } else {
      while (flag($) == 0) changed_any.wait(m, $);
    }
    RL_ASSERT(flag($) == 1);
  }
};
TEST(relacy_locks, a_wait_in_a_loop) {
  EXPECT_TRUE(has_declared_result<flag_under_mutex<how::loop>>());
}
TEST(relacy_locks, a_wait_that_believes_its_wake_up) {
  EXPECT_TRUE(has_declared_result<flag_under_mutex<how::no_loop>>());
}
TEST(relacy_locks, a_wait_with_a_predicate) {
  EXPECT_TRUE(has_declared_result<flag_under_mutex<how::predicate>>());
}
TEST(relacy_locks, a_wait_with_a_deadline) {
  EXPECT_TRUE(has_declared_result<flag_under_mutex<how::timed>>());
}
TEST(relacy_locks, a_wait_with_the_mutex_itself) {
  EXPECT_TRUE(has_declared_result<flag_under_mutex<how::any_lock>>());
}

struct not_notified : rl::test_suite<not_notified, 2, rl::test_result_deadlock> {
  rl::mutex m;
  rl::condition_variable changed;
  rl::var<int> flag{0};
  void thread(unsigned index) {
    m.lock($);
    if (index == 0)
      flag($) = 1;
    else
      while (flag($) == 0) changed.wait(m, $);
    m.unlock($);
  }
};
TEST(relacy_locks, a_lost_wake_up) { EXPECT_TRUE(has_declared_result<not_notified>()); }

struct readers : rl::test_suite<readers, 3> {
  rl::shared_mutex m;
  rl::var<int> v{0};
  void thread(unsigned index) {
    if (index == 0) {
      m.lock($);
      v($) = 1;
      m.unlock($);
    } else {
      m.lock_shared($);
      v($).load();
      m.unlock_shared($);
    }
  }
};
TEST(relacy_locks, readers_and_a_writer) { EXPECT_TRUE(has_declared_result<readers>()); }

}  // namespace
}  // namespace fencepost::relacy_testing
