// thread_pool: what is given to it is run, what comes of it comes back, wrong use is refused, and
// it ends whatever there is left.
#include "fencepost/runtime/thread_pool.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#if defined(__linux__)
#include <pthread.h>
#endif

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <exception>
#include <functional>
#include <future>
#include <memory>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "message_of.hpp"
#include "sanitized.hpp"

namespace fencepost {
namespace {

using testing::HasSubstr;

thread_pool_options of(std::uint32_t workers) {
  thread_pool_options options;
  options.workers = workers;
  return options;
}

// Holds jobs back until it is opened.
class door {
 public:
  void open() { promise_.set_value(); }
  void pass() const { future_.wait(); }

 private:
  std::promise<void> promise_;
  std::shared_future<void> future_{promise_.get_future()};
};

TEST(thread_pool, has_as_many_workers_as_the_machine_has_processors) {
  const thread_pool pool;
  const std::uint32_t processors = std::thread::hardware_concurrency();
  EXPECT_EQ(pool.workers(), processors == 0 ? 1 : processors);
}

// A class cannot leave out the template arguments of a member's type: thread_pool is no template.
struct service {
  thread_pool pool;
  thread_pool narrow{of(1)};
};

TEST(thread_pool, is_a_member_of_a_class) {
  service s;
  EXPECT_EQ(s.pool.call([&] { return s.narrow.call([] { return 6 * 7; }); }), 42);
  EXPECT_EQ(s.narrow.workers(), 1);
}

TEST(thread_pool, no_workers_are_refused) {
  EXPECT_THROW(thread_pool{of(0)}, std::invalid_argument);
  EXPECT_THAT(message_of([] { thread_pool{of(0)}; }), HasSubstr("leave it unset"));
}

TEST(thread_pool, more_workers_than_can_be_counted_are_refused) {
  EXPECT_THROW(thread_pool{of(65'536)}, std::length_error);
  EXPECT_THAT(message_of([] { thread_pool{of(65'536)}; }), HasSubstr("at most 65535"));
}

TEST(thread_pool, sleep_options_that_make_no_sense_are_refused) {
  thread_pool_options options;
  options.sleep = {.rounds_until_sleepy = 5, .rounds_until_sleeping = 5};
  EXPECT_THROW(thread_pool{options}, std::invalid_argument);
}

// A thread that cannot be started, when three run.
struct three_threads : default_atomics {
  static inline std::atomic<int> started{0}, ended{0};
  class thread {
   public:
    thread() = default;
    template <class F>
    explicit thread(F f) {
      if (started.load() == 3) {
        throw std::system_error{std::make_error_code(std::errc::resource_unavailable_try_again)};
      }
      started.fetch_add(1);
      thread_ = std::thread{[f] {
        f();
        ended.fetch_add(1);
      }};
    }
    void join() { thread_.join(); }
    bool joinable() const noexcept { return thread_.joinable(); }

   private:
    std::thread thread_;
  };
};

TEST(thread_pool, a_thread_that_cannot_be_started_leaves_none_behind) {
  EXPECT_THROW(basic_thread_pool<three_threads>{of(5)}, std::system_error);
  EXPECT_EQ(three_threads::started.load(), 3);
  EXPECT_EQ(three_threads::ended.load(), 3);
}

TEST(thread_pool, a_result_comes_back) {
  thread_pool pool{of(2)};
  auto answer = pool.submit([] { return 6 * 7; });
  EXPECT_TRUE(answer.valid());
  EXPECT_EQ(answer.get(), 42);
  EXPECT_FALSE(answer.valid());
}

TEST(thread_pool, results_may_be_nothing_or_a_reference_or_movable_only) {
  thread_pool pool{of(2)};
  int seen = 0;
  pool.submit([&] { seen = 7; }).get();
  EXPECT_EQ(seen, 7);
  int& same = pool.submit([&]() -> int& { return seen; }).get();
  EXPECT_EQ(&same, &seen);
  EXPECT_EQ(*pool.submit([] { return std::make_unique<int>(8); }).get(), 8);
  EXPECT_EQ(&pool.call([&]() -> int& { return seen; }), &seen);
}

TEST(thread_pool, callables_may_be_movable_only_and_are_gone_when_the_job_is_done) {
  thread_pool pool{of(2)};
  auto kept = std::make_shared<int>(5);
  auto job = [kept, only = std::make_unique<int>(4)] { return *kept + *only; };
  auto sum = pool.submit(std::move(job));
  sum.wait();
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_EQ(sum.get(), 9);
}

TEST(thread_pool, a_handle_says_when_its_job_is_done) {
  thread_pool pool{of(1)};
  door held;
  auto job = pool.submit([&] { held.pass(); });
  EXPECT_FALSE(job.ready());
  held.open();
  job.wait();
  EXPECT_TRUE(job.ready());
  job.wait();
  job.get();
}

TEST(thread_pool, a_handle_without_a_job_says_so) {
  pool_future<int> none;
  EXPECT_FALSE(none.valid());
  EXPECT_THROW(none.get(), std::logic_error);
  EXPECT_THROW(none.wait(), std::logic_error);
  EXPECT_THAT(message_of([&] { static_cast<void>(none.ready()); }), HasSubstr("ready() without"));
  thread_pool pool{of(1)};
  auto job = pool.submit([] { return 1; });
  EXPECT_EQ(job.get(), 1);
  EXPECT_THAT(message_of([&] { job.get(); }), HasSubstr("get() already"));
}

TEST(thread_pool, a_handle_moves_and_does_not_copy) {
  static_assert(!std::is_copy_constructible_v<pool_future<int>>);
  thread_pool pool{of(1)};
  auto first = pool.submit([] { return 1; });
  auto second = std::move(first);
  EXPECT_FALSE(first.valid());  // NOLINT: that is what is tested
  second = pool.submit([] { return 2; });
  EXPECT_EQ(second.get(), 2);
}

TEST(thread_pool, two_threads_that_wait_for_one_job_are_told) {
  thread_pool pool{of(1)};
  door held;
  auto job = pool.submit([&] { held.pass(); });
  std::atomic<int> told{0};
  const auto wait = [&] {
    try {
      job.wait();
    } catch (const std::logic_error&) {
      told.fetch_add(1);
      held.open();
    }
  };
  std::thread one{wait}, other{wait};
  one.join();
  other.join();
  EXPECT_EQ(told.load(), 1);
}

TEST(thread_pool, a_handle_outlives_the_pool) {
  pool_future<std::string> result;
  {
    thread_pool pool{of(2)};
    result = pool.submit([] { return std::string(100, 'x'); });
  }
  EXPECT_TRUE(result.ready());
  EXPECT_EQ(result.get().size(), 100u);
}

TEST(thread_pool, a_job_is_run_though_its_handle_is_thrown_away) {
  std::atomic<int> runs{0};
  {
    thread_pool pool{of(2)};
    static_cast<void>(pool.submit([&] { runs.fetch_add(1); }));
  }
  EXPECT_EQ(runs.load(), 1);
}

TEST(thread_pool, exceptions_come_back) {
  thread_pool pool{of(2)};
  auto bad = pool.submit([]() -> int { throw std::out_of_range{"submitted"}; });
  bad.wait();
  EXPECT_EQ(message_of([&] { bad.get(); }), "submitted");
  EXPECT_FALSE(bad.valid());
  EXPECT_EQ(message_of([&] { pool.call([] { throw std::out_of_range{"called"}; }); }), "called");
  EXPECT_EQ(pool.call([] { return 3; }), 3) << "the pool goes on";
}

TEST(thread_pool, of_two_joined_jobs_that_throw_both_run_and_the_left_one_is_heard) {
  thread_pool pool{of(2)};
  std::atomic<int> runs{0};
  const auto throwing = [&](const char* what) {
    return [&runs, what] {
      runs.fetch_add(1);
      throw std::runtime_error{what};
    };
  };
  const auto fine = [&] { runs.fetch_add(1); };
  EXPECT_EQ(message_of([&] { pool.join(throwing("left"), throwing("right")); }), "left");
  EXPECT_EQ(message_of([&] { pool.join(fine, throwing("right")); }), "right");
  EXPECT_EQ(message_of([&] { pool.join(throwing("left"), fine); }), "left");
  EXPECT_EQ(runs.load(), 6);
}

TEST(thread_pool, an_exception_that_leaves_a_posted_job_is_handed_over) {
  std::promise<std::string> heard;
  thread_pool_options options = of(1);
  options.on_exception = [&](const std::exception_ptr& error) {
    heard.set_value(message_of([&] { std::rethrow_exception(error); }));
  };
  thread_pool pool{options};
  pool.post([] { throw std::runtime_error{"posted"}; });
  EXPECT_EQ(heard.get_future().get(), "posted");
}

TEST(thread_pool_death_test, an_exception_that_leaves_a_posted_job_ends_the_program) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto post = [] {
    thread_pool pool{of(1)};
    pool.post([] { throw std::runtime_error{"nobody hears this"}; });
  };
  EXPECT_DEATH(post(), "nobody hears this");
}

#if !defined(SANITIZED) && !defined(_WIN32)  // frames of other sizes, no such signal
int nested(thread_pool& pool, int n) {
  return n == 0 ? 0 : pool.submit([&pool, n] { return nested(pool, n - 1); }).get() + 1;
}

TEST(thread_pool_death_test, a_stack_that_overflows_says_which_worker_and_how_large) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto overflow = [] {
    thread_pool_options options = of(1);
    options.stack = 256 << 10;
    options.name = "deep";
    thread_pool pool{options};
    pool.call([&] { return nested(pool, 1'000'000); });
  };
  EXPECT_EXIT(overflow(), testing::KilledBySignal(SIGSEGV),
              "the thread deep-0 has overflowed its stack of 262144 bytes");
}
#endif

#if defined(__linux__)
std::string name_of_this_thread() {
  std::array<char, 16> name{};
  pthread_getname_np(pthread_self(), name.data(), name.size());
  return name.data();
}

TEST(thread_pool, threads_have_names) {
  thread_pool pool{of(1)};
  EXPECT_EQ(pool.call(&name_of_this_thread), "fencepost-0");
  thread_pool_options options = of(1);
  options.name = "a name that is longer";
  thread_pool other{options};
  EXPECT_EQ(other.call(&name_of_this_thread), "a name that i-0") << "the number is kept";
  options.name.clear();
  thread_pool unnamed{options};
  EXPECT_EQ(unnamed.call(&name_of_this_thread), name_of_this_thread());
}
#endif

TEST(thread_pool, empty_callables_are_refused) {
  thread_pool pool{of(1)};
  const std::function<int()> none;
  int (*const null)() = nullptr;
  EXPECT_THROW(static_cast<void>(pool.submit(none)), std::invalid_argument);
  EXPECT_THROW(pool.post(null), std::invalid_argument);
  EXPECT_THAT(message_of([&] { pool.post(none); }), HasSubstr("empty callable"));
}

TEST(thread_pool, a_call_on_a_worker_is_made_there) {
  thread_pool pool{of(2)};
  EXPECT_FALSE(pool.on_worker());
  pool.call([&] {
    EXPECT_TRUE(pool.on_worker());
    const auto here = std::this_thread::get_id();
    EXPECT_EQ(pool.call([] { return std::this_thread::get_id(); }), here);
  });
}

TEST(thread_pool, the_only_worker_runs_what_it_waits_for) {
  thread_pool pool{of(1)};
  const int sum = pool.call([&] {
    auto one = pool.submit([] { return 1; });
    auto two = pool.submit([&] { return pool.submit([] { return 2; }).get(); });
    return one.get() + two.get();  // not in the order in which they lie in the deque
  });
  EXPECT_EQ(sum, 3);
}

TEST(thread_pool, a_job_posted_before_a_join_is_done_is_run_as_well) {
  thread_pool pool{of(1)};
  std::string order;
  pool.join([&] { pool.post([&] { order += "posted "; }); }, [&] { order += "right"; });
  EXPECT_EQ(order, "posted right");
}

TEST(thread_pool, jobs_of_one_outside_thread_begin_in_their_order) {
  std::vector<int> seen;
  {
    thread_pool pool{of(1)};
    for (int i = 0; i < 100; ++i) pool.post([&seen, i] { seen.push_back(i); });
  }
  ASSERT_EQ(seen.size(), 100u);
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
}

// Blocks its poster: only another worker can run the job, and it must be awake for it.
TEST(thread_pool, a_posted_job_is_taken_from_a_worker_that_never_returns_to_it) {
  thread_pool_options options = of(2);
  options.sleep = {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};
  thread_pool pool{options};
  for (int round = 0; round < 1000; ++round) {
    pool.call([&] {
      const auto other_has_run = std::make_shared<door>();
      pool.post([other_has_run] { other_has_run->open(); });
      other_has_run->pass();
    });
  }
}

TEST(thread_pool, workers_that_slept_are_woken) {
  thread_pool_options options = of(3);
  options.sleep = {.rounds_until_sleepy = 0, .rounds_until_sleeping = 1};
  thread_pool pool{options};
  for (int i = 0; i < 2000; ++i) ASSERT_EQ(pool.call([i] { return i; }), i);
}

TEST(thread_pool, stop_runs_what_is_left_and_what_that_submits) {
  std::atomic<int> runs{0};
  thread_pool pool{of(2)};
  door held;
  for (int i = 0; i < 2; ++i) pool.post([&] { held.pass(); });
  for (int i = 0; i < 50; ++i) {
    pool.post([&] {
      runs.fetch_add(1);
      pool.post([&] { runs.fetch_add(1); });
    });
  }
  std::thread stopper{[&] { pool.stop(); }};
  held.open();
  stopper.join();
  EXPECT_EQ(runs.load(), 100);
}

TEST(thread_pool, a_worker_that_waits_while_the_pool_stops_gets_its_result) {
  thread_pool pool{of(2)};
  door held;
  auto outer = pool.submit([&] {
    auto inner = pool.submit([&] {
      held.pass();
      return 5;
    });
    return inner.get();
  });
  std::thread stopper{[&] { pool.stop(); }};
  held.open();
  stopper.join();
  EXPECT_EQ(outer.get(), 5);
}

TEST(thread_pool, a_stopped_pool_refuses_jobs_and_drops_what_they_captured) {
  thread_pool pool{of(2)};
  pool.stop();
  pool.stop();
  const auto kept = std::make_shared<int>(0);
  EXPECT_THROW(static_cast<void>(pool.submit([kept] {})), pool_stopped);
  EXPECT_THROW(pool.post([kept] {}), pool_stopped);
  EXPECT_THROW(pool.call([kept] {}), pool_stopped);
  EXPECT_THROW(pool.join([] {}, [] {}), pool_stopped);
  EXPECT_EQ(kept.use_count(), 1);
  EXPECT_THAT(message_of([&] { pool.post([] {}); }), HasSubstr("was stopped"));
}

TEST(thread_pool, a_job_cannot_stop_its_pool) {
  thread_pool pool{of(1)};
  EXPECT_THROW(pool.call([&] { pool.stop(); }), std::logic_error);
  EXPECT_EQ(pool.call([] { return 1; }), 1);
}

TEST(thread_pool, a_job_of_another_pool_is_outside) {
  thread_pool one{of(1)}, other{of(1)};
  EXPECT_EQ(one.call([&] { return other.submit([] { return 4; }).get(); }), 4);
  one.call([&] { other.stop(); });
  EXPECT_THROW(one.call([&] { other.post([] {}); }), pool_stopped);
}

TEST(thread_pool, stopped_under_load_it_runs_all_that_it_accepted) {
  for (int round = 0; round < 20; ++round) {
    thread_pool pool{of(3)};
    std::atomic<int> accepted{0}, runs{0}, ready{0};
    std::vector<std::thread> submitters;
    for (int i = 0; i < 3; ++i) {
      submitters.emplace_back([&] {
        try {
          for (;;) {
            pool.post([&] { runs.fetch_add(1); });
            if (accepted.fetch_add(1) == 10) ready.store(1);
          }
        } catch (const pool_stopped&) {
        }
      });
    }
    while (ready.load() == 0) std::this_thread::yield();
    pool.stop();
    EXPECT_GE(runs.load(), 10);
    for (auto& submitter : submitters) submitter.join();
    EXPECT_EQ(runs.load(), accepted.load());
  }
}

TEST(thread_pool, pools_come_and_go) {
  for (int round = 0; round < 200; ++round) {
    std::atomic<int> runs{0};
    {
      thread_pool pool{of(2)};
      for (int i = 0; i < round % 5; ++i) pool.post([&] { runs.fetch_add(1); });
    }
    ASSERT_EQ(runs.load(), round % 5);
  }
}

#if !defined(_WIN32)
TEST(thread_pool, a_child_of_fork_is_told_that_it_has_no_workers) {
  auto pool = std::make_unique<thread_pool>(of(2));
  ASSERT_EQ(pool->call([] { return 1; }), 1);
  door held;
  auto done = pool->submit([] { return 2; });
  done.wait();
  auto waiting = pool->submit([&] { held.pass(); });
  const int seen = exit_of_child([&] {
    const auto told = [](auto&& call) {
      return message_of(call).find("a child, by fork()") != std::string::npos;
    };
    int right = 0;
    right += told([&] { pool->call([] {}); });
    right += told([&] { static_cast<void>(pool->submit([] {})); });
    right += told([&] { pool->post([] {}); });
    right += told([&] { pool->join([] {}, [] {}); });
    right += told([&] { pool->stop(); });
    right += told([&] { waiting.wait(); });
    right += static_cast<int>(done.get() == 2);
    pool.reset();  // does not wait
    return right;
  });
  EXPECT_EQ(seen, 7);
  held.open();
  waiting.get();
  EXPECT_EQ(pool->call([] { return 3; }), 3) << "the parent's goes on";
}

#if !defined(SANITIZED)  // ThreadSanitizer ends a child that starts threads
TEST(thread_pool, a_child_of_fork_may_have_a_pool_of_its_own) {
  thread_pool pool{of(2)};
  ASSERT_EQ(pool.call([] { return 1; }), 1);
  EXPECT_EQ(exit_of_child([] {
              thread_pool own{of(2)};
              return own.call([] { return 7; });
            }),
            7);
}
#endif
#endif

#if defined(__cpp_lib_jthread)
TEST(thread_pool, a_job_that_is_asked_to_stop_before_it_begins_is_not_run) {
  thread_pool pool{of(1)};
  std::stop_source source;
  door held;
  bool ran = false;
  const auto kept = std::make_shared<int>(0);
  pool.post([&] { held.pass(); });
  auto result = pool.submit(source.get_token(), [&ran, kept] {
    ran = true;
    return 1;
  });
  pool.post(source.get_token(), [&ran, kept] { ran = true; });
  EXPECT_TRUE(source.request_stop());
  held.open();
  EXPECT_THAT(message_of([&] { result.get(); }), HasSubstr("asked to stop before it began"));
  pool.stop();
  EXPECT_FALSE(ran);
  EXPECT_EQ(kept.use_count(), 1) << "what they captured is gone";
}

TEST(thread_pool, a_job_with_a_token_runs_and_may_look_at_it) {
  thread_pool pool{of(1)};
  std::stop_source source;
  door begun;
  auto looks = pool.submit(source.get_token(), [&](const std::stop_token& token) {
    begun.open();
    while (!token.stop_requested()) std::this_thread::yield();
    return 7;
  });
  begun.pass();
  source.request_stop();
  EXPECT_EQ(looks.get(), 7) << "it had begun";
  EXPECT_EQ(
      pool.submit(std::stop_token{}, [only = std::make_unique<int>(3)] { return *only; }).get(), 3);
  const std::function<void()> none;
  EXPECT_THROW(pool.post(source.get_token(), none), std::invalid_argument);
}
#endif

// Posts itself again until it is told to end.
struct post_again {
  thread_pool& pool;
  std::atomic<bool>& ended;
  void operator()() const {
    if (!ended.load()) pool.post(*this);
  }
};

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_those_from_outside) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(2)};
  for (int i = 0; i < 100; ++i) pool.post(post_again{pool, ended});
  for (int i = 0; i < 100; ++i) ASSERT_EQ(pool.call([i] { return i; }), i);
  ended.store(true);
}

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_older_ones) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(1)};
  std::promise<void> older;
  pool.call([&] {
    pool.post([&] { older.set_value(); });
    pool.post(post_again{pool, ended});
  });
  older.get_future().get();
  ended.store(true);
}

TEST(thread_pool, jobs_that_post_themselves_do_not_starve_one_that_is_waited_for) {
  std::atomic<bool> ended{false};
  thread_pool pool{of(1)};
  const int result = pool.call([&] {
    auto older = pool.submit([] { return 8; });
    pool.post(post_again{pool, ended});
    return older.get();
  });
  EXPECT_EQ(result, 8);
  ended.store(true);
}

TEST(thread_pool, a_worker_that_waits_takes_one_job_at_most_out_of_turn) {
  constexpr int many = 10'000;
  thread_pool_options options = of(1);
  options.out_of_turn = 1;
  thread_pool pool{options};
  int depth = 0, deepest = 0, ended = 0;
  door held;
  pool.post([&] { held.pass(); });
  for (int i = 0; i < many; ++i) {
    pool.post([&] {
      deepest = std::max(deepest, ++depth);
      for (int n = 0; n < 4; ++n) pool.submit([] {}).wait();
      --depth;
      ++ended;
    });
  }
  held.open();
  pool.stop();
  EXPECT_EQ(ended, many);
  EXPECT_EQ(deepest, 2);
}

std::uint64_t fib(thread_pool& pool, unsigned n) {
  if (n < 2) return n;
  std::uint64_t a = 0, b = 0;
  pool.join([&] { a = fib(pool, n - 1); }, [&] { b = fib(pool, n - 2); });
  return a + b;
}

TEST(thread_pool, many_more_workers_than_processors) {
  thread_pool pool{of(16)};
  EXPECT_EQ(pool.call([&] { return fib(pool, 22); }), 17'711u);
  std::array<std::thread, 4> outside;
  std::atomic<std::uint64_t> sum{0};
  for (auto& thread : outside) {
    thread = std::thread{[&] {
      for (int i = 0; i < 500; ++i) sum.fetch_add(pool.submit([] { return 1u; }).get());
    }};
  }
  for (auto& thread : outside) thread.join();
  EXPECT_EQ(sum.load(), 2000u);
}

// A tree of jobs: what a node is worth is the sum over its children, each obtained in its own way.
struct node {
  int worth = 0;
  int how = 0;
  std::vector<node> children;
};

int in_sequence(const node& n) {
  int sum = n.worth;
  for (const node& child : n.children) sum += in_sequence(child);
  return sum;
}

int on_pool(thread_pool& pool, const node& n) {
  std::atomic<int> sum{n.worth};
  std::vector<pool_future<int>> later;
  for (const node& child : n.children) {
    switch (child.how) {
      case 0: later.push_back(pool.submit([&] { return on_pool(pool, child); })); break;
      case 1: sum += pool.call([&] { return on_pool(pool, child); }); break;
      default: pool.join([&] { sum += on_pool(pool, child); }, [] {}); break;
    }
  }
  for (auto& future : later) sum += future.get();
  return sum;
}

node some_tree(int depth) {
  node n;
  n.worth = *rc::gen::inRange(-100, 100);
  n.how = *rc::gen::inRange(0, 3);
  const int children = depth == 0 ? 0 : *rc::gen::inRange(0, 5);
  for (int i = 0; i < children; ++i) n.children.push_back(some_tree(depth - 1));
  return n;
}

RC_GTEST_PROP(thread_pool, a_tree_of_jobs_gives_what_it_gives_in_sequence, ()) {
  const node root = some_tree(4);
  thread_pool pool{of(*rc::gen::inRange(1u, 6u))};
  RC_ASSERT(on_pool(pool, root) == in_sequence(root));
}

}  // namespace
}  // namespace fencepost
