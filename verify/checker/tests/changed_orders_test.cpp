// Checks with another order at one place in the source, and the list of places that were met.
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "fencepost/verify/check.hpp"

namespace fencepost::verify {
namespace {

constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acq_rel = std::memory_order_acq_rel;
constexpr auto seq_cst = std::memory_order_seq_cst;

template <class T>
using atomic = checked_atomics::atomic<T>;
using part = order_change::part;

// A change to the operation on that line.
order_change at(unsigned line, order to, part which = part::order) {
  return {.file = "tests/changed_orders_test.cpp", .line = line, .which = which, .to = to};
}

result with(const std::function<void()>& body, std::vector<order_change> changes) {
  options o;
  o.changes = std::move(changes);
  return check(o, body);
}

result with_places(const std::function<void()>& body) {
  options o;
  o.list_places = true;
  return check(o, body);
}

violation kind(const result& r) { return r.violation ? r.violation->kind : violation::none; }

// The lines of the two accesses that hand over a message.
unsigned stored = 0;
unsigned loaded = 0;

void hand_over() {
  atomic<int> ready{0};
  checked_atomics::plain<int> data{0};
  checked_atomics::thread sender([&] {
    data.set(42);
    stored = __LINE__ + 1;
    ready.store(1, release);
  });
  loaded = __LINE__ + 1;
  if (ready.load(acquire) == 1) require(data.get() == 42);
  sender.join();
}

TEST(changed_orders, each_end_of_a_hand_over_is_needed) {
  ASSERT_EQ(kind(with(hand_over, {})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(stored, order::relaxed)})), violation::data_race);
  EXPECT_EQ(kind(with(hand_over, {at(loaded, order::relaxed)})), violation::data_race);
}

TEST(changed_orders, a_change_elsewhere_changes_nothing) {
  ASSERT_EQ(kind(with(hand_over, {})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(stored + 1, order::relaxed)})), violation::none);
  order_change other = at(stored, order::relaxed);
  other.file = "orders_test.cpp";  // a suffix of the name, but not a whole component
  EXPECT_EQ(kind(with(hand_over, {other})), violation::none);
  other = at(stored, order::relaxed);
  other.column = 1;
  EXPECT_EQ(kind(with(hand_over, {other})), violation::none);
}

TEST(changed_orders, a_place_that_has_a_name_is_a_stretch_of_the_source) {
  ASSERT_EQ(kind(with(hand_over, {})), violation::none);
  order_change c = at(stored, order::relaxed);
  c.name = "it";
  c.column = 1'000;
  c.after = {stored - 1, 1'000};
  EXPECT_EQ(kind(with(hand_over, {c})), violation::data_race);
  c.after = {stored, 1'000 - 1};
  EXPECT_EQ(kind(with(hand_over, {c})), violation::none);
  c.after = {stored - 1, 1'000};
  c.line = stored - 1;
  EXPECT_EQ(kind(with(hand_over, {c})), violation::none);
}

TEST(changed_orders, an_order_that_the_operation_cannot_have_is_not_applied) {
  ASSERT_EQ(kind(with(hand_over, {})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(stored, order::acquire)})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(loaded, order::release)})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(stored, order::relaxed, part::failure)})), violation::none);
  EXPECT_EQ(kind(with(hand_over, {at(loaded, order::relaxed, part::strength)})), violation::none);
}

TEST(changed_orders, an_order_can_be_made_stronger) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<int> ready{0};
    checked_atomics::plain<int> data{0};
    checked_atomics::thread sender([&] {
      data.set(42);
      line = __LINE__ + 1;
      ready.store(1, relaxed);
    });
    if (ready.load(acquire) == 1) require(data.get() == 42);
    sender.join();
  };
  ASSERT_EQ(kind(with(body, {})), violation::data_race);
  EXPECT_EQ(kind(with(body, {at(line, order::release)})), violation::none);
}

TEST(changed_orders, a_fence_can_be_weakened_and_removed) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<int> x{0};
    atomic<int> y{0};
    int a = 1;
    int b = 1;
    run_threads(2, [&](unsigned i) {
      (i == 0 ? x : y).store(1, relaxed);
      line = __LINE__ + 1;
      checked_atomics::fence(seq_cst);
      (i == 0 ? a : b) = (i == 0 ? y : x).load(relaxed);
    });
    require(a + b != 0);
  };
  ASSERT_EQ(kind(with(body, {})), violation::none);
  EXPECT_EQ(kind(with(body, {at(line, order::acq_rel)})), violation::assertion);
  EXPECT_EQ(kind(with(body, {at(line, order::relaxed)})), violation::assertion);
  const result without = with(body, {at(line, order::relaxed)});
  const result weaker = with(body, {at(line, order::acq_rel)});
  EXPECT_LT(without.events, weaker.events) << "a removed fence is no event";
}

TEST(changed_orders, of_two_operations_of_a_line_the_column_says_which) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<int> x{0};
    atomic<int> y{0};
    checked_atomics::plain<int> data{0};
    run_threads(2, [&](unsigned i) {
      if (i == 0) {
        data.set(1);
        x.store(1, release);
        return;
      }
      line = __LINE__ + 1;
      if (y.load(acquire) + x.load(acquire) == 1) require(data.get() == 1);
    });
  };
  result r = with_places(body);
  std::vector<access_place> loads;
  for (const access_place& p : r.places)
    if (p.where.line == line) loads.push_back(p);
  ASSERT_EQ(loads.size(), 2u);
  ASSERT_LT(loads[0].where.column, loads[1].where.column);
  order_change c = at(line, order::relaxed);
  c.column = loads[0].where.column;
  EXPECT_EQ(kind(with(body, {c})), violation::none);
  c.column = loads[1].where.column;
  EXPECT_EQ(kind(with(body, {c})), violation::data_race);
}

TEST(changed_orders, the_failure_order_is_changed_alone) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<int> owner{0};
    checked_atomics::plain<int> data{0};
    run_threads(2, [&](unsigned i) {
      if (i == 0) {
        data.set(1);
        owner.store(1, release);
        return;
      }
      int seen = 7;  // never the value: this compare-exchange only fails
      line = __LINE__ + 1;
      owner.compare_exchange_strong(seen, 8, acquire, acquire);
      if (seen == 1) require(data.get() == 1);
    });
  };
  ASSERT_EQ(kind(with(body, {})), violation::none);
  EXPECT_EQ(kind(with(body, {at(line, order::relaxed)})), violation::none);
  EXPECT_EQ(kind(with(body, {at(line, order::relaxed, part::failure)})), violation::data_race);
}

TEST(changed_orders, a_strong_exchange_can_be_made_weak) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<int> x{0};
    int expected = 0;
    line = __LINE__ + 1;
    require(x.compare_exchange_strong(expected, 1, relaxed, relaxed));
  };
  ASSERT_EQ(kind(with(body, {})), violation::none);
  const order_change weak = at(line, order::relaxed, part::strength);
  EXPECT_EQ(kind(with(body, {weak})), violation::assertion);
  options never;  // no other operation fails spuriously
  never.spurious_failures = 0;
  never.changes = {weak};
  EXPECT_EQ(kind(check(never, body)), violation::assertion);
}

TEST(changed_orders, a_word_of_halves_has_orders_too) {
  unsigned line = 0;
  const auto body = [&] {
    checked_atomics::halves word(0, 0);
    checked_atomics::plain<int> data{0};
    run_threads(2, [&](unsigned i) {
      if (i == 0) {
        data.set(1);
        line = __LINE__ + 1;
        word.store_high(1, release);
      } else if (word.load_high(acquire) == 1) {
        require(data.get() == 1);
      }
    });
  };
  ASSERT_EQ(kind(with(body, {})), violation::none);
  EXPECT_EQ(kind(with(body, {at(line, order::relaxed)})), violation::data_race);
}

TEST(changed_orders, what_a_futex_does_is_not_the_programs) {
  unsigned line = 0;
  const auto body = [&] {
    atomic<std::uint32_t> word{0};
    run_threads(2, [&](unsigned i) {
      if (i == 0) {
        word.store(1, relaxed);
        checked_atomics::futex_wake(word, 1);
        return;
      }
      line = __LINE__ + 1;
      while (word.load(relaxed) == 0) checked_atomics::futex_wait(word, 0);
    });
  };
  ASSERT_EQ(kind(with(body, {})), violation::none);
  const result r = with_places(body);
  ASSERT_EQ(r.places.size(), 2u);
  EXPECT_EQ(r.places[0].asked.what, access::store);
  EXPECT_EQ(r.places[1].asked.what, access::load);
  order_change c = at(line, order::acq_rel);
  EXPECT_EQ(kind(with(body, {c})), violation::none);
}

TEST(changed_orders, places_are_listed_as_they_stand_in_the_program) {
  const result plain = check({}, hand_over);
  EXPECT_TRUE(plain.places.empty());
  const result r = with(hand_over, {at(stored, order::relaxed)});
  ASSERT_EQ(r.places.size(), 2u);
  EXPECT_EQ(r.places[0].where.line, stored);
  EXPECT_EQ(r.places[0].asked, (asked_for{.what = access::store, .success = order::release}));
  EXPECT_EQ(r.places[1].where.line, loaded);
  EXPECT_EQ(r.places[1].asked, (asked_for{.what = access::load, .success = order::acquire}));
}

TEST(changed_orders, one_place_may_ask_for_several_orders) {
  const result r = with_places([] {
    atomic<int> x{0};
    for (const std::memory_order o : {relaxed, acq_rel, relaxed}) x.fetch_add(1, o);
    checked_atomics::fence(relaxed);  // no fence at all
  });
  ASSERT_EQ(r.places.size(), 2u);
  EXPECT_EQ(r.places[0].where, r.places[1].where);
  EXPECT_EQ(r.places[0].asked.success, order::relaxed);
  EXPECT_EQ(r.places[1].asked.success, order::acq_rel);
}

// The checker owns the list, not the program: it is no leak, and takes up no addresses.
TEST(changed_orders, the_list_of_places_is_no_memory_of_the_program) {
  const result r = with_places([] {
    run_threads(2, [](unsigned) {
      const auto x = std::make_unique<atomic<int>>(0);
      x->store(1, relaxed);
      x->load(relaxed);
    });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

TEST(changed_orders, a_change_is_read_as_it_is_written) {
  for (const char* text : {"a.hpp:1=relaxed", "b/a.hpp:17:4=acq_rel", "a.hpp:1=weak",
                           "a.hpp:12=failure:acquire", "C:a.hpp:1:2=seq_cst"})
    EXPECT_EQ(to_text(order_change_from(text)), text);
  EXPECT_EQ(to_text(order_change_from("a.hpp:1=removed")), "a.hpp:1=relaxed");
  const order_change named{.file = "b/a.hpp", .line = 7, .name = "a.hpp:put"};
  EXPECT_EQ(to_text(order_change_at(named, "x=failure:acquire")), "a.hpp:put=failure:acquire");
  EXPECT_THROW(order_change_at(named, "x"), std::invalid_argument);
  EXPECT_THROW(order_change_at(named, "x=1"), std::invalid_argument);
}

TEST(changed_orders, a_change_that_makes_no_sense_is_refused) {
  for (const char* text :
       {"", "=", "a.hpp", "a.hpp=relaxed", "a.hpp:=relaxed", "a.hpp:0=relaxed", "a.hpp:-1=relaxed",
        "a.hpp:1x=relaxed", ":1=relaxed", "a.hpp:1=", "a.hpp:1=Relaxed", "a.hpp:1=failure:",
        "a.hpp:1=failure:weak", "a.hpp:4294967296=relaxed", "a.hpp:1:0=relaxed"})
    EXPECT_THROW(order_change_from(text), std::invalid_argument) << text;
}

}  // namespace
}  // namespace fencepost::verify
