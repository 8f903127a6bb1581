// Random programs of operations, each explored in all its executions, against the specifications:
// what each thread does is generated, and what fails is made as small as it can be. How many
// programs for each component is set by the environment variable FENCEPOST_RANDOM_OPERATIONS.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "fencepost/models/boxed_chase_lev.hpp"
#include "fencepost/models/chase_lev.hpp"
#include "fencepost/models/external_slots.hpp"
#include "fencepost/models/faults.hpp"
#include "fencepost/models/injector.hpp"
#include "fencepost/models/slab_queue.hpp"
#include "fencepost/models/tail_split.hpp"
#include "fencepost/verify/check.hpp"

namespace fencepost::verify {
namespace {

using checked = checked_atomics;

constexpr unsigned threads = 3;

int how_many() {
  const char* number = std::getenv("FENCEPOST_RANDOM_OPERATIONS");
  return number != nullptr ? std::atoi(number) : 100;
}

// An operation is a number, whose meaning is the component's.
using operations = std::vector<unsigned>;

struct program {
  operations before;
  std::array<operations, threads> by_thread;

  std::size_t size() const {
    std::size_t n = before.size();
    for (const operations& o : by_thread) n += o.size();
    return n;
  }
};

// ---- components: what an operation means to which thread, and how many it has at most ----

// The one before the threads is as thread 0. Items are told apart by who has pushed them.
class item_numbers {
 public:
  unsigned next(unsigned thread) { return 10 * thread + ++count_.at(thread); }

 private:
  std::array<unsigned, threads + 1> count_{};
};
constexpr unsigned before = threads;

template <class Deque>
struct stolen_from {
  static constexpr int most(unsigned) { return 3; }
  static constexpr std::array<std::string_view, 3> owner = {"push", "pop", "size"};
  static constexpr std::array<std::string_view, 1> thief = {"steal"};
  static std::string_view name(unsigned thread, unsigned o) {
    return thread == 0 || thread == before ? owner.at(o) : thief.at(o);
  }
  static unsigned kinds(unsigned thread) {
    return thread == before ? 2 : thread == 0 ? owner.size() : thief.size();
  }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? deque.main : thread;
    if (thread != 0 && thread != before) return deque.steal(thread);
    if (o == 0) return deque.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(deque.pop(lane));
    deque.size();
  }
  void after() { deque.is_explained(); }

  models::chase_lev_scenarios::recorded_deque<Deque> deque{1, threads};
  item_numbers items;
};

template <template <class> class Word>
struct split {
  static constexpr int most(unsigned) { return 3; }
  static constexpr std::array<std::string_view, 3> owner = {"push", "pop", "share_all"};
  static std::string_view name(unsigned thread, unsigned o) {
    return thread == 0 || thread == before ? owner.at(o) : "steal";
  }
  static unsigned kinds(unsigned thread) { return thread == 0 || thread == before ? 3 : 1; }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? deque.main : thread;
    if (thread != 0 && thread != before) return deque.steal(thread);
    if (o == 0) return deque.push(items.next(thread), lane);
    if (o == 1) return deque.pop(lane);
    deque.share_all();
  }
  void after() { deque.is_explained(); }

  models::tail_split_scenarios::recorded_deque<checked, Word, threads, 3> deque;
  item_numbers items;
};

template <class Policy, slab_shape Shape>
struct slabs {
  static constexpr int most(unsigned thread) { return thread == 0 ? 3 : thread == before ? 2 : 1; }
  static constexpr std::array<std::string_view, 3> consumer = {"push", "pop", "is_empty"};
  static std::string_view name(unsigned, unsigned o) { return consumer.at(o); }
  static unsigned kinds(unsigned thread) { return thread == 0 || thread == before ? 3 : 1; }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? queue.main : thread;
    if (o == 0) return queue.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(queue.pop(lane));
    queue.is_empty(lane);
  }
  void after() { queue.is_explained(); }

  models::slab_queue_scenarios::recorded_queue<Policy, Shape, threads> queue;
  item_numbers items;
};

template <bool EmptyIsOneStep>
struct injected {
  static constexpr int most(unsigned) { return 2; }
  static constexpr std::array<std::string_view, 5> all = {"push", "pop", "is_empty", "try_pop",
                                                          "take_all"};
  static std::string_view name(unsigned, unsigned o) { return all.at(o); }
  static unsigned kinds(unsigned) { return all.size(); }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? queue.main : thread;
    if (o == 0) return queue.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(queue.pop(lane));
    if (o == 2) return queue.is_empty(lane);
    if (o == 3) return queue.try_pop(lane);
    queue.take_all(lane);
  }
  void after() { queue.is_explained(); }

  models::injector_scenarios::recorded_queue<checked, threads, EmptyIsOneStep> queue;
  item_numbers items;
};

template <class Policy>
struct table {
  static constexpr int most(unsigned) { return 2; }
  static constexpr std::array<std::string_view, 3> all = {"submit", "take", "any"};
  static std::string_view name(unsigned, unsigned o) { return all.at(o); }
  static unsigned kinds(unsigned) { return all.size(); }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? slots.main : thread;
    if (o == 0) return slots.submit(10 * thread + count.at(thread)++, lane);
    if (o == 1) return static_cast<void>(slots.take(lane, thread));
    slots.any(lane);
  }
  void after() { slots.is_explained(); }

  models::external_slots_scenarios::recorded_table<Policy, threads, 2> slots;
  std::array<unsigned, threads + 1> count{};
};

// ---- programs ----

template <class Component>
std::string text(const program& p) {
  std::string all;
  const auto add = [&all](const std::string& who, unsigned thread, const operations& done) {
    if (done.empty()) return;
    all += (all.empty() ? "" : "; ") + who;
    for (const unsigned o : done) all += " " + std::string(Component::name(thread, o));
  };
  add("before:", before, p.before);
  for (unsigned t = 0; t < threads; ++t)
    add("thread " + std::to_string(t) + ":", t, p.by_thread.at(t));
  return all;
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

template <class Component>
program any_program() {
  // Of full size: a small one makes a range small as well.
  const auto some = [](unsigned thread) {
    const auto one =
        rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0U, Component::kinds(thread)));
    return *rc::gen::resize(Component::most(thread), rc::gen::container<operations>(one));
  };
  program p;
  p.before = some(before);
  for (unsigned t = 0; t < threads; ++t) p.by_thread.at(t) = some(t);
  return p;
}

struct tried {
  int explored = 0;             // to the end
  int cut_short = 0;            // after a number of executions
  std::optional<program> last;  // that failed: the smallest that was found
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

// A failure is found, and nothing can be left out of what is left of it. That may be more than the
// smallest there is.
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
TEST(random_operations, tail_split_is_linearizable) {
  expect_linearizable<split<iso_split_word>>();
}
TEST(random_operations, tail_split_lace_is_linearizable) {
  expect_linearizable<split<lace_split_word>>();
}
TEST(random_operations, slab_queue_is_linearizable) {
  expect_linearizable<slabs<checked, models::slab_queue_scenarios::two_words>>();
}
TEST(random_operations, slab_queue_of_slabs_of_one_slot_is_linearizable) {
  expect_linearizable<slabs<checked, models::slab_queue_scenarios::one_slot>>();
}
TEST(random_operations, injector_is_linearizable) { expect_linearizable<injected<false>>(); }
TEST(random_operations, external_slots_is_linearizable) { expect_linearizable<table<checked>>(); }

// ---- faults ----

// A push and two that take it.
TEST(random_operations, torn_exchanges_of_chase_lev_are_found) {
  expect_shrunk_to<stolen_from<chase_lev<unsigned, models::faults::torn_exchanges<checked>>>>(3);
}
// Two pushes, a pop that takes the second item as one of two, and a thief for each.
TEST(random_operations, a_release_pop_of_chase_lev_is_found) {
  using faulty =
      models::faults::weaker<checked, models::faults::operation::store, std::memory_order_seq_cst,
                             std::memory_order_release, std::is_integral>;
  expect_shrunk_to<stolen_from<chase_lev<unsigned, faulty>>>(5);
}
// Two pushes at once: one of them is lost.
TEST(random_operations, a_torn_publish_of_slab_queue_is_found) {
  expect_shrunk_to<
      slabs<models::faults::torn_exchanges<checked>, models::slab_queue_scenarios::one_word>>(2);
}
// A record and two that take it; or a take that goes on while another record comes, and a third
// one.
TEST(random_operations, a_torn_take_of_external_slots_is_found) {
  expect_shrunk_to<table<models::faults::torn_exchanges<checked>>>(3, 5);
}

}  // namespace
}  // namespace fencepost::verify
