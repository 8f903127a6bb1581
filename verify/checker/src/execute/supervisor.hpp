// Reports what a body does besides its events: it crashes, computes without end, waits in the
// kernel, or makes a call that would end the test program. Called by signal handlers, and by the
// functions that replace those of the C library.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <string>

#include "execute/call_stack.hpp"
#include "execute/fibers.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/progress_watch.hpp"
#include "execute/run_control.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class supervisor {
 public:
  struct parts {
    const fibers& stacks;
    const model_threads& threads;
    progress_watch& progress;
    run_control& run;
    const options& asked;
  };
  explicit supervisor(const parts& p)
      : fibers_(p.stacks),
        threads_(p.threads),
        progress_(p.progress),
        run_(p.run),
        options_(p.asked) {}

  // Called from a signal handler when the code under test has crashed.
  [[noreturn]] void crashed(int signal, const void* address);
  // Called once per second of processor time.
  [[nodiscard]] bool computes_alone() noexcept { return progress_.computes_alone(in_body()); }
  [[noreturn]] void report_computing();
  // Called twice per second of wall-clock time. It asks the system for times, which must not be
  // taken for calls of the code under test.
  [[nodiscard]] bool waits_outside() noexcept {
    const bool is_in_body = in_body();
    const engine_scope scope;
    return progress_.waits_outside(is_in_body);
  }
  [[noreturn]] void report_waiting();

  // Called when a body has made a call that it must not make.
  [[noreturn]] void break_contract(const char* what);
  // Called when the program ends, or code runs on a stack other than the body's.
  [[noreturn]] void left();

  [[nodiscard]] static bool in_body() noexcept { return allocation_hook::in_body; }
  [[nodiscard]] bool is_on_its_stack() const noexcept {
    return fibers_.stack(fibers_.running()).contains(__builtin_frame_address(0));
  }
  // False in a child that the body has forked.
  [[nodiscard]] bool is_own_process() const noexcept { return process_ == getpid(); }
  // Called in a process that was forked from that of the constructor.
  void belongs_to_this_process() noexcept { process_ = getpid(); }

  // Names, in the counterexample, the call that the body must not make: the function of the system,
  // and its callers in the body.
  void name_calls(counterexample&) const;

 private:
  [[nodiscard]] source_location last_place() const noexcept {
    return threads_[fibers_.running()].where;
  }

  const fibers& fibers_;
  const model_threads& threads_;
  progress_watch& progress_;
  run_control& run_;
  const options& options_;
  call_stack calls_;  // of the call that must not be made
  pid_t process_ = getpid();
};

}  // namespace fencepost::verify
