// The futexes of other systems: each port is compiled against a fake of the system's header, and
// calls functions of this test, which record what they are asked and answer as they are told. This
// shows what the ports ask for, not that the systems do it.
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <deque>
#include <string>
#include <vector>

#include "../../src/futex_freebsd.hpp"
#include "../../src/futex_macos.hpp"
#include "../../src/futex_macos_ulock.hpp"
#include "../../src/futex_windows.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using std::chrono::nanoseconds;

enum class answer { woken, timed_out, interrupted, nobody, value_differs };

// A call, in the units of the system that it is made to.
struct call {
  std::string function;
  const void* at = nullptr;
  std::uint64_t value = 0;    // the value waited on, or how many to wake
  std::uint64_t timeout = 0;  // of a wait
  std::uint64_t flags = 0;
  const void* size_of_time = nullptr;  // FreeBSD's
  std::uint32_t clock = 0;
};

std::vector<call> calls;
std::deque<answer> answers;  // in order; once empty: woken

deadline now{1000s};  // what the ports' clock returns

struct hand_clock {
  static deadline now() { return fencepost::now; }
};

answer next_answer() {
  if (answers.empty()) return answer::woken;
  const answer next = answers.front();
  answers.pop_front();
  return next;
}

// Reports the answer as systems with errno do.
int by_errno(answer given) {
  switch (given) {
    case answer::woken: return 0;
    case answer::timed_out: errno = ETIMEDOUT; return -1;
    case answer::interrupted: errno = EINTR; return -1;
    case answer::nobody: errno = ENOENT; return -1;
    case answer::value_differs: errno = EAGAIN; return -1;
  }
  return 0;
}

DWORD last_error = 0;

}  // namespace
}  // namespace fencepost

using namespace fencepost;

// The fake systems.
extern "C" {

int _umtx_op(void* object, int operation, u_long value, void* first, void* second) {
  call made{operation == UMTX_OP_WAKE_PRIVATE ? "wake" : "wait", object, value};
  EXPECT_TRUE(operation == UMTX_OP_WAKE_PRIVATE || operation == UMTX_OP_WAIT_UINT_PRIVATE);
  made.size_of_time = first;
  EXPECT_EQ(first == nullptr, second == nullptr);
  if (second != nullptr) {
    const auto* at = static_cast<const _umtx_time*>(second);
    made.timeout = static_cast<std::uint64_t>(at->_timeout.tv_sec) * 1'000'000'000 +
                   static_cast<std::uint64_t>(at->_timeout.tv_nsec);
    made.flags = at->_flags;
    made.clock = at->_clockid;
  }
  calls.push_back(made);
  return by_errno(next_answer());
}

int os_sync_wait_on_address(void* at, std::uint64_t value, std::size_t size,
                            os_sync_wait_on_address_flags_t) {
  EXPECT_EQ(size, 4u);
  calls.push_back({"wait", at, value});
  return by_errno(next_answer());
}
int os_sync_wait_on_address_with_timeout(void* at, std::uint64_t value, std::size_t size,
                                         os_sync_wait_on_address_flags_t, os_clockid_t clock,
                                         std::uint64_t timeout) {
  EXPECT_EQ(size, 4u);
  EXPECT_EQ(clock, OS_CLOCK_MACH_ABSOLUTE_TIME);
  calls.push_back({"wait", at, value, timeout});
  return by_errno(next_answer());
}
int os_sync_wake_by_address_any(void* at, std::size_t size, os_sync_wake_by_address_flags_t) {
  EXPECT_EQ(size, 4u);
  calls.push_back({"wake", at, 1});
  return by_errno(next_answer());
}
int os_sync_wake_by_address_all(void* at, std::size_t size, os_sync_wake_by_address_flags_t) {
  EXPECT_EQ(size, 4u);
  calls.push_back({"wake all", at});
  return by_errno(next_answer());
}

int __ulock_wait(std::uint32_t operation, void* at, std::uint64_t value, std::uint32_t timeout) {
  EXPECT_EQ(operation, 0x0100'0001u) << "compare and wait; no errno";
  calls.push_back({"wait", at, value, timeout});
  return by_errno(next_answer()) == 0 ? 0 : -errno;
}
int __ulock_wake(std::uint32_t operation, void* at, std::uint64_t) {
  EXPECT_EQ(operation & ~0x100u, 0x0100'0001u);
  const bool all = (operation & 0x100u) != 0;
  calls.push_back({all ? "wake all" : "wake", at, all ? 0u : 1u});
  return by_errno(next_answer()) == 0 ? 0 : -errno;
}

DWORD GetLastError() { return last_error; }
BOOL WaitOnAddress(volatile void* at, PVOID compare, SIZE_T size, DWORD timeout) {
  EXPECT_EQ(size, 4u);
  std::uint32_t value = 0;
  std::memcpy(&value, compare, sizeof value);
  calls.push_back({"wait", const_cast<const void*>(at), value, timeout});
  switch (next_answer()) {
    case answer::timed_out: last_error = ERROR_TIMEOUT; return 0;
    case answer::interrupted: last_error = 5; return 0;
    default: return 1;
  }
}
void WakeByAddressSingle(PVOID at) { calls.push_back({"wake", at, 1}); }
void WakeByAddressAll(PVOID at) { calls.push_back({"wake all", at}); }

}  // extern "C"

namespace fencepost {
namespace {

using detail::longest_wait;
using detail::time_left;

TEST(time_left, is_rounded_up) {
  using std::chrono::microseconds, std::chrono::milliseconds;
  EXPECT_EQ(time_left<milliseconds>(now + 1ns, now), 1ms);
  EXPECT_EQ(time_left<milliseconds>(now + 1ms, now), 1ms);
  EXPECT_EQ(time_left<milliseconds>(now + 1ms + 1ns, now), 2ms);
  EXPECT_EQ(time_left<microseconds>(now + 1ms + 1ns, now), 1001us);
  EXPECT_EQ(time_left<nanoseconds>(now + 7ns, now), 7ns);
}

TEST(time_left, is_nothing_when_the_deadline_has_passed) {
  for (const deadline until : {now, now - 1ns, deadline{}, deadline::min()}) {
    EXPECT_EQ(time_left<nanoseconds>(until, now), 0ns);
  }
}

TEST(time_left, of_a_deadline_far_off_is_cut) {
  for (const deadline until : {now + longest_wait + 1ns, now + 24h, deadline::max() - 1ns}) {
    EXPECT_EQ(time_left<nanoseconds>(until, now), longest_wait);
  }
  EXPECT_EQ(time_left<nanoseconds>(now + longest_wait - 1ns, now), longest_wait - 1ns);
}

static_assert(std::chrono::microseconds{longest_wait}.count() <= 0xffff'ffff &&
              std::chrono::milliseconds{longest_wait}.count() < INFINITE);

struct freebsd {
  static constexpr std::uint64_t for_ever = 0;
  static constexpr bool asks_with_no_time = true;  // leaves time-outs to the system
  static bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    return detail::freebsd_futex::wait<hand_clock>(word, expected, until);
  }
  static void wake(std::atomic<std::uint32_t>& word, unsigned n) {
    detail::freebsd_futex::wake(word, n);
  }
  // Time-outs are absolute.
  static std::uint64_t time(nanoseconds left) {
    return static_cast<std::uint64_t>(
        std::max((now + left).time_since_epoch(), deadline::duration{0}).count());
  }
};

struct macos {
  static constexpr std::uint64_t for_ever = 0;
  static constexpr bool asks_with_no_time = false;
  static bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    return detail::macos_futex::wait<hand_clock>(word, expected, until);
  }
  static void wake(std::atomic<std::uint32_t>& word, unsigned n) {
    detail::macos_futex::wake(word, n);
  }
  static std::uint64_t time(nanoseconds left) { return static_cast<std::uint64_t>(left.count()); }
};

struct macos_ulock {
  static constexpr std::uint64_t for_ever = 0;
  static constexpr bool asks_with_no_time = false;
  static bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    return detail::macos_ulock_futex::wait<hand_clock>(word, expected, until);
  }
  static void wake(std::atomic<std::uint32_t>& word, unsigned n) {
    detail::macos_ulock_futex::wake(word, n);
  }
  static std::uint64_t time(nanoseconds left) {
    return (static_cast<std::uint64_t>(left.count()) + 999) / 1000;
  }
};

struct windows {
  static constexpr std::uint64_t for_ever = INFINITE;
  static constexpr bool asks_with_no_time = false;
  static bool wait(const std::atomic<std::uint32_t>& word, std::uint32_t expected, deadline until) {
    return detail::windows_futex::wait<hand_clock>(word, expected, until);
  }
  static void wake(std::atomic<std::uint32_t>& word, unsigned n) {
    detail::windows_futex::wake(word, n);
  }
  static std::uint64_t time(nanoseconds left) {
    return (static_cast<std::uint64_t>(left.count()) + 999'999) / 1'000'000;
  }
};

template <class Port>
struct futex_port : testing::Test {
  std::atomic<std::uint32_t> word{7};

  futex_port() {
    calls.clear();
    answers.clear();
    now = deadline{1000s};
    last_error = 0;
  }
  bool wait(deadline until, std::uint32_t expected = 7) {
    return Port::wait(word, expected, until);
  }
};

using ports = testing::Types<freebsd, macos, macos_ulock, windows>;
TYPED_TEST_SUITE(futex_port, ports, );

TYPED_TEST(futex_port, a_wait_without_a_deadline_is_for_ever) {
  EXPECT_TRUE(this->wait(no_deadline));
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].function, "wait");
  EXPECT_EQ(calls[0].at, &this->word);
  EXPECT_EQ(calls[0].value, 7u);
  EXPECT_EQ(calls[0].timeout, TypeParam::for_ever);
  EXPECT_EQ(calls[0].size_of_time, nullptr);
}

TYPED_TEST(futex_port, a_deadline_is_told_in_the_systems_unit_rounded_up) {
  for (const nanoseconds left : {1ns, 999ns, nanoseconds{1us}, nanoseconds{1500us},
                                 nanoseconds{3s} + 1ns, nanoseconds{longest_wait}}) {
    calls.clear();
    EXPECT_TRUE(this->wait(now + left));
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].timeout, TypeParam::time(left)) << left.count();
  }
}

TYPED_TEST(futex_port, a_deadline_far_off_is_waited_for_in_turns) {
  for (const deadline until : {now + longest_wait + 1ns, now + 24h * 365, no_deadline - 1ns}) {
    calls.clear();
    answers = {answer::timed_out};
    EXPECT_TRUE(this->wait(until)) << "the deadline has not passed";
    ASSERT_EQ(calls.size(), 1u);
    EXPECT_EQ(calls[0].timeout, TypeParam::time(longest_wait));
  }
}

TYPED_TEST(futex_port, a_deadline_that_has_passed_is_a_timeout) {
  for (const deadline until : {now, now - 1ns, deadline{}, deadline::min()}) {
    calls.clear();
    answers = {answer::timed_out};
    EXPECT_FALSE(this->wait(until));
    EXPECT_EQ(calls.size(), TypeParam::asks_with_no_time ? 1u : 0u)
        << "nothing, or a time that means for ever, would be asked";
  }
}

TYPED_TEST(futex_port, another_value_is_no_timeout_even_when_the_deadline_has_passed) {
  answers = {answer::value_differs};
  EXPECT_TRUE(this->wait(now - 1s, 8));
}

TYPED_TEST(futex_port, what_is_no_timeout_is_an_early_return) {
  for (const answer given : {answer::woken, answer::interrupted, answer::value_differs}) {
    for (const deadline until : {no_deadline, now + 1s}) {
      answers = {given};
      EXPECT_TRUE(this->wait(until));
    }
  }
}

// The system's clock may differ from the program's.
TYPED_TEST(futex_port, a_timeout_before_the_deadline_is_an_early_return) {
  answers = {answer::timed_out};
  EXPECT_TRUE(this->wait(now + 1s));
}

TYPED_TEST(futex_port, a_timeout_after_the_deadline_is_one) {
  answers = {answer::timed_out};
  const deadline until = now + 1s;
  struct late {
    static deadline now() {
      const deadline shown = fencepost::now;
      fencepost::now += 2s;  // before the next reading
      return shown;
    }
  };
  if constexpr (std::is_same_v<TypeParam, freebsd>) {
    EXPECT_FALSE(detail::freebsd_futex::wait<late>(this->word, 7, until));
  } else if constexpr (std::is_same_v<TypeParam, macos>) {
    EXPECT_FALSE(detail::macos_futex::wait<late>(this->word, 7, until));
  } else if constexpr (std::is_same_v<TypeParam, macos_ulock>) {
    EXPECT_FALSE(detail::macos_ulock_futex::wait<late>(this->word, 7, until));
  } else {
    EXPECT_FALSE(detail::windows_futex::wait<late>(this->word, 7, until));
  }
}

TYPED_TEST(futex_port, a_wake_of_one_wakes_one) {
  TypeParam::wake(this->word, 1);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].function, "wake");
  EXPECT_EQ(calls[0].at, &this->word);
  EXPECT_EQ(calls[0].value, 1u);
}

TYPED_TEST(futex_port, a_wake_of_none_wakes_none) {
  TypeParam::wake(this->word, 0);
  EXPECT_TRUE(calls.empty());
}

TYPED_TEST(futex_port, a_wake_of_three_wakes_three) {
  TypeParam::wake(this->word, 3);
  std::uint64_t woken = 0;
  for (const call& each : calls) {
    EXPECT_EQ(each.function, "wake");
    woken += each.value;
  }
  EXPECT_EQ(woken, 3u);
}

TYPED_TEST(futex_port, a_wake_of_all_is_one_call) {
  for (const unsigned n : {~0u, 1u << 31, 17u}) {
    calls.clear();
    TypeParam::wake(this->word, n);
    ASSERT_EQ(calls.size(), 1u);
    if (std::is_same_v<TypeParam, freebsd>) {
      EXPECT_EQ(calls[0].value, std::min(n, 0x7fff'ffffu));
    } else {
      EXPECT_EQ(calls[0].function, "wake all");
    }
  }
}

TYPED_TEST(futex_port, a_wake_with_nobody_there_is_not_tried_again) {
  answers = {answer::nobody};
  TypeParam::wake(this->word, 5);
  // Windows does not report whether a thread was woken.
  EXPECT_EQ(calls.size(), (std::is_same_v<TypeParam, windows> ? 5u : 1u));
}

TEST(freebsd, a_deadline_is_absolute_by_the_monotonic_clock) {
  const std::atomic<std::uint32_t> word{0};
  calls.clear();
  now = deadline{1000s};
  freebsd::wait(word, 0, now + 1500ms);
  ASSERT_EQ(calls.size(), 1u);
  EXPECT_EQ(calls[0].timeout, 1'001'500'000'000u);
  EXPECT_EQ(calls[0].flags, static_cast<std::uint64_t>(UMTX_ABSTIME));
  EXPECT_EQ(calls[0].clock, static_cast<std::uint32_t>(CLOCK_MONOTONIC));
  EXPECT_EQ(calls[0].size_of_time, reinterpret_cast<const void*>(sizeof(_umtx_time)));
}

TEST(macos_ulock, a_wake_that_is_interrupted_is_made_again) {
  std::atomic<std::uint32_t> word{0};
  calls.clear();
  answers = {answer::interrupted, answer::interrupted, answer::woken};
  macos_ulock::wake(word, 1);
  EXPECT_EQ(calls.size(), 3u);
}

}  // namespace
}  // namespace fencepost
