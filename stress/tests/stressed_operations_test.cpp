// Random programs of operations on real threads: what they record is checked against the
// specifications, those of the checker's scenarios, by the clock. A program that fails is
// minimized. FENCEPOST_RANDOM_OPERATIONS sets how many programs there are for each component.
#include "random_operations.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdlib>
#include <new>
#include <optional>
#include <sstream>
#include <string>

#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/stress/stress_atomics.hpp"
#include "fencepost/stress/stress_run.hpp"

namespace fencepost::stress {
namespace {

using namespace models::random_operations;
using real = stress_atomics;

int how_many() {
  const char* number = std::getenv("FENCEPOST_RANDOM_OPERATIONS");
  return number != nullptr ? std::atoi(number) : 20;
}

// The program that the subject below runs: a subject consists of functions only.
const program* running = nullptr;

template <class Component>
subject subject_of_program() {
  return {scenario{.name = "test/random_operations", .threads = threads},
          sizeof(Component),
          alignof(Component),
          [](void* at) {
            Component* const c = ::new (at) Component;
            for (const unsigned o : running->before) c->perform(before, o);
          },
          [](void* at, unsigned index) {
            for (const unsigned o : running->by_thread.at(index)) {
              static_cast<Component*>(at)->perform(index, o);
            }
          },
          [](void* at) {
            Component* const c = static_cast<Component*>(at);
            c->after();
            c->~Component();
          }};
}

struct tried {
  std::uint64_t samples = 0;
  std::optional<program> last;  // the last one that failed, which is the smallest found
  std::string message;          // rapidcheck's message
};

template <class Component>
tried try_random_programs(int number, double seconds) {
  tried all;
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = number;
  const auto result = rc::detail::checkTestable(
      [&] {
        const program p = any_program<Component>();
        RC_LOG() << text<Component>(p) << "\n";
        running = &p;
        options how;
        how.seconds = seconds;
        how.seed = all.samples + 1;
        const stress::result r = run(subject_of_program<Component>(), how);
        all.samples += r.samples;
        if (r.broken.empty()) return;
        all.last = p;
        RC_FAIL(r.broken.front().what);
      },
      rc::detail::TestMetadata{}, params);
  std::ostringstream message;
  rc::detail::printResultMessage(result, message);
  all.message = message.str();
  return all;
}

template <class Component>
void expect_linearizable() {
  const tried all = try_random_programs<Component>(how_many(), 0.03);
  EXPECT_FALSE(all.last) << all.message;
  EXPECT_GE(all.samples, static_cast<unsigned>(how_many()));
}

TEST(random_operations, chase_lev_is_linearizable) {
  expect_linearizable<stolen_from<chase_lev<unsigned, real>>>();
}
TEST(random_operations, boxed_chase_lev_is_linearizable) {
  expect_linearizable<stolen_from<models::boxed_chase_lev_scenarios::recorded_boxes<real>>>();
}
TEST(random_operations, private_deque_is_linearizable) {
  expect_linearizable<stolen_from<models::private_deque_scenarios::polled<real>>>();
}
TEST(random_operations, tail_split_is_linearizable) {
  expect_linearizable<split<real, iso_split_word>>();
}
TEST(random_operations, tail_split_lace_is_linearizable) {
  expect_linearizable<split<real, lace_split_word>>();
}
TEST(random_operations, slab_queue_is_linearizable) {
  expect_linearizable<slabs<real, models::slab_queue_scenarios::two_words>>();
}
TEST(random_operations, ticket_queue_is_linearizable) { expect_linearizable<tickets<real, 2>>(); }
TEST(random_operations, injector_is_linearizable) { expect_linearizable<injected<real, false>>(); }
TEST(random_operations, external_slots_is_linearizable) { expect_linearizable<table<real>>(); }

// Loads return late, so that an operation that is torn stays open for a while.
struct slow_to_load : real {
  template <class T>
  struct atomic : real::atomic<T> {
    using real::atomic<T>::atomic;
    T load(std::memory_order order) const {
      const T value = real::atomic<T>::load(order);
      for (unsigned n = 0; n < 50; ++n) real::spin_pause();
      return value;
    }
  };
};

// Two concurrent pushes: one of them is lost.
TEST(random_operations, a_torn_publish_of_slab_queue_is_found) {
  const tried all = try_random_programs<
      slabs<models::faults::torn_exchanges<slow_to_load>, models::slab_queue_scenarios::one_word>>(
      200, 0.05);
  ASSERT_TRUE(all.last) << "of " << all.samples << " samples none fails";
  EXPECT_LE(all.last->size(), 4U) << all.message;
}

}  // namespace
}  // namespace fencepost::stress
