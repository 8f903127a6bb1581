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

struct stoppable_call {
  using drops_itself = void;
  const bool* state;
  bool stopped() const noexcept { return *state; }
  void operator()() const {}
};

// Only a callable that says so by its type: another one may use the name for something else.
TEST(small_function, tells_whether_its_callable_has_been_stopped) {
  struct car {
    bool stopped() const noexcept { return true; }
    void operator()() const {}
  };
  bool state = false;
  small_function<void()> f{stoppable_call{&state}};
  EXPECT_FALSE(f.stopped());
  state = true;
  EXPECT_TRUE(f.stopped());
  const small_function<void()> g{std::move(f)};
  EXPECT_TRUE(g.stopped());
  EXPECT_FALSE(f.stopped());  // NOLINT(bugprone-use-after-move): it is empty
  EXPECT_FALSE(small_function<void()>{car{}}.stopped());
}

}  // namespace
}  // namespace fencepost
