// rl::atomic, rl::var, and their proxies: every operation once.
#include "testing.hpp"

namespace fencepost::relacy_testing {
namespace {

struct operations : rl::test_suite<operations, 1> {
  void thread(unsigned) {
    rl::atomic<int> a;
    RL_ASSERT(a($) == 0);
    a($) = 5;
    RL_ASSERT(a($).load() == 5 && a.load(rl::memory_order_acquire, $) == 5 && a == 5);
    RL_ASSERT(a($)++ == 5 && ++a($) == 7 && a($)-- == 7 && --a($) == 5);
    RL_ASSERT((a($) += 3) == 8 && (a($) -= 2) == 6 && (a($) |= 1) == 7 && (a($) &= 3) == 3);
    RL_ASSERT((a($) ^= 1) == 2);
    RL_ASSERT(a($).exchange(9) == 2 && a.exchange(10, rl::mo_acq_rel, $) == 9);
    RL_ASSERT(a($).fetch_add(1) == 10 && a.fetch_sub(1, rl::mo_relaxed) == 11);
    RL_ASSERT(a.fetch_or(1) == 10 && a.fetch_and(3) == 11 && a.fetch_xor(1) == 3);
    int expected = 7;
    RL_ASSERT(!a($).compare_exchange_strong(expected, 1) && expected == 2);
    RL_ASSERT(a($).compare_exchange_strong(expected, 1, rl::mo_acq_rel, rl::mo_relaxed));
    expected = 1;
    RL_ASSERT(a.compare_exchange_strong(expected, 3, rl::memory_order_release, $));
    const rl::atomic<int>& constant = a;
    RL_ASSERT(constant($).load(rl::mo_relaxed) == 3);
  }
};
TEST(relacy_atomics, operations) { EXPECT_TRUE(has_declared_result<operations>()); }

struct pointers : rl::test_suite<pointers, 1> {
  void thread(unsigned) {
    int all[4] = {};
    rl::atomic<int*> p{nullptr};
    p($).store(&all[0]);
    RL_ASSERT(p.fetch_add(2) == &all[0] && p($).load() == &all[2]);
    RL_ASSERT((p($) -= 1) == &all[1]);
    rl::atomic<const int*> c;
    c($).store(&all[3]);
    RL_ASSERT(c($) == &all[3]);
  }
};
TEST(relacy_atomics, pointers) { EXPECT_TRUE(has_declared_result<pointers>()); }

struct weak : rl::test_suite<weak, 1, rl::test_result_until_condition_hit> {
  void thread(unsigned) {
    rl::atomic<int> a{0};
    int expected = 0;
    RL_UNTIL(!a($).compare_exchange_weak(expected, 1));
  }
};
TEST(relacy_atomics, a_weak_exchange_may_fail) { EXPECT_TRUE(has_declared_result<weak>()); }

struct flag : rl::test_suite<flag, 2> {
  rl::atomic_flag taken = RL_ATOMIC_FLAG_INIT;
  rl::var<int> n{0};
  void thread(unsigned) {
    while (taken.test_and_set(rl::memory_order_acquire, $)) rl::yield(1, $);
    n($) += 1;
    taken.clear(rl::memory_order_release, $);
  }
  void after() { RL_ASSERT(n($) == 2 && !taken.test()); }
};
TEST(relacy_atomics, a_lock_of_a_flag) { EXPECT_TRUE(has_declared_result<flag>()); }

template <bool Notified>
struct waits : rl::test_suite<waits<Notified>, 2,
                              Notified ? rl::test_result_success : rl::test_result_deadlock> {
  rl::atomic<int> x{0};
  void thread(unsigned index) {
    if (index == 0) {
      x($).wait(0);
      RL_ASSERT(x($) == 1);
    } else {
      x($) = 1;
      if (Notified) x($).notify_one();
    }
  }
};
TEST(relacy_atomics, wait_and_notify) { EXPECT_TRUE(has_declared_result<waits<true>>()); }
TEST(relacy_atomics, wait_without_notify) { EXPECT_TRUE(has_declared_result<waits<false>>()); }

struct node {
  VAR_T(int) number{0};
  VAR_T(node*) next;
};

struct variables : rl::test_suite<variables, 1> {
  void thread(unsigned) {
    VAR_T(int) v{1}, w{v};
    RL_ASSERT(VAR(w) == 1);
    RL_ASSERT(VAR(v)++ == 1 && ++VAR(v) == 3 && VAR(v)-- == 3 && --VAR(v) == 1);
    RL_ASSERT((VAR(v) += 6) == 7 && (VAR(v) -= 1) == 6 && (VAR(v) |= 1) == 7);
    RL_ASSERT((VAR(v) &= 5) == 5 && (VAR(v) ^= 1) == 4);
    VAR(w) = VAR(v);
    VAR_T(long) wider;
    VAR(wider) = VAR(w);
    RL_ASSERT(VAR(wider) == 4);
    node n;
    VAR_T(node*) p = &n;
    VAR(VAR(p)->number) = 2;
    VAR(VAR(p)->next) = VAR(p);
    RL_ASSERT(VAR(VAR(VAR(p)->next)->number) == 2);
    const VAR_T(int)& constant = v;
    RL_ASSERT(VAR(constant) == 4);
  }
};
TEST(relacy_atomics, variables) { EXPECT_TRUE(has_declared_result<variables>()); }

struct two_writers : rl::test_suite<two_writers, 2, rl::test_result_data_race> {
  rl::var<int> v;
  void thread(unsigned index) { v($) = static_cast<int>(index); }
};
TEST(relacy_atomics, two_writers_race) { EXPECT_TRUE(has_declared_result<two_writers>()); }

struct two_readers : rl::test_suite<two_readers, 2> {
  rl::var<int> v;
  void before() { v($) = 1; }
  void thread(unsigned) { RL_ASSERT(v($) == 1); }
};
TEST(relacy_atomics, two_readers_do_not) { EXPECT_TRUE(has_declared_result<two_readers>()); }

rl::thread_local_var<unsigned> global_local;

template <int Threads>
struct thread_locals : rl::test_suite<thread_locals<Threads>, Threads> {
  rl::thread_local_var<unsigned> local;
  TLS_T(const char*) text;
  void thread(unsigned index) {
    RL_ASSERT(local.get($) == 0 && VAR(global_local) == 0 && VAR(text) == nullptr);
    local.set(index + 10, $);
    VAR(global_local) = index + 20;
    rl::yield(1, $);
    RL_ASSERT(VAR(local) == index + 10 && global_local.get($) == index + 20);
  }
};
TEST(relacy_atomics, thread_locals) { EXPECT_TRUE(has_declared_result<thread_locals<3>>()); }
TEST(relacy_atomics, thread_locals_of_many_threads) {
  EXPECT_TRUE(has_declared_result<thread_locals<20>>());
}

}  // namespace
}  // namespace fencepost::relacy_testing
