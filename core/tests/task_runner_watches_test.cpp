// The watches of a task runner: what is reported to each, and when.
#include "fencepost/runtime/task_runner.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "error_of.hpp"
#include "pipe_ends.hpp"
#include "running_thread.hpp"

namespace fencepost {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

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

TEST(task_runner, a_watch_need_not_ask_what_has_happened) {
  task_runner runner;
  pipe_ends pipe;
  int calls = 0;
  runner.add_watch(pipe.read_end(), [&, own = std::make_unique<int>(1)] {
    pipe.read();
    calls += *own;
  });
  pipe.write('a');
  pipe.write('b');
  runner.run_until_idle();
  EXPECT_EQ(calls, 2);
  runner.remove_watch(pipe.read_end());
  EXPECT_THROW(runner.add_watch(pipe.read_end(), std::function<void()>{}), std::invalid_argument);
}

// PERF-20: there is a poll between any two tasks.
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
  EXPECT_EQ(order, "1...w");  // posted when it became ready, behind the tasks in the queue
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
    // The watch stays pending for some turns, and must not be posted again meanwhile.
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
  runner.remove_watch(number);  // it is already removed: nothing happens
  runner.run_until_idle();
}

TEST(task_runner, a_watch_that_hears_of_the_close_may_watch_the_number_again) {
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

}  // namespace
}  // namespace fencepost
