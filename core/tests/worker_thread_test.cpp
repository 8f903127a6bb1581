// Threads with stacks of their own, on the real system.
#include "fencepost/runtime/worker_thread.hpp"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

#include "../src/placement_order.hpp"
#include "fencepost/runtime/placement.hpp"
#include "sanitized.hpp"

namespace fencepost {
namespace {

constexpr std::size_t mebibyte = std::size_t{1} << 20;

struct range {
  std::byte* low = nullptr;
  std::size_t size = 0;
};

// The stack of the calling thread, according to the system.
range own_stack() {
  pthread_attr_t attributes;
  void* low = nullptr;
  range found;
  EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  EXPECT_EQ(pthread_attr_getstack(&attributes, &low, &found.size), 0);
  pthread_attr_destroy(&attributes);
  found.low = static_cast<std::byte*>(low);
  return found;
}

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

bool mapped(void* page) {
  unsigned char resident = 0;
  return mincore(page, page_size(), &resident) == 0;
}

// How many bytes of the range are resident.
std::size_t resident(range of) {
  std::vector<unsigned char> pages(of.size / page_size());
  EXPECT_EQ(mincore(of.low, of.size, pages.data()), 0);
  std::size_t count = 0;
  for (const unsigned char page : pages) count += page & 1U;
  return count * page_size();
}

TEST(worker_thread, runs_its_callable_and_join_sees_what_it_did) {
  int seen = 0;
  worker_thread thread{{}, [&seen] { seen = 7; }};
  EXPECT_TRUE(thread.joinable());
  thread.join();
  EXPECT_FALSE(thread.joinable());
  EXPECT_EQ(seen, 7);
}

TEST(worker_thread, takes_a_callable_that_can_only_be_moved_and_destroys_it_in_the_thread) {
  struct tells {
    pthread_t* destroyed_by;
    explicit tells(pthread_t* to) : destroyed_by(to) {}
    tells(const tells&) = delete;
    tells& operator=(const tells&) = delete;
    ~tells() { *destroyed_by = pthread_self(); }
  };
  pthread_t ran_in{}, destroyed_by{};
  auto owned = std::make_unique<tells>(&destroyed_by);
  worker_thread thread{{}, [&ran_in, owned = std::move(owned)] { ran_in = pthread_self(); }};
  thread.join();
  EXPECT_NE(pthread_equal(ran_in, destroyed_by), 0);
  EXPECT_EQ(pthread_equal(ran_in, pthread_self()), 0);
}

TEST(worker_thread, moves) {
  std::atomic<int> ran{0};
  worker_thread a{{}, [&ran] { ++ran; }};
  worker_thread b{std::move(a)};
  EXPECT_FALSE(a.joinable());  // NOLINT(bugprone-use-after-move): no thread
  a = std::move(b);
  a.join();
  std::vector<worker_thread> many;
  for (int i = 0; i < 8; ++i) many.emplace_back(worker_thread_options{}, [&ran] { ++ran; });
  for (worker_thread& each : many) each.join();
  EXPECT_EQ(ran, 9);
}

TEST(worker_thread, has_a_stack_of_the_size_that_was_asked_for) {
  for (const std::size_t size : {mebibyte, 3 * mebibyte - 1, 64 * mebibyte}) {
    range stack;
    worker_thread thread{{.stack = size}, [&stack] { stack = own_stack(); }};
    thread.join();
    EXPECT_GE(stack.size, size);
    EXPECT_LT(stack.size, size + page_size());
  }
}

TEST(worker_thread, has_the_systems_stack_for_a_size_of_zero) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  range stack;
  worker_thread thread{{.stack = 0}, [&stack] { stack = own_stack(); }};
  thread.join();
  if (limit.rlim_cur != RLIM_INFINITY) {
    EXPECT_LE(stack.size, limit.rlim_cur + page_size());
  }
  EXPECT_GE(stack.size, 16u << 10);
}

TEST(worker_thread, a_large_stack_takes_no_memory_until_it_is_used) {
  const std::size_t size = 256 * mebibyte;
  std::size_t before = 0, after = 0;
  worker_thread thread{{.stack = size}, [&] {
                         const range stack = own_stack();
                         before = resident(stack);
                         // A quarter at the high end, except for the part already in use.
                         for (std::size_t at = size / 4; at > mebibyte; at -= page_size()) {
                           static_cast<volatile std::byte*>(stack.low)[size - at] = std::byte{1};
                         }
                         after = resident(stack);
                       }};
  thread.join();
  EXPECT_LT(before, 16 * mebibyte);
  EXPECT_GT(after, 48 * mebibyte);
  EXPECT_LT(after, 128 * mebibyte);
}

TEST(worker_thread, join_gives_the_address_space_back) {
  range stack;
  bool there = false;
  worker_thread thread{{.stack = 64 * mebibyte}, [&] {
                         stack = own_stack();
                         there = mapped(stack.low) && mapped(stack.low - page_size());
                       }};
  thread.join();
  EXPECT_TRUE(there) << "the guard is mapped, without access";
  EXPECT_FALSE(mapped(stack.low + stack.size / 2));
  EXPECT_FALSE(mapped(stack.low));
  EXPECT_FALSE(mapped(stack.low - page_size())) << "the guard";
  EXPECT_FALSE(mapped(stack.low + stack.size - page_size()));
}

#if !defined(SANITIZED)  // sanitizers change frame sizes, and handle the signal
std::byte* guard_end = nullptr;

// Exits with 3 if the fault is at an address within the guard.
void on_fault(int, siginfo_t* what, void*) {
  const auto at = reinterpret_cast<std::uintptr_t>(what->si_addr);
  const auto end = reinterpret_cast<std::uintptr_t>(guard_end);
  _exit(at < end && at >= end - (64U << 10) ? 3 : 4);
}

[[gnu::noinline]] int recurses(int n) {  // NOLINT: that is what it does
  volatile char frame[512];
  frame[n % 512] = 1;
  return n == std::numeric_limits<int>::max() ? 0 : recurses(n + 1) + frame[n % 512];
}

[[noreturn]] void overflow(std::size_t size) {
  worker_thread thread{{.stack = size}, [] {
                         static std::array<std::byte, 64 << 10> other;
                         stack_t alternate{};
                         alternate.ss_sp = other.data();
                         alternate.ss_size = other.size();
                         sigaltstack(&alternate, nullptr);
                         struct sigaction action {};
                         action.sa_sigaction = on_fault;
                         action.sa_flags = SA_SIGINFO | SA_ONSTACK;
                         sigaction(SIGSEGV, &action, nullptr);
                         sigaction(SIGBUS, &action, nullptr);
                         guard_end = own_stack().low;
                         recurses(0);
                       }};
  thread.join();
  _exit(5);
}

TEST(worker_thread_death, overflowing_the_stack_faults_in_the_guard) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(overflow(mebibyte), testing::ExitedWithCode(3), "");
}

[[noreturn]] void overflow_of(const char* name) {
  worker_thread other{{}, [] {}};
  other.join();
  worker_thread thread{{.stack = mebibyte, .name = name}, [] { recurses(0); }};
  thread.join();
  _exit(5);
}

TEST(worker_thread_death, overflowing_the_stack_says_which_thread_and_how_large_it_was) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_EXIT(overflow_of("some-thread-of-a-program"), testing::KilledBySignal(SIGSEGV),
              "the thread some-thread-of-a-program has overflowed its stack of 1048576 bytes"
              ".*set stack to more");
  EXPECT_EXIT(overflow_of(""), testing::KilledBySignal(SIGSEGV),
              "the thread of a worker has overflowed");
}

TEST(worker_thread_death, a_handler_that_the_program_has_for_faults_is_left_alone) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto fault = [] {
    std::signal(SIGSEGV, [](int) { _exit(6); });
    worker_thread thread{{.name = "its-name"}, [] { raise(SIGSEGV); }};
    thread.join();
    _exit(5);
  };
  EXPECT_EXIT(fault(), testing::ExitedWithCode(6), "^$");
}

TEST(worker_thread_death, a_fault_elsewhere_ends_the_program_without_a_message) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto fault = [] {
    worker_thread thread{{}, [] {
                           void* const at = mmap(nullptr, page_size(), PROT_NONE,
                                                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                           *static_cast<volatile char*>(at) = 1;
                         }};
    thread.join();
    _exit(5);
  };
  EXPECT_EXIT(fault(), testing::KilledBySignal(SIGSEGV), "^$");
}

TEST(worker_thread_death, the_signal_sent_by_another_process_ends_the_program_as_ever) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto killed = [] {
    worker_thread thread{{}, [] {
                           kill(getpid(), SIGSEGV);
                           for (;;) pause();
                         }};
    thread.join();
  };
  EXPECT_EXIT(killed(), testing::KilledBySignal(SIGSEGV), "^$");
}
#endif

#if defined(__linux__)
TEST(worker_thread, has_the_name_that_was_asked_for) {
  const auto shown = [](const char* asked) {
    std::array<char, 16> name{};
    worker_thread thread{{.name = asked},
                         [&name] { pthread_getname_np(pthread_self(), name.data(), name.size()); }};
    thread.join();
    return std::string{name.data()};
  };
  EXPECT_EQ(shown("fencepost-3"), "fencepost-3");
  EXPECT_EQ(shown("a name of more than 15 characters"), "a name of more ");
  std::array<char, 16> own{};
  pthread_getname_np(pthread_self(), own.data(), own.size());
  EXPECT_EQ(shown(""), own.data());
}
#endif

TEST(worker_thread_death, an_exception_that_leaves_the_callable_ends_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(
      {
        worker_thread thread({}, [] { throw std::runtime_error("from the callable"); });
        thread.join();
      },
      "");
}

TEST(worker_thread_death, a_thread_that_is_not_joined_ends_the_program) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  EXPECT_DEATH(worker_thread({}, [] {}), "");
}

template <class Error>
std::string what_of(const worker_thread_options& options) {
  try {
    worker_thread thread{options, [] { ADD_FAILURE() << "it was started"; }};
    thread.join();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing";
}

TEST(worker_thread, a_stack_that_is_too_small_is_an_error_that_says_how_much_is_needed) {
  for (const std::size_t size : {std::size_t{1}, std::size_t{4096}}) {
    const std::string what = what_of<std::invalid_argument>({.stack = size});
    EXPECT_NE(what.find("a stack of " + std::to_string(size) + " bytes is too small"), what.npos)
        << what;
    EXPECT_NE(what.find("at least"), what.npos) << what;
  }
}

TEST(worker_thread, the_smallest_stack_that_the_error_names_is_enough_or_the_system_says_so) {
  const std::string what = what_of<std::invalid_argument>({.stack = 1});
  const std::size_t at = what.find("at least ");
  ASSERT_NE(at, what.npos);
  const std::size_t smallest = std::stoul(what.substr(at + 9));
  try {
    worker_thread thread{{.stack = smallest}, [] {}};
    thread.join();
  } catch (const std::invalid_argument& error) {  // thread-local variables are on the stack too
    EXPECT_NE(std::string(error.what()).find("thread-local"), std::string::npos) << error.what();
  }
}

TEST(worker_thread, a_stack_that_there_is_no_address_space_for_is_an_error) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most, most - 4096, most / 2}) {
    const std::string what = what_of<std::system_error>({.stack = size});
    EXPECT_NE(what.find("no address space for a stack of " + std::to_string(size)), what.npos)
        << what;
    EXPECT_NE(what.find("ulimit -v"), what.npos) << what;
  }
}

TEST(worker_thread, a_failed_start_destroys_the_callable_and_leaves_the_thread_as_it_was) {
  auto counted = std::make_shared<int>(0);
  worker_thread thread;
  EXPECT_THROW(thread = worker_thread({.stack = 1}, [counted] { ++*counted; }),
               std::invalid_argument);
  EXPECT_EQ(counted.use_count(), 1);
  EXPECT_FALSE(thread.joinable());
}

TEST(worker_thread, a_callable_that_cannot_be_copied_passes_its_exception_on) {
  struct refuses {
    refuses() = default;
    refuses(const refuses&) { throw std::length_error("a copy"); }
    void operator()() const {}
  };
  const refuses body;
  EXPECT_THROW(worker_thread({}, body), std::length_error);
}

TEST(worker_thread, joining_nothing_or_oneself_is_an_error) {
  worker_thread none;
  try {
    none.join();
    ADD_FAILURE() << "it was joined";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code(), std::errc::invalid_argument);
  }
  worker_thread thread;
  std::atomic<bool> ready{false};
  std::error_code found;
  std::string what;
  thread = worker_thread{{}, [&] {
                           while (!ready.load(std::memory_order_acquire)) sched_yield();
                           try {
                             thread.join();
                           } catch (const std::system_error& error) {
                             found = error.code();
                             what = error.what();
                           }
                         }};
  ready.store(true, std::memory_order_release);
  thread.join();
  EXPECT_EQ(found, std::errc::resource_deadlock_would_occur);
  EXPECT_NE(what.find("by the thread itself"), what.npos) << what;
}

// ---- Placement -----------------------------------------------------------------------------

#if defined(__linux__)
cpu_set_t processors_of_a_thread_at(std::optional<std::uint32_t> place) {
  cpu_set_t found;
  CPU_ZERO(&found);
  worker_thread thread{{.pin_to = place},
                       [&found] { EXPECT_EQ(sched_getaffinity(0, sizeof found, &found), 0); }};
  thread.join();
  return found;
}

TEST(placement, threads_at_different_places_have_no_processor_in_common) {
  const std::uint32_t places = placement::places();
  if (places < 2) GTEST_SKIP() << "there are " << places << " places";
  cpu_set_t all;
  CPU_ZERO(&all);
  for (std::uint32_t n = 0; n < places; ++n) {
    const cpu_set_t own = processors_of_a_thread_at(n);
    cpu_set_t both;
    CPU_AND(&both, &own, &all);
    EXPECT_GT(CPU_COUNT(&own), 0);
    EXPECT_EQ(CPU_COUNT(&both), 0) << "place " << n;
    CPU_OR(&all, &all, &own);
  }
}

TEST(placement, numbers_go_round) {
  const std::uint32_t places = placement::places();
  if (places == 0) GTEST_SKIP() << "there are no places";
  for (std::uint32_t n = 0; n < places; ++n) {
    const cpu_set_t once = processors_of_a_thread_at(n);
    const cpu_set_t again = processors_of_a_thread_at(n + places);
    EXPECT_NE(CPU_EQUAL(&once, &again), 0) << "place " << n;
  }
}

TEST(placement, a_thread_that_asks_for_no_place_and_the_one_that_starts_it_stay_as_they_are) {
  cpu_set_t before, after;
  ASSERT_EQ(sched_getaffinity(0, sizeof before, &before), 0);
  processors_of_a_thread_at(0);
  const cpu_set_t other = processors_of_a_thread_at({});
  ASSERT_EQ(sched_getaffinity(0, sizeof after, &after), 0);
  EXPECT_NE(CPU_EQUAL(&before, &after), 0);
  EXPECT_NE(CPU_EQUAL(&before, &other), 0);
}
#endif

TEST(placement, is_available_when_there_are_places_and_says_no_when_there_are_none) {
  EXPECT_EQ(placement::available(), placement::places() != 0);
#if FENCEPOST_WITH_HWLOC
  EXPECT_TRUE(placement::available()) << "built with hwloc";
#else
  EXPECT_FALSE(placement::available()) << "built without hwloc";
  EXPECT_FALSE(placement::pin_this_thread(0));
  EXPECT_FALSE(placement::bind_memory(nullptr, 0, 0));
#endif
}

// To what the memory can be bound depends on the machine; that it remains usable does not.
TEST(placement, memory_that_was_bound_can_be_used) {
  const std::size_t size = 16 * page_size();
  void* const at = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(at, MAP_FAILED);
  static_cast<void>(placement::bind_memory(at, size, 0));
  auto* const bytes = static_cast<volatile char*>(at);
  bytes[0] = 1;
  bytes[size - 1] = 1;
  EXPECT_EQ(bytes[0] + bytes[size - 1], 2);
  munmap(at, size);
}

TEST(placement, neighbours_are_far_from_each_other) {
  using order = std::vector<std::size_t>;
  EXPECT_EQ(detail::spread_first({}), order{});
  EXPECT_EQ(detail::spread_first({0, 0, 0}), (order{0, 1, 2}));
  EXPECT_EQ(detail::spread_first({0, 0, 1, 1}), (order{0, 2, 1, 3}));
  EXPECT_EQ(detail::spread_first({5, 5, 5, 2}), (order{3, 0, 1, 2}));
  EXPECT_EQ(detail::spread_first({0, 1, 2, 0, 1, 2}), (order{0, 1, 2, 3, 4, 5}));
}

}  // namespace
}  // namespace fencepost
