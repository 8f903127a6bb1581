#include "base/streams.hpp"

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/usage.hpp"

namespace fencepost::cli {
namespace {

struct sigaction pipe_before {};
struct sigaction size_before {};

[[noreturn]] void fail(const std::string& what, int error) {
  if (error == EPIPE && pipe_before.sa_handler != SIG_IGN) throw reader_gone{};
  if (error == EBADF) throw usage_error(what + " is closed, so nothing can be written to it");
  throw usage_error(what + ": cannot write: " + std::strerror(error));
}

}  // namespace

standard_streams::standard_streams() {
  // In ascending order, since open() takes the lowest free number. Standard output is opened for
  // reading, so that writes to it fail later.
  for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(number, F_GETFD) >= 0 || errno != EBADF) continue;
    static_cast<void>(::open("/dev/null", number == STDERR_FILENO ? O_WRONLY : O_RDONLY));
  }
  struct sigaction ignore {};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGPIPE, &ignore, &pipe_before);
  ::sigaction(SIGXFSZ, &ignore, &size_before);
}

standard_streams::~standard_streams() {
  ::sigaction(SIGPIPE, &pipe_before, nullptr);
  ::sigaction(SIGXFSZ, &size_before, nullptr);
}

void standard_streams::finish() {
  if (std::fflush(stdout) != 0) fail("standard output", errno);
  // Some file systems report only on close that the disk is full.
  const int copy = ::dup(STDOUT_FILENO);
  if (copy >= 0 && ::close(copy) != 0) fail("standard output", errno);
}

void write_all(int descriptor, std::string_view text, const std::string& what) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written >= 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      pollfd room{descriptor, POLLOUT, 0};
      ::poll(&room, 1, -1);
    } else if (errno != EINTR) {
      fail(what, errno);
    }
  }
}

void print(std::FILE* to, std::string_view text) {
  std::fflush(to);
  if (to == stdout) {
    write_all(STDOUT_FILENO, text, "standard output");
  } else {
    static_cast<void>(std::fwrite(text.data(), 1, text.size(), to));
  }
}

}  // namespace fencepost::cli
