// Tests of changed orders: the labelled operation has the other order, and nothing else does.
#include "fencepost/models/orders/with_order.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/models/orders/order_change.hpp"
#include "fencepost/sync/core_latch.hpp"
#include "fencepost/sync/event_count.hpp"

namespace fencepost::models {
namespace {

using orders = std::vector<std::memory_order>;
constexpr auto relaxed = std::memory_order_relaxed, acquire = std::memory_order_acquire,
               release = std::memory_order_release, seq_cst = std::memory_order_seq_cst;
orders seen;
std::string exchanges;  // 's' for strong, 'w' for weak

// Records the orders that are passed to it.
struct recording : std_atomics {
  template <class T>
  struct atomic : std::atomic<T> {
    using std::atomic<T>::atomic;
    T load(std::memory_order o) const {
      seen.push_back(o);
      return std::atomic<T>::load(o);
    }
    T exchange(T value, std::memory_order o) {
      seen.push_back(o);
      return std::atomic<T>::exchange(value, o);
    }
    bool compare_exchange_strong(T& expected, T desired, std::memory_order, std::memory_order) {
      exchanges += 's';
      return std::atomic<T>::compare_exchange_strong(expected, desired);
    }
    bool compare_exchange_weak(T& expected, T desired, std::memory_order, std::memory_order) {
      exchanges += 'w';
      return std::atomic<T>::compare_exchange_strong(expected, desired);
    }
  };
  static void fence(std::memory_order o) {
    if (o != relaxed) seen.push_back(o);
  }
};

template <class P>
orders of_a_latch() {
  seen.clear();
  exchanges.clear();
  core_latch<P> latch;
  static_cast<void>(latch.probe());
  static_cast<void>(latch.get_sleepy());
  static_cast<void>(latch.set());
  return seen;
}

template <class P>
orders of_a_notify() {
  event_count<P> idle;
  seen.clear();
  idle.notify_one();
  return seen;
}

TEST(with_order, changes_the_labelled_operation_alone) {
  EXPECT_EQ(of_a_latch<recording>(), (orders{acquire, release}));
  EXPECT_EQ((of_a_latch<with_order<recording, "core_latch.hpp:probe=relaxed">>()),
            (orders{relaxed, release}));
  EXPECT_EQ((of_a_latch<with_order<recording, "sync/core_latch.hpp:set=relaxed">>()),
            (orders{acquire, relaxed}));
}

TEST(with_order, makes_an_exchange_weak) {
  of_a_latch<recording>();
  EXPECT_EQ(exchanges, "s");
  of_a_latch<with_order<recording, "core_latch.hpp:move=weak">>();
  EXPECT_EQ(exchanges, "w");
}

TEST(with_order, weakens_a_fence_or_takes_it_away) {
  EXPECT_EQ(of_a_notify<recording>(), (orders{seq_cst, relaxed}));
  EXPECT_EQ((of_a_notify<with_order<recording, "event_count.hpp:notify.fence=release">>()),
            (orders{release, relaxed}));
  EXPECT_EQ((of_a_notify<with_order<recording, "event_count.hpp:notify.fence=removed">>()),
            (orders{relaxed}));
  EXPECT_EQ((of_a_notify<with_order<recording, "event_count.hpp:enter.fence=removed">>()),
            (orders{seq_cst, relaxed}));
}

// The error for a change that would not compile, obtained at run time.
std::string refusal(std::string_view text) {
  try {
    static_cast<void>(order_change::read(text));
    return "";
  } catch (const char* why) {
    return why;
  }
}

TEST(order_change, must_name_an_operation_and_an_order_that_it_may_have) {
  EXPECT_EQ(refusal("core_latch.hpp:probe=relaxed"), "");
  EXPECT_EQ(refusal("core_latch.hpp"), "an order change is written FILE:LABEL=ORDER");
  EXPECT_EQ(refusal("core_latch.hpp=relaxed"), "an order change is written FILE:LABEL=ORDER");
  EXPECT_EQ(refusal("core_latch.hpp:prove=relaxed"),
            "no operation has this label: `fencepost labels` lists them");
  EXPECT_EQ(refusal("latch.hpp:probe=relaxed"),
            "no operation has this label: `fencepost labels` lists them");
  EXPECT_EQ(refusal("core_latch.hpp:probe=weaker"), "this is no memory order");
  EXPECT_EQ(refusal("core_latch.hpp:probe=acquire"), "the operation has this order already");
  EXPECT_EQ(refusal("core_latch.hpp:probe=release"), "a load has no such order");
  EXPECT_EQ(refusal("core_latch.hpp:probe=failure:relaxed"),
            "only a compare-exchange has an order on failure");
  EXPECT_EQ(refusal("core_latch.hpp:probe=weak"),
            "only a strong compare-exchange becomes a weak one");
  EXPECT_EQ(refusal("core_latch.hpp:probe=removed"), "only a fence can be removed");
  EXPECT_EQ(refusal("event_count.hpp:enter.fence=relaxed"),
            "a relaxed fence is none: write =removed");
}

// g++ reports the parenthesis, clang++ the beginning of the expression; some report only the line.
TEST(label_site, is_known_by_each_compiler_s_place_of_it) {
  constexpr label_site site{"fencepost/a.hpp", "a",   operation::load, acquire,
                            acquire,           false, {4, 9},          {6, 20}};
  const auto at = [&](std::uint32_t line, std::uint32_t column, const char* file) {
    return site.is_at({file, "", line, column});
  };
  EXPECT_TRUE(at(6, 20, "/x/fencepost/a.hpp"));
  EXPECT_TRUE(at(6, 11, "/x/fencepost/a.hpp"));
  EXPECT_TRUE(at(5, 30, "/x/fencepost/a.hpp"));
  EXPECT_TRUE(at(6, 0, "/x/fencepost/a.hpp"));
  EXPECT_FALSE(at(6, 21, "/x/fencepost/a.hpp"));
  EXPECT_FALSE(at(4, 9, "/x/fencepost/a.hpp"));
  EXPECT_FALSE(at(5, 0, "/x/fencepost/a.hpp"));
  EXPECT_FALSE(at(6, 20, "/x/fencepost/b.hpp"));
}

}  // namespace
}  // namespace fencepost::models
