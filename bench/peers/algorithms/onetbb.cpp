// The parallel algorithms of the standard library, which libstdc++ implements on oneTBB. std::sort
// is not stable; std::stable_sort is, like parallel_sort.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>

#include <execution>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

namespace tbb = oneapi::tbb;

struct with_policy {
  tbb::global_control limit;
  tbb::task_arena arena;
  explicit with_policy(unsigned workers)
      : limit{tbb::global_control::max_allowed_parallelism, workers},
        arena{static_cast<int>(workers)} {}
  void transform(const numbers& in, numbers& out) {
    arena.execute(
        [&] { std::transform(std::execution::par, in.begin(), in.end(), out.begin(), scaled{}); });
  }
  void scan(const numbers& in, numbers& out) {
    arena.execute(
        [&] { std::inclusive_scan(std::execution::par, in.begin(), in.end(), out.begin()); });
  }
  template <class Values>
  void sort(Values& all) {
    arena.execute([&] { std::sort(std::execution::par, all.begin(), all.end()); });
  }
};
struct with_policy_stable : with_policy {
  using with_policy::with_policy;
  template <class Values>
  void sort(Values& all) {
    arena.execute([&] { std::stable_sort(std::execution::par, all.begin(), all.end()); });
  }
};

[[maybe_unused]] const bool registered = register_algorithms<with_policy>("oneTBB") &&
                                         register_algorithms<with_policy_stable>("oneTBB_stable");

}  // namespace
}  // namespace fencepost::bench::peers
