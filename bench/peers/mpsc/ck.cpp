// concurrencykit's ck_ring, which has a fixed size; a producer that finds it full waits. A producer
// spins until those before it have written their items.
#include "ck_ring.h"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_ck {
  static constexpr bool fifo = true, spins = true;
  peer_ck_ring* ring = peer_ck_ring_open(8192);
  on_ck() = default;
  on_ck(const on_ck&) = delete;
  on_ck& operator=(const on_ck&) = delete;
  ~on_ck() { peer_ck_ring_close(ring); }
  void push(item i) {
    while (!peer_ck_ring_push(ring, i)) std::this_thread::yield();
  }
  std::optional<item> pop() {
    item i = 0;
    return peer_ck_ring_pop(ring, &i) ? std::optional{i} : std::nullopt;
  }
};

[[maybe_unused]] const bool registered = register_queue<on_ck>("ck_ring");

}  // namespace
}  // namespace fencepost::bench::peers
