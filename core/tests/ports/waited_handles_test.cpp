// What a task_runner on Windows asks of the system, with fakes of its functions: each signalled
// object is reported by the wait during which it is signalled, and its signal is consumed once.
#include "../../src/waited_handles.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace {

enum class state : std::uint8_t { not_signalled, signalled, abandoned };

struct fake_object {
  state now = state::not_signalled;
  bool resets_itself = false;
};

// The open objects, and the arguments of the last wait.
struct fake_system {
  std::map<HANDLE, fake_object> objects;
  std::vector<HANDLE> waited_for;
  DWORD timeout = 0;
  DWORD error = 0;
  bool always_fails = false;
};
fake_system windows;

DWORD take(fake_object& from) {
  const state was = from.now;
  if (was == state::not_signalled) return WAIT_TIMEOUT;
  if (from.resets_itself) from.now = state::not_signalled;
  return was == state::signalled ? WAIT_OBJECT_0 : WAIT_ABANDONED_0;
}

}  // namespace

extern "C" {
DWORD GetLastError() { return windows.error; }

DWORD WaitForSingleObject(HANDLE handle, DWORD timeout) {
  EXPECT_EQ(timeout, 0u) << "the runner waits for all at once";
  const auto found = windows.objects.find(handle);
  return found == windows.objects.end() ? WAIT_FAILED : take(found->second);
}

DWORD WaitForMultipleObjects(DWORD count, const HANDLE* handles, BOOL all, DWORD timeout) {
  EXPECT_EQ(all, FALSE);
  EXPECT_GE(count, 1u);
  EXPECT_LE(count, MAXIMUM_WAIT_OBJECTS);
  windows.waited_for.assign(handles, handles + count);
  windows.timeout = timeout;
  for (DWORD i = 0; i < count; ++i)
    if (windows.always_fails || !windows.objects.contains(handles[i])) return WAIT_FAILED;
  for (DWORD i = 0; i < count; ++i)
    if (const DWORD how = take(windows.objects[handles[i]]); how != WAIT_TIMEOUT) return how + i;
  return WAIT_TIMEOUT;
}
}

namespace fencepost::detail {
namespace {

using readiness = waited_handles::readiness;

HANDLE handle(std::uintptr_t number) { return reinterpret_cast<HANDLE>(4 * number); }

waited_handles::watched watched(std::uintptr_t number, watch_for what = watch_for::reading) {
  return {handle(number), what};
}

class waited_handles_test : public ::testing::Test {
 protected:
  static constexpr std::uintptr_t event = 1;

  waited_handles_test() {
    windows = {};
    open(event, {});
  }
  static void open(std::uintptr_t number, fake_object object) {
    windows.objects[handle(number)] = object;
  }
  void watch(std::uintptr_t number, fake_object object) {
    open(number, object);
    all_.add(watched(number));
  }

  waited_handles all_{handle(event)};
};

TEST_F(waited_handles_test, nothing_is_ready_when_the_time_is_over) {
  watch(2, {});
  all_.wait(17);
  EXPECT_EQ(windows.timeout, 17u);
  EXPECT_FALSE(all_.event_signalled());
  EXPECT_EQ(all_.ready(0), readiness::not_ready);
}

TEST_F(waited_handles_test, no_end_is_infinite) {
  all_.wait(-1);
  EXPECT_EQ(windows.timeout, INFINITE);
}

TEST_F(waited_handles_test, one_that_is_always_signalled_hides_none) {
  watch(2, {state::signalled});
  watch(3, {});
  watch(4, {state::signalled, /*resets_itself=*/true});
  open(event, {state::signalled});
  all_.wait(-1);
  EXPECT_TRUE(all_.event_signalled());
  EXPECT_EQ(all_.ready(0), readiness::signalled);
  EXPECT_EQ(all_.ready(1), readiness::not_ready);
  EXPECT_EQ(all_.ready(2), readiness::signalled);
}

TEST_F(waited_handles_test, a_signal_is_taken_once) {
  watch(2, {state::signalled, /*resets_itself=*/true});
  all_.wait(-1);
  EXPECT_EQ(all_.ready(0), readiness::signalled);
  all_.wait(0);
  EXPECT_EQ(all_.ready(0), readiness::not_ready);
}

TEST_F(waited_handles_test, one_that_is_masked_is_not_waited_for_and_keeps_its_signal) {
  watch(2, {state::signalled, /*resets_itself=*/true});
  watch(3, {state::signalled});
  all_.mask(0);
  all_.wait(-1);
  EXPECT_EQ(windows.waited_for, (std::vector<HANDLE>{handle(event), handle(3)}));
  EXPECT_EQ(all_.ready(0), readiness::not_ready);
  EXPECT_EQ(all_.ready(1), readiness::signalled);
  all_.unmask(0);
  all_.wait(-1);
  EXPECT_EQ(all_.ready(0), readiness::signalled);
}

TEST_F(waited_handles_test, one_that_was_closed_is_reported_and_the_others_are_asked) {
  watch(2, {});
  watch(3, {state::signalled});
  windows.objects.erase(handle(2));
  all_.wait(-1);
  EXPECT_EQ(all_.ready(0), readiness::closed);
  EXPECT_TRUE(waited_handles::events_of(all_.ready(0)).closed);
  EXPECT_EQ(all_.ready(1), readiness::signalled);
}

TEST_F(waited_handles_test, an_abandoned_mutex_is_an_error) {
  watch(2, {state::abandoned});
  watch(3, {state::abandoned});
  all_.wait(-1);
  for (const std::size_t at : {0u, 1u}) {
    EXPECT_EQ(all_.ready(at), readiness::abandoned);
    EXPECT_TRUE(waited_handles::events_of(all_.ready(at)).error);
    EXPECT_FALSE(waited_handles::events_of(all_.ready(at)).readable);
  }
}

TEST_F(waited_handles_test, a_wait_that_fails_for_another_reason_is_an_error) {
  windows.always_fails = true;
  windows.error = 8;  // not enough memory
  try {
    all_.wait(-1);
    FAIL() << "no error";
  } catch (const std::system_error& e) {
    EXPECT_EQ(e.code().value(), 8);
    EXPECT_NE(std::string(e.what()).find("WaitForMultipleObjects"), std::string::npos);
  }
}

TEST_F(waited_handles_test, there_are_63_at_most) {
  for (std::uintptr_t i = 2; i < 65; ++i) watch(i, {});
  EXPECT_EQ(all_.size(), 63u);
  EXPECT_THROW(all_.add(watched(65)), std::length_error);
  EXPECT_EQ(all_.size(), 63u);
  all_.wait(0);
  EXPECT_EQ(windows.waited_for.size(), 64u);
  all_.erase(5);
  EXPECT_NO_THROW(all_.add(watched(65)));
}

TEST_F(waited_handles_test, what_cannot_be_waited_for_is_refused) {
  const auto invalid = reinterpret_cast<HANDLE>(std::intptr_t{-1});
  EXPECT_NE(waited_handles::fault_of({nullptr, watch_for::reading}), "");
  EXPECT_NE(waited_handles::fault_of({invalid, watch_for::reading}), "");
  EXPECT_NE(waited_handles::fault_of(watched(1, watch_for::writing)), "");
  EXPECT_EQ(waited_handles::fault_of(watched(1)), "");
}

}  // namespace
}  // namespace fencepost::detail
