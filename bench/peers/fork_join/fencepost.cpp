// fork_join, by default and with pinned workers, and thread_pool; and the programs without tasks.
#include "fencepost/runtime/fork_join.hpp"

#include "fencepost/runtime/thread_pool.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

template <fork_join_features Features>
struct on_fork_join {
  using pool_type = basic_fork_join<Features>;
  using worker = typename pool_type::worker;
  pool_type pool;

  explicit on_fork_join(unsigned workers, bool pin = false)
      : pool{[=] {
          fork_join_options options;
          options.workers = workers;
          options.pin = pin;
          return options;
        }()} {}
  std::uint64_t fib(unsigned n) {
    return pool.run([n](worker& me) { return bench::fib(me, n); });
  }
  std::uint64_t queens(int n) {
    return pool.run([n](worker& me) { return bench::queens(me, n); });
  }
  void matmul(const product& all) {
    pool.run([&](worker& me) { bench::matmul(me, all); });
  }
  template <class Tree>
  uts::counts uts() {
    return pool.run([](worker& me) { return uts::search<Tree>(me, uts::root(Tree::seed)); });
  }
};

struct counting_fork_join : on_fork_join<fork_join_features{.statistics = true}> {
  using on_fork_join::on_fork_join;
  fork_join_statistics statistics() { return pool.statistics(); }
};
struct plain_fork_join : on_fork_join<fork_join_features{}> {
  using on_fork_join::on_fork_join;
  using counting = counting_fork_join;
};

struct pinned_fork_join : on_fork_join<fork_join_features{}> {
  explicit pinned_fork_join(unsigned workers) : on_fork_join(workers, true) {}
};

struct pool_scheduler {
  thread_pool pool;
  explicit pool_scheduler(unsigned workers) : pool{thread_pool_options{.workers = workers}} {}
  template <class F>
  auto run(F f) {
    return pool.call([&] { return f(*this); });
  }
  template <class F, class G>
  void both(const F& f, const G& g) {
    pool.join(f, g);
  }
  template <class F>
  auto sum(std::uint32_t count, const F& f) {
    return sum_of_halves(*this, 0, count, f);
  }
};

[[maybe_unused]] const bool registered =
    register_sequential<sequential>("sequential_g++") &&
    register_runtime<plain_fork_join>("fork_join") &&
    register_runtime<pinned_fork_join>("fork_join_pinned") &&
    register_runtime<runtime_of<pool_scheduler>>("thread_pool");

}  // namespace
}  // namespace fencepost::bench::peers
