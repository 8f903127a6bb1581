// The code that docs/guide/coming-from.md shows: programs of Rayon, oneTBB and Asio, written with
// the kit's runtimes.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <numeric>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#include <version>

#include "detached.hpp"
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
#ifndef _WIN32
#include "fencepost/runtime/task_runner.hpp"
#endif

namespace {

using namespace std::chrono_literals;
using namespace fencepost;

TEST(coming_from, rayon) {
  std::vector<int> v(1003, 2);
  std::vector<std::string> texts(v.size());
  // [rayon]
  fork_join pool;  // ThreadPoolBuilder::new().build()

  parallel_for(pool, v, [](int& x) { ++x; });  // par_iter_mut().for_each()
  const long sum = parallel_reduce(            // par_iter().map(square).sum()
      pool, v, 0L, [](long so_far, int x) { return so_far + long{x} * x; }, std::plus<>{});
  std::vector<int> large(v.size());  // par_iter().filter().collect()
  large.erase(parallel_copy_if(pool, v, large.begin(), [](int x) { return x > 2; }), large.end());
  parallel_transform(pool, v, texts.begin(), [](int x) { return std::to_string(x); });  // map()
  parallel_sort(pool, v, std::greater<>{});  // par_sort_by()
  constexpr std::size_t chunk = 100;         // par_chunks_mut(100)
  parallel_for(pool, std::size_t{0}, (v.size() + chunk - 1) / chunk, [&](std::size_t i) {
    const auto some = std::span{v}.subspan(i * chunk, std::min(chunk, v.size() - i * chunk));
    std::fill(some.begin(), some.end(), static_cast<int>(i));
  });
  const auto [a, b] = pool.run([](fork_join_worker& me) {  // pool.install(|| rayon::join(f, g))
    return me.join([] { return 1; }, [](fork_join_worker& other) { return other.index(); });
  });
  // [rayon]
  EXPECT_EQ(sum, 9 * 1003);
  EXPECT_EQ(large.size(), 1003u);
  EXPECT_EQ(texts.back(), "3");
  EXPECT_EQ(v.back(), 10);
  EXPECT_EQ(a, 1);
  EXPECT_LT(b, pool.workers());
}

#if defined(__cpp_lib_jthread)
TEST(coming_from, rayon_find_any) {
  fork_join pool{4};
  std::vector<int> v(100'000, 1);
  v[77'777] = 3;
  // [find]
  std::stop_source found;  // par_iter().find_any(|x| **x > 2)
  std::atomic<const int*> one{nullptr};
  parallel_for(pool, found.get_token(), v, [&](const int& x) {
    if (x <= 2) return;
    one = &x;
    found.request_stop();
  });
  const bool any = one != nullptr;  // par_iter().any()
  // [find]
  EXPECT_TRUE(any);
  EXPECT_EQ(one, &v[77'777]);
}
#endif

TEST(coming_from, rayon_scope) {
  std::atomic<int> visited{0};
  // [scope]
  thread_pool pool;
  task_group scope{pool};  // rayon::scope(|s| ...)
  scope.run([&] {          // s.spawn(|s| ...)
    for (int i = 0; i < 10; ++i) scope.run([&] { ++visited; });
  });
  scope.wait();  // the end of the scope: until all have ended; rethrows an exception of theirs
  // [scope]
  EXPECT_EQ(visited, 10);
}

TEST(coming_from, onetbb) {
  constexpr std::size_t n = 10'000;
  std::vector<double> a(n, 1), b(n, 2), c(n);
  // [onetbb]
  fork_join arena(4);  // task_arena{4}

  parallel_for(
      arena, std::size_t{0}, n, [&](std::size_t i) { c[i] = a[i] + b[i]; }, 1000);
  parallel_for_blocks(arena, std::size_t{0}, n, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i != last; ++i) c[i] = a[i] + b[i];  // blocked_range
  });
  const double dot = parallel_reduce(
      arena, std::size_t{0}, n, 0.0, [&](double sum, std::size_t i) { return sum + a[i] * b[i]; },
      std::plus<>{});
  parallel_inclusive_scan(arena, a, c.begin());  // parallel_scan
  parallel_sort(arena, c);

  std::vector<std::vector<std::size_t>> found(arena.workers());  // enumerable_thread_specific
  parallel_for(arena, std::size_t{0}, n, [&](fork_join_worker& me, std::size_t i) {
    if (c[i] > 9'000) found[me.index()].push_back(i);
  });

  arena.run([&](fork_join_worker& me) {                              // task_arena::execute
    parallel_for(me, 0, 100, [&](fork_join_worker& here, int row) {  // blocked_range2d: two loops,
      parallel_for(here, 0, 100, [&](int column) {                   // each on its own worker
        a[static_cast<std::size_t>(100 * row + column)] = 0;
      });
    });
  });
  // [onetbb]
  EXPECT_EQ(dot, 2 * n);
  std::size_t all = 0;
  for (const auto& each : found) all += each.size();
  EXPECT_EQ(all, 1000u);
  EXPECT_EQ(std::accumulate(a.begin(), a.end(), 0.0), 0);
}

TEST(coming_from, onetbb_pipeline_and_graph) {
  std::string out;
  // [pipeline]
  thread_pool pool;
  std::deque<pool_future<std::string>> in_flight;
  const auto write_first = [&] {  // serial, in order
    out += in_flight.front().get();
    in_flight.pop_front();
  };
  for (int i = 0; i < 100; ++i) {                                              // serial: reads
    if (in_flight.size() == 8) write_first();                                  // at most 8 tokens
    in_flight.push_back(pool.submit([i] { return std::to_string(i % 10); }));  // parallel
  }
  while (!in_flight.empty()) write_first();
  // [pipeline]
  EXPECT_EQ(out.substr(85), "567890123456789");
  // [graph]
  auto left = pool.submit([] { return 20; });
  auto right = pool.submit([] { return 22; });
  auto both = when_all(std::move(left), std::move(right)).then(pool, [](std::tuple<int, int> of) {
    return std::get<0>(of) + std::get<1>(of);
  });
  // [graph]
  EXPECT_EQ(both.get(), 42);
}

TEST(coming_from, onetbb_cancellation) {
  std::atomic<int> tried{0};
  thread_pool pool;
  // [cancel]
  task_group group{pool};
  for (int i = 0; i < 1000; ++i) {
    group.run([&] {
      if (++tried == 10) group.cancel();
    });
  }
  group.wait();  // tasks that had not begun are not run
  // [cancel]
  EXPECT_GE(tried, 10);
}

// [strand]
class session : public std::enable_shared_from_this<session> {
 public:
  explicit session(thread_pool& pool) : strand_{pool} {}  // asio::make_strand(pool)
  void receive(int message) {                             // any thread
    strand_.post([self = shared_from_this(), message] { self->handle(message); });
  }

 private:
  void handle(int message) {  // one at a time: no lock
    if (seen_.size() < 100) seen_.push_back(message);
  }
  std::vector<int> seen_;
  strand strand_;
};
// [strand]

TEST(coming_from, asio_sessions) {
  thread_pool pool{{.workers = 4}};
  for (int i = 0; i < 100; ++i) {
    const auto one = std::make_shared<session>(pool);
    for (int message = 0; message < 20; ++message) one->receive(message);
  }  // its last message destroys each session
}

TEST(coming_from, asio_strand) {
  std::vector<int> seen;
  {
    thread_pool pool{{.workers = 4}};
    strand one{pool};
    for (int i = 0; i < 10'000; ++i) one.post([&seen, i] { seen.push_back(i); });
  }
  std::vector<int> expected(10'000);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(seen, expected);
}

#if !defined(_WIN32) && defined(__cpp_lib_coroutine)
// [coroutine]
detached answer(thread_pool& pool, task_runner& loop, int& result) {
  const int half = co_await pool.submit([] { return 21; });  // no thread waits
  co_await loop.schedule();                                  // dispatch(use_awaitable)
  result = 2 * half;                                         // on the loop's thread: no lock
  co_await loop.schedule_after(1ms);                         // steady_timer::async_wait
  loop.quit();                                               // io_context::stop
}
// [coroutine]

TEST(coming_from, asio_coroutines) {
  int result = 0;
  thread_pool pool;
  task_runner loop;
  answer(pool, loop, result);
  loop.run();
  EXPECT_EQ(result, 42);
}
#endif

#if !defined(_WIN32) && defined(__cpp_lib_jthread)
TEST(coming_from, asio) {
  int beats = 0;
  bool late = false, back = false;
  thread_pool pool;
  // [asio]
  task_runner loop;  // io_context, with one thread

  std::stop_source beating, given_up;  // cancel the timers
  loop.post_repeating(
      beating.get_token(), [&] { ++beats; }, 1ms);
  loop.post_delayed(
      given_up.get_token(), [&] { late = true; }, 1h);
  loop.post([&] { given_up.request_stop(); });
  pool.post([&] {    // uv_queue_work: long work, on a worker
    loop.post([&] {  // and its result on the loop
      back = true;
      loop.post_delayed([&] { loop.quit(); }, 10ms);
    });
  });
  loop.run();  // until quit(): needs no work guard
  // [asio]
  EXPECT_GT(beats, 0);
  EXPECT_FALSE(late);
  EXPECT_TRUE(back);
}
#endif

}  // namespace
