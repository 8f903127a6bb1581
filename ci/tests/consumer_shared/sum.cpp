#include <functional>

#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"

long sum_up_to(long n) {
  fencepost::fork_join pool;
  return pool.run([n](fencepost::fork_join_worker& me) {
    return fencepost::parallel_reduce(me, 1L, n + 1, 0L, std::plus<>{});
  });
}
