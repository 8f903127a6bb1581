// oneTBB: a task_group for each directory.
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/task_arena.h>
#include <oneapi/tbb/task_group.h>

#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

namespace tbb = oneapi::tbb;

struct with_tbb {
  tbb::global_control limit;
  tbb::task_arena arena;
  explicit with_tbb(unsigned workers)
      : limit{tbb::global_control::max_allowed_parallelism, workers},
        arena{static_cast<int>(workers)} {}
  totals visit(const std::string& path) {
    const listing here = list(path);
    totals sum = here.own;
    std::vector<totals> below(here.below.size());
    tbb::task_group tasks;
    for (std::size_t i = 0; i < below.size(); ++i) {
      tasks.run([this, &below, &here, i] { below[i] = visit(here.below[i]); });
    }
    tasks.wait();
    for (const totals& each : below) sum += each;
    return sum;
  }
  totals scan(const std::string& path) {
    return arena.execute([&] { return visit(path); });
  }
};

[[maybe_unused]] const bool registered = register_scanner<with_tbb>("oneTBB");

}  // namespace
}  // namespace fencepost::bench::peers
