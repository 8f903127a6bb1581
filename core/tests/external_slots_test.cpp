// The table of submissions and the completion, one step at a time; the scenarios cover what happens
// concurrently.
#include "fencepost/queue/external_slots.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>
#include <vector>

#include "fencepost/sync/completion.hpp"

namespace fencepost {
namespace {

struct record {
  int number = 0;
};

TEST(external_slots, has_64_slots_unless_it_is_told_otherwise) {
  EXPECT_EQ(external_slots<record>::capacity(), 64u);
  EXPECT_EQ((external_slots<record, default_atomics, 3>::capacity()), 3u);
}

TEST(external_slots, an_empty_table_has_nothing_to_take) {
  external_slots<record> slots;
  EXPECT_FALSE(slots.any());
  EXPECT_EQ(slots.take(), nullptr);
}

TEST(external_slots, what_is_submitted_is_taken_once) {
  external_slots<record> slots;
  record mine;
  ASSERT_TRUE(slots.try_submit(mine));
  EXPECT_TRUE(slots.any());
  EXPECT_EQ(slots.take(), &mine);
  EXPECT_FALSE(slots.any());
  EXPECT_EQ(slots.take(), nullptr);
}

TEST(external_slots, a_full_table_says_so_and_keeps_what_it_has) {
  external_slots<record> slots;
  std::array<record, 65> records;
  for (int i = 0; i < 64; ++i) ASSERT_TRUE(slots.try_submit(records[static_cast<unsigned>(i)]));
  EXPECT_FALSE(slots.try_submit(records[64]));
  ASSERT_NE(slots.take(), nullptr);
  EXPECT_TRUE(slots.try_submit(records[64])) << "there is room again";
  for (int taken = 1; taken < 65; ++taken) {
    record* r = slots.take();
    ASSERT_NE(r, nullptr);
    ++r->number;
  }
  EXPECT_EQ(slots.take(), nullptr);
}

TEST(external_slots, a_scan_begins_where_it_is_told_and_comes_to_every_slot) {
  for (std::uint32_t begin : {0u, 1u, 2u, 3u, 1000u, ~0u}) {
    external_slots<record, default_atomics, 3> slots;
    std::array<record, 3> records;
    for (auto& r : records) ASSERT_TRUE(slots.try_submit(r));
    for (auto& r : records) {
      static_cast<void>(r);
      record* taken = slots.take(begin);
      ASSERT_NE(taken, nullptr);
      EXPECT_EQ(taken->number++, 0);
    }
  }
}

TEST(external_slots, nothing_is_lost_with_many_threads_and_few_slots) {
  constexpr int each = 500;
  struct job {
    int result = 0;
    completion<> done;
  };
  external_slots<job, default_atomics, 2> slots;
  std::atomic<bool> stop{false};
  std::atomic<int> ran{0};
  std::vector<std::thread> threads;
  for (unsigned worker = 0; worker < 2; ++worker) {
    threads.emplace_back([&, worker] {
      while (!stop.load()) {
        if (job* taken = slots.take(worker)) {
          taken->result = 1;
          ran.fetch_add(1);
          taken->done.complete();
        } else {
          std::this_thread::yield();
        }
      }
    });
  }
  std::vector<std::thread> submitters;
  for (unsigned submitter = 0; submitter < 3; ++submitter) {
    submitters.emplace_back([&, submitter] {
      for (int i = 0; i < each; ++i) {
        job mine;
        while (!slots.try_submit(mine)) std::this_thread::yield();
        mine.done.wait(submitter == 0 ? 0 : completion<>::default_spins);
        EXPECT_EQ(mine.result, 1);
      }
    });
  }
  for (auto& thread : submitters) thread.join();
  stop.store(true);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(ran.load(), 3 * each);
  EXPECT_FALSE(slots.any());
}

TEST(completion, is_not_done_until_it_is_completed) {
  completion<> it;
  EXPECT_FALSE(it.done());
  it.complete();
  EXPECT_TRUE(it.done());
}

TEST(completion, a_wait_for_what_is_done_returns_at_once) {
  completion<> it;
  it.complete();
  it.wait(0);
  it.wait();
  EXPECT_TRUE(it.done());
}

TEST(completion, is_four_bytes) { EXPECT_EQ(sizeof(completion<>), 4u); }

TEST(completion, wakes_who_sleeps) {
  for (int i = 0; i < 200; ++i) {
    completion<> it;
    std::thread worker([&] {
      if (i % 2 == 0) std::this_thread::yield();
      it.complete();
    });
    it.wait(0);
    worker.join();
  }
}

}  // namespace
}  // namespace fencepost
