// The split deque, one step at a time; the scenarios cover what happens concurrently.
#include "fencepost/deque/tail_split.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include <stdexcept>
#include <string>

namespace fencepost {
namespace {

template <template <class> class W>
struct with {
  using deque = tail_split<int, default_atomics, W>;
};

template <class With>
struct tail_splits : testing::Test {
  using deque_type = typename With::deque;
  deque_type deque{4};
  int me = 0;  // its address identifies the thief

  // The popped task, or -1 if it is stolen.
  int pop() {
    auto* slot = deque.pop();
    return slot == nullptr ? -1 : slot->task.get();
  }
  // Steals; repeats spurious failures.
  typename deque_type::theft steal() {
    for (;;) {
      const auto theft = deque.steal(&me);
      if (theft.outcome != steal_outcome::retry) return theft;
    }
  }
  // Prepares the empty deque so that what is pushed next is private.
  void unshare() {
    deque.push(0);
    EXPECT_EQ(pop(), 0);
  }
};

using both = testing::Types<with<iso_split_word>
#ifdef FENCEPOST_HAS_MIXED_SIZE_WORD
                            ,
                            with<lace_split_word>
#endif
                            >;
TYPED_TEST_SUITE(tail_splits, both, );

TYPED_TEST(tail_splits, the_owner_pops_the_last_task_first) {
  for (const int task : {1, 2, 3}) this->deque.push(task);
  for (const int task : {3, 2, 1}) EXPECT_EQ(this->pop(), task);
  EXPECT_TRUE(this->deque.empty());
}

TYPED_TEST(tail_splits, a_thief_steals_the_oldest_task_first) {
  for (const int task : {1, 2, 3}) this->deque.push(task);
  this->deque.share_all();
  EXPECT_EQ(this->steal().task->task.get(), 1);
  EXPECT_EQ(this->steal().task->task.get(), 2);
  EXPECT_EQ(this->pop(), 3);
}

TYPED_TEST(tail_splits, stolen_says_whether_the_victim_shares_more) {
  for (const int task : {1, 2}) this->deque.push(task);
  this->deque.share_all();
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen);
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen_last);
  const auto nothing = this->steal();
  EXPECT_EQ(nothing.outcome, steal_outcome::no_work);
  EXPECT_EQ(nothing.task, nullptr);
}

TYPED_TEST(tail_splits, the_first_task_is_shared_and_those_above_are_private) {
  for (const int task : {1, 2, 3}) this->deque.push(task);
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen_last);
  EXPECT_EQ(this->steal().outcome, steal_outcome::no_work);
}

TYPED_TEST(tail_splits, a_new_deque_has_no_work) {
  EXPECT_EQ(this->steal().outcome, steal_outcome::no_work);
  EXPECT_TRUE(this->deque.empty());
}

TYPED_TEST(tail_splits, a_push_answers_a_thief_with_half_of_what_is_private) {
  this->unshare();
  for (const int task : {1, 2}) this->deque.push(task);
  EXPECT_EQ(this->steal().outcome, steal_outcome::no_work);  // and asks
  this->deque.push(3);                                       // two of three
  EXPECT_EQ(this->steal().task->task.get(), 1);
  const auto last = this->steal();
  EXPECT_EQ(last.task->task.get(), 2);
  EXPECT_EQ(last.outcome, steal_outcome::stolen_last);
}

TYPED_TEST(tail_splits, a_pop_answers_a_thief_with_half_of_what_stays_private) {
  this->unshare();
  for (const int task : {1, 2, 3}) this->deque.push(task);
  EXPECT_EQ(this->steal().outcome, steal_outcome::no_work);
  EXPECT_EQ(this->pop(), 3);  // one of two
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen_last);
}

TYPED_TEST(tail_splits, an_owner_that_does_neither_can_answer) {
  this->unshare();
  this->deque.push(1);
  this->deque.answer();
  EXPECT_EQ(this->steal().outcome, steal_outcome::no_work) << "no one had asked";
  this->deque.answer();
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen_last);
}

TYPED_TEST(tail_splits, an_owner_knows_whether_there_is_anything_to_steal) {
  EXPECT_TRUE(this->deque.drained()) << "new";
  this->deque.push(1);
  EXPECT_FALSE(this->deque.drained()) << "one that is shared";
  const auto theft = this->steal();
  EXPECT_TRUE(this->deque.drained()) << "stolen, which the owner has not noticed";
  EXPECT_EQ(this->pop(), -1);
  EXPECT_TRUE(this->deque.drained()) << "stolen, which the owner knows";
  this->deque.push(2);
  this->deque.push(3);
  EXPECT_EQ(this->steal().outcome, steal_outcome::stolen_last);
  EXPECT_FALSE(this->deque.drained()) << "one that is private, above two that are stolen";
  EXPECT_EQ(this->pop(), 3);
  EXPECT_TRUE(this->deque.drained());
  EXPECT_EQ(this->pop(), -1);
  this->deque.retire();
  theft.task->complete();
  this->deque.retire();
  this->unshare();
  EXPECT_TRUE(this->deque.drained()) << "empty";
  this->deque.push(4);
  EXPECT_FALSE(this->deque.drained()) << "one that is private";
}

TYPED_TEST(tail_splits, a_stolen_task_stays_on_top_until_it_is_retired) {
  this->deque.push(7);
  const auto theft = this->steal();
  EXPECT_EQ(this->deque.pop(), nullptr);
  EXPECT_EQ(this->deque.size(), 1u);
  EXPECT_FALSE(this->deque.top().completed());
  EXPECT_EQ(this->deque.top().thief(), &this->me);

  theft.task->task.set(8);
  theft.task->complete();
  EXPECT_TRUE(this->deque.top().completed());
  EXPECT_EQ(this->deque.top().thief(), nullptr);
  EXPECT_EQ(this->deque.top().task.get(), 8);
  this->deque.retire();
  EXPECT_TRUE(this->deque.empty());
}

// As if it were new: no push writes that the slot waits for a thief.
TYPED_TEST(tail_splits, a_slot_is_used_again_after_a_stolen_task) {
  for (const int task : {1, 2, 3}) {
    this->deque.push(task);
    EXPECT_FALSE(this->deque.top().completed()) << "as of its last task";
    EXPECT_EQ(this->deque.top().thief(), nullptr);
    const auto theft = this->steal();
    ASSERT_NE(theft.task, nullptr);
    EXPECT_EQ(this->deque.pop(), nullptr);
    theft.task->complete();
    EXPECT_TRUE(this->deque.top().completed());
    this->deque.retire();
  }
}

TYPED_TEST(tail_splits, work_goes_on_above_a_stolen_task) {
  this->deque.push(1);
  const auto theft = this->steal();
  ASSERT_EQ(this->deque.pop(), nullptr);
  this->deque.push(2);  // starts over, in slot 1
  const auto second = this->steal();
  EXPECT_EQ(second.task->task.get(), 2);
  EXPECT_EQ(this->deque.pop(), nullptr);
  second.task->complete();
  this->deque.retire();
  this->deque.push(3);
  EXPECT_EQ(this->pop(), 3);
  theft.task->complete();
  this->deque.retire();
  this->deque.push(4);
  EXPECT_EQ(this->pop(), 4);
  EXPECT_TRUE(this->deque.empty());
}

TYPED_TEST(tail_splits, a_full_deque_refuses_and_keeps_what_it_has) {
  for (const int task : {1, 2, 3, 4}) EXPECT_TRUE(this->deque.try_push(task));
  EXPECT_FALSE(this->deque.try_push(5));
  EXPECT_FALSE(this->deque.try_emplace([](int&) { ADD_FAILURE() << "there is no slot to fill"; }));
  EXPECT_EQ(this->steal().task->task.get(), 1);
  EXPECT_FALSE(this->deque.try_push(5)) << "a stolen task keeps its slot";
  for (const int task : {4, 3, 2}) EXPECT_EQ(this->pop(), task);
}

TYPED_TEST(tail_splits, a_push_without_room_says_what_to_do) {
  typename TestFixture::deque_type small{1};
  small.push(1);
  try {
    small.push(2);
    FAIL() << "there was no room";
  } catch (const std::length_error& error) {
    EXPECT_NE(std::string(error.what()).find("all 1 slots are in use"), std::string::npos);
    EXPECT_NE(std::string(error.what()).find("larger capacity"), std::string::npos);
  }
  EXPECT_EQ(small.size(), 1u);
}

TYPED_TEST(tail_splits, a_capacity_beyond_the_greatest_is_refused) {
  using type = typename TestFixture::deque_type;
  EXPECT_THROW(type{type::max_capacity + 1}, std::length_error);
  EXPECT_THROW(type{0xffff'ffff}, std::length_error);
}

TYPED_TEST(tail_splits, a_deque_for_no_task_is_always_full) {
  typename TestFixture::deque_type none{0};
  EXPECT_FALSE(none.try_push(1));
  EXPECT_EQ(none.steal(&this->me).outcome, steal_outcome::no_work);
}

// A task as a runtime uses it: any function, its arguments, and its result in their place.
struct call {
  void (*run)(call&);
  std::int64_t numbers[6];
};
static_assert(sizeof(call) == 56 && sizeof(task_slot<call>) == 64);

TEST(tail_split, a_task_is_a_function_and_48_bytes) {
  tail_split<call> deque{1};
  ASSERT_TRUE(deque.try_emplace([](call& task) {
    task.run = [](call& self) { self.numbers[0] = self.numbers[4] * self.numbers[5]; };
    task.numbers[4] = 6;
    task.numbers[5] = 7;
  }));
  int me = 0;
  auto theft = deque.steal(&me);
  while (theft.outcome == steal_outcome::retry) theft = deque.steal(&me);
  ASSERT_NE(theft.task, nullptr);
  call& task = theft.task->task.write();
  task.run(task);
  theft.task->complete();
  ASSERT_EQ(deque.pop(), nullptr);
  ASSERT_TRUE(deque.top().completed());
  EXPECT_EQ(deque.top().task.read().numbers[0], 42);
  deque.retire();
}

}  // namespace
}  // namespace fencepost
