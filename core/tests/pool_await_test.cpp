// Coroutines that wait for jobs of real pools.
#include "fencepost/runtime/pool_await.hpp"

#include <gtest/gtest.h>

#if defined(__cpp_lib_coroutine)
#include <atomic>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "fencepost/runtime/thread_pool.hpp"
#include "fencepost/runtime/when_all.hpp"
#include "of_workers.hpp"
#include "test_coroutines.hpp"

namespace fencepost {
namespace {

using test::reported;

reported<int> add_up(thread_pool& pool, int rounds) {
  int sum = 0;
  for (int i = 0; i < rounds; ++i) sum += co_await pool.submit([i] { return i; });
  co_return sum;
}
TEST(pool_await, has_the_result_whether_the_job_is_done_or_not) {
  thread_pool pool{of_workers(2)};
  std::vector<reported<int>> all;
  for (int i = 0; i < 10; ++i) all.push_back(add_up(pool, 1000));
  for (auto& each : all) EXPECT_EQ(each.end.get(), 499'500);
}

reported<std::thread::id> where_after(pool_future<void> job) {
  co_await std::move(job);
  co_return std::this_thread::get_id();
}
TEST(pool_await, goes_on_at_once_if_the_job_is_done_and_otherwise_where_it_ends) {
  thread_pool pool{of_workers(1)};
  const auto worker = pool.call([] { return std::this_thread::get_id(); });
  auto done = pool.submit([] {});
  done.wait();
  EXPECT_EQ(where_after(std::move(done)).end.get(), std::this_thread::get_id());
  std::promise<void> door;
  auto after = where_after(pool.submit([held = door.get_future()] { held.wait(); }));
  door.set_value();
  EXPECT_EQ(after.end.get(), worker);
}

reported<std::string> name_of(thread_pool& pool) {
  try {
    co_await pool.submit([] { throw std::runtime_error{"no name"}; });
  } catch (const std::runtime_error& error) {
    co_return error.what();
  }
  co_return "none";
}
TEST(pool_await, throws_what_the_job_has_thrown) {
  thread_pool pool{of_workers(2)};
  EXPECT_EQ(name_of(pool).end.get(), "no name");
}

reported<int> of_several(thread_pool& pool) {
  auto [one, two] = co_await when_all(pool.submit([] { return std::make_unique<int>(1); }),
                                      pool.submit([] { return 2; }));
  const int three = co_await pool.submit([] { return 2; }).then(pool, [](int n) { return n + 1; });
  co_return *one + two + three;
}
TEST(pool_await, takes_handles_of_all_kinds) {
  thread_pool pool{of_workers(2)};
  EXPECT_EQ(of_several(pool).end.get(), 6);
}

reported<int> without_a_job() { co_return co_await pool_future<int>{}; }
TEST(pool_await, a_handle_without_a_job_is_refused) {
  EXPECT_THROW(without_a_job().end.get(), std::logic_error);
}

// The frames end on workers, some before the thread that suspended them has returned.
reported<int> keep(thread_pool& pool, std::shared_ptr<int> captured) {
  auto job = pool.submit([captured] { return *captured; });  // named, for g++ 12: pool_await.hpp
  co_return co_await std::move(job);
}
TEST(pool_await, frames_and_jobs_are_gone_when_the_pool_is) {
  const auto captured = std::make_shared<int>(1);
  {
    thread_pool pool{of_workers(3)};
    for (int i = 0; i < 5000; ++i) static_cast<void>(keep(pool, captured));
  }
  EXPECT_EQ(captured.use_count(), 1);
}

}  // namespace
}  // namespace fencepost
#endif
