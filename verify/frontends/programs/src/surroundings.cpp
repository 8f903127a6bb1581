// What a program asks of the system that it runs on: the same in every execution.

#include <pthread.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <thread>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::entered;

namespace {

constexpr pid_t process = 1000;

// Of a text that the program hands over.
[[gnu::always_inline]] inline std::size_t read_text(const char* text) {
  const std::size_t length = FENCEPOST_BEHIND(strlen)(text);
  if (const entered s; s) s->read_for_program(text, length + 1, FENCEPOST_CALL_SITE);
  return length;
}

char* value_of(const char* name) {
  if (std::string_view(name) == "FENCEPOST_CHECK") return nullptr;  // it is the checker's
  return FENCEPOST_BEHIND(getenv)(name);
}

}  // namespace

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

// What would change the environment is refused.
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

// The first thread's number is the process's.
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

int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  constexpr std::size_t longest = 15;
  if (!fencepost::verify::allocation_hook::in_body)
    return FENCEPOST_BEHIND(pthread_setname_np)(thread, name);
  return read_text(name) > longest ? ERANGE : 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
