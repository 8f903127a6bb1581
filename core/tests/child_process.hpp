// A child of the test's process, by fork(), which Windows does not have.
#pragma once

#if !defined(_WIN32)
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fencepost {

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
