// A thread with a stack of its own, as the workers of a runtime need it: as large as they ask for,
// since a task that waits runs others on top of it, and close to the processor that uses it.
//
//   low                                                              high
//    |  guard  |                        stack                         |
//    +---------+-------------------------------+----------------------+
//      faults     address space, no memory yet  <-- grows -- in use
//
// The stack is address space; memory is provided page by page, as it is touched. Below it lie 64
// KiB without access, so that an overflow faults at once instead of corrupting other data. They are
// not part of the stack that the thread is told it has. A frame larger than they are can step over
// them, unless it is compiled with -fstack-clash-protection.
//
// Before an overflow ends the program, by SIGSEGV as usual, a message says which thread it was, how
// large its stack is, and what to set. The handler for that is installed with the first such
// thread, unless the program has one for SIGSEGV already; a handler that the program installs later
// replaces it, and runs on the thread's alternate stack if it asks for that (SA_ONSTACK).
//
// Threads: a worker_thread belongs to one thread at a time, as a std::thread does.
//
// Ordering: for any threads X that starts and Y that is started, what X did before the constructor
// is visible to the callable; what the callable did is visible to the thread that join() returns
// to.
//
// Placement (placement.hpp): with `pin_to`, the stack's memory comes from the memory node of that
// place, and the thread is pinned before it runs the callable: memory that the callable is the
// first to touch is near it too. Failures are ignored: if the library was built without hwloc, or
// the system refuses, the thread runs anywhere.
//
// On Windows only the size of the stack is set: the system reserves it and guards it. Threads have
// no names there, and an overflow has no message.
//
// Claims (tests on the real system, core/tests/worker_thread_test.cpp):
//   overflowing the stack faults in the guard, and says so
//   a handler of the program's own for faults is left alone
//   a large stack takes no memory until it is used
//   its address space is given back by join()
//   a thread that is not started says why and what to do, and leaves nothing behind
//
// Costs: eight system calls more than a std::thread of the same size.
// Source: Lace's design notes, "Stacks"; memory is bound before it is touched (LACE-78).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

namespace fencepost {

struct worker_thread_options {  // Its stack and its place.
  // Bytes of address space, rounded up to pages. 0: the system's default.
  std::size_t stack = sizeof(void*) >= 8 ? std::size_t{16} << 20 : std::size_t{1} << 20;
  // The place (placement.hpp) that it is pinned to, modulo the number of places. Empty: none.
  std::optional<std::uint32_t> pin_to = {};
  // The name that debuggers, ps and top show; on Linux its first 15 characters. Empty: the
  // program's.
  std::string name = {};
};

class worker_thread {
 public:
  worker_thread() noexcept;  // no thread

  // Starts a thread that calls a copy of `body`, as std::thread does: an exception that leaves it
  // ends the program. Throws std::invalid_argument if the stack is too small for a thread, and
  // std::system_error if the system refuses address space, memory or the thread; and what copying
  // throws.
  template <class F>
  requires(std::is_invocable_v<std::decay_t<F>>)
      worker_thread(const worker_thread_options& options, F&& body)
      : worker_thread(options, std::unique_ptr<callable>(
                                   new callable_of<std::decay_t<F>>(std::forward<F>(body)))) {}

  worker_thread(worker_thread&& other) noexcept;
  // As those of std::thread: they end the program if this thread is still to be joined.
  worker_thread& operator=(worker_thread&& other) noexcept;
  ~worker_thread();

  bool joinable() const noexcept { return running_ != nullptr; }

  // Waits for the thread to end, then releases its stack. Throws std::system_error, and then
  // nothing has changed: invalid_argument without a thread, resource_deadlock_would_occur on the
  // thread itself.
  void join();

  // Forgets the thread; its stack is never released. For a child of fork(), where it does not run.
  void abandon() noexcept;

 private:
  struct callable {
    virtual ~callable() = default;
    virtual void run() = 0;
  };
  template <class F>
  struct callable_of : callable {
    explicit callable_of(const F& f) : body(f) {}
    explicit callable_of(F&& f) : body(std::move(f)) {}
    void run() override { static_cast<void>(std::invoke(std::move(body))); }
    F body;
  };
  struct running;  // the system's thread, which is different on each system

  worker_thread(const worker_thread_options& options, std::unique_ptr<callable> body);

  std::unique_ptr<running> running_;
};

}  // namespace fencepost
