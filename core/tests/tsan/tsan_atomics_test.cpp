// Through tsan_atomics, ThreadSanitizer sees what C++20 orders, and nothing else. Each program runs
// in a process of its own: its exit status and its messages tell whether a race was reported. In
// other builds the programs are only compiled.
#include "fencepost/atomics/tsan_atomics.hpp"

#include <gtest/gtest.h>
#include <latch>

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <thread>
#include <vector>

#include "../child_process.hpp"
#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {
namespace {

using policy = tsan_atomics;
constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, acq_rel = std::memory_order_acq_rel,
               seq_cst = std::memory_order_seq_cst;

// A message, and the atomics that publish it. Reading it is a race if it is not published.
// ThreadSanitizer remembers four accesses to each eight bytes, and forgets any one of them for the
// fifth: so nothing else shares the eight bytes of the text.
struct message {
  alignas(8) int text = 0;
  alignas(8) policy::atomic<int> flag{0};
  alignas(8) policy::atomic<int> other{0};
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
  policy::halves word{0, 0};
#endif
};

template <class Ready>
void wait_for(Ready ready) {
  while (!ready()) std::this_thread::yield();
}

template <class Writer, class Reader>
void together(Writer writer, Reader reader) {
  message m;
  std::thread first{[&] { writer(m); }};
  std::thread second{[&] {
    reader(m);
    if (m.text != 1) std::abort();
  }};
  first.join();
  second.join();
}

// Writers. A flag of 1 or more says that the message is there.
void fenced(message& m) {
  m.text = 1;
  policy::fence(release);
  m.flag.store(1, relaxed);
}
void released(message& m) {
  m.text = 1;
  m.flag.store(1, release);
}
void unfenced(message& m) {
  m.text = 1;
  m.flag.store(1, relaxed);
}

// Readers.
void look_and_fence(message& m) {
  wait_for([&] { return m.flag.load(relaxed) != 0; });
  policy::fence(acquire);
}
void look_and_acquire(message& m) {
  wait_for([&] { return m.flag.load(acquire) != 0; });
}
void look(message& m) {
  wait_for([&] { return m.flag.load(relaxed) != 0; });
}

#ifdef FENCEPOST_THREAD_SANITIZER

// A program in which ThreadSanitizer has reported something exits with status 66.
#define EXPECT_REPORTED(writer, reader)                                              \
  EXPECT_EXIT((together(writer, reader), std::exit(0)), testing::ExitedWithCode(66), \
              "ThreadSanitizer: data race")
#define EXPECT_SILENT(writer, reader) \
  EXPECT_EXIT((together(writer, reader), std::exit(0)), testing::ExitedWithCode(0), "^$")

#else

#define EXPECT_REPORTED(writer, reader) static_cast<void>([&] { together(writer, reader); })
#define EXPECT_SILENT(writer, reader) together(writer, reader)

#endif

// A new process for each test: ThreadSanitizer would not report races in a forked one.
struct tsan_atomics_test : testing::Test {
  void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(tsan_atomics_test, fences_order_what_relaxed_accesses_hand_over) {
  EXPECT_SILENT(fenced, look_and_fence);
  EXPECT_SILENT(fenced, look_and_acquire);
  EXPECT_SILENT(released, look_and_fence);
  EXPECT_SILENT(released, look_and_acquire);
}

TEST_F(tsan_atomics_test, fences_of_both_kinds_do_either) {
  EXPECT_SILENT(
      [](message& m) {
        m.text = 1;
        policy::fence(seq_cst);
        m.flag.store(1, relaxed);
      },
      [](message& m) {
        look(m);
        policy::fence(acq_rel);
      });
}

TEST_F(tsan_atomics_test, no_release_fence_is_reported) {
  EXPECT_REPORTED(unfenced, look_and_fence);
  EXPECT_REPORTED(unfenced, look_and_acquire);
  EXPECT_REPORTED(
      [](message& m) {
        m.text = 1;
        policy::fence(acquire);
        m.flag.store(1, relaxed);
      },
      look_and_fence);
}

TEST_F(tsan_atomics_test, no_acquire_fence_is_reported) {
  EXPECT_REPORTED(fenced, look);
  EXPECT_REPORTED(released, look);
  EXPECT_REPORTED(fenced, [](message& m) {
    look(m);
    policy::fence(release);
  });
}

TEST_F(tsan_atomics_test, a_write_between_the_fence_and_the_store_is_reported) {
  EXPECT_REPORTED(
      [](message& m) {
        policy::fence(release);
        m.text = 1;
        m.flag.store(1, relaxed);
      },
      look_and_fence);
}

TEST_F(tsan_atomics_test, a_read_before_the_acquire_fence_is_reported) {
  EXPECT_REPORTED(fenced, [](message& m) {
    look(m);
    if (m.text != 1) std::abort();
    policy::fence(acquire);
  });
}

// A release fence applies to every later store, and an acquire fence to every earlier load.
TEST_F(tsan_atomics_test, a_fence_lasts) {
  EXPECT_SILENT(
      [](message& m) {
        m.text = 1;
        policy::fence(release);
        m.other.store(1, relaxed);
        m.flag.store(1, relaxed);
      },
      look_and_fence);
  EXPECT_SILENT(fenced, [](message& m) {
    look(m);
    static_cast<void>(m.other.load(relaxed));
    policy::fence(acquire);
  });
}

// A read of the relaxed store does not acquire what an earlier release published.
TEST_F(tsan_atomics_test, a_relaxed_store_ends_the_release_sequence) {
  EXPECT_REPORTED(
      [](message& m) {
        m.text = 1;
        m.flag.store(1, release);
        m.flag.store(2, relaxed);
      },
      [](message& m) { wait_for([&] { return m.flag.load(acquire) == 2; }); });
}

TEST_F(tsan_atomics_test, a_relaxed_exchange_continues_the_release_sequence) {
  const auto reader = [](message& m) { wait_for([&] { return m.flag.load(acquire) == 2; }); };
  EXPECT_SILENT(
      [](message& m) {
        released(m);
        m.flag.fetch_add(1, relaxed);
      },
      reader);
  EXPECT_SILENT(
      [](message& m) {
        fenced(m);
        int one = 1;
        if (!m.flag.compare_exchange_strong(one, 2, relaxed, relaxed)) std::abort();
      },
      reader);
}

TEST_F(tsan_atomics_test, exchanges_announce_and_collect) {
  const auto take = [](message& m) {
    wait_for([&] {
      int one = 1;
      return m.flag.compare_exchange_weak(one, 2, relaxed, relaxed);
    });
  };
  EXPECT_SILENT(
      [](message& m) {
        m.text = 1;
        policy::fence(release);
        m.flag.exchange(1, relaxed);
      },
      [&](message& m) {
        take(m);
        policy::fence(acquire);
      });
  EXPECT_REPORTED(fenced, take);
  EXPECT_REPORTED(
      [](message& m) {
        m.text = 1;
        m.flag.fetch_or(1, acquire);
      },
      look_and_acquire);
}

// An exchange that fails loads with the failure order.
TEST_F(tsan_atomics_test, a_failed_exchange_loads_and_releases_nothing) {
  const auto fail = [](message& m, std::memory_order failure) {
    wait_for([&] {
      int seven = 7;
      return !m.flag.compare_exchange_strong(seven, 8, acq_rel, failure) && seven == 1;
    });
  };
  EXPECT_SILENT(released, [&](message& m) { fail(m, acquire); });
  EXPECT_REPORTED(released, [&](message& m) { fail(m, relaxed); });
  EXPECT_REPORTED(
      [](message& m) {
        m.flag.store(1, relaxed);
        m.text = 1;
        int seven = 7;
        m.flag.compare_exchange_strong(seven, 8, acq_rel, relaxed);
        m.other.store(1, relaxed);
      },
      [](message& m) {
        wait_for([&] { return m.other.load(relaxed) != 0; });
        look_and_acquire(m);
      });
}

#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD

TEST_F(tsan_atomics_test, a_fence_before_the_store_of_a_half_reaches_an_exchange_of_the_whole) {
  const auto take = [](message& m) {
    wait_for([&] {
      std::uint64_t seen = std::uint64_t{1} << 32;
      return m.word.compare_exchange_weak(seen, seen + 1, acquire, relaxed);
    });
  };
  EXPECT_SILENT(
      [](message& m) {
        m.text = 1;
        policy::fence(release);
        m.word.store_high(1, relaxed);
      },
      take);
  EXPECT_REPORTED(
      [](message& m) {
        m.text = 1;
        m.word.store_high(1, relaxed);
      },
      take);
}

TEST_F(tsan_atomics_test, an_exchange_of_the_whole_releases_by_either_half) {
  const auto write = [](message& m) {
    m.text = 1;
    std::uint64_t seen = 0;
    if (!m.word.compare_exchange_strong(seen, std::uint64_t{1} << 32 | 1, release, relaxed)) {
      std::abort();
    }
  };
  EXPECT_SILENT(write, [](message& m) { wait_for([&] { return m.word.load_low(acquire) != 0; }); });
  EXPECT_SILENT(write,
                [](message& m) { wait_for([&] { return m.word.load_high(acquire) != 0; }); });
  EXPECT_REPORTED(write,
                  [](message& m) { wait_for([&] { return m.word.load_low(relaxed) != 0; }); });
}

// The halves are two locations: what is released by one is not acquired by the other.
TEST_F(tsan_atomics_test, a_half_releases_by_itself_alone) {
  const auto write = [](message& m) {
    m.text = 1;
    m.word.store_low(1, release);
    m.word.store_high(1, relaxed);
  };
  EXPECT_SILENT(write, [](message& m) { wait_for([&] { return m.word.load_low(acquire) != 0; }); });
  EXPECT_REPORTED(write,
                  [](message& m) { wait_for([&] { return m.word.load_high(acquire) != 0; }); });
  EXPECT_SILENT(write,
                [](message& m) { wait_for([&] { return m.word.load(acquire) >> 32 != 0; }); });
}

#endif

// Plain accesses to an atomic's memory are still detected.
TEST_F(tsan_atomics_test, construction_beside_an_access_is_reported) {
  EXPECT_REPORTED([](message& m) { new (&m.other) policy::atomic<int>{2}; },
                  [](message& m) {
                    static_cast<void>(m.other.load(relaxed));
                    m.text = 1;
                  });
}

// A thread's last steps, after its clocks are destroyed, must not cause a report.
struct at_the_end {
  message* m = nullptr;
  ~at_the_end() {
    if (m != nullptr) fenced(*m);
  }
};
TEST_F(tsan_atomics_test, the_end_of_a_thread_is_no_race) {
  EXPECT_SILENT(
      [](message& m) {
        static thread_local at_the_end last;
        last.m = &m;
        m.other.store(1, relaxed);
      },
      look_and_fence);
}

#ifdef FENCEPOST_THREAD_SANITIZER

// fork() copies the locks that other threads hold at that moment, but not the threads.
TEST_F(tsan_atomics_test, a_child_of_fork_can_go_on) {
  std::vector<policy::atomic<int>> everywhere(1024);  // each lock covers some of them
  std::latch holds{1};
  std::latch over{1};
  std::thread other{[&] {
    const detail::tsan_step step{&everywhere[0]};
    holds.count_down();
    over.wait();
  }};
  holds.wait();
  const int exited = exit_of_child([&] {
    alarm(60);
    for (policy::atomic<int>& each : everywhere) each.fetch_add(1, relaxed);
    return 0;
  });
  over.count_down();
  other.join();
  EXPECT_EQ(exited, 0);
}

#endif

TEST_F(tsan_atomics_test, computes_as_std_atomic_does) {
  policy::atomic<std::uint32_t> word{12};
  EXPECT_EQ(word.load(), 12u);
  word.store(10);
  EXPECT_EQ(word.exchange(6), 10u);
  EXPECT_EQ(word.fetch_add(3, relaxed), 6u);
  EXPECT_EQ(word.fetch_sub(1, relaxed), 9u);
  EXPECT_EQ(word.fetch_and(12, relaxed), 8u);
  EXPECT_EQ(word.fetch_or(3, relaxed), 8u);
  EXPECT_EQ(word.fetch_xor(1, relaxed), 11u);
  std::uint32_t expected = 9;
  EXPECT_FALSE(word.compare_exchange_strong(expected, 1));
  EXPECT_EQ(expected, 10u);
  EXPECT_TRUE(word.compare_exchange_strong(expected, 1));
  while (!word.compare_exchange_weak(expected = 1, 2)) continue;
  EXPECT_EQ(word.load(relaxed), 2u);

  int numbers[3] = {};
  policy::atomic<int*> at{numbers};
  EXPECT_EQ(at.fetch_add(2), numbers);
  EXPECT_EQ(at.fetch_sub(1), numbers + 2);
  EXPECT_EQ(at.load(), numbers + 1);
}

TEST_F(tsan_atomics_test, has_the_operators_of_std_atomic) {
  policy::atomic<int> word{1};
  word = 2;
  EXPECT_EQ(word, 2);
  EXPECT_EQ(++word, 3);
  EXPECT_EQ(word--, 3);
  EXPECT_EQ(word += 5, 7);
  EXPECT_EQ(word -= 1, 6);
  EXPECT_EQ(word &= 3, 2);
  EXPECT_EQ(word |= 1, 3);
  EXPECT_EQ(word ^= 2, 1);

  int numbers[4] = {};
  policy::atomic<int*> at{numbers};
  EXPECT_EQ(at += 3, numbers + 3);
  EXPECT_EQ(--at, numbers + 2);
  EXPECT_EQ(at -= 2, numbers);
  EXPECT_EQ(at++, numbers);
}

TEST_F(tsan_atomics_test, who_waits_is_notified_and_sees_what_was_written) {
  policy::atomic<int> word{0};
  int data = 0;
  std::thread other{[&] {
    data = 1;
    word.store(1, std::memory_order_release);
    word.notify_one();
    word.wait(1, std::memory_order_acquire);
    EXPECT_EQ(data, 2);
  }};
  word.wait(0, std::memory_order_acquire);
  EXPECT_EQ(data, 1);
  data = 2;
  word.store(2, std::memory_order_release);
  word.notify_all();
  other.join();
}

}  // namespace
}  // namespace fencepost
