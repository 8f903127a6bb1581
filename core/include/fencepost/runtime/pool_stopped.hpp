// The exception that refuses a job submitted to a stopped thread_pool; the job was not run and will
// not be.
#pragma once

#include <stdexcept>

namespace fencepost {

struct pool_stopped : std::runtime_error {
  pool_stopped()
      : std::runtime_error{
            "thread_pool: the pool was stopped and takes no jobs from outside any more; submit "
            "before stop(), or to another pool"} {}
};

}  // namespace fencepost
