// Lace, if it is installed: the programs as in its own benchmarks.
#include <lace.h>

#include "../task_programs.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

TASK_1(std::uint64_t, lace_fib, unsigned, n) {
  if (n < 2) return n;
  SPAWN(lace_fib, n - 1);
  const std::uint64_t right = CALL(lace_fib, n - 2);
  return SYNC(lace_fib) + right;
}

// Takes the board without its own queen, like the tasks of the other programs; the first call has
// no column.
TASK_3(std::uint64_t, lace_queens, int, n, const board*, before, int, column) {
  const board placed = column < 0 ? *before : before->with(column);
  if (placed.rows == n) return 1;
  int spawned = 0;
  for (int next = 0; next < n; ++next) {
    if (!placed.with(next).peaceful()) continue;
    SPAWN(lace_queens, n, &placed, next);
    ++spawned;
  }
  std::uint64_t solutions = 0;
  for (; spawned != 0; --spawned) solutions += SYNC(lace_queens);
  return solutions;
}

VOID_TASK_1(lace_matmul, const product*, all) {
  if (all->small()) {
    all->multiply();
    return;
  }
  const std::pair<product, product> halves = all->halves();
  if (all->one_after_the_other()) {
    CALL(lace_matmul, &halves.first);
    CALL(lace_matmul, &halves.second);
  } else {
    SPAWN(lace_matmul, &halves.first);
    CALL(lace_matmul, &halves.second);
    SYNC(lace_matmul);
  }
}

// Searches the i-th child of a node, or the root.
template <class Tree>
struct search_tasks;

#define FENCEPOST_LACE_SEARCH(tree)                                                       \
  TASK_2(uts::counts, lace_##tree, const uts::node*, of, std::uint32_t, i) {              \
    const uts::node at = of == nullptr ? uts::root(uts::tree::seed) : uts::child(*of, i); \
    const std::uint32_t children = uts::tree::children(at);                               \
    uts::counts found{1, children == 0 ? 1U : 0U, at.depth};                              \
    for (std::uint32_t next = 0; next < children; ++next) SPAWN(lace_##tree, &at, next);  \
    for (std::uint32_t next = 0; next < children; ++next) found += SYNC(lace_##tree);     \
    return found;                                                                         \
  }                                                                                       \
  template <>                                                                             \
  struct search_tasks<uts::tree> {                                                        \
    static uts::counts run() {                                                            \
      const uts::node* const none = nullptr;                                              \
      return RUN(lace_##tree, none, 0U);                                                  \
    }                                                                                     \
  }
FENCEPOST_LACE_SEARCH(t1);
FENCEPOST_LACE_SEARCH(t3);
#undef FENCEPOST_LACE_SEARCH

struct on_lace {
  explicit on_lace(unsigned workers) { lace_start(workers, 1'000'000); }
  on_lace(const on_lace&) = delete;
  on_lace& operator=(const on_lace&) = delete;
  ~on_lace() { lace_stop(); }

  std::uint64_t fib(unsigned n) { return RUN(lace_fib, n); }
  std::uint64_t queens(int n) {
    const board empty{};
    return RUN(lace_queens, n, &empty, -1);
  }
  void matmul(const product& all) { RUN(lace_matmul, &all); }
  template <class Tree>
  uts::counts uts() {
    return search_tasks<Tree>::run();
  }
};

[[maybe_unused]] const bool registered = register_runtime<on_lace>("Lace");

}  // namespace
}  // namespace fencepost::bench::peers
