// oneTBB: parallel_invoke for two, a task_group for many.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_invoke.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "many.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

namespace tbb = oneapi::tbb;

struct tbb_tasks {
  template <class F, class G>
  void both(const F& f, const G& g) {
    tbb::parallel_invoke(f, g);
  }
  template <class F>
  auto sum(std::uint32_t count, const F& f) {
    return sum_of_blocks<group>(0, count, f);
  }

 private:
  struct group {
    tbb::task_group tasks;
    template <class F>
    void spawn(const F& f) {
      tasks.run(f);
    }
    void wait() { tasks.wait(); }
  };
};

struct tbb_scheduler {
  tbb::global_control limit;
  tbb::task_arena arena;
  explicit tbb_scheduler(unsigned workers)
      : limit{tbb::global_control::max_allowed_parallelism, workers},
        arena{static_cast<int>(workers)} {}
  template <class F>
  auto run(F f) {
    return arena.execute([&] {
      tbb_tasks tasks;
      return f(tasks);
    });
  }
};

[[maybe_unused]] const bool registered =
    register_runtime<runtime_of<tbb_scheduler>>("oneTBB", "sequential_g++", tasks_are::slow);

}  // namespace
}  // namespace fencepost::bench::peers
