// Random programs of operations, each explored in all its executions, against the specifications:
// what each thread does is generated, and a program that fails is shrunk as far as possible. The
// environment variable FENCEPOST_RANDOM_OPERATIONS sets the number of programs for each component.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <type_traits>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/with_order.hpp"
#include "fencepost/verify/check.hpp"
#include "random_operations.hpp"

namespace fencepost::verify {
namespace {

using namespace models::random_operations;
using checked = checked_atomics;

int how_many() {
  const char* number = std::getenv("FENCEPOST_RANDOM_OPERATIONS");
  return number != nullptr ? std::atoi(number) : 100;
}

template <class Component>
void run(const program& p) {
  Component component;
  for (const unsigned o : p.before) component.perform(before, o);
  run_threads(threads, [&](unsigned t) {
    for (const unsigned o : p.by_thread.at(t)) component.perform(t, o);
  });
  component.after();
}

struct tried {
  int explored = 0;             // to the end
  int cut_short = 0;            // after a number of executions
  std::optional<program> last;  // the smallest program found to fail
  std::string message;          // of rapidcheck
};

template <class Component>
tried try_random_programs(int number) {
  tried all;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = number;
  const auto result = rc::detail::checkTestable(
      [&] {
        const program p = any_program<Component>();
        RC_LOG() << text<Component>(p) << "\n";
        options o;
        o.max_executions = 2000;
        const verify::result r = check(o, [&p] { run<Component>(p); });
        ++(r.outcome == verdict::incomplete ? all.cut_short : all.explored);
        if (!r.violation) return;
        all.last = p;
        RC_FAIL(std::string(to_string(r.violation->kind)) + ": " + r.violation->message);
      },
      rc::detail::TestMetadata{}, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  all.message = message.str();
  return all;
}

template <class Component>
void expect_linearizable() {
  const tried all = try_random_programs<Component>(how_many());
  EXPECT_FALSE(all.last) << all.message;
  EXPECT_GE(all.explored, how_many() / 2) << "too many programs are too large";
}

// A failure is found and shrunk until nothing more can be left out. It may still be larger than the
// smallest failure.
template <class Component>
void expect_shrunk_to(std::size_t smallest, std::size_t most) {
  const tried all = try_random_programs<Component>(2000);
  ASSERT_TRUE(all.last) << all.message;
  EXPECT_GE(all.last->size(), smallest) << all.message;
  EXPECT_LE(all.last->size(), most) << all.message;
}
template <class Component>
void expect_shrunk_to(std::size_t size) {
  expect_shrunk_to<Component>(size, size);
}

TEST(random_operations, chase_lev_is_linearizable) {
  expect_linearizable<stolen_from<chase_lev<unsigned, checked>>>();
}
TEST(random_operations, boxed_chase_lev_is_linearizable) {
  expect_linearizable<stolen_from<models::boxed_chase_lev_scenarios::recorded_boxes<checked>>>();
}
TEST(random_operations, private_deque_is_linearizable) {
  expect_linearizable<stolen_from<models::private_deque_scenarios::polled<checked>>>();
}
TEST(random_operations, tail_split_is_linearizable) {
  expect_linearizable<split<checked, iso_split_word>>();
}
TEST(random_operations, tail_split_lace_is_linearizable) {
  expect_linearizable<split<checked, lace_split_word>>();
}
TEST(random_operations, slab_queue_is_linearizable) {
  expect_linearizable<slabs<checked, models::slab_queue_scenarios::two_words>>();
}
TEST(random_operations, slab_queue_of_slabs_of_one_slot_is_linearizable) {
  expect_linearizable<slabs<checked, models::slab_queue_scenarios::one_slot>>();
}
TEST(random_operations, ticket_queue_is_linearizable) {
  expect_linearizable<tickets<checked, 2>>();
}
TEST(random_operations, ticket_queue_of_slabs_of_one_slot_is_linearizable) {
  expect_linearizable<tickets<checked, 1>>();
}
TEST(random_operations, injector_is_linearizable) {
  expect_linearizable<injected<checked, false>>();
}
TEST(random_operations, external_slots_is_linearizable) { expect_linearizable<table<checked>>(); }

// ---- faults ----

// A push, and two operations that take the item.
TEST(random_operations, torn_exchanges_of_chase_lev_are_found) {
  expect_shrunk_to<stolen_from<chase_lev<unsigned, models::faults::torn_exchanges<checked>>>>(3);
}
// Two pushes, a pop that takes the second item as one of two, and a thief for each.
TEST(random_operations, a_release_pop_of_chase_lev_is_found) {
  using faulty = models::with_order<checked, "chase_lev.hpp:pop.back=release">;
  expect_shrunk_to<stolen_from<chase_lev<unsigned, faulty>>>(5);
}
// Two pushes at once: one of them is lost.
TEST(random_operations, a_torn_publish_of_slab_queue_is_found) {
  expect_shrunk_to<
      slabs<models::faults::torn_exchanges<checked>, models::slab_queue_scenarios::one_word>>(2);
}
// A record and two that take it; or a take that goes on while another record is made, and a third
// take.
TEST(random_operations, a_torn_take_of_external_slots_is_found) {
  expect_shrunk_to<table<models::faults::torn_exchanges<checked>>>(3, 5);
}

}  // namespace
}  // namespace fencepost::verify
