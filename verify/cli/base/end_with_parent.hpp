// Processes that do not outlive the one that has started them.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>

#include <csignal>
#endif

namespace fencepost::cli {

// To be called first by a new process: it is killed when `parent`, which has started it, ends in
// whatever way. Linux only; elsewhere it may go on.
inline void end_with([[maybe_unused]] pid_t parent) {
#if defined(__linux__)
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // the parent died before the call of prctl()
#endif
}

}  // namespace fencepost::cli
