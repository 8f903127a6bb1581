// What all workers of fork_join do together, and frames.
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <vector>

#include "fork_join_testing.hpp"

namespace fencepost {
namespace {

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

}  // namespace
}  // namespace fencepost
