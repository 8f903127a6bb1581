// Discards what the program prints, as long as this lives.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

namespace fencepost::programs {

class silence {
 public:
  silence() : out_(dup(STDOUT_FILENO)), error_(dup(STDERR_FILENO)) {
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
  }
  ~silence() {
    std::fflush(nullptr);
    dup2(out_, STDOUT_FILENO);
    dup2(error_, STDERR_FILENO);
    close(out_);
    close(error_);
  }
  silence(const silence&) = delete;
  silence& operator=(const silence&) = delete;

  // A descriptor of what standard error was before.
  [[nodiscard]] int error() const noexcept { return error_; }

 private:
  int out_, error_;
};

}  // namespace fencepost::programs
