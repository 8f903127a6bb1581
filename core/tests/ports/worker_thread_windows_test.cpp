// Worker threads on Windows: what the port asks of functions that the test defines.
#include "fencepost/runtime/worker_thread.hpp"

#include <gtest/gtest.h>
#include <windows.h>
//
#include <process.h>

#include <cerrno>
#include <limits>
#include <string>
#include <system_error>

namespace {

constexpr unsigned id_of_the_thread = 17;

// A fake thread, which runs when it is waited for.
struct system {
  unsigned stack_size = 0, flags = 0;
  unsigned (*start)(void*) = nullptr;
  void* argument = nullptr;
  DWORD current = 1;
  int closed = 0;
  bool refuses = false;
};
system now;

}  // namespace

extern "C" {
DWORD GetLastError() { return 8; }
DWORD GetCurrentThreadId() { return now.current; }
DWORD WaitForSingleObject(HANDLE handle, DWORD timeout) {
  EXPECT_EQ(handle, &now);
  EXPECT_EQ(timeout, INFINITE);
  now.current = id_of_the_thread;
  EXPECT_EQ(now.start(now.argument), 0u);
  now.current = 1;
  return WAIT_OBJECT_0;
}
BOOL CloseHandle(HANDLE handle) {
  EXPECT_EQ(handle, &now);
  ++now.closed;
  return 1;
}
std::uintptr_t _beginthreadex(void*, unsigned stack_size, unsigned (*start)(void*), void* argument,
                              unsigned flags, unsigned* id) {
  now.stack_size = stack_size;
  now.start = start;
  now.argument = argument;
  now.flags = flags;
  *id = id_of_the_thread;
  errno = EAGAIN;
  return now.refuses ? 0 : reinterpret_cast<std::uintptr_t>(&now);
}
}

namespace fencepost {
namespace {

struct worker_thread_on_windows : testing::Test {
  worker_thread_on_windows() { now = {}; }
};

TEST_F(worker_thread_on_windows, reserves_a_stack_of_the_size_and_runs_the_callable) {
  int ran = 0;
  worker_thread thread{{.stack = 5 << 20, .pin_to = 3}, [&ran] { ++ran; }};
  EXPECT_EQ(now.stack_size, 5u << 20);
  EXPECT_EQ(now.flags, STACK_SIZE_PARAM_IS_A_RESERVATION);
  thread.join();
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(now.closed, 1);
  EXPECT_FALSE(thread.joinable());
}

TEST_F(worker_thread_on_windows, a_stack_that_the_system_cannot_count_is_an_error) {
  EXPECT_THROW(worker_thread({.stack = std::numeric_limits<std::size_t>::max()}, [] {}),
               std::system_error);
  EXPECT_EQ(now.start, nullptr);
}

TEST_F(worker_thread_on_windows, a_refusal_is_an_error_that_says_why) {
  now.refuses = true;
  try {
    worker_thread thread{{}, [] {}};
    FAIL() << "it was started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::resource_unavailable_try_again);
    EXPECT_NE(std::string(error.what()).find("no room for another thread"), std::string::npos);
  }
}

TEST_F(worker_thread_on_windows, joining_nothing_or_oneself_is_an_error) {
  worker_thread none;
  EXPECT_THROW(none.join(), std::system_error);
  std::error_code found;
  worker_thread thread;
  thread = worker_thread{{}, [&] {
                           try {
                             thread.join();
                           } catch (const std::system_error& error) {
                             found = error.code();
                           }
                         }};
  thread.join();
  EXPECT_EQ(found, std::errc::resource_deadlock_would_occur);
}

}  // namespace
}  // namespace fencepost
