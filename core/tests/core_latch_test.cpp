// The four-state latch, one step at a time; the scenarios cover what happens concurrently.
#undef NDEBUG  // the test checks what the assertions do
#include "fencepost/sync/core_latch.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>
#include <rapidcheck/state.h>

#include <atomic>
#include <memory>
#include <ostream>

#include "fencepost/atomics/default_atomics.hpp"

namespace fencepost {
namespace {

TEST(core_latch, a_new_latch_is_not_set) {
  const core_latch<> latch;
  EXPECT_FALSE(latch.probe());
}

TEST(core_latch, a_latch_that_is_set_stays_so) {
  core_latch<> latch;
  EXPECT_FALSE(latch.set()) << "nobody sleeps";
  EXPECT_TRUE(latch.probe());
  EXPECT_FALSE(latch.get_sleepy());
  EXPECT_FALSE(latch.fall_asleep());
  EXPECT_TRUE(latch.probe());
}

TEST(core_latch, who_sets_it_wakes_a_waiter_that_sleeps) {
  core_latch<> latch;
  ASSERT_TRUE(latch.get_sleepy());
  ASSERT_TRUE(latch.fall_asleep());
  EXPECT_TRUE(latch.set());
  latch.wake_up();
  EXPECT_TRUE(latch.probe()) << "waking up does not unset it";
}

TEST(core_latch, who_sets_it_does_not_wake_a_waiter_that_is_only_sleepy) {
  core_latch<> latch;
  ASSERT_TRUE(latch.get_sleepy());
  EXPECT_FALSE(latch.set());
  EXPECT_FALSE(latch.fall_asleep());
}

TEST(core_latch, a_waiter_sleeps_as_often_as_it_likes) {
  core_latch<> latch;
  for (int nap = 0; nap < 3; ++nap) {
    EXPECT_TRUE(latch.get_sleepy());
    EXPECT_TRUE(latch.fall_asleep());
    latch.wake_up();
    EXPECT_FALSE(latch.probe());
  }
}

// The default policy with a counter of loads.
struct counted_loads : default_atomics {
  static inline int loads = 0;
  template <class T>
  struct atomic : default_atomics::atomic<T> {
    using default_atomics::atomic<T>::atomic;
    T load(std::memory_order order) const noexcept {
      ++loads;
      return default_atomics::atomic<T>::load(order);
    }
  };
};

// An acquire load in an assertion would order more than a build without assertions does.
TEST(core_latch, a_waiter_that_wakes_up_loads_nothing) {
  core_latch<counted_loads> latch;
  ASSERT_TRUE(latch.get_sleepy());
  ASSERT_TRUE(latch.fall_asleep());
  EXPECT_TRUE(latch.set());
  latch.wake_up();
  EXPECT_EQ(counted_loads::loads, 0);
  EXPECT_TRUE(latch.probe());
  EXPECT_EQ(counted_loads::loads, 1);
}

TEST(core_latch, is_four_bytes) { static_assert(sizeof(core_latch<>) == 4); }

// Random sequences of steps against the diagram in the header.
struct reference {
  enum { unset, sleepy, sleeping, set } state = unset;
};
using command = rc::state::Command<reference, core_latch<>>;

struct get_sleepy : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.state == reference::unset || model.state == reference::set));
  }
  void apply(reference& model) const override {
    if (model.state == reference::unset) model.state = reference::sleepy;
  }
  void run(const reference& model, core_latch<>& latch) const override {
    RC_ASSERT((latch.get_sleepy() == (model.state == reference::unset)));
  }
  void show(std::ostream& out) const override { out << "get_sleepy"; }
};

struct fall_asleep : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.state == reference::sleepy || model.state == reference::set));
  }
  void apply(reference& model) const override {
    if (model.state == reference::sleepy) model.state = reference::sleeping;
  }
  void run(const reference& model, core_latch<>& latch) const override {
    RC_ASSERT((latch.fall_asleep() == (model.state == reference::sleepy)));
  }
  void show(std::ostream& out) const override { out << "fall_asleep"; }
};

struct wake_up : command {
  void checkPreconditions(const reference& model) const override {
    RC_PRE((model.state == reference::sleeping || model.state == reference::set));
  }
  void apply(reference& model) const override {
    if (model.state == reference::sleeping) model.state = reference::unset;
  }
  void run(const reference& model, core_latch<>& latch) const override {
    latch.wake_up();
    RC_ASSERT((latch.probe() == (model.state == reference::set)));
  }
  void show(std::ostream& out) const override { out << "wake_up"; }
};

struct set : command {
  void apply(reference& model) const override { model.state = reference::set; }
  void run(const reference& model, core_latch<>& latch) const override {
    RC_ASSERT((latch.set() == (model.state == reference::sleeping)));
    RC_ASSERT((latch.probe()));
  }
  void show(std::ostream& out) const override { out << "set"; }
};

RC_GTEST_PROP(core_latch_model, agrees_with_the_drawing, ()) {
  core_latch<> latch;
  rc::state::check(reference{}, latch, [](const reference&) {
    return rc::gen::weightedElement<std::shared_ptr<const command>>({
        {6, std::make_shared<get_sleepy>()},
        {6, std::make_shared<fall_asleep>()},
        {6, std::make_shared<wake_up>()},
        {1, std::make_shared<set>()},
    });
  });
}

}  // namespace
}  // namespace fencepost
