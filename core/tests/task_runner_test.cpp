// The task runner: what it runs and when, each wrong use, what happens to what is left, and what it
// allocates. Compiled twice: woken by an eventfd, and by a pipe.
#include "fencepost/runtime/task_runner.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* const memory =
      alignment == 0
          ? std::malloc(size)
          : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

// Out of line, all: g++ takes what it can look into for a mismatch of new and free().
[[gnu::noinline]] void* operator new(std::size_t size) { return counted(size, 0); }
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void* operator new(std::size_t size, std::align_val_t alignment,
                                     const std::nothrow_t&) noexcept {
  return counted(size, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t,
                                       const std::nothrow_t&) noexcept {
  std::free(memory);
}

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// What() of the exception of this type that f throws.
template <class Exception, class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "nothing was thrown";
}

class pipe_ends {
 public:
  pipe_ends() { EXPECT_EQ(::pipe(ends_), 0); }
  ~pipe_ends() {
    close_read();
    close_write();
  }
  pipe_ends(const pipe_ends&) = delete;
  pipe_ends& operator=(const pipe_ends&) = delete;
  int read_end() const { return ends_[0]; }
  int write_end() const { return ends_[1]; }
  void write(char byte = 'x') const { EXPECT_EQ(::write(ends_[1], &byte, 1), 1); }
  char read() const {
    char byte = 0;
    EXPECT_EQ(::read(ends_[0], &byte, 1), 1);
    return byte;
  }
  void close_read() { close(ends_[0]); }
  void close_write() { close(ends_[1]); }

 private:
  static void close(int& end) {
    if (end >= 0) ::close(end);
    end = -1;
  }
  int ends_[2]{-1, -1};
};

// A thread that runs, for what other threads do to it.
class running_thread {
 public:
  explicit running_thread(task_runner& runner) : runner_(runner), thread_([&] { runner.run(); }) {}
  ~running_thread() { stop(); }
  running_thread(const running_thread&) = delete;
  running_thread& operator=(const running_thread&) = delete;
  void stop() {
    if (!thread_.joinable()) return;
    runner_.quit();
    thread_.join();
  }

 private:
  task_runner& runner_;
  std::thread thread_;
};

TEST(task_runner, tasks_of_one_thread_run_in_its_order) {
  task_runner runner;
  std::vector<int> ran;
  for (int number = 0; number < 2000; ++number) {
    runner.post([&ran, number] { ran.push_back(number); });
  }
  EXPECT_TRUE(ran.empty());
  runner.run_until_idle();
  ASSERT_EQ(ran.size(), 2000u);
  for (int number = 0; number < 2000; ++number)
    EXPECT_EQ(ran[static_cast<unsigned>(number)], number);
}

TEST(task_runner, tasks_may_be_movable_only_or_large_or_over_aligned) {
  task_runner runner;
  int sum = 0;
  runner.post([&sum, owned = std::make_unique<int>(1)] { sum += *owned; });
  struct large {
    int* sum;
    char rest[200];
    void operator()() { *sum += 2; }
  };
  runner.post(large{&sum, {}});
  struct alignas(64) wide {
    int* sum;
    void operator()() {
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(this) % 64, 0u);
      *sum += 4;
    }
  };
  runner.post(wide{&sum});
  const std::function<void()> copied = [&sum] { sum += 8; };
  runner.post(copied);
  runner.run_until_idle();
  EXPECT_EQ(sum, 15);
}

TEST(task_runner, a_task_may_post) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([&] {
    runner.post([&] {
      ran.push_back(3);
      runner.quit();
    });
    ran.push_back(1);
  });
  runner.post([&] { ran.push_back(2); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3));
}

TEST(task_runner, quit_leaves_what_was_posted_behind_it_to_the_next_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([&] { ran.push_back(1); });
  runner.quit();
  runner.post([&] { ran.push_back(2); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1));
  runner.quit();
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2));
}

TEST(task_runner, several_quits_end_one_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.quit();
  runner.quit();
  runner.run();
  runner.post([&] {
    ran.push_back(1);
    for (int number = 0; number < 3; ++number) runner.quit();
  });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1));
  runner.post([&] { ran.push_back(2); });
  runner.post([&] { runner.post([&] { runner.quit(); }); });
  runner.post([&] { ran.push_back(3); });
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 2, 3)) << "a quit of an earlier run ended this one";
}

TEST(task_runner, a_quit_is_not_forgotten_when_a_task_throws) {
  task_runner runner;
  runner.post([&] { runner.quit(); });
  runner.post([] { throw std::runtime_error("one"); });
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "one");
  runner.run();
}

#if defined(__cpp_lib_jthread)
TEST(task_runner, tasks_that_are_asked_to_stop_before_their_turn_are_not_run) {
  task_runner runner;
  std::stop_source source;
  std::vector<int> ran;
  const auto kept = std::make_shared<int>(0);
  runner.post(source.get_token(), [&ran, kept] { ran.push_back(1); });
  runner.post([&] { source.request_stop(); });
  runner.post(source.get_token(), [&ran, kept] { ran.push_back(2); });
  runner.post_delayed(
      source.get_token(), [&ran, kept] { ran.push_back(3); }, 0s);
  runner.post(std::stop_token{},
              [&](const std::stop_token& token) { ran.push_back(token.stop_possible() ? 5 : 4); });
  runner.post_delayed([&] { runner.quit(); }, 1ms);
  runner.run();
  EXPECT_THAT(ran, ElementsAre(1, 4));
  EXPECT_EQ(kept.use_count(), 1) << "what they captured is gone";
  const std::function<void()> none;
  EXPECT_THROW(runner.post(source.get_token(), none), std::invalid_argument);
}
#endif

TEST(task_runner, quit_within_a_batch_ends_it) {
  task_runner runner{{.batch = 8}};
  int ran = 0;
  runner.quit();
  runner.post([&] { ++ran; });
  runner.post_delayed([&] { ++ran; }, 0s);
  runner.run();
  EXPECT_EQ(ran, 0);
}

TEST(task_runner, another_thread_wakes_the_runner_and_ends_it) {
  task_runner runner;
  running_thread thread{runner};
  for (int round = 0; round < 200; ++round) {
    std::atomic<bool> done{false};
    runner.post([&] {
      EXPECT_TRUE(runner.on_runner_thread());
      done.store(true);
      done.notify_one();
    });
    done.wait(false);
  }
  EXPECT_FALSE(runner.on_runner_thread());
}

TEST(task_runner, many_posters_in_the_order_of_each) {
  constexpr unsigned posters = 16, each = 2000;
  task_runner runner{{.batch = 16}};
  std::vector<unsigned> next(posters, 0);
  unsigned wrong = 0, left = posters * each;
  std::vector<std::thread> threads;
  for (unsigned poster = 0; poster < posters; ++poster) {
    threads.emplace_back([&, poster] {
      for (unsigned number = 0; number < each; ++number) {
        runner.post([&, poster, number] {
          if (next[poster]++ != number) ++wrong;
          if (--left == 0) runner.quit();
        });
      }
    });
  }
  runner.run();
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(left, 0u);
}

TEST(task_runner, what_a_poster_did_before_is_visible_to_its_task) {
  task_runner runner;
  std::string text;
  std::thread poster{[&] {
    text = "a text that is too long to be kept in place";
    runner.post([&] {
      EXPECT_EQ(text.size(), 43u);
      runner.quit();
    });
  }};
  runner.run();
  poster.join();
}

TEST(task_runner, delayed_tasks_run_by_time_and_then_in_order) {
  task_runner runner;
  std::vector<int> ran;
  task_runner::clock::time_point start;
  runner.post_delayed([&] { ran.push_back(2); }, -1h);
  runner.post_delayed([&] { ran.push_back(3); }, 0s);
  // What is due later is posted later, so that it stays so however long the machine pauses here.
  runner.post([&] {
    ran.push_back(1);
    start = task_runner::clock::now();
    runner.post_delayed([&] { ran.push_back(4); }, 10ms);
    runner.post_delayed(
        [&] {
          ran.push_back(5);
          runner.quit();
        },
        20ms);
  });
  runner.run();
  // Not early; how late is the machine's affair.
  EXPECT_GE(task_runner::clock::now() - start, 20ms);
  // A task that is due runs when it has had its turn among the posted ones.
  EXPECT_THAT(ran, ElementsAre(2, 3, 1, 4, 5));
}

TEST(task_runner, delayed_tasks_of_one_time_run_in_order) {
  delayed_tasks<int> tasks;
  const auto now = task_runner::clock::now();
  for (int number = 0; number < 1000; ++number) tasks.push(now + (number % 3) * 1s, int{number});
  int last = -1;
  for (int number = 0; number < 1000; ++number) {
    const auto task = tasks.pop(now + 3s);
    ASSERT_TRUE(task.has_value());
    const int place = *task % 3 * 1000 + *task;
    EXPECT_LT(last, place);
    last = place;
  }
  EXPECT_FALSE(tasks.pop(now + 3s).has_value());
}

TEST(task_runner, delays_of_any_length_are_times) {
  const auto now = task_runner::clock::now();
  constexpr auto end = task_runner::clock::time_point::max();
  EXPECT_EQ(due_after(now, std::chrono::hours::max()), end);
  EXPECT_EQ(due_after(now, std::chrono::nanoseconds::max()), end);
  EXPECT_EQ(due_after(now, std::chrono::hours::min()), now);
  EXPECT_EQ(due_after(now, -1ns), now);
  EXPECT_EQ(due_after(now, 0s), now);
  EXPECT_EQ(due_after(now, 1ms), now + 1ms);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(1e300)), end);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(0.5)), now + 500ms);
  EXPECT_EQ(due_after(now, std::chrono::duration<double, std::nano>(0.5)), now + 1ns);
  EXPECT_EQ(due_after(now, std::chrono::duration<double>(std::numeric_limits<double>::quiet_NaN())),
            now);
  EXPECT_EQ(due_after(now, std::chrono::duration<unsigned>(2)), now + 2s);
  EXPECT_EQ(due_after(end, 1s), end);
}

TEST(task_runner, a_runner_with_a_huge_delay_sleeps_and_can_be_woken) {
  task_runner runner;
  bool ran = false;
  runner.post_delayed([&] { ran = true; }, std::chrono::hours::max());
  runner.post_delayed([&] { ran = true; }, std::chrono::hours(24 * 365));
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
  std::thread other{[&] { runner.quit(); }};
  runner.run();
  other.join();
  EXPECT_FALSE(ran);
}

TEST(task_runner, a_runner_sleeps_until_a_delayed_task_is_due) {
  task_runner runner;
  runner.post_delayed([&] { runner.quit(); }, 5ms);
  runner.run();
}

TEST(task_runner, idle_says_that_there_is_nothing_to_run_now) {
  task_runner runner;
  EXPECT_TRUE(runner.is_idle());
  runner.post([] {});
  EXPECT_FALSE(runner.is_idle());
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
  runner.post_delayed([] {}, 1h);
  EXPECT_FALSE(runner.is_idle());  // it waits for its turn
  runner.run_until_idle();
  EXPECT_TRUE(runner.is_idle());
}

TEST(task_runner, a_ready_watch_is_seen_before_the_runner_is_idle) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write('a');
  pipe.write('b');
  std::string read;
  runner.add_watch(pipe.read_end(), [&](watch_events events) {
    EXPECT_TRUE(events.readable);
    EXPECT_FALSE(events.hung_up || events.error || events.closed);
    read += pipe.read();
  });
  runner.run_until_idle();
  EXPECT_EQ(read, "ab");
  EXPECT_TRUE(runner.is_idle());
}

// PERF-20: between any two tasks there is a poll.
TEST(task_runner, a_watch_runs_among_the_tasks_by_default) {
  task_runner runner;
  pipe_ends pipe;
  std::string order;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    pipe.read();
    order += 'w';
  });
  runner.post([&] {
    order += '1';
    pipe.write();
    for (int more = 0; more < 3; ++more) runner.post([&] { order += '.'; });
  });
  runner.run_until_idle();
  EXPECT_EQ(order, "1...w");  // posted when it became ready, behind what there was
  order.clear();
  runner.post([&] {
    pipe.write();
    runner.post([&] {
      order += 'a';
      runner.post([&] { order += 'b'; });
    });
  });
  runner.run_until_idle();
  EXPECT_EQ(order, "awb");
}

TEST(task_runner, a_batch_is_that_long) {
  task_runner runner{{.batch = 4}};
  pipe_ends pipe;
  std::string order;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    pipe.read();
    order += 'w';
  });
  runner.run_until_idle();
  pipe.write();
  std::function<void(int)> chain = [&](int left) {
    order += '.';
    if (left > 1) runner.post([&, left] { chain(left - 1); });
  };
  runner.post([&] { chain(7); });
  runner.run_until_idle();
  EXPECT_EQ(order, ".....w..") << "four tasks, of which the last posts the fifth, then the poll";
}

TEST(task_runner, descriptor_0_is_watched_like_any_other) {
  const int kept = ::fcntl(0, F_DUPFD_CLOEXEC, 10);
  pipe_ends pipe;
  ASSERT_EQ(::dup2(pipe.read_end(), 0), 0);
  {
    task_runner runner;
    int ran = 0;
    pipe.write();
    runner.add_watch(0, [&](watch_events events) {
      EXPECT_TRUE(events.readable);
      ++ran;
      pipe.read();
    });
    // Pending for some turns: it must not be posted again meanwhile.
    for (int more = 0; more < 5; ++more) runner.post([] {});
    runner.run_until_idle();
    EXPECT_EQ(ran, 1);
  }
  ::close(0);
  if (kept >= 0) {
    ::dup2(kept, 0);
    ::close(kept);
  }
}

TEST(task_runner, a_watch_hears_that_the_other_end_is_closed) {
  task_runner runner;
  pipe_ends pipe;
  pipe.close_write();
  int ran = 0;
  runner.add_watch(pipe.read_end(), [&](watch_events events) {
    EXPECT_TRUE(events.hung_up);
    EXPECT_FALSE(events.closed);
    ++ran;
    runner.remove_watch(pipe.read_end());
  });
  runner.run_until_idle();
  EXPECT_EQ(ran, 1);
}

TEST(task_runner, a_watch_for_writing_runs_when_there_is_room_again) {
  task_runner runner;
  pipe_ends pipe;
  ASSERT_EQ(::fcntl(pipe.write_end(), F_SETFL, O_NONBLOCK), 0);
  std::size_t written = 0;
  const auto fill = [&] {
    const std::array<char, 4096> page{};
    while (::write(pipe.write_end(), page.data(), page.size()) > 0) written += page.size();
  };
  fill();
  int ran = 0;
  runner.add_watch(
      pipe.write_end(),
      [&](watch_events events) {
        EXPECT_TRUE(events.writable);
        EXPECT_FALSE(events.readable || events.hung_up || events.error || events.closed);
        ++ran;
        runner.remove_watch(pipe.write_end(), watch_for::writing);
      },
      watch_for::writing);
  runner.run_until_idle();
  EXPECT_EQ(ran, 0) << "the pipe is full";
  std::vector<char> read(written);
  ASSERT_EQ(::read(pipe.read_end(), read.data(), read.size()), static_cast<ssize_t>(written));
  runner.run_until_idle();
  EXPECT_EQ(ran, 1);
  runner.run_until_idle();
  EXPECT_EQ(ran, 1);
}

TEST(task_runner, one_descriptor_is_watched_for_reading_and_for_writing) {
  task_runner runner;
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  std::string order;
  char letter = 0;
  const auto reads = [&](watch_events events) {
    EXPECT_TRUE(events.readable);
    EXPECT_FALSE(events.writable);
    ASSERT_EQ(::read(ends[0], &letter, 1), 1);
    order += letter;
  };
  const auto writes = [&](watch_events events) {
    EXPECT_TRUE(events.writable);
    EXPECT_FALSE(events.readable);
    order += 'w';
    if (order.size() == 2) runner.remove_watch(ends[0], watch_for::writing);
  };
  runner.add_watch(ends[0], reads);
  runner.add_watch(ends[0], writes, watch_for::writing);
  runner.run_until_idle();
  EXPECT_EQ(order, "ww") << "as long as nothing is done about it";
  ASSERT_EQ(::write(ends[1], "r", 1), 1);
  runner.run_until_idle();
  EXPECT_EQ(order, "wwr") << "the other watch is still there";
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.add_watch(ends[0], reads); }),
              HasSubstr("watched already"));
  runner.add_watch(ends[0], writes, watch_for::writing);
  runner.remove_watch(ends[0]);
  ::close(ends[0]);
  ::close(ends[1]);
}

// PERF-38: POLLERR alone.
TEST(task_runner, a_watch_hears_of_an_error) {
  task_runner runner;
  pipe_ends pipe;
  pipe.close_read();  // the write end of such a pipe is in error, and cannot be read
  int ran = 0;
  runner.add_watch(pipe.write_end(), [&](watch_events events) {
    EXPECT_TRUE(events.error);
    EXPECT_FALSE(events.readable);
    if (++ran == 2) runner.remove_watch(pipe.write_end());
  });
  runner.run_until_idle();
  EXPECT_EQ(ran, 2) << "it runs as long as nothing is done about it";
}

// PERF-38: POLLNVAL.
TEST(task_runner, a_watch_hears_once_that_its_descriptor_is_closed) {
  task_runner runner;
  pipe_ends pipe;
  const int number = pipe.read_end();
  int ran = 0;
  runner.add_watch(number, [&](watch_events events) {
    EXPECT_TRUE(events.closed);
    ++ran;
  });
  pipe.close_read();
  runner.run_until_idle();
  runner.run_until_idle();
  EXPECT_EQ(ran, 1);
  runner.remove_watch(number);  // it is gone: nothing happens
  runner.run_until_idle();
}

TEST(task_runner, a_watch_that_hears_of_the_close_may_watch_the_number_anew) {
  task_runner runner;
  pipe_ends pipe;
  const int number = pipe.read_end();
  int ran = 0;
  pipe.close_read();
  runner.post([&] {
    runner.add_watch(number, [&](watch_events events) {
      EXPECT_TRUE(events.closed);
      runner.add_watch(number, [&](watch_events again) {
        EXPECT_TRUE(again.closed);
        ++ran;
      });
    });
  });
  runner.run_until_idle();
  EXPECT_EQ(ran, 1);
}

TEST(task_runner, a_watch_that_is_removed_while_it_is_pending_does_not_run) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write();
  int ran = 0;
  runner.run_until_idle();
  runner.add_watch(pipe.read_end(), [&](watch_events) { ++ran; });
  runner.post([] {});  // the poll after it posts the watch
  runner.post([&] { runner.post([&] { runner.post([] {}); }); });
  runner.post([&] { runner.remove_watch(pipe.read_end()); });  // before the watch's turn
  runner.run_until_idle();
  EXPECT_EQ(ran, 0);
}

TEST(task_runner, a_watch_that_replaces_a_pending_one_does_not_run_for_it) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write();
  int first = 0, second = 0;
  runner.run_until_idle();
  runner.add_watch(pipe.read_end(), [&](watch_events) { ++first; });
  runner.post([] {});
  runner.post([&] {
    runner.remove_watch(pipe.read_end());
    runner.add_watch(pipe.read_end(), [&](watch_events) {
      ++second;
      pipe.read();
    });
  });
  runner.run_until_idle();
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

TEST(task_runner, a_watch_may_remove_itself_and_come_back) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write('a');
  pipe.write('b');
  std::string read;
  runner.add_watch(pipe.read_end(), [&, owned = std::make_unique<int>(7)](watch_events) {
    runner.remove_watch(pipe.read_end());
    EXPECT_EQ(*owned, 7) << "a watch that runs is whole";
    read += pipe.read();
    runner.add_watch(pipe.read_end(), [&](watch_events) { read += pipe.read(); });
  });
  runner.run_until_idle();
  EXPECT_EQ(read, "ab");
}

TEST(task_runner, watches_are_added_and_removed_from_another_thread) {
  task_runner runner;
  running_thread thread{runner};
  pipe_ends pipe;
  std::atomic<int> ran{0};
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    EXPECT_TRUE(runner.on_runner_thread());
    pipe.read();
    ++ran;
    ran.notify_one();
  });
  pipe.write();
  ran.wait(0);
  pipe.write();
  ran.wait(1);
  runner.remove_watch(pipe.read_end());
  std::atomic<bool> removed{false};
  runner.post([&] {
    removed.store(true);
    removed.notify_one();
  });
  removed.wait(false);
  pipe.write();
  thread.stop();
  EXPECT_EQ(ran, 2);
}

TEST(task_runner, empty_callables_are_refused) {
  task_runner runner;
  void (*const function)() = nullptr;
  const auto expected = AllOf(HasSubstr("task_runner::post"), HasSubstr("callable is empty"));
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(function); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(std::function<void()>{}); }),
              expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(task_runner::task{}); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post(nullptr); }), expected);
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.post_delayed(function, 1s); }),
              HasSubstr("task_runner::post_delayed"));
  EXPECT_THAT(error_of<std::invalid_argument>(
                  [&] { runner.add_watch(0, std::function<void(watch_events)>{}); }),
              HasSubstr("task_runner::add_watch"));
  EXPECT_TRUE(runner.is_idle());
}

TEST(task_runner, wrong_descriptors_and_options_are_refused) {
  task_runner runner;
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.add_watch(-1, [](watch_events) {}); }),
              AllOf(HasSubstr("-1"), HasSubstr("no descriptor")));
  runner.run_until_idle();  // from here on this is the runner's thread
  pipe_ends pipe;
  runner.add_watch(pipe.read_end(), [](watch_events) {});
  EXPECT_THAT(error_of<std::invalid_argument>(
                  [&] { runner.add_watch(pipe.read_end(), [](watch_events) {}); }),
              AllOf(HasSubstr(std::to_string(pipe.read_end())), HasSubstr("watched already")));
  EXPECT_THAT(error_of<std::invalid_argument>([] { task_runner{{.batch = 0}}; }),
              HasSubstr("batch of 0"));
}

TEST(task_runner, a_second_watch_from_another_thread_ends_run) {
  task_runner runner;
  pipe_ends pipe;
  runner.add_watch(pipe.read_end(), [](watch_events) {});
  runner.add_watch(pipe.read_end(), [](watch_events) {});  // no thread is the runner's yet
  EXPECT_THAT(error_of<std::invalid_argument>([&] { runner.run(); }), HasSubstr("watched already"));
  runner.run_until_idle();
}

TEST(task_runner, run_within_a_task_is_refused) {
  task_runner runner;
  std::string message;
  runner.post([&] { message = error_of<std::logic_error>([&] { runner.run(); }); });
  runner.run_until_idle();
  EXPECT_THAT(message, AllOf(HasSubstr("task_runner::run"), HasSubstr("within a task")));
  runner.post([&] { message = error_of<std::logic_error>([&] { runner.run_until_idle(); }); });
  runner.run_until_idle();
  EXPECT_THAT(message, HasSubstr("task_runner::run_until_idle"));
}

TEST(task_runner, run_on_another_thread_is_refused) {
  task_runner runner;
  runner.run_until_idle();
  std::thread other{[&] {
    EXPECT_THAT(error_of<std::logic_error>([&] { runner.run(); }),
                AllOf(HasSubstr("task_runner::run"), HasSubstr("another thread")));
    EXPECT_THAT(error_of<std::logic_error>([&] { return runner.is_idle(); }),
                HasSubstr("task_runner::is_idle"));
  }};
  other.join();
  runner.post([&] { runner.quit(); });
  runner.run();  // and goes on here
}

TEST(task_runner, what_a_task_throws_leaves_run) {
  task_runner runner;
  std::vector<int> ran;
  runner.post([] { throw std::runtime_error("one"); });
  runner.post([&] { ran.push_back(2); });
  runner.post_delayed([] { throw std::runtime_error("three"); }, 0s);
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "one");
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run(); }), "three");
  EXPECT_THAT(ran, ElementsAre(2));
  runner.quit();
  runner.run();
}

TEST(task_runner, a_watch_that_throws_stays) {
  task_runner runner;
  pipe_ends pipe;
  pipe.write();
  int ran = 0;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    if (++ran == 1) throw std::runtime_error("once");
    pipe.read();
  });
  EXPECT_EQ(error_of<std::runtime_error>([&] { runner.run_until_idle(); }), "once");
  runner.run_until_idle();
  EXPECT_EQ(ran, 2);
}

TEST(task_runner, what_is_left_is_destroyed_and_not_run) {
  const auto alive = std::make_shared<int>(0);
  bool ran = false;
  pipe_ends pipe;
  {
    task_runner runner;
    runner.run_until_idle();
    runner.add_watch(pipe.read_end(), [alive, &ran](watch_events) { ran = true; });
    for (int number = 0; number < 1500; ++number) runner.post([alive, &ran] { ran = true; });
    runner.post_delayed([alive, &ran] { ran = true; }, 0s);
    runner.post([&] { runner.quit(); });
    EXPECT_EQ(alive.use_count(), 1503);
  }
  {
    task_runner runner;
    runner.post_delayed([alive, &ran] { ran = true; }, 1h);
    runner.run_until_idle();
    EXPECT_EQ(alive.use_count(), 2);
  }
  EXPECT_EQ(alive.use_count(), 1);
  EXPECT_FALSE(ran);
}

TEST(task_runner, what_is_destroyed_with_the_runner_may_post) {
  struct posts_at_the_end {
    task_runner* runner;
    std::shared_ptr<int> alive;
    posts_at_the_end(task_runner& to, std::shared_ptr<int> counted)
        : runner(&to), alive(std::move(counted)) {}
    posts_at_the_end(posts_at_the_end&& other) noexcept
        : runner(std::exchange(other.runner, nullptr)), alive(std::move(other.alive)) {}
    ~posts_at_the_end() {
      if (runner == nullptr) return;
      runner->post([kept = alive] {});
      runner->post_delayed([kept = alive] {}, 1s);
    }
    void operator()() {}
    void operator()(watch_events) {}
  };
  const auto alive = std::make_shared<int>(0);
  pipe_ends pipe;
  {
    task_runner runner;
    runner.run_until_idle();
    runner.add_watch(pipe.read_end(), posts_at_the_end(runner, alive));
    runner.post_delayed(posts_at_the_end(runner, alive), 1h);
    runner.run_until_idle();
    runner.post(posts_at_the_end(runner, alive));
  }
  EXPECT_EQ(alive.use_count(), 1);
}

// The poster may still be on its way out of post() when the runner is gone.
TEST(task_runner, a_runner_goes_as_soon_as_the_last_task_has_run) {
  for (int round = 0; round < 500; ++round) {
    auto runner = std::make_unique<task_runner>();
    std::thread poster{[to = runner.get()] { to->quit(); }};
    runner->run();
    runner.reset();
    task_runner next;  // has the same wake point, and may be woken for nothing
    next.quit();
    next.run();
    poster.join();
  }
}

TEST(task_runner, runners_give_their_descriptors_to_the_next_one) {
  const auto open = [] {
    int count = 0;
    for (int fd = 0; fd < 256; ++fd) count += ::fcntl(fd, F_GETFD) >= 0;
    return count;
  };
  { const task_runner first; }
  const int before = open();
  for (int number = 0; number < 20; ++number) {
    const task_runner next;
    EXPECT_EQ(open(), before);
  }
}

#if GTEST_HAS_DEATH_TEST
TEST(task_runner_death_test, a_runner_is_not_destroyed_within_its_task) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_DEATH(
      {
        auto runner = std::make_unique<task_runner>();
        runner->post([&] { runner.reset(); });
        runner->run();
      },
      "fencepost::task_runner: destroyed while run.. is running; call quit");
}
#endif

// The bound: 512 items in the runner, no two posts at once.
TEST(task_runner, nothing_is_allocated_in_the_steady_state) {
  task_runner runner;
  pipe_ends pipe;
  long ran = 0;
  runner.add_watch(pipe.read_end(), [&](watch_events) {
    pipe.read();
    ++ran;
  });
  std::array<void*, 5> captures{};
  const auto fill = [&](int tasks) {
    for (int number = 0; number < tasks; ++number)
      runner.post([&ran, captures] { ran += captures[0] == nullptr; });
  };
  fill(100);
  runner.run_until_idle();
  const long before = allocations;
  for (int round = 0; round < 50; ++round) {
    fill(400 + round);
    for (int number = 0; number < 60; ++number) {
      runner.post_delayed([&ran] { ++ran; }, std::chrono::nanoseconds(number));
    }
    pipe.write();
    runner.run_until_idle();
    // With 512 items at once.
    while (!runner.is_idle()) runner.run_until_idle();
    fill(512);
    runner.run_until_idle();
  }
  while (ran < 100 + 50 * (400 + 60 + 1 + 512) + 49 * 50 / 2) runner.run_until_idle();
  EXPECT_EQ(allocations - before, 0);
}

// The same with another thread's posts, which do not run at the same time as the runner's turns.
TEST(task_runner, nothing_is_allocated_for_the_posts_of_another_thread) {
  task_runner runner;
  constexpr int rounds = 50;
  std::atomic<int> turn{0};  // even: the poster's
  const auto pass_on = [&](int next) {
    turn.store(next);
    turn.notify_one();
  };
  long ran = 0;
  std::thread poster{[&] {
    for (int round = 0; round < rounds; ++round) {
      for (int now = turn; now != 2 * round; now = turn) turn.wait(now);
      const int tasks = 512 - round % 7;
      for (int number = 0; number < tasks; ++number) runner.post([&ran] { ++ran; });
      pass_on(2 * round + 1);
    }
  }};
  long before = 0, expected = 0;
  for (int round = 0; round < rounds; ++round) {
    for (int now = turn; now != 2 * round + 1; now = turn) turn.wait(now);
    if (round == 3) before = allocations;
    expected += 512 - round % 7;
    runner.run_until_idle();
    EXPECT_EQ(ran, expected);
    if (round + 1 == rounds) {
      EXPECT_EQ(allocations - before, 0);
    }
    pass_on(2 * round + 2);
  }
  poster.join();
}

TEST(small_function, is_kept_in_place_up_to_its_capacity) {
  struct bytes48 {
    char bytes[48];
    void operator()() {}
  };
  struct bytes49 {
    char bytes[49];
    void operator()() {}
  };
  struct throws {
    throws() = default;
    throws(const throws&) {}  // NOLINT(modernize-use-equals-default): that could not throw
    void operator()() {}
  };
  static_assert(small_function<void()>::in_place<bytes48>);
  static_assert(!small_function<void()>::in_place<bytes49>);
  static_assert(!small_function<void()>::in_place<throws>);
  const long before = allocations;
  small_function<void()> small{bytes48{}};
  EXPECT_EQ(allocations - before, 0);
  small_function<void()> large{bytes49{}};
  EXPECT_EQ(allocations - before, 1);
  small = std::move(large);
  EXPECT_EQ(allocations - before, 1);
  EXPECT_TRUE(small);
  EXPECT_FALSE(large);  // NOLINT(bugprone-use-after-move): it is empty
}

int seven() { return 7; }

TEST(small_function, calls_functions_members_and_callables_with_results) {
  small_function<int()> function{seven};
  EXPECT_EQ(function(), 7);
  small_function<int(std::unique_ptr<int>)> moves{[](std::unique_ptr<int> p) { return *p; }};
  EXPECT_EQ(moves(std::make_unique<int>(3)), 3);
  small_function<void()> ignores{seven};
  ignores();
  auto moved = std::move(function);
  EXPECT_EQ(moved(), 7);
  EXPECT_FALSE(function);  // NOLINT(bugprone-use-after-move): it is empty
}

TEST(small_function, destroys_its_callable_once) {
  const auto alive = std::make_shared<int>(0);
  {
    small_function<void()> f{[alive] {}};
    small_function<void()> g{std::move(f)};
    EXPECT_EQ(alive.use_count(), 2);
    g = small_function<void()>{
        [alive, rest = std::array<char, 100>{}] { static_cast<void>(rest); }};
    EXPECT_EQ(alive.use_count(), 2);
    g.reset();
    EXPECT_EQ(alive.use_count(), 1);
    g = [alive] {};
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace fencepost
