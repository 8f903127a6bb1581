// A thread with a stack of its own, as the workers of a runtime need it: as large as they ask for,
// since a task that waits runs others on top of it, and close to the processor that uses it.
//
//   low                                                              high
//    |  guard  |                        stack                         |
//    +---------+-------------------------------+----------------------+
//      faults     address space, no memory yet  <-- grows -- in use
//
// The stack is address space; memory comes page by page, as it is touched. Below it lie 64 KiB
// without access, so that overflowing it is a fault at once instead of somebody else's data. They
// are no part of what the thread is told its stack is. A frame larger than they are can step over
// them, unless it is compiled with -fstack-clash-protection.
//
// Before an overflow ends the program, by SIGSEGV as ever, a message says which thread it was, how
// large its stack is, and what to set. The handler for that is installed with the first such
// thread, unless the program has one for SIGSEGV already; one that it installs later takes its
// place, and runs on the thread's alternate stack if it asks for that (SA_ONSTACK).
//
// Threads: a worker_thread belongs to one thread at a time, as a std::thread does.
//
// Ordering: for any threads X that starts and Y that is started, what X did before the constructor
// is visible to the callable; and what the callable did is visible to whoever join() returns to.
//
// Placement (placement.hpp): with `pin_to`, the stack's memory comes from the memory node of that
// place, and the thread is there before it runs the callable: what the callable is the first to
// touch is near it too. It is a wish: where the library was built without hwloc, or the system
// refuses, the thread runs anywhere.
//
// On Windows the size of the stack is all that is set: the system reserves it and guards it. There
// are no names there, and no message.
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
  // Bytes of address space, rounded up to pages. 0: what the system gives a thread.
  std::size_t stack = sizeof(void*) >= 8 ? std::size_t{16} << 20 : std::size_t{1} << 20;
  // Which place (placement.hpp) it is pinned to, modulo their number. Empty: none.
  std::optional<std::uint32_t> pin_to = {};
  // What debuggers, ps and top call it; Linux shows the first 15 characters. Empty: as the program.
  std::string name = {};
};

class worker_thread {
 public:
  worker_thread() noexcept;  // no thread

  // Starts a thread that calls a copy of `body`, as std::thread does: an exception that leaves it
  // ends the program. Throws std::invalid_argument, where the stack is too small for a thread, and
  // std::system_error, where the system refuses address space, memory or the thread; and what
  // copying throws.
  template <class F>
  requires(std::is_invocable_v<std::decay_t<F>>)
      worker_thread(const worker_thread_options& options, F&& body)
      : worker_thread(options, std::unique_ptr<callable>(
                                   new callable_of<std::decay_t<F>>(std::forward<F>(body)))) {}

  worker_thread(worker_thread&& other) noexcept;
  // As those of std::thread: a thread that is still to be joined here ends the program.
  worker_thread& operator=(worker_thread&& other) noexcept;
  ~worker_thread();

  bool joinable() const noexcept { return running_ != nullptr; }

  // Waits for the thread to end, then gives its stack back. Throws std::system_error, and nothing
  // has changed: invalid_argument without a thread, resource_deadlock_would_occur from itself.
  void join();

  // Forgets the thread; its stack is never given back. For a child of fork(), where it does not
  // run.
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
  struct running;  // what the system knows it by; the source of each system has its own

  worker_thread(const worker_thread_options& options, std::unique_ptr<callable> body);

  std::unique_ptr<running> running_;
};

}  // namespace fencepost
