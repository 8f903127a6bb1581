// LLVM's OpenMP, in an executable of its own that clang++ compiles: two OpenMP runtimes in one
// process would interfere.
#include "openmp.hpp"

namespace fencepost::bench::peers {
namespace {

[[maybe_unused]] const bool registered =
    register_sequential<sequential>("sequential_clang++") &&
    register_runtime<runtime_of<openmp_scheduler>>("libomp", "sequential_clang++", tasks_are::slow);

}  // namespace
}  // namespace fencepost::bench::peers
