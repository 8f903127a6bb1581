// moodycamel's LightweightSemaphore, which spins before it sleeps.
#include <concurrentqueue/blockingconcurrentqueue.h>

#include "wake.hpp"

namespace fencepost::bench::peers {
namespace {

struct of_moodycamel {
  moodycamel::LightweightSemaphore semaphore;
  void set() { semaphore.signal(); }
  void wait() { semaphore.wait(); }
};

[[maybe_unused]] const bool registered = register_event<of_moodycamel>("moodycamel_semaphore");

}  // namespace
}  // namespace fencepost::bench::peers
