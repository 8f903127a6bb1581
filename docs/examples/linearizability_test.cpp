// A structure of your own against a sequential specification: a ring of two slots.
//
// docs/guide/linearizability.md explains it step by step.
#include "fencepost/scenario/linearizability.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/gtest.hpp"

namespace {

using namespace fencepost;

// A ring for one producer and one consumer.
template <class P>
class ring {
 public:
  bool try_push(int item) {
    const unsigned tail = tail_.load(std::memory_order_relaxed);
    // Acquire: pairs with the release in try_pop(); the place is free.
    if (tail - head_.load(std::memory_order_acquire) == 2) return false;
    places_[tail % 2].set(item);
    tail_.store(tail + 1, std::memory_order_release);  // pairs with the acquire in try_pop()
    return true;
  }
  std::optional<int> try_pop() {
    const unsigned head = head_.load(std::memory_order_relaxed);
    // Acquire: pairs with the release in try_push(); the item is there.
    if (tail_.load(std::memory_order_acquire) == head) return std::nullopt;
    const int item = places_[head % 2].get();
    head_.store(head + 1, std::memory_order_release);  // pairs with the acquire in try_push()
    return item;
  }

 private:
  typename P::template plain<int> places_[2];
  typename P::template atomic<unsigned> tail_{0}, head_{0};
};

// The specification of a sequential ring: for each operation, its result and the state after it.
// `FullIsExact`: whether `full` is exact, or allowed although a slot has just become free.
// [specification]
template <bool FullIsExact>
struct two_places {
  static constexpr std::string_view name = "a queue of two places";

  struct operation {
    std::optional<int> pushed;  // none: a pop
  };
  struct result {
    bool done;  // there was room, or an item
    int popped = 0;
    friend bool operator==(const result&, const result&) = default;
  };

  std::vector<int> items = {};

  std::vector<possibility<two_places>> apply(const operation& o) const {
    two_places after = *this;
    if (o.pushed) {
      if (items.size() == 2) return {{{false}, *this}};
      after.items.push_back(*o.pushed);
      // [full]
      if (FullIsExact) return {{{true}, after}};
      return {{{true}, after}, {{false}, *this}};
      // [full]
    }
    if (items.empty()) return {{{false}, *this}};
    after.items.erase(after.items.begin());
    return {{{true, items.front()}, after}};
  }

  static std::string text(const operation& o, const result* r) {
    if (o.pushed) {
      return "push(" + std::to_string(*o.pushed) + ")" +
             (r != nullptr && !r->done ? " -> full" : "");
    }
    if (r == nullptr) return "pop()";
    return "pop() -> " + (r->done ? std::to_string(r->popped) : "empty");
  }

  friend auto operator<=>(const two_places&, const two_places&) = default;
};
// [specification]

// Records the operations on the ring, by thread.
// [history]
template <class P, bool FullIsExact = false>
struct recorded_ring {
  using specification = two_places<FullIsExact>;
  using result = typename specification::result;
  ring<P> items;
  history<specification> operations{3};

  void push(unsigned thread, int item) {
    operations.run(thread, {item}, [&] { return result{items.try_push(item)}; });
  }
  void pop(unsigned thread) {
    operations.run(thread, {}, [&] {
      const std::optional<int> item = items.try_pop();
      return result{item.has_value(), item.value_or(0)};
    });
  }
};

template <class P, bool FullIsExact>
struct producer_and_consumer {
  recorded_ring<P, FullIsExact> ring;
  void thread(unsigned index) {
    for (int i = 1; i <= 3; ++i) {
      if (index == 0) {
        ring.push(index, i);
      } else {
        ring.pop(index);
      }
    }
  }
  void after() { require_linearizable(ring.operations); }
};
// [history]

template <class P>
struct is_a_queue : producer_and_consumer<P, false> {
  static constexpr auto about =
      scenario{.name = "ring/is_a_queue",
               .threads = 2,
               .claim = "a producer and a consumer are told what a queue of two places would say"};
};

// Each side may read an old index of the other, so that the ring is full and empty at once.
template <class P>
struct full_is_exact : producer_and_consumer<P, true> {
  static constexpr auto about = scenario{.name = "ring/full_is_exact",
                                         .threads = 2,
                                         .claim = "a ring that says full has no place free",
                                         .expected = violation::assertion};
};

// Two consumers are one too many: both may be given the same item.
template <class P>
struct two_consumers {
  static constexpr auto about = scenario{.name = "ring/two_consumers",
                                         .threads = 3,
                                         .claim = "a ring may have two consumers",
                                         .expected = violation::assertion};
  recorded_ring<P> ring;
  void before() { ring.push(0, 6); }
  void thread(unsigned index) {
    if (index == 0) {
      ring.push(index, 7);
    } else {
      ring.pop(index);
    }
  }
  void after() { require_linearizable(ring.operations); }
};

TEST(ring, is_a_queue) { EXPECT_SCENARIO(is_a_queue); }
TEST(ring, that_it_is_full_may_be_over) { EXPECT_SCENARIO(full_is_exact); }
TEST(ring, two_consumers_are_one_too_many) { EXPECT_SCENARIO(two_consumers); }

// The message that the page shows.
TEST(ring, a_violation_says_what_was_done) {
  const auto result = verify::check_scenario<full_is_exact<checked_atomics>>();
  ASSERT_TRUE(result.violation.has_value());
  EXPECT_EQ(result.violation->message,
            "no order of these operations is one of a queue of two places: thread 1: push(1), "
            "push(2), push(3) -> full; thread 2: pop() -> 1, pop() -> empty, pop() -> 2; thread "
            "1's push(1) comes before thread 2's pop() -> empty. After push(1), pop() -> 1, pop() "
            "-> empty, push(2), pop() -> 2 there is no place for thread 1's push(3) -> full");
}

}  // namespace
