// core_latch and completion, std::latch, and one built from a mutex.
#include <latch>
#include <mutex>

#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "latch.hpp"

namespace fencepost::bench::peers {
namespace {

struct on_core_latch {
  core_latch<> latch;
  bool probe() const { return latch.probe(); }
  void set() { benchmark::DoNotOptimize(latch.set()); }
};
struct on_completion {
  completion<> done;
  bool probe() const { return done.done(); }
  void set() { done.complete(); }
};
struct of_std {
  std::latch latch{1};
  bool probe() const { return latch.try_wait(); }
  void set() { latch.count_down(); }
};
struct of_mutex {
  mutable std::mutex mutex;
  bool is_set = false;
  bool probe() const {
    const std::lock_guard lock{mutex};
    return is_set;
  }
  void set() {
    const std::lock_guard lock{mutex};
    is_set = true;
  }
};

[[maybe_unused]] const bool registered =
    register_latch<on_core_latch>("core_latch") && register_latch<on_completion>("completion") &&
    register_latch<of_std>("std::latch") && register_latch<of_mutex>("mutex+bool");

}  // namespace
}  // namespace fencepost::bench::peers
