// The fork-join runtime on real threads: results, exceptions, misuse, frames, its end.
#include "fencepost/runtime/fork_join.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#if defined(__linux__)
#include <pthread.h>
#endif

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include "child_process.hpp"
#include "sanitized.hpp"

namespace fencepost {
namespace {

using counting = basic_fork_join<fork_join_features{.statistics = true}>;

fork_join_options with(std::uint32_t workers, std::uint32_t tasks = 1u << 20) {
  fork_join_options options;
  options.workers = workers;
  options.tasks = tasks;
  return options;
}

template <class Worker>
long fib(Worker& me, int n) noexcept {
  if (n < 2) return n;
  auto left = me.spawn([n](Worker& mine) noexcept { return fib(mine, n - 1); });
  const long right = fib(me, n - 2);
  return me.sync(left) + right;
}

struct failure : std::runtime_error {
  failure() : std::runtime_error{"failure"} {}
};

TEST(fork_join, gives_the_result_of_a_recursion) {
  for (const std::uint32_t workers : {1U, 2U, 3U, 16U}) {
    fork_join pool{with(workers)};
    EXPECT_EQ(pool.workers(), workers);
    EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 20); }), 6765) << workers;
  }
}

TEST(fork_join, has_as_many_workers_as_the_machine_has_processors) {
  const fork_join pool;
  EXPECT_EQ(pool.workers(), std::max(1U, std::thread::hardware_concurrency()));
}

// LACE-86: the arena's first two words are its hot ones, and the deque's last five the owner's,
// which begin a line.
TEST(fork_join, the_arena_begins_on_the_line_of_the_head_of_the_deque) {
  fork_join pool{with(1)};
  pool.run([](fork_join_worker& me) {
    const auto* const worker = reinterpret_cast<const std::byte*>(&me);
    const auto* const arena = reinterpret_cast<const std::byte*>(&me.scratch());
    EXPECT_EQ(static_cast<std::size_t>(arena - worker) % 64, 5 * sizeof(void*));
    using deque =
        tail_split<fork_join_worker::task, default_atomics, iso_split_word, reserved_slots>;
    EXPECT_LT(static_cast<std::size_t>(arena - worker), sizeof(deque));
  });
}

TEST(fork_join, has_room_for_deep_recursion_and_may_be_pinned) {
  fork_join_options options = with(2);
  options.stack = std::size_t{1} << 30;
  options.pin = true;
  fork_join pool{options};
  struct deep {
    static std::uint64_t sum(fork_join_worker& me, std::uint64_t n) {
      if (n == 0) return 0;
      auto rest = me.spawn([n](fork_join_worker& mine) { return sum(mine, n - 1); });
      return n + me.sync(rest);
    }
  };
#ifdef FENCEPOST_THREAD_SANITIZER  // which has room for 65536 calls
  constexpr std::uint64_t n = 5'000;
#else
  constexpr std::uint64_t n = 300'000;
#endif
  EXPECT_EQ(pool.run([&](fork_join_worker& me) { return deep::sum(me, n); }), n * (n + 1) / 2);
}

TEST(fork_join, runs_callables_that_take_nothing) {
  fork_join pool{with(2)};
  EXPECT_EQ(pool.run([] { return 7; }), 7);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return me.sync(me.spawn([] { return 8; })); }), 8);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return me.call([] { return 9; }); }), 9);
}

TEST(fork_join, gives_references_and_nothing_back) {
  fork_join pool{with(2)};
  int there = 1;
  pool.run([&](fork_join_worker& me) {
    auto handle = me.spawn([&]() -> int& { return there; });
    int& same = me.sync(handle);
    same = 2;
    auto nothing = me.spawn([&] { ++there; });
    me.sync(nothing);
  });
  EXPECT_EQ(there, 3);
  int& same = pool.run([&]() -> int& { return there; });
  EXPECT_EQ(&same, &there);
}

// A task that another worker must run, for the one that spawned it waits for that.
template <class Result>
Result from_a_thief(fork_join_worker& me, const Result& value) {
  std::atomic<bool> ran{false};
  auto handle = me.spawn([&ran, &value]() -> Result {
    ran.store(true, std::memory_order_release);
    return value;
  });
  while (!ran.load(std::memory_order_acquire)) me.poll();
  return me.sync(handle);
}

TEST(fork_join, gives_the_result_of_a_stolen_task_of_any_size) {
  fork_join pool{with(2)};
  const std::array<std::uint64_t, 40> large{1, 2, 3};
  const std::string text(1000, 'x');
  pool.run([&](fork_join_worker& me) {
    EXPECT_EQ(from_a_thief(me, 42), 42);
    EXPECT_EQ(from_a_thief(me, large), large);
    EXPECT_EQ(from_a_thief(me, text), text);
  });
}

// False: it did not come true in a time in which it comes true on any machine.
template <class Condition>
bool eventually(Condition&& holds) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds{60};
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::yield();
  }
  return true;
}

// The other worker asks for work, and falls asleep, while this one has a single task left, which it
// then runs itself: what that task spawns is the answer.
TEST(fork_join, a_worker_that_sleeps_gets_work_that_only_the_busy_owner_has) {
  fork_join_options options = with(2);
  options.search.attempts = 0;
  counting pool{options};
  using worker = counting::worker;
  for (int round = 0; round < 10 && !HasFailure(); ++round) {
    pool.run([&pool](worker& me) {
      std::atomic<bool> begun{false}, spawned{false}, ran{false};
      std::atomic<std::uint64_t> sleeps{~std::uint64_t{0}};
      auto first = me.spawn([&] {
        begun = true;
        while (!spawned) std::this_thread::yield();
        sleeps = pool.statistics().sleeps;
      });
      EXPECT_TRUE(eventually([&] { return begun.load(); })) << "the first task wakes the other";
      auto second = me.spawn([&](worker& mine) {
        EXPECT_EQ(mine.index(), me.index()) << "nobody has asked for it";
        auto inner = mine.spawn([&] { ran = true; });
        // Neither sync() of `inner` nor poll(): spawning alone has to answer.
        EXPECT_TRUE(eventually([&] {
          mine.sync(mine.spawn([] {}));
          return ran.load();
        })) << "the other worker sleeps on";
        mine.sync(inner);
      });
      spawned = true;
      EXPECT_TRUE(eventually([&] { return pool.statistics().sleeps > sleeps; }));
      me.sync(second);
      me.sync(first);
    });
  }
}

TEST(fork_join, runs_callables_of_any_size_and_destroys_each_once) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    const auto token = std::make_shared<int>(1);
    const std::array<std::uint64_t, 40> large{1, 2, 3};
    for (int stolen = 0; stolen < 2; ++stolen) {
      std::atomic<bool> ran{stolen == 0};
      auto small = me.spawn([token, &ran] {
        ran.store(true, std::memory_order_release);
        return *token;
      });
      if (stolen != 0) {
        while (!ran.load(std::memory_order_acquire)) me.poll();
      }
      auto big = me.spawn([token, large] { return large[2] + static_cast<unsigned>(*token); });
      EXPECT_EQ(me.sync(big), 4U);
      EXPECT_EQ(me.sync(small), 1);
      EXPECT_EQ(token.use_count(), 1);
      me.drop(me.spawn([token, large] { return large[0]; }));
      me.drop(me.spawn([token] {}));
      EXPECT_EQ(token.use_count(), 1);
    }
    EXPECT_EQ(me.scratch().used(), 0U);
  });
}

TEST(fork_join, throws_what_a_task_throws_to_the_one_that_syncs) {
  fork_join pool{with(2)};
  EXPECT_THROW(pool.run([] { throw failure{}; }), failure);
  pool.run([&](fork_join_worker& me) {
    auto own = me.spawn([]() -> int { throw failure{}; });
    EXPECT_THROW(me.sync(own), failure);

    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&ran]() -> std::string {
      ran.store(true, std::memory_order_release);
      throw failure{};
    });
    while (!ran.load(std::memory_order_acquire)) me.poll();
    EXPECT_THROW(me.sync(stolen), failure);
  });
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 15); }), 610);
}

TEST(fork_join, drops_a_task_when_an_exception_passes_its_handle) {
  fork_join pool{with(2)};
  for (int round = 0; round < 100; ++round) {
    const auto token = std::make_shared<int>(1);
    EXPECT_THROW(pool.run([&](fork_join_worker& me) {
      auto handle = me.spawn([token] { return *token; });
      throw failure{};
      return me.sync(handle);
    }),
                 failure);
    EXPECT_EQ(token.use_count(), 1);
  }
}

TEST(fork_join, drops_a_task_without_running_it_or_waits_for_its_thief) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&ran] { ran.store(true, std::memory_order_release); });
    while (!ran.load(std::memory_order_acquire)) me.poll();
    me.drop(stolen);
    auto throwing = me.spawn([&ran]() -> int {
      ran.store(false, std::memory_order_release);
      throw failure{};
    });
    while (ran.load(std::memory_order_acquire)) me.poll();
    me.drop(throwing);
  });
  fork_join alone{with(1)};
  alone.run([](fork_join_worker& me) {
    me.drop(me.spawn([]() -> int { throw failure{}; }));
    me.drop(me.spawn([] { ADD_FAILURE() << "nobody could have stolen it"; }));
  });
}

TEST(fork_join, joins_two_and_many) {
  fork_join pool{with(2)};
  pool.run([&](fork_join_worker& me) {
    const auto [a, b, c] =
        me.join([] { return 1; }, [](fork_join_worker&) { return std::string("two"); }, [] {});
    EXPECT_EQ(a, 1);
    EXPECT_EQ(b, "two");
    EXPECT_EQ(c, std::monostate{});
    int left = 0, right = 0;
    static_assert(std::is_void_v<decltype(me.join([&] { left = 1; }, [&] { right = 2; }))>);
    me.join([&] { left = 1; }, [&] { right = 2; });
    EXPECT_EQ(left + right, 3);
    auto [only] = me.join([] { return std::make_unique<int>(5); });
    EXPECT_EQ(*only, 5);
    auto [here, there] = me.join([&]() -> int& { return left; }, [&]() -> int& { return right; });
    EXPECT_EQ(&here, &left);
    EXPECT_EQ(&there, &right);
  });
}

TEST(fork_join, throws_what_the_first_of_a_join_throws_or_the_last_of_the_others) {
  fork_join pool{with(2)};
  const auto thrown = [&](auto... callables) {
    try {
      pool.run([&](fork_join_worker& me) { me.join(callables...); });
    } catch (int which) {
      return which;
    }
    return 0;
  };
  EXPECT_EQ(thrown([] { throw 1; }, [] { throw 2; }, [] { throw 3; }), 1);
  EXPECT_EQ(thrown([] {}, [] { throw 2; }, [] { throw 3; }), 3);
  EXPECT_EQ(thrown([] {}, [] { throw 2; }, [] {}), 2);
}

TEST(fork_join, keeps_what_the_deque_has_no_room_for) {
  for (const std::uint32_t tasks : {0U, 1U, 5U}) {
    fork_join pool{with(2, tasks)};
    EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 16); }), 987) << tasks;
    pool.run([](fork_join_worker& me) {
      const auto token = std::make_shared<int>(1);
      const auto task = [token] { return *token; };
      std::vector<decltype(me.spawn(task))> handles;
      for (int i = 0; i < 10; ++i) handles.push_back(me.spawn(task));
      for (int i = 0; i < 5; ++i, handles.pop_back()) EXPECT_EQ(me.sync(handles.back()), 1);
      for (int i = 0; i < 5; ++i, handles.pop_back()) me.drop(handles.back());
      EXPECT_EQ(token.use_count(), 2);
      EXPECT_EQ(me.scratch().used(), 0U);
    });
  }
}

TEST(fork_join, lets_tasks_have_scratch_memory) {
  fork_join pool{with(2)};
  pool.run([](fork_join_worker& me) {
    const std::span<int> mine = me.scratch().allocate<int>(100);
    std::iota(mine.begin(), mine.end(), 0);
    const int sum = from_a_thief(me, 7) + std::accumulate(mine.begin(), mine.end(), 0);
    EXPECT_EQ(sum, 4957);
    // What is not reset goes with the task of run().
  });
  pool.run([](fork_join_worker& me) { EXPECT_EQ(me.scratch().used(), 0U); });
}

TEST(fork_join, brings_all_workers_together) {
  for (const std::uint32_t workers : {1U, 2U, 5U}) {
    fork_join pool{with(workers)};
    std::vector<std::atomic<int>> times(workers);
    pool.run([&](fork_join_worker& me) {
      for (int round = 0; round < 20; ++round) {
        me.together([&](fork_join_worker& mine) {
          ++times[mine.index()];
          EXPECT_EQ(fib(mine, 10), 55);
        });
      }
      EXPECT_EQ(fib(me, 12), 144);
    });
    for (const auto& t : times) EXPECT_EQ(t.load(), 20);
  }
}

TEST(fork_join, workers_meet_in_what_all_do_together) {
  for (const std::uint32_t workers : {1U, 2U, 5U}) {
    fork_join pool{with(workers)};
    std::vector<int> parts(workers);
    std::atomic<unsigned> wrong{0};
    pool.run([&](fork_join_worker& me) {
      me.together([&](fork_join_worker& mine) {
        for (int round = 1; round < 20; ++round) {
          parts[mine.index()] = round;
          mine.meet();
          if (std::accumulate(parts.begin(), parts.end(), 0) != round * static_cast<int>(workers)) {
            ++wrong;
          }
          mine.meet();
        }
      });
    });
    EXPECT_EQ(wrong.load(), 0U) << workers;
  }
}

TEST(fork_join, hides_what_was_spawned_before_a_new_frame) {
  for (const std::uint32_t workers : {1U, 2U, 4U}) {
    fork_join pool{with(workers)};
    for (int round = 0; round < 20; ++round) {
      pool.run([&](fork_join_worker& me) {
        std::atomic<bool> in_frame{false}, ran_in_frame{false};
        auto before = me.spawn([&] { ran_in_frame = in_frame.load(); });
        EXPECT_EQ(me.new_frame([&](fork_join_worker& mine) {
          in_frame = true;
          const long result = fib(mine, 15);
          in_frame = false;
          return result;
        }),
                  610);
        me.sync(before);
        EXPECT_FALSE(ran_in_frame.load());
      });
    }
    pool.run([&](fork_join_worker& me) {
      EXPECT_THROW(me.new_frame([] { throw failure{}; }), failure);
      EXPECT_EQ(me.new_frame([](fork_join_worker& mine) {
        return mine.new_frame([](fork_join_worker& inner) { return fib(inner, 10); });
      }),
                55);
    });
  }
}

TEST(fork_join, starts_frames_from_tasks_on_any_worker) {
  fork_join pool{with(3)};
  std::atomic<int> calls{0};
  pool.run([&](fork_join_worker& me) {
    auto a = me.spawn([&](fork_join_worker& mine) { mine.together([&] { ++calls; }); });
    auto b = me.spawn([&](fork_join_worker& mine) { mine.together([&] { ++calls; }); });
    me.together([&] { ++calls; });
    me.sync(b);
    me.sync(a);
  });
  EXPECT_EQ(calls.load(), 9);
}

TEST(fork_join, calls_at_once_what_a_task_of_it_runs) {
  fork_join pool{with(1)};
  EXPECT_FALSE(pool.on_worker());
  EXPECT_EQ(pool.run([&] {
    EXPECT_TRUE(pool.on_worker());
    return pool.run([](fork_join_worker& me) { return fib(me, 10); });
  }),
            55);
}

TEST(fork_join, runs_tasks_of_another_pool) {
  fork_join one{with(1)}, other{with(2)};
  EXPECT_EQ(one.run([&] { return other.run([](fork_join_worker& me) { return fib(me, 10); }); }),
            55);
}

TEST(fork_join, takes_tasks_from_many_threads) {
  fork_join pool{with(2)};
  std::atomic<int> right{0};
  std::vector<std::thread> submitters;
  for (int i = 0; i < 100; ++i) {  // more than there are slots
    submitters.emplace_back([&] {
      for (int n = 5; n < 15; ++n) {
        right += pool.run([n](fork_join_worker& me) { return fib(me, n); }) ==
                 pool.run([n](fork_join_worker& me) { return fib(me, n); });
      }
    });
  }
  for (auto& submitter : submitters) submitter.join();
  EXPECT_EQ(right.load(), 1000);
}

TEST(fork_join, refuses_what_comes_after_its_end_and_runs_what_came_before) {
  for (int round = 0; round < 50; ++round) {
    fork_join pool{with(2)};
    std::atomic<int> ran{0}, accepted{0};
    std::vector<std::thread> submitters;
    for (int i = 0; i < 4; ++i) {
      submitters.emplace_back([&] {
        try {
          for (;;) {
            pool.run([&](fork_join_worker& me) {
              EXPECT_EQ(fib(me, 8), 21);
              ++ran;
            });
            ++accepted;
          }
        } catch (const fork_join_stopped&) {  // what was waited for
        }
      });
    }
    while (ran.load() < 3) std::this_thread::yield();
    pool.stop();
    for (auto& submitter : submitters) submitter.join();
    EXPECT_EQ(ran.load(), accepted.load());
    EXPECT_THROW(pool.run([] {}), fork_join_stopped);
    pool.stop();  // again
  }
}

TEST(fork_join, can_be_stopped_by_two_threads) {
  fork_join pool{with(2)};
  std::thread other{[&] { pool.stop(); }};
  pool.stop();
  other.join();
}

TEST(fork_join, cannot_be_stopped_by_its_worker) {
  fork_join pool{with(1)};
  EXPECT_THROW(pool.run([&] { pool.stop(); }), std::logic_error);
}

TEST(fork_join, refuses_options_that_make_no_sense) {
  EXPECT_THROW(fork_join{with(0)}, std::invalid_argument);
  EXPECT_THROW(fork_join{with(fork_join::most_workers + 1)}, std::length_error);
  EXPECT_THROW(fork_join{with(1, 0x8000'0000U)}, std::length_error);
  fork_join_options narrow = with(2);
  narrow.stack = 1;
  EXPECT_THROW(fork_join{narrow}, std::invalid_argument);
  fork_join_options greedy = with(2);
  greedy.scratch.reserve = std::numeric_limits<std::size_t>::max() / 2;
  EXPECT_THROW(fork_join{greedy}, scratch_error);
}

TEST(fork_join, counts_what_it_does) {
  counting pool{with(2)};
  using worker = counting::worker;
  EXPECT_EQ(pool.run([](worker& me) { return fib(me, 15); }), 610);
  fork_join_statistics seen = pool.statistics();
  EXPECT_EQ(seen.tasks, 986U);  // fib(16) - 1
  EXPECT_EQ(seen.external, 1U);
  pool.run([&](worker& me) {
    for (int i = 0; i < 10; ++i) {
      std::atomic<bool> ran{false};
      auto stolen = me.spawn([&] { ran = true; });
      while (!ran) me.poll();
      me.sync(stolen);
    }
  });
  seen = pool.statistics();
  EXPECT_EQ(seen.tasks, 996U);
  EXPECT_GE(seen.steals, 10U);
  EXPECT_GE(seen.splits_begun, 10U);
}

// The first task is shared at once, the second when the thief of the first has asked for it.
TEST(fork_join, counts_requests_and_their_answers) {
  counting pool{with(2)};
  using worker = counting::worker;
  pool.run([](worker& me) {
    std::atomic<int> ran{0};
    auto first = me.spawn([&] { ++ran; });
    auto second = me.spawn([&] { ++ran; });
    while (ran != 2) me.poll();
    me.sync(second);
    me.sync(first);
  });
  pool.stop();
  const fork_join_statistics seen = pool.statistics();
  EXPECT_EQ(seen.splits_raised, 1U);
  EXPECT_GE(seen.requests, 1U);
  EXPECT_LE(seen.requests, seen.steals_none + seen.steals);
}

// A first task is shared at once, and a second one is the worker's own until a thief asks.
TEST(fork_join, tells_how_many_tasks_thieves_may_take) {
  counting pool{with(1)};
  using worker = counting::worker;
  pool.run([&](worker& me) {
    EXPECT_EQ(pool.statistics().shared, 0U);
    auto first = me.spawn([] {});
    EXPECT_EQ(pool.statistics().shared, 1U);
    auto second = me.spawn([] {});
    EXPECT_EQ(pool.statistics(0).shared, 1U);
    me.share();
    EXPECT_EQ(pool.statistics().shared, 2U);
    me.sync(second);
    me.sync(first);
    EXPECT_EQ(pool.statistics().shared, 0U);
  });
}

TEST(fork_join, tells_how_many_calls_wait_for_a_worker) {
  counting pool{with(1)};
  std::atomic<bool> go{false};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&] {
      pool.run([&] {
        while (!go) std::this_thread::yield();
      });
    });
  }
  while (pool.statistics().waiting != 2 || pool.statistics().external != 1) {
    std::this_thread::yield();
  }
  go = true;
  for (std::thread& each : callers) each.join();
  EXPECT_EQ(pool.statistics().waiting, 0U);
  EXPECT_EQ(pool.statistics().external, 3U);
}

TEST(fork_join, counts_of_all_workers_are_those_of_each) {
  counting pool{with(3)};
  EXPECT_EQ(pool.run([](counting::worker& me) { return fib(me, 18); }), 2584);
  pool.stop();
  fork_join_statistics sum;
  for (std::uint32_t index = 0; index < pool.workers(); ++index) sum += pool.statistics(index);
  const fork_join_statistics all = pool.statistics();
  for (const auto what : fork_join_statistics::members()) EXPECT_EQ(all.*what, sum.*what);
  EXPECT_EQ(all.tasks, 4180U);  // fib(19) - 1
}

// Random trees: each node spawns its children, and syncs or drops them.
struct tree {
  std::vector<tree> children;
  unsigned value = 0;
};

std::uint64_t sum(const tree& t) {
  std::uint64_t total = t.value;
  for (const tree& child : t.children) total += sum(child);
  return total;
}
std::uint64_t sum_of_range(fork_join_worker& me, const std::vector<tree>& trees, std::size_t from);
std::uint64_t sum(fork_join_worker& me, const tree& t) {
  return t.value + sum_of_range(me, t.children, 0);
}
std::uint64_t sum_of_range(fork_join_worker& me, const std::vector<tree>& trees, std::size_t from) {
  if (from == trees.size()) return 0;
  auto first = me.spawn([&](fork_join_worker& mine) { return sum(mine, trees[from]); });
  const std::uint64_t rest = sum_of_range(me, trees, from + 1);
  return me.sync(first) + rest;
}

rc::Gen<tree> any_tree(int depth) {
  const auto children =
      depth == 0 ? rc::gen::just(std::vector<tree>{})
                 : rc::gen::resize(5, rc::gen::container<std::vector<tree>>(
                                          rc::gen::lazy([=] { return any_tree(depth - 1); })));
  return rc::gen::build<tree>(rc::gen::set(&tree::children, children),
                              rc::gen::set(&tree::value, rc::gen::inRange(0U, 1000U)));
}

RC_GTEST_PROP(fork_join_trees, sum_up_as_one_thread_sums_them, ()) {
  static fork_join pools[] = {fork_join{with(2)}, fork_join{with(16, 8)}};
  const tree t = *any_tree(5);
  const std::uint64_t expected = sum(t);
  for (fork_join& pool : pools) {
    RC_ASSERT(pool.run([&](fork_join_worker& me) { return sum(me, t); }) == expected);
  }
}

// Without one of the two ways, or both, to find work while waiting.
TEST(fork_join, gives_the_result_however_workers_search) {
  for (const bool leapfrog : {false, true}) {
    for (const bool random : {false, true}) {
      fork_join_options options = with(4);
      options.search.leapfrog = leapfrog;
      options.search.random_steals = random;
      options.search.attempts = 0;  // sleeps at once
      fork_join pool{options};
      for (int round = 0; round < 20; ++round) {
        EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 14); }), 377);
      }
    }
  }
}

TEST(fork_join, gives_the_result_however_long_workers_pause) {
  for (const std::uint32_t pauses : {1U, 3U, 64U}) {
    fork_join_options options = with(4);
    options.search.pauses = pauses;
    fork_join pool{options};
    for (int round = 0; round < 20; ++round) {
      EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 14); }), 377);
    }
  }
}

#if defined(__linux__)
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
// Spawns many, shares them, and takes them back while others steal: the split goes up and down.
TEST(fork_join, gives_the_result_on_a_word_of_halves) {
  using pool_of_halves =
      basic_fork_join<fork_join_features{.statistics = true, .word = fork_join_word::halves}>;
  using worker = pool_of_halves::worker;
  for (const std::uint32_t workers : {1U, 2U, 4U}) {
    pool_of_halves pool{with(workers)};
    EXPECT_EQ(pool.run([](worker& me) { return fib(me, 22); }), 17711) << workers;
    std::atomic<unsigned> runs{0};
    pool.run([&runs](worker& me) {
      for (unsigned round = 0; round < 200; ++round) {
        const auto task = [&runs](worker&) noexcept { runs.fetch_add(1); };
        auto first = me.spawn(task);
        auto second = me.spawn(task);
        auto third = me.spawn(task);
        me.share();
        me.sync(third);
        me.sync(second);
        me.sync(first);
      }
    });
    EXPECT_EQ(runs.load(), 600U) << workers;
    pool.stop();
    EXPECT_GT(pool.statistics().splits_lowered, 0U);
  }
}
#endif

TEST(fork_join, threads_have_names) {
  fork_join_options options = with(1);
  const auto name = [&options] {
    return fork_join{options}.run([] {
      std::array<char, 16> shown{};
      pthread_getname_np(pthread_self(), shown.data(), shown.size());
      return std::string{shown.data()};
    });
  };
  EXPECT_EQ(name(), "fencepost-0");
  options.name = "renderer";
  EXPECT_EQ(name(), "renderer-0");
}
#endif

#if !defined(_WIN32)
TEST(fork_join, a_child_of_fork_is_told_that_it_has_no_workers) {
  auto pool = std::make_unique<fork_join>(with(2));
  ASSERT_EQ(pool->run([](fork_join_worker& me) { return fib(me, 10); }), 55);
  const int told = exit_of_child([&] {
    int right = 0;
    try {
      pool->run([](fork_join_worker& me) { return fib(me, 10); });
    } catch (const std::logic_error&) {
      ++right;
    }
    try {
      pool->stop();
    } catch (const std::logic_error&) {
      ++right;
    }
    pool.reset();  // does not wait
    return right;
  });
  EXPECT_EQ(told, 2);
  EXPECT_EQ(pool->run([](fork_join_worker& me) { return fib(me, 10); }), 55);
}

#if !defined(SANITIZED)  // ThreadSanitizer ends a child that starts threads
TEST(fork_join, a_child_of_fork_may_have_a_pool_of_its_own) {
  fork_join pool{with(2)};
  EXPECT_EQ(exit_of_child([] {
              fork_join own{with(2)};
              return static_cast<int>(own.run([](fork_join_worker& me) { return fib(me, 10); }));
            }),
            55);
}
#endif
#endif

using fork_join_death = testing::Test;

#if !defined(SANITIZED) && !defined(_WIN32)  // frames of other sizes, no such signal
long without_end(fork_join_worker& me, long n) noexcept {
  volatile long frame[32];  // or compilers make a loop of it
  frame[n % 32] = n;
  auto rest = me.spawn([n](fork_join_worker& mine) noexcept { return without_end(mine, n + 1); });
  return me.sync(rest) + frame[n % 32];
}

TEST(fork_join_death, a_stack_that_overflows_says_which_worker_and_how_large) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  fork_join_options options = with(1);
  options.stack = 256 << 10;
  EXPECT_EXIT(fork_join{options}.run([](fork_join_worker& me) { return without_end(me, 0); }),
              testing::KilledBySignal(SIGSEGV),
              "the thread fencepost-0 has overflowed its stack of 262144 bytes");
}
#endif

TEST(fork_join_death, tells_of_a_task_that_is_synced_twice) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) {
    auto handle = me.spawn([] {});
    me.sync(handle);
    me.sync(handle);
  }),
               "handle without a task");
}

TEST(fork_join_death, tells_of_tasks_that_are_synced_out_of_order) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) {
    auto first = me.spawn([] {});
    auto second = me.spawn([] {});
    me.sync(first);
    me.sync(second);
  }),
               "out of order");
}

TEST(fork_join_death, tells_of_a_task_that_another_worker_syncs) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(2)}.run([](fork_join_worker& me) {
    auto outer = me.spawn([] {});
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&](fork_join_worker& mine) {
      ran = true;
      mine.sync(outer);
    });
    while (!ran) me.poll();
    me.sync(stolen);
  }),
               "by a worker that did not spawn it|out of order");
}

#if !defined(NDEBUG)
TEST(fork_join_death, tells_of_a_task_that_is_never_synced) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(1)}.run([](fork_join_worker& me) { auto handle = me.spawn([] {}); }),
               "destroyed with its task");
}

TEST(fork_join_death, tells_of_a_worker_that_another_one_uses) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(fork_join{with(2)}.run([](fork_join_worker& me) {
    std::atomic<bool> ran{false};
    auto stolen = me.spawn([&] {
      ran = true;
      me.sync(me.spawn([] {}));
    });
    while (!ran) me.poll();
    me.sync(stolen);
  }),
               "used by a task that another worker runs");
}
#else
TEST(fork_join, drops_a_task_that_is_never_synced) {
  fork_join pool{with(1)};
  const auto token = std::make_shared<int>(1);
  pool.run([&](fork_join_worker& me) { auto handle = me.spawn([token] { return *token; }); });
  EXPECT_EQ(token.use_count(), 1);
  EXPECT_EQ(pool.run([](fork_join_worker& me) { return fib(me, 10); }), 55);
}
#endif

}  // namespace
}  // namespace fencepost
