// A child of the test's process, created by fork(), which Windows does not have.
#pragma once

#if !defined(_WIN32)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitized.hpp"

namespace fencepost {

// The address sanitizer does not ensure that no thread holds a lock of its allocator while another
// thread calls fork(): the child would wait for that lock for ever.
#if defined(ADDRESS_SANITIZED)
inline constexpr bool a_child_may_allocate = false;
#else
inline constexpr bool a_child_may_allocate = true;
#endif
#define SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE() \
  if (!fencepost::a_child_may_allocate) GTEST_SKIP() << "the address sanitizer may be locked"

// Runs `in_child` in a child process, and returns its exit status.
template <class F>
int exit_of_child(F&& in_child) {
  const pid_t child = fork();
  if (child == 0) _exit(in_child());
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

}  // namespace fencepost
#endif
