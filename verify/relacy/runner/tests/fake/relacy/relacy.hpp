// A fake Relacy: the declarations that the policy and the runner use, with the types that Relacy
// has at the commit that ci/relacy names, and no definitions. The build compiles our side against
// it everywhere, so that a change that would break ci/relacy is noticed without Relacy.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <sstream>
#include <string>

// NOLINTBEGIN(readability-identifier-naming,clang-diagnostic-dollar-in-identifier-extension)
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdollar-in-identifier-extension"
#endif
// Macros that Relacy leaves behind: code that uses one of these names after it gets an error.
#undef assert
#undef errno
#define $ names_of_relacy_are_popped
#define assert names_of_relacy_are_popped
#define calloc names_of_relacy_are_popped
#define errno names_of_relacy_are_popped
#define free names_of_relacy_are_popped
#define malloc names_of_relacy_are_popped
#define realloc names_of_relacy_are_popped

namespace rl {

using thread_id_t = int;
using timestamp_t = std::uint64_t;
using iteration_t = std::uint64_t;
using string = std::string;
using ostringstream = std::ostringstream;

struct debug_info {
  debug_info(const char* function, const char* file, unsigned line);
};
using debug_info_param = const debug_info&;

enum memory_order { mo_relaxed, mo_consume, mo_acquire, mo_release, mo_acq_rel, mo_seq_cst };
enum unpark_reason { unpark_reason_normal, unpark_reason_timeout, unpark_reason_spurious };
enum sema_wakeup_reason {
  sema_wakeup_reason_success,
  sema_wakeup_reason_timeout,
  sema_wakeup_reason_spurious
};
enum scheduler_type_e { sched_random, sched_bound, sched_full };

enum test_result_e {
  test_result_success,
  test_result_until_condition_hit,
  test_result_user_assert_failed,
  test_result_data_race,
  test_result_access_to_freed_memory,
  test_result_double_free,
  test_result_memory_leak,
  test_result_resource_leak,
  test_result_unitialized_access,
  test_result_deadlock,
  test_result_livelock,
};
const char* test_result_str(test_result_e);

struct thread_info_base {
  const thread_id_t index_;
  timestamp_t* const acq_rel_order_;
  timestamp_t& own_acq_rel_order_;
};

struct context {
  virtual ~context();
  virtual void fail_test(const char* what, test_result_e, debug_info_param) = 0;
  virtual thread_id_t get_thread_count() const = 0;
  thread_info_base* threadx_;
};
context& ctx();

struct preemption_disabler {
  explicit preemption_disabler(context&);
  ~preemption_disabler();
};

void atomic_thread_fence(memory_order, debug_info_param);
void yield(unsigned count, debug_info_param);

template <class T>
struct atomic_add_type {
  using type = T;
};
template <class T>
struct atomic_add_type<T*> {
  using type = std::ptrdiff_t;
};

template <class T>
class atomic {
 public:
  atomic();
  T load(memory_order, debug_info_param) const noexcept;
  void store(T, memory_order, debug_info_param) noexcept;
  T exchange(T, memory_order, debug_info_param) noexcept;
  bool compare_exchange_weak(T&, T, memory_order, memory_order, debug_info_param) noexcept;
  bool compare_exchange_strong(T&, T, memory_order, memory_order, debug_info_param) noexcept;
  T fetch_add(typename atomic_add_type<T>::type, memory_order, debug_info_param) noexcept;
  T fetch_sub(typename atomic_add_type<T>::type, memory_order, debug_info_param) noexcept;
  T fetch_and(T, memory_order, debug_info_param) noexcept;
  T fetch_or(T, memory_order, debug_info_param) noexcept;
  T fetch_xor(T, memory_order, debug_info_param) noexcept;
  unpark_reason wait(context&, bool is_timed, bool may_wake_spuriously, debug_info_param);
  thread_id_t wake(context&, thread_id_t count, debug_info_param);
};

template <class T>
class var {
 public:
  struct proxy {
    T load() const;
    void store(T);
  };
  explicit var(T);
  proxy operator()(debug_info_param);
};

class mutex {
 public:
  mutex();
  ~mutex();
  void lock(debug_info_param);
  bool try_lock(debug_info_param);
  void unlock(debug_info_param);
};

template <class Tag>
class condvar {
 public:
  void init(bool may_wake_spuriously, debug_info_param);
  void deinit(debug_info_param);
  template <class Lock>
  sema_wakeup_reason wait(Lock&, bool is_timed, debug_info_param);
  void notify_one(debug_info_param);
  void notify_all(debug_info_param);
};

template <class Derived, thread_id_t Threads>
struct test_suite {};

struct test_params {
  iteration_t iteration_count;
  std::ostream* output_stream;
  std::ostream* progress_stream;
  bool collect_history;
  scheduler_type_e search_type;
  unsigned context_bound;
  string initial_state;
};

template <thread_id_t Threads>
struct random_scheduler {
  random_scheduler(test_params&, thread_id_t dynamic_threads);
  bool iteration_end();
};
template <thread_id_t Threads>
struct context_bound_scheduler : random_scheduler<Threads> {
  using random_scheduler<Threads>::random_scheduler;
};
template <thread_id_t Threads>
struct full_search_scheduler : random_scheduler<Threads> {
  using random_scheduler<Threads>::random_scheduler;
};

// Relacy itself creates the suite and the scheduler, and calls their functions.
template <class Suite, class Scheduler>
test_result_e run_test(test_params& params, std::ostream&, bool) {
  Scheduler scheduler(params, 0);
  Suite suite;
  suite.before();
  suite.thread(0);
  suite.after();
  return scheduler.iteration_end() ? test_result_success : test_result_livelock;
}

}  // namespace rl

#ifdef __clang__
#pragma clang diagnostic pop
#endif
// NOLINTEND(readability-identifier-naming,clang-diagnostic-dollar-in-identifier-extension)
