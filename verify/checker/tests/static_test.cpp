// Atomics that exist before any check: tables, members of classes.
#include <thread>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

constinit checked::atomic<int> table[2] = {{1}, {2}};

struct component {
  static inline constinit checked::atomic<unsigned> instances{0};
  static constexpr checked::atomic<int> constant{7};
};

TEST(static_atomic, begins_with_its_initial_value_in_each_execution) {
  for (int times = 0; times < 2; ++times) {
    const result r = check({}, [] {
      require(table[0].load() == 1 && table[1].load() == 2, "the initial values");
      require(component::constant.load() == 7, "that of the constant");
      in_threads(3, [](unsigned) { component::instances.fetch_add(1); });
      require(component::instances.load() == 3, "no increment is lost, and none is left over");
      table[0].store(10);
    });
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    EXPECT_EQ(r.executions, 6U);
  }
}

// Store buffering whose locations are first accessed in an order that differs between executions.
std::set<std::string> store_buffering(checked::atomic<int>& x, checked::atomic<int>& y) {
  return outcomes_of({}, [&] {
    int a = 0, b = 0;
    concurrently(
        [&] {
          x.store(5, relaxed);
          a = y.load(relaxed);
        },
        [&] {
          y.store(6, relaxed);
          b = x.load(relaxed);
        });
    outcome(a, b);
  });
}

TEST(static_atomic, is_explored_as_any_other) {
  const std::set<std::string> expected{"2, 1", "2, 5", "6, 1", "6, 5"};
  EXPECT_EQ(store_buffering(table[0], table[1]), expected);
  std::set<std::string> other;
  std::thread beside([&] { other = store_buffering(table[0], table[1]); });
  EXPECT_EQ(store_buffering(table[0], table[1]), expected);
  beside.join();
  EXPECT_EQ(other, expected) << "explorations do not share its value";
}

TEST(static_atomic, is_a_synchronization_as_any_other) {
  const auto pass_message = [](std::memory_order o) {
    return [o] {
      checked::plain<int> message{0};
      concurrently(
          [&] {
            message.set(1);
            component::instances.store(1, o);
          },
          [&] {
            if (component::instances.load(acquire) == 1) static_cast<void>(message.get());
          });
    };
  };
  EXPECT_EQ(found_in(pass_message(release)), violation::none);
  EXPECT_EQ(found_in(pass_message(relaxed)), violation::data_race);
}

}  // namespace
}  // namespace fencepost::verify::testing
