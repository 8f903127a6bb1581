// fork_join, called from an outside thread and from a task; and the algorithms of the standard
// library on one thread.
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"
#include "fencepost/runtime/parallel_transform.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct one_thread {
  explicit one_thread(unsigned) {}
  void transform(const numbers& in, numbers& out) {
    std::transform(in.begin(), in.end(), out.begin(), scaled{});
  }
  void scan(const numbers& in, numbers& out) {
    std::inclusive_scan(in.begin(), in.end(), out.begin());
  }
  template <class Values>
  void sort(Values& all) {
    std::sort(all.begin(), all.end());
  }
};
struct one_thread_stable : one_thread {
  using one_thread::one_thread;
  template <class Values>
  void sort(Values& all) {
    std::stable_sort(all.begin(), all.end());
  }
};

struct with_fork_join {
  fork_join pool;
  explicit with_fork_join(unsigned workers) : pool{fork_join_options{.workers = workers}} {}
  void transform(const numbers& in, numbers& out) {
    pool.run([&](fork_join_worker& me) { parallel_transform(me, in, out.begin(), scaled{}); });
  }
  void scan(const numbers& in, numbers& out) {
    pool.run([&](fork_join_worker& me) { parallel_inclusive_scan(me, in, out.begin()); });
  }
  template <class Values>
  void sort(Values& all) {
    pool.run([&](fork_join_worker& me) { parallel_sort(me, all); });
  }
};

// The whole benchmark is one task: no run() has to wake a worker, which may be on another core
// than the thread that has written the input.
struct inside_fork_join {
  fork_join pool;
  fork_join_worker* me = nullptr;
  explicit inside_fork_join(unsigned workers) : pool{fork_join_options{.workers = workers}} {}
  template <class F>
  void enclose(F&& f) {
    pool.run([&](fork_join_worker& worker) {
      me = &worker;
      f();
    });
  }
  void transform(const numbers& in, numbers& out) {
    parallel_transform(*me, in, out.begin(), scaled{});
  }
  void scan(const numbers& in, numbers& out) { parallel_inclusive_scan(*me, in, out.begin()); }
  template <class Values>
  void sort(Values& all) {
    parallel_sort(*me, all);
  }
};

[[maybe_unused]] const bool registered =
    register_algorithms<with_fork_join>("fork_join") &&
    register_algorithms<inside_fork_join>("fork_join_inside") &&
    register_algorithms<one_thread>("one_thread", true) &&
    register_algorithms<one_thread_stable>("one_thread_stable", true);

}  // namespace
}  // namespace fencepost::bench::peers
