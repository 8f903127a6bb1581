// Frames on real threads, and their errors. The scenarios cover every order in which the steps can
// happen.
#include "fencepost/sync/frame_handshake.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <stdexcept>
#include <thread>
#include <vector>

namespace fencepost {
namespace {

TEST(frame_handshake, of_one_worker_runs_its_frame_at_once) {
  frame_handshake<int> frames{1};
  EXPECT_FALSE(frames.pending());
  int ran = 0;
  frames.start(7, [&](int& copy, frame_role role) {
    EXPECT_EQ(role, frame_role::initiator);
    EXPECT_FALSE(frames.pending());
    ran = copy;
  });
  EXPECT_EQ(ran, 7);
}

TEST(frame_handshake, without_a_frame_there_is_nothing_to_join) {
  frame_handshake<int> frames{2};
  EXPECT_FALSE(frames.poll([](int&, frame_role) { FAIL() << "there is no frame"; }));
}

TEST(frame_handshake, a_body_may_start_a_frame_of_its_own) {
  frame_handshake<int> frames{1};
  std::vector<int> ran;
  frames.start(1, [&](int& outer, frame_role) {
    frames.start(outer + 1, [&](int& inner, frame_role) { ran.push_back(inner); });
    ran.push_back(outer);
  });
  EXPECT_EQ(ran, (std::vector{2, 1}));
}

TEST(frame_handshake, announces_a_frame_once_when_it_is_pending) {
  frame_handshake<int> frames{1};
  int announced = 0;
  frames.start(
      1, [](int&, frame_role) {},
      [&] {
        EXPECT_TRUE(frames.pending());
        ++announced;
      });
  EXPECT_EQ(announced, 1);
}

TEST(frame_handshake, for_no_workers_is_refused) {
  EXPECT_THROW(frame_handshake<int>{0}, std::invalid_argument);
  EXPECT_THROW(frame_handshake<int>{std::uint64_t{1} << 32}, std::length_error);
}

// Each worker starts some frames; all workers run all frames, in the same order.
RC_GTEST_PROP(frame_handshake_model, all_workers_run_all_frames_in_one_order, ()) {
  const auto workers = *rc::gen::inRange(1u, 5u);
  const auto starts = *rc::gen::container<std::vector<unsigned>>(workers, rc::gen::inRange(0u, 6u));
  std::size_t total = 0;
  for (const unsigned mine : starts) total += mine;

  frame_handshake<unsigned> frames{workers, 20};
  std::vector<std::vector<unsigned>> order(workers);
  std::vector<std::thread> threads;
  for (unsigned index = 0; index < workers; ++index) {
    threads.emplace_back([&, index] {
      const auto body = [&](unsigned copy, frame_role) { order[index].push_back(copy); };
      for (unsigned i = 0; i < starts[index]; ++i) frames.start(100 * index + i, body);
      while (order[index].size() < total) {
        if (!frames.poll(body)) std::this_thread::yield();
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (const auto& mine : order) RC_ASSERT((mine == order[0]));
  RC_ASSERT((order[0].size() == total));
}

}  // namespace
}  // namespace fencepost
