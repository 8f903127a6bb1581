// The event that ends a poll(): see wake_event.hpp. Descriptors are closed on exec and do not
// block.
#include "fencepost/exceptions.hpp"
#include "fencepost/runtime/wake_event.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

#if defined(__linux__) && !defined(FENCEPOST_PIPE_WAKE_EVENT)
#include <sys/eventfd.h>
#define FENCEPOST_HAS_EVENTFD
#endif

namespace fencepost {
namespace {

[[noreturn]] void no_descriptor(int error) {
  detail::raise<std::system_error>(
      error, std::generic_category(),
      "fencepost::wake_event: no descriptor to wake a poll() with; close some, "
      "or raise the limit (ulimit -n)");
}

// Repeats a system call for as long as signal handlers interrupt it.
template <class Call>
auto without_interruption(Call call) noexcept {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

}  // namespace

#ifdef FENCEPOST_HAS_EVENTFD

wake_event::wake_event() : read_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)), write_(read_) {
  if (read_ < 0) no_descriptor(errno);
}

wake_event::~wake_event() { ::close(read_); }

void wake_event::clear() noexcept {
  std::uint64_t signals = 0;
  static_cast<void>(without_interruption([&] { return ::read(read_, &signals, sizeof signals); }));
}

#else

wake_event::wake_event() {
  int ends[2];
  if (::pipe(ends) != 0) no_descriptor(errno);
  for (const int end : ends) {
    if (::fcntl(end, F_SETFD, FD_CLOEXEC) != 0 || ::fcntl(end, F_SETFL, O_NONBLOCK) != 0) {
      const int error = errno;
      ::close(ends[0]);
      ::close(ends[1]);
      no_descriptor(error);
    }
  }
  read_ = ends[0];
  write_ = ends[1];
}

wake_event::~wake_event() {
  ::close(read_);
  ::close(write_);
}

void wake_event::clear() noexcept {
  char signals[64];
  while (without_interruption([&] { return ::read(read_, signals, sizeof signals); }) ==
         static_cast<ssize_t>(sizeof signals)) {
  }
}

#endif

void wake_event::signal() noexcept {
  const std::uint64_t one = 1;
  // An event that refuses the signal because it is full is signalled already.
  static_cast<void>(without_interruption([&] { return ::write(write_, &one, sizeof one); }));
}

}  // namespace fencepost
