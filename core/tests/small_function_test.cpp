// A callable stored in place: up to which size, and what happens to larger ones.
#include "fencepost/runtime/small_function.hpp"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <utility>

#include "counted_allocations.hpp"

namespace fencepost {
namespace {

TEST(small_function, is_kept_in_place_up_to_its_capacity) {
  struct bytes48 {
    char bytes[48];
    void operator()() {}
  };
  struct bytes49 {
    char bytes[49];
    void operator()() {}
  };
  struct throws {
    throws() = default;
    throws(const throws&) {}  // NOLINT(modernize-use-equals-default): that could not throw
    void operator()() {}
  };
  static_assert(small_function<void()>::in_place<bytes48>);
  static_assert(!small_function<void()>::in_place<bytes49>);
  static_assert(!small_function<void()>::in_place<throws>);
  const long before = allocations;
  small_function<void()> small{bytes48{}};
  EXPECT_EQ(allocations - before, 0);
  small_function<void()> large{bytes49{}};
  EXPECT_EQ(allocations - before, 1);
  small = std::move(large);
  EXPECT_EQ(allocations - before, 1);
  EXPECT_TRUE(small);
  EXPECT_FALSE(large);  // NOLINT(bugprone-use-after-move): it is empty
}

int seven() { return 7; }

TEST(small_function, calls_functions_members_and_callables_with_results) {
  small_function<int()> function{seven};
  EXPECT_EQ(function(), 7);
  small_function<int(std::unique_ptr<int>)> moves{[](std::unique_ptr<int> p) { return *p; }};
  EXPECT_EQ(moves(std::make_unique<int>(3)), 3);
  small_function<void()> ignores{seven};
  ignores();
  auto moved = std::move(function);
  EXPECT_EQ(moved(), 7);
  EXPECT_FALSE(function);  // NOLINT(bugprone-use-after-move): it is empty
}

TEST(small_function, destroys_its_callable_once) {
  const auto alive = std::make_shared<int>(0);
  {
    small_function<void()> f{[alive] {}};
    small_function<void()> g{std::move(f)};
    EXPECT_EQ(alive.use_count(), 2);
    g = small_function<void()>{
        [alive, rest = std::array<char, 100>{}] { static_cast<void>(rest); }};
    EXPECT_EQ(alive.use_count(), 2);
    g.reset();
    EXPECT_EQ(alive.use_count(), 1);
    g = [alive] {};
  }
  EXPECT_EQ(alive.use_count(), 1);
}

}  // namespace
}  // namespace fencepost
