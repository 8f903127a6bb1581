// A job of a thread_pool: an element of its deques and of its injector. The thread that obtains it
// runs it, once; it may be destroyed then.
#pragma once

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/queue/injector.hpp"

namespace fencepost {

template <class P = default_atomics>
struct pool_job : injector_link<pool_job<P>, P> {
  using action = void (*)(pool_job&) noexcept;
  explicit pool_job(action how) noexcept : run_(how) {}
  pool_job(const pool_job&) = delete;
  pool_job& operator=(const pool_job&) = delete;
  void run() noexcept { run_.get()(*this); }

 protected:
  ~pool_job() = default;

 private:
  const typename P::template plain<action> run_;  // watched for all that was written before it
};

}  // namespace fencepost
