// concurrencykit's ck_barrier_centralized, which only spins.
#include <thread>

#include "barrier_rounds.hpp"
#include "ck_barrier.h"

namespace fencepost::bench::peers {
namespace {

struct of_ck {
  peer_ck_barrier* meeting;
  std::thread::id maker = std::this_thread::get_id();
  unsigned makers_sense = 0;
  explicit of_ck(unsigned threads) : meeting(peer_ck_barrier_open(threads)) {}
  of_ck(const of_ck&) = delete;
  of_ck& operator=(const of_ck&) = delete;
  ~of_ck() { peer_ck_barrier_close(meeting); }
  // The maker outlives the barrier, so its sense is a member of the barrier.
  void wait() {
    static thread_local unsigned sense = 0;
    peer_ck_barrier_wait(meeting, std::this_thread::get_id() == maker ? &makers_sense : &sense);
  }
};

[[maybe_unused]] const bool registered = register_barrier<of_ck>("ck_barrier", true);

}  // namespace
}  // namespace fencepost::bench::peers
