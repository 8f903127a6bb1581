// The operations of runtimes that count and of runtimes that do not, for the audit. The audit
// compiles this file a second time with headers from which each statement that counts has been
// removed. With FENCEPOST_POOL_ALONE, only the pool's part is compiled.
#include "fencepost/runtime/pool_core.hpp"
#include "fencepost/runtime/pool_jobs.hpp"
#include "fencepost/runtime/worker_counters.hpp"
#if !defined(FENCEPOST_POOL_ALONE)
#include "fencepost/runtime/fork_join_core.hpp"
// The members of the runners, as in the library.
#include "task_runner.cpp"
#endif

namespace {
using fencepost::counted_atomics;
using fencepost::default_atomics;

template <class P>
using pool = fencepost::pool_core<P>;
template <class P>
void join(typename pool<P>::worker& me, void (*left)(), void (*right)()) {
  fencepost::joined_job<void (*&&)(), P> other{me, static_cast<void (*&&)()>(right)};
  me.pool().push_unfenced(me, other);
  left();
  other.finish();
}

#if !defined(FENCEPOST_POOL_ALONE)
template <bool Statistics>
using fork_join =
    fencepost::fork_join_core<default_atomics,
                              fencepost::fork_join_features{.statistics = Statistics}>;

template <class Worker>
long fib(Worker& me, long n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](Worker& who) noexcept { return fib(who, n - 1); });
  const long right = fib(me, n - 2);
  return me.sync(left) + right;
}
#endif
}  // namespace

// op_silent_…: nothing is counted.
#define FENCEPOST_POOL_OPERATIONS(how, policy)                                      \
  void op_##how##_pool(pool<policy>& c, pool<policy>::worker& me) { c.work(me); }   \
  void op_##how##_push(pool<policy>& c, pool<policy>::worker& me,                   \
                       fencepost::pool_job<policy>& j) {                            \
    c.push(me, j);                                                                  \
  }                                                                                 \
  bool op_##how##_inject(pool<policy>& c, fencepost::pool_job<policy>& job) {       \
    return c.inject(job);                                                           \
  }                                                                                 \
  void op_##how##_join(pool<policy>::worker& me, void (*left)(), void (*right)()) { \
    join<policy>(me, left, right);                                                  \
  }
#define FENCEPOST_OTHER_OPERATIONS(how, counts)                                                  \
  void op_##how##_fork_join(fork_join<counts>& c, fork_join<counts>::worker& me) { c.work(me); } \
  long op_##how##_fib(fork_join<counts>::worker& me, long n) { return fib(me, n); }              \
  void op_##how##_post(                                                                          \
      fencepost::basic_task_runner<fencepost::task_runner_features{.statistics = counts}>& r,    \
      void (*task)()) {                                                                          \
    r.post(task);                                                                                \
  }

extern "C" {
FENCEPOST_POOL_OPERATIONS(silent, default_atomics)
FENCEPOST_POOL_OPERATIONS(counting, counted_atomics)
#if !defined(FENCEPOST_POOL_ALONE)
FENCEPOST_OTHER_OPERATIONS(silent, false)
FENCEPOST_OTHER_OPERATIONS(counting, true)
#endif
}
