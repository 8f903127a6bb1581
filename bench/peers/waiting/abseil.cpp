// Abseil: its mutex with a condition, and its notification.
#include <absl/synchronization/mutex.h>
#include <absl/synchronization/notification.h>

#include "latch.hpp"
#include "wake.hpp"

namespace fencepost::bench::peers {
namespace {

struct of_condition {
  absl::Mutex mutex;
  bool is_set = false;
  void set() {
    const absl::MutexLock lock{&mutex};
    is_set = true;
  }
  void wait() {
    const absl::MutexLock lock{&mutex, absl::Condition{&is_set}};
    is_set = false;
  }
};
struct of_notification {
  absl::Notification notification;
  bool probe() const { return notification.HasBeenNotified(); }
  void set() { notification.Notify(); }
};

[[maybe_unused]] const bool registered = register_event<of_condition>("absl::Mutex") &&
                                         register_latch<of_notification>("absl::Notification");

}  // namespace
}  // namespace fencepost::bench::peers
