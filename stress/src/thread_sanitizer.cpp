#include "thread_sanitizer.hpp"

#include <unistd.h>

#include "fencepost/atomics/default_atomics.hpp"

#ifdef FENCEPOST_THREAD_SANITIZER

namespace {
fencepost::stress::race_reports* reports = nullptr;
}

// ThreadSanitizer calls this function with each report, before it continues.
extern "C" __attribute__((no_sanitize("thread"))) void __tsan_on_report(void* /*report*/) {
  if (reports != nullptr && reports->count.fetch_add(1, std::memory_order_relaxed) == 0)
    reports->first.store(std::chrono::steady_clock::now(), std::memory_order_relaxed);
}

namespace fencepost::stress {

pid_t start_process() {
  const detail::tsan_without_fibers meanwhile;
  return ::fork();
}
void count_reports_in(race_reports& r) noexcept { reports = &r; }

}  // namespace fencepost::stress

#else

namespace fencepost::stress {

pid_t start_process() { return ::fork(); }
void count_reports_in(race_reports& /*r*/) noexcept {}

}  // namespace fencepost::stress

#endif
