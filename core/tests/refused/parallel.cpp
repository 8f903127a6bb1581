// What the parallel algorithms refuse with a sentence when it is compiled, instead of racing or of
// a page of template errors. CASE selects one; core/tests/CMakeLists.txt has the sentences.
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/parallel_copy_if.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_transform.hpp"

void refused(fencepost::fork_join& pool) {
  const std::vector<int> in(10);
  std::vector<bool> bits(10);
#if CASE == 1
  fencepost::parallel_transform(pool, in, bits.begin(), [](int i) { return i % 2 == 0; });
#elif CASE == 2
  fencepost::parallel_transform(pool, in, in.begin(), bits.begin(), std::less<>{});
#elif CASE == 3
  fencepost::parallel_exclusive_scan(pool, in, bits.begin(), false, std::logical_or<>{});
#elif CASE == 4
  fencepost::parallel_copy_if(pool, in, bits.begin(), [](int i) { return i > 0; });
#elif CASE == 5
  fencepost::parallel_for(pool, in, [](const std::string&) {});
#elif CASE == 6
  fencepost::parallel_reduce(
      pool, in, 0, [](int sum, const std::string&) { return sum; }, std::plus<>{});
#elif CASE == 7
  fencepost::parallel_reduce(
      pool, in, std::unique_ptr<int>{}, [](std::unique_ptr<int> a, int) { return a; },
      [](std::unique_ptr<int> a, std::unique_ptr<int>) { return a; });
#elif CASE == 8
  struct constant {
    const int of;
  };
  fencepost::parallel_reduce(
      pool, in, constant{0}, [](constant a, int i) { return constant{a.of + i}; },
      [](constant a, constant b) { return constant{a.of + b.of}; });
#endif
}
