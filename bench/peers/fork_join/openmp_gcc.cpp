#include "openmp.hpp"

namespace fencepost::bench::peers {
namespace {

[[maybe_unused]] const bool registered =
    register_runtime<runtime_of<openmp_scheduler>>("libgomp", "sequential_g++", tasks_are::slow);

}  // namespace
}  // namespace fencepost::bench::peers
