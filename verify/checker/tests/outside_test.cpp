// Bodies that reach outside the checker: real locks, real threads, real time, the end of the
// program. Each ends in a violation that says where and what to use instead, and the next check is
// right; none ends the test program as if it had passed.
#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <csetjmp>
#include <csignal>
#include <cstdlib>
#include <future>
#include <latch>
#include <mutex>
#include <thread>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using namespace std::chrono_literals;

volatile int zero = 0;

void right_program() {
  const result r = check({}, [] {
    integer x{0};
    in_threads(3, [&](unsigned) { x.fetch_add(1); });
    require(x.load() == 3);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 6U);
}

// Expects misuse, reported at its place, with these words in the message.
void expect_misuse(const std::function<void()>& body, std::initializer_list<const char*> words) {
  const result r = check({}, body);
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(to_string(r.violation->kind), to_string(violation::misuse)) << to_text(r);
  EXPECT_NE(std::string(r.violation->where.file).find("outside_test.cpp"), std::string::npos)
      << r.violation->where.file << ": not the test's own place";
  for (const char* word : words)
    EXPECT_NE(r.violation->message.find(word), std::string::npos)
        << "without " << word << ": " << r.violation->message;
  right_program();
}

// A place in the call stack: a function that is not inlined.
[[gnu::noinline]] void lock(std::mutex& m) {
  m.lock();
  if (zero != 0) lock(m);
}

TEST(real_blocking, of_a_mutex) {
  expect_misuse(
      [] {
        integer x{0};
        std::mutex m;
        in_threads(2, [&](unsigned) {
          lock(m);
          x.fetch_add(1);
          m.unlock();
        });
      },
      {"P::mutex", "testing::lock at outside_test.cpp:", "a lambda at outside_test.cpp:"});
}

TEST(real_blocking, of_a_mutex_of_one_thread) {
  expect_misuse(
      [] {
        integer x{0};
        std::mutex m;
        lock(m);
        x.store(1);
        lock(m);
      },
      {"P::mutex"});
}

TEST(real_blocking, of_a_latch) {
  expect_misuse(
      [] {
        integer x{0};
        std::latch all(2);
        in_threads(2, [&](unsigned) {
          x.fetch_add(1);
          all.arrive_and_wait();
        });
      },
      {"std::latch"});
}

TEST(real_blocking, of_a_condition_variable) {
  expect_misuse(
      [] {
        integer x{0};
        std::mutex m;
        std::condition_variable changed;
        bool ready = false;
        concurrently(
            [&] {
              std::unique_lock held(m);
              changed.wait(held, [&] { return ready; });
            },
            [&] {
              x.store(1);
              ready = true;
              changed.notify_one();
            });
      },
      {"P::condition_variable", "a lambda at outside_test.cpp:"});
}

TEST(real_blocking, of_an_atomic_that_is_waited_for) {
  expect_misuse(
      [] {
        integer x{0};
        std::atomic<int> ready{0};
        concurrently([&] { ready.wait(0); },
                     [&] {
                       x.store(1);
                       ready = 1;
                       ready.notify_one();
                     });
      },
      {"P::atomic"});
}

TEST(real_blocking, of_a_pipe) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  expect_misuse(
      [&] {
        integer x{0};
        x.store(1);
        char c = 0;
        require(read(ends[0], &c, 1) == 1);
      },
      {"read"});
  close(ends[0]);
  close(ends[1]);
}

TEST(real_threads, are_refused) {
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::thread t([] {});
        t.join();
      },
      {"P::thread", "outside_test.cpp:"});
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::async(std::launch::async, [] {}).get();
      },
      {"P::thread"});
}

TEST(real_time, does_not_pass) {
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::this_thread::sleep_for(1ms);
      },
      {"sleeps", "outside_test.cpp:"});
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::this_thread::sleep_until(std::chrono::steady_clock::now() + 1ms);
      },
      {"sleeps"});
}

TEST(the_end_of_the_program, is_a_violation_in_a_body) {
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::exit(0);
      },
      {"ends the program", "outside_test.cpp:"});
  expect_misuse(
      [] {
        integer x{0};
        checked::thread t([&] {
          x.store(1);
          _exit(0);
        });
        t.join();
      },
      {"ends the program"});
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::_Exit(0);
      },
      {"ends the program"});
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        std::quick_exit(0);
      },
      {"ends the program"});
  expect_misuse(
      [] {
        integer x{0};
        x.store(1);
        pthread_exit(nullptr);
      },
      {"pthread_exit"});
}

TEST(the_end_of_the_program, is_none_in_a_process_that_the_body_forked) {
  const result r = check({}, [] {
    integer x{0};
    x.store(1);
    const pid_t child = fork();
    if (child == 0) _exit(3);
    int status = 0;
    waitpid(child, &status, 0);
    require(WIFEXITED(status) && WEXITSTATUS(status) == 3);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

std::jmp_buf outside;

void leave_by_longjmp() {
  if (setjmp(outside) == 0)
    check({}, [] {
      integer x{0};
      x.store(1);
      std::longjmp(outside, 1);
    });
}

TEST(longjmp_death, out_of_a_body_ends_the_program_with_a_message) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  // At the end of the program, and as soon as memory is requested.
  EXPECT_DEATH(
      {
        leave_by_longjmp();
        std::exit(0);
      },
      "was left by longjmp");
  EXPECT_DEATH(
      {
        leave_by_longjmp();
        delete new int(zero);
        _exit(0);
      },
      "was left by longjmp");
}

TEST(longjmp_death, within_a_thread_is_fine) {
  const result r = check({}, [] {
    integer x{0};
    std::jmp_buf here;
    if (setjmp(here) == 0) {
      x.store(1);
      std::longjmp(here, 1);
    }
    x.store(2);
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

// Bodies that are slow, not blocked.

TEST(not_blocked, a_body_that_computes_on_a_busy_machine) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> others;
  for (unsigned i = 0; i < 4 * std::thread::hardware_concurrency(); ++i) {
    others.emplace_back([&] {
      while (!stop) {
      }
    });
  }
  options o;
  o.repeat = false;
  const result r = check(o, [] {
    integer x{0};
    timespec used{};
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_nsec > 50'000'000);  // of this second
    x.store(1);
    timespec now{};
    do clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    while (now.tv_sec == used.tv_sec && now.tv_nsec < used.tv_nsec + 700'000'000);
  });
  stop = true;
  for (std::thread& t : others) t.join();
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

TEST(not_blocked, a_process_that_was_stopped) {
  const pid_t child = fork();
  if (child == 0) {
    const auto end = std::chrono::steady_clock::now() + 4s;
    bool right = true;
    while (right && std::chrono::steady_clock::now() < end) {
      const result r = check({}, [] {
        integer x{0};
        in_threads(4, [&](unsigned) { x.fetch_add(1); });
      });
      right = r.outcome == verdict::verified && r.executions == 24;
    }
    _exit(right ? 0 : 1);
  }
  for (int i = 0; i < 3; ++i) {
    std::this_thread::sleep_for(100ms);
    kill(child, SIGSTOP);
    std::this_thread::sleep_for(1s);
    kill(child, SIGCONT);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

}  // namespace
}  // namespace fencepost::verify::testing
