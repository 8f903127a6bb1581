// OpenMP: tasks and taskwait. Compiled twice: by the project's compiler with its own runtime, and
// by clang++ with libomp.
#pragma once

#include "many.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {

struct openmp_tasks {
  template <class F, class G>
  void both(const F& f, const G& g) {
#pragma omp task shared(f)
    f();
    g();
#pragma omp taskwait
  }
  template <class F>
  auto sum(std::uint32_t count, const F& f) {
    return sum_of_blocks<group>(0, count, f);
  }

 private:
  struct group {
    template <class F>
    void spawn(const F& f) {
      const F mine = f;
#pragma omp task firstprivate(mine)
      mine();
    }
    void wait() {
#pragma omp taskwait
    }
  };
};

struct openmp_scheduler {
  unsigned workers;
  explicit openmp_scheduler(unsigned count) : workers(count) {}
  template <class F>
  auto run(F f) {
    openmp_tasks tasks;
    decltype(f(tasks)) result{};
#pragma omp parallel num_threads(workers)
#pragma omp single
    result = f(tasks);
    return result;
  }
};

}  // namespace fencepost::bench::peers
