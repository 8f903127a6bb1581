// Queries of a program about its system. The answers are the same in every execution.

#include <pthread.h>
#include <sched.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "c_library.hpp"
#include "watched_memory.hpp"

using fencepost::programs::entered;
using fencepost::programs::watch_read;
using fencepost::programs::watch_write;

namespace {

constexpr pid_t process = 1000;

// Reads a text that the program has passed, for the program, and returns its length.
[[gnu::always_inline]] inline std::size_t read_text(const char* text) {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(text);
  if (const entered s; s) s->read_for_program(text, length + 1, FENCEPOST_CALL_SITE);
  return length;
}

char* value_of(const char* name) {
  if (std::string_view(name) == "FENCEPOST_CHECK") return nullptr;  // the checker's own
  return FENCEPOST_BEHIND(getenv)(name);
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name,readability-identifier-naming)
extern "C" {

// Nothing that a program prints goes to a terminal.
int isatty(int file) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(isatty)(file);
  s->library().error_number() = ENOTTY;
  return 0;
}

// The environment stays the same: functions that would change it are refused.
char* getenv(const char* name) noexcept {
  if (!fencepost::verify::allocation_hook::in_body) return FENCEPOST_BEHIND(getenv)(name);
  read_text(name);
  return value_of(name);
}
char* secure_getenv(const char* name) noexcept {
  read_text(name);
  return value_of(name);
}

pid_t getpid() noexcept {
  const entered s;
  return s ? process : FENCEPOST_BEHIND(getpid)();
}

// The number of the first thread is that of the process.
pid_t gettid() noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(gettid)();
  return process + static_cast<pid_t>(fencepost::verify::engine::current()->this_thread());
}

long sysconf(int what) noexcept {
  const bool processors = what == _SC_NPROCESSORS_ONLN || what == _SC_NPROCESSORS_CONF;
  if (const entered s; s && processors) return std::thread::hardware_concurrency();
  return FENCEPOST_BEHIND(sysconf)(what);
}
int get_nprocs() noexcept { return static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)); }
int get_nprocs_conf() noexcept { return get_nprocs(); }

// Affinities change nothing, since threads are interleaved in every way.
int pthread_setaffinity_np(pthread_t thread, std::size_t size,
                           const cpu_set_t* processors) noexcept {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(pthread_setaffinity_np)(thread, size, processors);
  watch_read(processors, size, FENCEPOST_CALL_SITE);
  return 0;
}
int sched_setaffinity(pid_t thread, std::size_t size, const cpu_set_t* processors) noexcept {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(sched_setaffinity)(thread, size, processors);
  watch_read(processors, size, FENCEPOST_CALL_SITE);
  return 0;
}
// Priorities change nothing either.
int pthread_setschedparam(pthread_t thread, int policy, const sched_param* priority) noexcept {
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(pthread_setschedparam)(thread, policy, priority);
  watch_read(priority, sizeof *priority, FENCEPOST_CALL_SITE);
  return 0;
}
int pthread_setschedprio(pthread_t thread, int priority) noexcept {
  if (fencepost::verify::allocation_hook::in_body) return 0;
  return FENCEPOST_BEHIND(pthread_setschedprio)(thread, priority);
}

// For CPU_COUNT().
int __sched_cpucount(std::size_t size, const cpu_set_t* processors) noexcept {
  watch_read(processors, size, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND(__sched_cpucount)(size, processors);
}

// GNU's strerror_r(), which may return a text in other memory, and that of POSIX.
char* fencepost_strerror_r(int, char*, std::size_t) noexcept __asm__("strerror_r");
char* fencepost_strerror_r(int number, char* to, std::size_t size) noexcept {
  using function = char* (*)(int, char*, std::size_t);
  char* const text = fencepost::programs::c_library<function>("strerror_r")(number, to, size);
  if (text == to && size != 0)
    watch_write(to, FENCEPOST_BEHIND(strlen)(to) + 1, FENCEPOST_CALL_SITE);
  return text;
}
int __xpg_strerror_r(int number, char* to, std::size_t size) noexcept {
  const int result = FENCEPOST_BEHIND(__xpg_strerror_r)(number, to, size);
  if (size != 0) watch_write(to, FENCEPOST_BEHIND(strlen)(to) + 1, FENCEPOST_CALL_SITE);
  return result;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name,readability-identifier-naming)
