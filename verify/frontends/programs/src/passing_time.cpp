// Clocks, and what makes time pass. Sleeping orders nothing: whatever other threads do meanwhile,
// they may do before or after.
#include "passing_time.hpp"

#include <sched.h>
#include <sys/time.h>
#include <threads.h>
#include <unistd.h>

#include <cerrno>

#include "c_library.hpp"
#include "watched_memory.hpp"

namespace fencepost::programs {

namespace {

// The times at which the program begins.
constexpr nanoseconds first_of_all = 1'000'000 * second, first_of_day = 1'700'000'000 * second;

void put(timespec* to, nanoseconds t) {
  to->tv_sec = t / second;
  to->tv_nsec = t % second;
}

// If the program reads a clock, a long time may have passed. If the library does, it is about to
// wait.
void pass_time(session& s, const call_site& c) {
  constexpr nanoseconds long_time = 3600 * second;
  if (s.is_in_library(c)) return;
  if (by_chance(verify::budget::timeout, s.place(c))) s.library().let_pass(long_time);
}

}  // namespace

bool by_chance(verify::budget what, const source_location& where) {
  return verify::engine::current()->choose(2, what, where) == 1;
}

nanoseconds now(const session& s, clockid_t clock) {
  const bool is_of_day = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE;
  return (is_of_day ? first_of_day : first_of_all) + s.library().time();
}

nanoseconds as_nanoseconds(const timespec& t) {
  constexpr nanoseconds most = nanoseconds{1} << 62U;
  if (t.tv_sec >= most / second) return most;
  return t.tv_sec * second + t.tv_nsec;
}

nanoseconds until(const session& s, clockid_t clock, const timespec& then) {
  return as_nanoseconds(then) - now(s, clock);
}

}  // namespace fencepost::programs

using namespace fencepost::programs;

namespace {

// False if the call is not the program's: the C library has to answer it.
[[gnu::always_inline]] inline bool look(clockid_t clock, nanoseconds& t) {
  const entered s;
  if (!s) return false;
  s->take_up_writes();
  pass_time(*s, FENCEPOST_CALL_SITE);
  t = now(*s, clock);
  return true;
}

[[gnu::always_inline]] inline void write(timespec* to, nanoseconds t) {
  {
    const entered s;
    s->write(to, sizeof *to, s->place(FENCEPOST_CALL_SITE));
  }
  put(to, t);
}

int sleep_for(nanoseconds t) {
  if (const entered s; s) {
    s->take_up_writes();
    if (t > 0) s->library().let_pass(t);
  }
  return 0;
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name,readability-identifier-naming)
extern "C" {

// std::chrono::steady_clock::now() and system_clock::now().
nanoseconds _ZNSt6chrono3_V212steady_clock3nowEv() noexcept {
  nanoseconds t = 0;
  if (look(CLOCK_MONOTONIC, t)) return t;
  return FENCEPOST_BEHIND(_ZNSt6chrono3_V212steady_clock3nowEv)();
}

nanoseconds _ZNSt6chrono3_V212system_clock3nowEv() noexcept {
  nanoseconds t = 0;
  if (look(CLOCK_REALTIME, t)) return t;
  return FENCEPOST_BEHIND(_ZNSt6chrono3_V212system_clock3nowEv)();
}

int clock_gettime(clockid_t clock, timespec* to) noexcept {
  nanoseconds t = 0;
  if (!look(clock, t)) return FENCEPOST_BEHIND(clock_gettime)(clock, to);
  write(to, t);
  return 0;
}

int timespec_get(timespec* to, int base) noexcept {
  nanoseconds t = 0;
  if (!look(CLOCK_REALTIME, t)) return FENCEPOST_BEHIND(timespec_get)(to, base);
  write(to, t);
  return base;
}

time_t time(time_t* to) noexcept {
  nanoseconds t = 0;
  if (!look(CLOCK_REALTIME, t)) return FENCEPOST_BEHIND(time)(to);
  const time_t seconds = t / second;
  if (to != nullptr) {
    {
      const entered s;
      s->write(to, sizeof *to, s->place(FENCEPOST_CALL_SITE));
    }
    *to = seconds;
  }
  return seconds;
}

// The time zone is not written.
int gettimeofday(timeval* to, void*) noexcept {
  nanoseconds t = 0;
  if (!look(CLOCK_REALTIME, t)) return FENCEPOST_BEHIND(gettimeofday)(to, nullptr);
  {
    const entered s;
    s->write(to, sizeof *to, s->place(FENCEPOST_CALL_SITE));
  }
  to->tv_sec = t / second;
  to->tv_usec = t % second / 1000;
  return 0;
}

int clock_getres(clockid_t clock, timespec* to) noexcept {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(clock_getres)(clock, to);
  if (to == nullptr) return 0;
  watch_write(to, sizeof *to, FENCEPOST_CALL_SITE);
  put(to, 1);
  return 0;
}

// Counts all time as processor time.
clock_t clock() noexcept {
  nanoseconds t = 0;
  if (!look(CLOCK_MONOTONIC, t)) return FENCEPOST_BEHIND(clock)();
  return (t - first_of_all) / (second / CLOCKS_PER_SEC);
}

int sched_yield() noexcept { return 0; }
void thrd_yield() {}
int thrd_sleep(const timespec* t, timespec*) {
  watch_read(t, sizeof *t, FENCEPOST_CALL_SITE);
  return sleep_for(as_nanoseconds(*t));
}
int nanosleep(const timespec* t, timespec*) {
  watch_read(t, sizeof *t, FENCEPOST_CALL_SITE);
  return sleep_for(as_nanoseconds(*t));
}
int clock_nanosleep(clockid_t clock, int how, const timespec* t, timespec*) {
  watch_read(t, sizeof *t, FENCEPOST_CALL_SITE);
  const nanoseconds then = as_nanoseconds(*t);
  nanoseconds began = 0;
  if (const entered s; s && (how & TIMER_ABSTIME) != 0) began = now(*s, clock);
  return sleep_for(then - began);
}
int usleep(useconds_t t) { return sleep_for(nanoseconds{t} * 1000); }
unsigned sleep(unsigned t) { return static_cast<unsigned>(sleep_for(t * second)); }

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-inconsistent-declaration-parameter-name,readability-identifier-naming)
