// Reports a task that takes too long: whose it is, since when it runs, and what is then to happen.
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
// Ordering: for any threads X that runs a task and Y that runs the handler, nothing: the number is
// relaxed. The handler must not look at the task's data without synchronization of its own.
//
// Progress: to begin and to end a task are wait-free. Costs: a relaxed load, two relaxed stores and
// two calls a task, no clock. The thread wakes eight times in the limit, at most every millisecond,
// and sleeps while there is no subject. Not to be used after fork(): the child has no such thread.
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

// What a handler is told of a task that runs for too long.
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
  // where an exception ends the program. What it says was so when the watchdog looked; the task may
  // have ended since. Throws std::invalid_argument for a limit that is not positive and for an
  // empty handler; std::bad_alloc; std::system_error if there is no thread.
  explicit watchdog(clock::duration limit = std::chrono::minutes(3),
                    handler handle = &watchdog::end_process);
  // After its subjects, and not within its handler: else the process ends, with a message.
  ~watchdog();
  watchdog(const watchdog&) = delete;
  watchdog& operator=(const watchdog&) = delete;

  // Handlers. A line on stderr; the same, and SIGABRT to the thread whose task it is, so that it is
  // that thread's stack that a debugger or a crash report shows (Linux; elsewhere std::abort()).
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

// A thread whose tasks are watched. The watchdog outlives it.
class watchdog::subject {
 public:
  // Throws std::bad_alloc.
  subject(watchdog& by, std::string who);
  ~subject();
  subject(const subject&) = delete;
  subject& operator=(const subject&) = delete;

  // Reports are to name the calling thread, from now on.
  void runs_here() noexcept;

 private:
  friend class task;
  watchdog& by_;
  std::unique_ptr<record> record_;
};

// While it lives the subject runs a task. One within another is a part of that.
class [[nodiscard]] watchdog::task {
 public:
  explicit task(subject& of) noexcept;
  ~task();
  task(const task&) = delete;
  task& operator=(const task&) = delete;

 private:
  [[nodiscard]] bool is_outermost() const noexcept { return before_ % 2 == 0; }

  record& record_;
  const std::uint64_t before_;  // the number
};

}  // namespace fencepost
