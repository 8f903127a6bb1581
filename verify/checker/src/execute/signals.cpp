#include "execute/signals.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <mutex>

#include "execute/supervisor.hpp"

namespace fencepost::verify {

namespace {

thread_local supervisor* current = nullptr;

constexpr int fatal_signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
constexpr int watchdog_signal = SIGURG;  // ignored by default, so a late one does no harm
constexpr int of_computing = 1;          // sent by the clock of the thread's processor time
constexpr int of_passing = 2;            // sent by the wall clock
constexpr long second = 1'000'000'000;

std::mutex handlers_mutex;
unsigned handlers_users = 0;
struct sigaction previous_fatal[std::size(fatal_signals)];
struct sigaction previous_watchdog;

// A handler that does not return must let its signal through again.
void let_through(int signal) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, signal);
  pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

void on_fatal(int signal, siginfo_t* info, void*) {
  if (current != nullptr && supervisor::in_body()) {
    let_through(signal);
    current->crashed(signal, info->si_addr);
  }
  // Not ours: the signal has the effect that it would have had without this handler.
  for (std::size_t i = 0; i < std::size(fatal_signals); ++i)
    if (fatal_signals[i] == signal) sigaction(signal, &previous_fatal[i], nullptr);
  raise(signal);
}

void on_tick(int, siginfo_t* info, void*) {
  if (current == nullptr) return;
  if (info->si_value.sival_int == of_passing) {
    if (!current->waits_outside()) return;
    let_through(watchdog_signal);
    current->report_waiting();
  }
  if (!current->computes_alone()) return;
  let_through(watchdog_signal);
  current->report_computing();
}

// The program ends. A body that is still running has ended it, or was left by longjmp().
void on_exit() {
  if (current != nullptr && supervisor::in_body()) current->left();
}

void install() {
  static const bool registered = std::atexit(&on_exit) == 0;
  static_cast<void>(registered);
  call_stack::prepare();
  struct sigaction action {};
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  action.sa_sigaction = on_fatal;
  for (std::size_t i = 0; i < std::size(fatal_signals); ++i)
    sigaction(fatal_signals[i], &action, &previous_fatal[i]);
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  action.sa_sigaction = on_tick;
  sigaction(watchdog_signal, &action, &previous_watchdog);
}

}  // namespace

supervisor* supervising() noexcept { return current; }

signal_guard::signal_guard(supervisor* self) {
  current = self;
  {
    const std::lock_guard lock(handlers_mutex);
    if (handlers_users++ == 0) install();
  }
  stack_t stack{};
  stack.ss_size = sizeof alternate_;
  stack.ss_sp = alternate_;
  sigaltstack(&stack, &previous_stack_);
  computing_ = begin(CLOCK_THREAD_CPUTIME_ID, of_computing, second);
  passing_ = begin(CLOCK_MONOTONIC, of_passing, second / 2);
}

signal_guard::timer signal_guard::begin(clockid_t clock, int number, long nanoseconds) {
  timer t;
  sigevent event{};
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = watchdog_signal;
  event.sigev_value.sival_int = number;
  event._sigev_un._tid = gettid();  // sigev_notify_thread_id, which glibc 2.36 does not define
  t.runs = timer_create(clock, &event, &t.id) == 0;
  if (!t.runs) return t;
  itimerspec period{};
  period.it_interval.tv_sec = period.it_value.tv_sec = nanoseconds / second;
  period.it_interval.tv_nsec = period.it_value.tv_nsec = nanoseconds % second;
  timer_settime(t.id, 0, &period, nullptr);
  return t;
}

signal_guard::~signal_guard() {
  for (const timer& t : {computing_, passing_})
    if (t.runs) timer_delete(t.id);
  sigaltstack(&previous_stack_, nullptr);
  const std::lock_guard lock(handlers_mutex);
  if (--handlers_users == 0) {
    for (std::size_t i = 0; i < std::size(fatal_signals); ++i)
      sigaction(fatal_signals[i], &previous_fatal[i], nullptr);
    sigaction(watchdog_signal, &previous_watchdog, nullptr);
  }
  current = nullptr;
}

}  // namespace fencepost::verify
