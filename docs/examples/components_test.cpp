// The code that the pages of docs/components show for each component, compiled and run: ci/docs
// copies the lines between two lines with the same name in brackets.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <functional>
#include <future>
#include <numeric>
#include <span>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "detached.hpp"
#include "fencepost/memory/scratch_arena.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/runtime/fork_join.hpp"
#include "fencepost/runtime/parallel.hpp"
#include "fencepost/runtime/parallel_copy_if.hpp"
#include "fencepost/runtime/parallel_scan.hpp"
#include "fencepost/runtime/parallel_sort.hpp"
#include "fencepost/runtime/parallel_transform.hpp"
#include "fencepost/runtime/parallel_unless_stopped.hpp"
#include "fencepost/runtime/strand.hpp"
#include "fencepost/runtime/task_group.hpp"
#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/when_all.hpp"
#include "fencepost/sync/completion.hpp"
#include "fencepost/sync/event_count.hpp"
#include "fencepost/sync/rundown.hpp"
#ifndef _WIN32
#include <unistd.h>

#include "fencepost/runtime/task_runner.hpp"
#include "fencepost/runtime/watchdog.hpp"
#endif

namespace {

using fencepost::completion;
using fencepost::event_count;
using fencepost::external_slots;

// [external_slots_record]
struct job {
  int argument;
  int result = 0;
  completion<> done{};
};
// [external_slots_record]

void run(job& each) { each.result = 2 * each.argument; }

TEST(external_slots, a_worker_runs_what_another_thread_submits) {
  external_slots<job> slots;
  event_count<> idle;
  std::thread worker{[&] {
    // [external_slots_worker]
    idle.await([&] { return slots.any(); });
    if (job* const taken = slots.take()) {
      run(*taken);
      taken->done.complete();
    }
    // [external_slots_worker]
  }};
  // [external_slots_submitter]
  job mine{.argument = 21};
  while (!slots.try_submit(mine)) std::this_thread::yield();  // full: wait, or run it here
  idle.notify_one();
  mine.done.wait();
  // From here on no other thread accesses `mine`.
  // [external_slots_submitter]
  EXPECT_EQ(mine.result, 42);
  worker.join();
}

TEST(rundown, who_is_inside_is_waited_for) {
  fencepost::rundown<> entrance;
  std::vector<int> guarded;
  // [rundown_inside]
  const auto visit = [&] {
    if (!entrance.try_enter()) return false;  // shut
    guarded.push_back(1);
    entrance.leave();  // the last access
    return true;
  };
  // [rundown_inside]
  std::thread visitor{visit};
  // [rundown_close]
  entrance.close();  // returns once no thread is inside
  guarded.clear();
  // [rundown_close]
  visitor.join();
  EXPECT_FALSE(visit());
  EXPECT_TRUE(guarded.empty());
}

// [fork_join_fib]
using fencepost::fork_join, fencepost::fork_join_worker;

long fib(fork_join_worker& me, int n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](fork_join_worker& who) noexcept { return fib(who, n - 1); });
  const long right = fib(me, n - 2);
  return me.sync(left) + right;
}
// [fork_join_fib]

TEST(fork_join, a_recursive_function_is_shared) {
  // [fork_join_run]
  fork_join pool;  // one worker per processor
  const long r = pool.run([](fork_join_worker& me) { return fib(me, 20); });  // from any thread
  // [fork_join_run]
  EXPECT_EQ(r, 6765);
}

struct image {
  int sharpness = 0;
  void sharpen() { ++sharpness; }
};

TEST(parallel, loops_and_reductions) {
  const int n = 1000;
  std::vector<int> in(n), out(n), v(n, 7);
  std::iota(in.begin(), in.end(), 0);
  std::vector<double> weights(n, 0.5);
  std::vector<image> images(10);
  const std::vector<std::string> lines{"one", "three", "two"};
  int left = 0, right = 0;
  const auto f = [](int x) { return 2 * x; };
  // [parallel]
  fencepost::fork_join pool;
  pool.run([&](fencepost::fork_join_worker& me) {
    parallel_for(me, 0, n, [&](int i) { out[std::size_t(i)] = f(in[std::size_t(i)]); });
    parallel_for(me, v.begin(), v.end(), [](auto& each) { each = 0; });  // elements
    parallel_for(me, images, [](image& each) { each.sharpen(); });       // a range
    parallel_for_blocks(me, v, [](auto first, auto last) { std::fill(first, last, 0); });
    const double sum = parallel_reduce(me, weights, 0.0, std::plus<>{});
    const auto longest = parallel_reduce(
        me, lines, std::size_t{0},
        [](std::size_t so_far, const std::string& line) { return std::max(so_far, line.size()); },
        [](std::size_t a, std::size_t b) { return std::max(a, b); });
    parallel_invoke(
        me, [&] { left = 1; }, [&] { right = 2; });
    // [parallel]
    EXPECT_EQ(sum, 500.0);
    EXPECT_EQ(longest, 5u);
    // [parallel]
  });
  // [parallel]
  EXPECT_EQ(out.back(), 2 * (n - 1));
  EXPECT_EQ(v, std::vector<int>(n, 0));
  EXPECT_TRUE(std::ranges::all_of(images, [](const image& each) { return each.sharpness == 1; }));
  EXPECT_EQ(left + right, 3);
}

struct person {
  std::string name;
  int age = 0;
};

TEST(parallel, algorithms) {
  std::vector<std::string> words{"one", "three", "two"};
  std::vector<person> people{{"Ada", 36}, {"Alan", 41}, {"Edsger", 72}, {"Grace", 85}};
  std::vector<std::size_t> lengths(words.size()), offsets(words.size());
  std::vector<std::string> chosen(words.size());
  const auto is_short = [](const std::string& word) { return word.size() < 4; };
  fencepost::fork_join pool;
  pool.run([&](fencepost::fork_join_worker& me) {
    // [parallel_algorithms]
    parallel_sort(me, words);
    parallel_sort(me, people, std::greater<>{}, &person::age);  // stable
    parallel_transform(me, words, lengths.begin(), [](auto& word) { return word.size(); });
    parallel_exclusive_scan(me, lengths, offsets.begin(), std::size_t{0});   // where each begins
    const auto end = parallel_copy_if(me, words, chosen.begin(), is_short);  // in their order
    // [parallel_algorithms]
    chosen.erase(end, chosen.end());
  });
  EXPECT_EQ(chosen, (std::vector<std::string>{"one", "two"}));
  EXPECT_EQ(words, (std::vector<std::string>{"one", "three", "two"}));
  EXPECT_EQ(people.front().name, "Grace");
  EXPECT_EQ(lengths, (std::vector<std::size_t>{3, 5, 3}));
  EXPECT_EQ(offsets, (std::vector<std::size_t>{0, 3, 8}));
}

#if defined(__cpp_lib_jthread)
TEST(parallel, loops_that_can_be_stopped) {
  std::vector<image> images(100);
  std::stop_source source;
  fencepost::fork_join pool;
  pool.run([&](fencepost::fork_join_worker& me) {
    // [parallel_unless_stopped]
    const bool all = parallel_for(me, source.get_token(), images, [](image& each) {
      each.sharpen();
    });  // false: the token was asked to stop, and some images were left out
    // [parallel_unless_stopped]
    EXPECT_TRUE(all);
  });
}
#endif

TEST(scratch_arena, memory_until_the_end_of_the_block) {
  const std::size_t columns = 100;
  std::size_t row_size = 0;
  // [scratch_arena]
  fencepost::scratch_arena arena;  // one per worker: 1 GiB of address space, no memory yet
  {
    const fencepost::scratch_scope scope{arena};  // reset at the end of the block
    const std::span<double> row = arena.allocate<double>(columns);
    std::ranges::fill(row, 0.0);
    void* const page = arena.allocate(4096, 4096);
    // [scratch_arena]
    row_size = row.size();
    EXPECT_NE(page, nullptr);
    // [scratch_arena]
  }
  arena.idle();  // when the worker has no task and is about to sleep
  // [scratch_arena]
  EXPECT_EQ(row_size, columns);
}

#ifndef _WIN32
#if defined(__cpp_lib_jthread)
TEST(task_runner, timers_that_repeat) {
  using namespace std::chrono_literals;
  int beats = 0;
  fencepost::task_runner runner;
  // [task_runner_repeating]
  std::stop_source no_more;
  runner.post_repeating(
      no_more.get_token(),
      [&] {
        if (++beats == 3) no_more.request_stop();  // any thread may do so
      },
      1ms, fencepost::repeat::at_rate);
  // [task_runner_repeating]
  while (beats < 3) runner.run_until_idle();
  runner.run_until_idle();
  EXPECT_EQ(beats, 3);
}
#endif

TEST(task_runner, tasks_timers_and_descriptors) {
  using namespace std::chrono_literals;
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int fd = ends[0];
  std::string said;
  // [task_runner]
  fencepost::task_runner runner;
  runner.post([&] { said += "now "; });
  runner.post_delayed([&] { said += "later "; }, 10ms);
  runner.add_watch(fd, [&](fencepost::watch_events) {
    runner.remove_watch(fd);
    said += "read ";
    std::thread{[&] { runner.post_delayed([&] { runner.quit(); }, 20ms); }}.join();
  });
  std::thread other{[&] { ASSERT_EQ(::write(ends[1], "x", 1), 1); }};
  runner.run();  // this thread is the runner's, from now on
  other.join();
  // [task_runner]
  EXPECT_NE(said.find("now "), std::string::npos);
  EXPECT_NE(said.find("read "), std::string::npos);
  ::close(ends[0]);
  ::close(ends[1]);
}

TEST(watchdog, a_task_that_takes_too_long) {
  using namespace std::chrono_literals;
  std::atomic<bool> told{false};
  // [watchdog]
  fencepost::watchdog dog{20ms, [&](const fencepost::watchdog_report& report) {
                            fencepost::watchdog::log(report);  // which subject, and for how long
                            told = true;
                            told.notify_one();
                          }};
  fencepost::task_runner runner{{.watched_by = &dog, .watched_as = "events"}};
  runner.post([&] { told.wait(false); });  // blocks the runner until it is reported
  runner.run_until_idle();
  // [watchdog]
  EXPECT_TRUE(told);
}
#endif

int add() { return 1 + 2; }

#if defined(__cpp_lib_jthread)
TEST(thread_pool, jobs_that_are_asked_to_stop) {
  fencepost::thread_pool pool;
  bool cancelled = false;
  // [thread_pool_stop]
  std::stop_source user_is_gone;
  auto page = pool.submit(user_is_gone.get_token(), [](const std::stop_token& token) {
    int lines = 0;
    while (!token.stop_requested()) ++lines;  // a job that has begun checks the token itself
    return lines;
  });
  user_is_gone.request_stop();
  try {
    static_cast<void>(page.get());
  } catch (const fencepost::job_cancelled&) {
    cancelled = true;  // the job had not begun
  }
  // [thread_pool_stop]
  EXPECT_FALSE(page.valid()) << cancelled;
}
#endif

std::ptrdiff_t count_of(const std::string& text, char letter) {
  return std::ranges::count(text, letter);
}

TEST(thread_pool, jobs_that_follow_others) {
  fencepost::thread_pool pool;
  image left, right;
  const auto sharpness_of = [](image& of) {
    of.sharpen();
    return of.sharpness;
  };
  // [pool_then]
  auto first = pool.submit([&] { return sharpness_of(left); });
  auto second = pool.submit([&] { return sharpness_of(right); });
  auto sum = when_all(std::move(first), std::move(second)).then(pool, [](std::tuple<int, int> of) {
    return std::get<0>(of) + std::get<1>(of);
  });
  // [pool_then]
  EXPECT_EQ(sum.get(), 2);
}

TEST(thread_pool, arguments_and_timed_waits) {
  using namespace std::chrono_literals;
  fencepost::thread_pool pool;
  const std::string text = "some text";
  int looks = 0;
  // [pool_arguments]
  auto found = pool.submit(count_of, text, 'e');  // copies, like std::async, unless std::ref()
  while (found.wait_for(10ms) == std::future_status::timeout) ++looks;  // do something else
  const auto times = found.get();
  // [pool_arguments]
  EXPECT_EQ(times, 2) << looks;
}

TEST(strand, tasks_one_after_the_other) {
  std::vector<int> lines;
  fencepost::thread_pool pool;
  // [strand]
  fencepost::strand log{pool};
  pool.post([&] { log.post([&] { lines.push_back(1); }); });  // from anywhere
  log.post([&] { lines.push_back(2); });                      // never concurrently: no lock
  const auto written = log.submit([&] { return lines.size(); }).get();  // after all before it
  // [strand]
  EXPECT_GE(written, 1u);
  pool.stop();
  EXPECT_EQ(lines.size(), 2u);
}

TEST(thread_pool, groups_of_tasks) {
  fencepost::thread_pool pool;
  std::vector<image> images(10);
  // [task_group]
  fencepost::task_group tasks{pool};
  for (image& each : images) tasks.run(&image::sharpen, &each);  // or a lambda
  tasks.wait();  // until all have ended; rethrows an exception of theirs
  // [task_group]
  EXPECT_TRUE(std::ranges::all_of(images, [](const image& each) { return each.sharpness == 1; }));
}

#if defined(__cpp_lib_coroutine)
// [pool_schedule]
detached sharpen(fencepost::thread_pool& pool, image& of) {
  co_await pool.schedule();
  of.sharpen();  // on a worker
}
// [pool_schedule]

TEST(thread_pool, coroutines) {
  image picture;
  {
    fencepost::thread_pool pool;
    sharpen(pool, picture);
  }
  EXPECT_EQ(picture.sharpness, 1);
}
#endif

TEST(thread_pool, jobs_from_anywhere) {
  bool tidy = false;
  int left = 0, right = 0;
  // [thread_pool]
  fencepost::thread_pool pool;                               // one worker per processor
  auto sum = pool.submit([] { return add(); });              // a handle: get(), wait(), ready()
  pool.post([&] { tidy = true; });                           // no thread waits for it
  const int n = pool.call([] { return 6 * 7; });             // waits, on any thread
  pool.join([&] { left = 1; }, [&] { right = sum.get(); });  // both, perhaps in parallel
  pool.stop();  // runs the remaining jobs; so does the destructor
  // [thread_pool]
  EXPECT_TRUE(tidy);
  EXPECT_EQ(n, 42);
  EXPECT_EQ(left + right, 4);
}

}  // namespace
