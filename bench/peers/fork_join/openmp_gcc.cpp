#include "openmp.hpp"

namespace fencepost::bench::peers {
namespace {

[[maybe_unused]] const bool registered = register_runtime<runtime_of<openmp_scheduler>>("libgomp");

}  // namespace
}  // namespace fencepost::bench::peers
