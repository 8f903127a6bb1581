// Reports a task that takes too long, with its thread and since when it has been running, to a
// handler.
//
//      a watched thread                        the watchdog's thread, every eighth of the limit
//        number + 1: odd, a task begins          the same odd number as at an earlier look, and
//        number + 1: even, it has ended          that was `limit` ago or more: report, once
//
// Claims (core/tests/watchdog_test.cpp):
//   a task that runs for the limit and two eighths of it is reported, once, with its thread's name
//   a task that ends before the limit is not; nor are many short ones taken for a long one
//   a subject that is destroyed is not looked at any more
//
// Threads: a subject's tasks begin and end on one thread at a time. Everything else, any thread.
// Ordering: nothing is ordered between the thread that runs a task and the one that runs the
// handler: the number is relaxed. The handler must not access the task's data without
// synchronization of its own.
//
// Progress: beginning and ending a task are wait-free. Costs: a relaxed load, two relaxed stores
// and two calls a task, no clock. The watchdog's thread wakes eight times within the limit, at most
// every millisecond, and sleeps while there is no subject. A watchdog must not be used after
// fork(): the child does not have this thread.
// Source: Perfetto's LockFreeTaskRunner runs its tasks under a watchdog (PERF-19, PERF-40).
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace fencepost {

// What a handler learns about a task that runs for too long.
struct watchdog_report {
  std::string who;           // the name of the subject
  std::uint64_t thread = 0;  // the number by which the system knows the thread (Linux); 0: unknown
  std::chrono::steady_clock::time_point since;  // by then the task had begun
  std::chrono::steady_clock::duration limit;    // and it ran for longer than this
};

class watchdog {
 public:
  using clock = std::chrono::steady_clock;
  using handler = std::function<void(const watchdog_report&)>;

  // Calls `handle` once for each task that runs for longer than `limit`, on a thread of its own,
  // where an exception ends the program. The report says what the watchdog observed; the task may
  // have ended since. Throws std::invalid_argument for a limit that is not positive and for an
  // empty handler; std::bad_alloc; std::system_error if there is no thread.
  explicit watchdog(clock::duration limit = std::chrono::minutes(3),
                    handler handle = &watchdog::end_process);
  // Must be called after the destructors of its subjects, and not within its handler: otherwise the
  // process ends, with a message.
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  // Handlers. log() writes a line to stderr; end_process() does too, and sends SIGABRT to the
  // thread that runs the task, so that a debugger or a crash report shows the stack of that thread
  // (Linux; elsewhere std::abort()).
  static void log(const watchdog_report& report);
  [[noreturn]] static void end_process(const watchdog_report& report);

  class subject;
  class task;

 private:
  struct record;

  void look_again_and_again() noexcept;
  std::vector<watchdog_report> look();

  const clock::duration limit_;
  const handler handle_;
  std::mutex mutex_;
  std::condition_variable changed_;  // there is a first subject, or the end has come
  std::vector<record*> records_;
  bool ending_ = false;
  std::thread thread_;  // last: it uses the others
};

// A thread whose tasks are watched. The watchdog must outlive it.
class watchdog::subject {
 public:
  // Throws std::bad_alloc.
  subject(watchdog& by, std::string who);
  ~subject();
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  // From now on, reports name the calling thread.
  void runs_here() noexcept;

 private:
  friend class task;
  watchdog& by_;
  std::unique_ptr<record> record_;
};

// The subject runs a task for as long as this object exists. A task within another is a part of it.
class [[nodiscard]] watchdog::task {
 public:
  explicit task(subject& of) noexcept;
  ~task();
  task(const task&) = delete;
  task& operator=(const task&) = delete;

 private:
  [[nodiscard]] bool is_outermost() const noexcept { return before_ % 2 == 0; }

  record& record_;
  const std::uint64_t before_;  // the number until then
};

}  // namespace fencepost
