// Rayon. The programs are written in Rust: rust/fork_join.rs.
#include "../rust/peers.h"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

uts::counts counts_of(peer_counts (*search)(peer_rayon_pool*), peer_rayon_pool* pool) {
  const peer_counts found = search(pool);
  return {found.nodes, found.leaves, found.depth};
}

// With a null pool, runs the programs without tasks.
struct rust {
  peer_rayon_pool* pool;
  explicit rust(peer_rayon_pool* on) : pool(on) {}
  rust(const rust&) = delete;
  rust& operator=(const rust&) = delete;
  ~rust() { peer_rayon_close(pool); }

  std::uint64_t fib(unsigned n) { return peer_rayon_fib(pool, n); }
  std::uint64_t queens(int n) { return peer_rayon_queens(pool, static_cast<std::uint8_t>(n)); }
  void matmul(const product& all) {
    peer_rayon_matmul(pool, all.a, all.b, all.c, static_cast<std::size_t>(all.n));
  }
  template <class Tree>
  uts::counts uts() {
    return counts_of(Tree::depth == uts::t1::depth ? peer_rayon_uts_t1 : peer_rayon_uts_t3, pool);
  }
};
struct sequential_rust : rust {
  explicit sequential_rust(unsigned) : rust(nullptr) {}
};
struct rayon : rust {
  explicit rayon(unsigned workers) : rust(peer_rayon_open(workers)) {}
};

[[maybe_unused]] const bool registered = register_sequential<sequential_rust>("sequential_rustc") &&
                                         register_runtime<rayon>("Rayon", "sequential_rustc");

}  // namespace
}  // namespace fencepost::bench::peers
