#include "fencepost/runtime/watchdog.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <utility>

#include "die.hpp"
#include "fencepost/exceptions.hpp"
#include "watchdog_look.hpp"

#ifdef __linux__
#include <sys/syscall.h>
#include <unistd.h>
#endif

namespace fencepost {
namespace {

std::uint64_t this_thread() noexcept {
#ifdef __linux__
  return static_cast<std::uint64_t>(::syscall(SYS_gettid));
#else
  return 0;
#endif
}

long long in_milliseconds(watchdog::clock::duration time) noexcept {
  return static_cast<long long>(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

}  // namespace

struct watchdog::record {
  explicit record(std::string name) : who(std::move(name)) {}

  const std::string who;
  std::atomic<std::uint64_t> number{0};
  std::atomic<std::uint64_t> thread{0};
  watchdog_look look;  // used by the watchdog, under its mutex
};

watchdog::watchdog(clock::duration limit, handler handle)
    : limit_(limit), handle_(std::move(handle)) {
  if (limit_ <= clock::duration::zero()) {
    detail::raise<std::invalid_argument>(
        "fencepost::watchdog: the limit is not positive; give the longest time that a task may "
        "take");
  }
  if (!handle_) {
    detail::raise<std::invalid_argument>(
        "fencepost::watchdog: the handler is empty; pass one, such as watchdog::log");
  }
  thread_ = std::thread([this] { look_again_and_again(); });
}

watchdog::~watchdog() {
  {
    const std::lock_guard lock{mutex_};
    if (!records_.empty())
      detail::die("watchdog", "destroyed before a subject; destroy its subjects first");
    ending_ = true;
  }
  if (thread_.get_id() == std::this_thread::get_id())
    detail::die("watchdog", "destroyed within its handler");
  changed_.notify_one();
  thread_.join();
}

void watchdog::look_again_and_again() noexcept {
  const auto pause = std::max<clock::duration>(limit_ / 8, std::chrono::milliseconds(1));
  std::unique_lock lock{mutex_};
  while (!ending_) {
    if (records_.empty()) {
      changed_.wait(lock);
    } else {
      changed_.wait_for(lock, pause);
    }
    const auto reports = look();
    // Unlocked: a handler may wait for a thread that constructs or destroys a subject.
    lock.unlock();
    for (const auto& each : reports) handle_(each);
    lock.lock();
  }
}

std::vector<watchdog_report> watchdog::look() {
  std::vector<watchdog_report> reports;
  for (record* const each : records_) {
    const auto before = clock::now();
    // [look.number] relaxed, alone: nothing of the task is read. A stale number amounts to an
    // earlier look, and never makes two tasks appear as one, since no number is used twice.
    const auto number = each->number.load(std::memory_order_relaxed);
    const auto since = each->look(number, before, clock::now(), limit_);
    if (!since) continue;
    // [look.thread] relaxed, alone: a number for the report.
    reports.push_back({each->who, each->thread.load(std::memory_order_relaxed), *since, limit_});
  }
  return reports;
}

void watchdog::log(const watchdog_report& report) {
  std::fprintf(stderr,
               "fencepost::watchdog: %s: a task has been running for %lld ms on thread %llu, and "
               "the limit is %lld ms\n",
               report.who.c_str(), in_milliseconds(clock::now() - report.since),
               static_cast<unsigned long long>(report.thread), in_milliseconds(report.limit));
}

void watchdog::end_process(const watchdog_report& report) {
  log(report);
#ifdef __linux__
  if (report.thread != 0 && ::syscall(SYS_tgkill, ::getpid(), report.thread, SIGABRT) == 0) {
    // The signal ends the process, unless that thread blocks it.
    std::this_thread::sleep_for(std::chrono::seconds(10));
  }
#endif
  std::abort();
}

watchdog::subject::subject(watchdog& by, std::string who)
    : by_(by), record_(std::make_unique<record>(std::move(who))) {
  runs_here();
  const std::lock_guard lock{by_.mutex_};
  by_.records_.push_back(record_.get());
  by_.changed_.notify_one();
}

watchdog::subject::~subject() {
  const std::lock_guard lock{by_.mutex_};
  std::erase(by_.records_, record_.get());
}

void watchdog::subject::runs_here() noexcept {
  // [runs_here] relaxed, alone: a number for the report.
  record_->thread.store(this_thread(), std::memory_order_relaxed);
}

// [task.begin.own], [task.begin] relaxed, alone: only this thread writes the number, and nothing
// follows from it but a report.
watchdog::task::task(subject& of) noexcept
    : record_(*of.record_), before_(record_.number.load(std::memory_order_relaxed)) {
  if (is_outermost()) record_.number.store(before_ + 1, std::memory_order_relaxed);
}

watchdog::task::~task() {
  // [task.end] relaxed, alone: as at the beginning.
  if (is_outermost()) record_.number.store(before_ + 2, std::memory_order_relaxed);
}

}  // namespace fencepost
