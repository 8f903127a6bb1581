// task_runner, and the same on a std::deque behind a mutex.
#include "fencepost/runtime/task_runner.hpp"

#include <functional>

#include "../../mutex_runner.hpp"
#include "suite.hpp"

namespace fencepost::bench::peers {
namespace {

[[maybe_unused]] const bool registered =
    register_runner<task_runner>("task_runner") &&
    register_runner<mutex_runner<std::function<void()>>>("mutex+std::deque");

}  // namespace
}  // namespace fencepost::bench::peers
