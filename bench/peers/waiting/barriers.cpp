// barrier, std::barrier and POSIX's barrier.
#include <pthread.h>

#include <barrier>
#include <cstddef>

#include "barrier_rounds.hpp"
#include "fencepost/sync/barrier.hpp"

namespace fencepost::bench::peers {
namespace {

struct kit {
  barrier<> meeting;
  explicit kit(unsigned threads) : meeting(threads) {}
  void wait() { meeting.wait(); }
};
struct kit_spinning {
  barrier<> meeting;
  explicit kit_spinning(unsigned threads) : meeting(threads, spin_for_ever) {}
  void wait() { meeting.wait(); }
};
struct of_std {
  std::barrier<> meeting;
  explicit of_std(unsigned threads) : meeting(static_cast<std::ptrdiff_t>(threads)) {}
  void wait() { meeting.arrive_and_wait(); }
};
struct of_posix {
  pthread_barrier_t meeting;
  explicit of_posix(unsigned threads) { pthread_barrier_init(&meeting, nullptr, threads); }
  of_posix(const of_posix&) = delete;
  of_posix& operator=(const of_posix&) = delete;
  ~of_posix() { pthread_barrier_destroy(&meeting); }
  void wait() { pthread_barrier_wait(&meeting); }
};

[[maybe_unused]] const bool registered =
    register_barrier<kit>("barrier") && register_barrier<kit_spinning>("barrier_spinning", true) &&
    register_barrier<of_std>("std::barrier") && register_barrier<of_posix>("pthread_barrier");

}  // namespace
}  // namespace fencepost::bench::peers
