// A child of the test's process, by fork(), which Windows does not have.
#pragma once

#if !defined(_WIN32)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sanitized.hpp"

namespace fencepost {

// The address sanitizer does not see to it that no thread holds a lock of its allocator while
// another one calls fork(): the child waits for that lock for ever.
#if defined(ADDRESS_SANITIZED)
inline constexpr bool a_child_may_allocate = false;
#else
inline constexpr bool a_child_may_allocate = true;
#endif
#define SKIP_WHERE_A_CHILD_MAY_NOT_ALLOCATE() \
  if (!fencepost::a_child_may_allocate) GTEST_SKIP() << "the address sanitizer may be locked"

// What a child of fork() exits with.
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
