#include "execute/supervisor.hpp"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>

#include "execute/lifetimes.hpp"
#include "execute/trace_recorder.hpp"

namespace fencepost::verify {

void supervisor::crashed(int signal, const void* address) {
  char text[160];
  if (signal == SIGSEGV || signal == SIGBUS) {
    for (unsigned t = 0; t < max_threads; ++t) {
      const fiber_stack& stack = fibers_.stack(t);
      if (!stack.guards(address)) continue;
      std::snprintf(
          text, sizeof text,
          "the stack of the thread is used up (stack_size is %zu KiB): endless recursion, "
          "or large local variables; after the place named",
          stack.size() >> 10);
      run_.report(violation::stack_overflow, text, last_place());
    }
    std::snprintf(text, sizeof text, "segmentation fault at address %p, after the place named",
                  address);
  } else {
    std::snprintf(text, sizeof text, "%s, after the place named",
                  signal == SIGABRT
                      ? "abort (a failed assertion, or an exception that must not be caught)"
                  : signal == SIGFPE ? "arithmetic error (division by zero)"
                                     : "illegal instruction");
  }
  run_.report(violation::crash, text, last_place());
}

void supervisor::report_computing() {
  run_.report(
      violation::no_progress,
      "two seconds of computation without an atomic operation: an endless loop? (a loop that waits "
      "must read an atomic); after the place named",
      last_place());
}

void supervisor::report_waiting() {
  break_contract(
      "the thread waits for something outside of the checker, and so do all others with it: they "
      "share one system thread. Instead of a std::mutex, std::condition_variable, std::latch, "
      "std::thread or std::atomic::wait() use the policy's (P::mutex, P::condition_variable, "
      "P::thread, P::atomic); a body neither sleeps nor reads what comes from outside");
}

// name_calls() replaces the place by that of the call, if it can be found.
void supervisor::break_contract(const char* what) {
  calls_.take();
  run_.report(violation::misuse, what, last_place());
}

// If this does not run on the stack of the body, the body was left by longjmp().
void supervisor::left() {
  if (is_on_its_stack()) break_contract("the body ends the program");
  allocation_hook::in_body = false;
  std::fprintf(stderr,
               "fencepost: the body of the check \"%s\" was left by longjmp(): the check has not "
               "ended, and nothing is known of it\n",
               options_.name.c_str());
  std::abort();
}

void supervisor::name_calls(counterexample& found) const {
  if (calls_.empty()) return;
  constexpr std::size_t most = 6;
  const std::vector<call_stack::call> calls = calls_.calls();
  const auto first = std::find_if(calls.begin(), calls.end(), &call_stack::is_of_the_body);
  if (first != calls.end()) found.where = {kept_name(first->file), "", first->line, 0};
  std::string text;
  std::size_t told = 0;
  for (auto c = first == calls.begin() ? first : first - 1; c != calls.end() && told < most; ++c) {
    if (c->function.empty() || (c > first && !call_stack::is_of_the_body(*c))) continue;
    ++told;
    text += (text.empty() ? " (in " : ", called by ") + call_stack::name_of(*c);
    if (call_stack::is_of_the_body(*c))
      text += " at " + std::string(base_name(c->file.c_str())) + ":" + std::to_string(c->line);
  }
  if (!text.empty()) found.message += text + ")";
}

}  // namespace fencepost::verify
