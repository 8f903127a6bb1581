// Checking a structure of your own: a ring of two slots for one producer and one consumer.
//
// docs/guide/checking-your-code.md explains it step by step.
#include <gtest/gtest.h>

// [body]
#include "fencepost/verify/gtest.hpp"

using namespace fencepost;

// [body]
namespace {

// The structure: a template on the atomics policy, and otherwise as in production. The order of
// the store that publishes an item is a parameter only to show what happens when it is too weak.
// [members]
template <class T, class P, std::memory_order Publish = std::memory_order_release>
class ring {
  // [members]
 public:
  bool try_push(T item) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);  // only this thread writes it
    // Acquire: pairs with the release in try_pop(); the place is free.
    if (tail - head_.load(std::memory_order_acquire) == 2) return false;
    places_[tail % 2].set(item);
    tail_.store(tail + 1, Publish);  // pairs with the acquire in try_pop()
    return true;
  }

  bool try_pop(T& item) {
    const unsigned head = head_.load(std::memory_order_relaxed);  // only this thread writes it
    // Acquire: pairs with the store in try_push(); the item is there.
    if (tail_.load(std::memory_order_acquire) == head) return false;
    item = places_[head % 2].get();
    head_.store(head + 1, std::memory_order_release);  // pairs with the acquire in try_push()
    return true;
  }

 private:
  // [members]
  typename P::template plain<T> places_[2];
  typename P::template atomic<unsigned> tail_{0}, head_{0};
};
// [members]

// A body: runs once for each execution. (It has a name because compilers give all lines of a
// macro's argument the same line number.)
// [body]
TEST(ring, an_item_is_whole_when_it_is_popped) {
  const auto body = [] {
    ring<int, checked_atomics> items;
    checked_atomics::thread producer([&] { require(items.try_push(7), "there is room"); });
    int item = 0;
    if (items.try_pop(item)) require(item == 7, "the item is the one that was pushed");
    producer.join();
  };
  EXPECT_VERIFIED(body);
}
// [body]

// A scenario: the same for any policy, with a claim and a number of threads.
// [scenario]
template <class P, std::memory_order Publish>
struct items_pass {
  ring<int, P, Publish> items;

  void thread(unsigned index) {
    for (int i = 0; i < 3; ++i) {
      if (index == 0) {
        while (!items.try_push(i)) P::spin_pause();
      } else {
        int item = -1;
        while (!items.try_pop(item)) P::spin_pause();
        require(item == i, "items come out in the order in which they went in");
      }
    }
  }
};

template <class P>
struct items_arrive_in_order : items_pass<P, std::memory_order_release> {
  static constexpr auto about = scenario{.name = "ring/items_arrive_in_order",
                                         .threads = 2,
                                         .claim = "every item arrives, whole and in order"};
};

// [scenario]
// It must be found wrong: so the release is needed, and the scenario detects that it is missing.
template <class P>
struct relaxed_publish : items_pass<P, std::memory_order_relaxed> {
  static constexpr auto about = scenario{.name = "ring/relaxed_publish",
                                         .threads = 2,
                                         .claim = "without the release an item is read too early",
                                         .expected = violation::data_race};
};

// [scenario]
TEST(ring, items_arrive_in_order) { EXPECT_SCENARIO(items_arrive_in_order); }
// [scenario]
TEST(ring, the_release_is_needed) { EXPECT_SCENARIO(relaxed_publish); }

// The same without a scenario.
TEST(ring, a_relaxed_store_is_too_weak) {
  const auto body = [] {
    ring<int, checked_atomics, std::memory_order_relaxed> items;
    checked_atomics::thread producer([&] { require(items.try_push(7), "there is room"); });
    int item = 0;
    items.try_pop(item);
    producer.join();
  };
  EXPECT_VIOLATED(violation::data_race, body);
}

}  // namespace
