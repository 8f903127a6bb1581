// Short pieces of code that the pages of docs/guide show, each compiled and explored: ci/docs
// copies the lines between two lines with the same name in brackets.
#include <gtest/gtest.h>

#include <atomic>

#include "fencepost/models/external_slots/specification.hpp"
#include "fencepost/queue/external_slots.hpp"
#include "fencepost/scenario/linearizability.hpp"
#include "fencepost/verify/gtest.hpp"

namespace {

using namespace fencepost;

// Each of two threads announces itself, and looks for the other.
template <class P>
struct both_look {
  // [known_outcomes]
  static constexpr known_outcome known[] = {
      {"0, 0", expect::forbidden, "one of them sees the other"},
      {"0, 1"},
      {"1, 0"},
      {"1, 1", expect::interesting, "both see it"}};
  static constexpr auto about =
      scenario{.name = "mailbox/both_look", .threads = 2, .outcomes = known};
  // [known_outcomes]
  typename P::template atomic<int> mail[2]{0, 0};
  int seen[2] = {};
  void thread(unsigned index) {
    mail[index].store(1, std::memory_order_seq_cst);
    seen[index] = mail[1 - index].load(std::memory_order_seq_cst);
  }
  void after() { outcome(seen[0], seen[1]); }
};

TEST(outcomes, one_of_them_sees_the_other) { EXPECT_SCENARIO(both_look); }

// The mailbox of README.md with the release that is missing there.
TEST(mailbox, a_release_is_enough) {
  const auto body = [] {
    checked_atomics::plain<int> letter{0};
    checked_atomics::atomic<bool> full{false};
    verify::run_threads(2, [&](unsigned thread) {
      if (thread == 0) {
        letter.set(42);
        full.store(true, std::memory_order_release);
      } else if (full.load(std::memory_order_acquire)) {
        require(letter.get() == 42, "the letter is there");
      }
    });
  };
  EXPECT_VERIFIED(body);
}

template <class P>
struct one_waits_for_the_other {
  static constexpr auto about =
      scenario{.name = "flag/one_waits", .threads = 2, .claim = "who waits goes on at last"};
  typename P::template atomic<int> ready{0};
  void thread(unsigned index) {
    if (index == 0) {
      ready.store(1, std::memory_order_release);
    } else {
      // [waiting]
      while (ready.load(std::memory_order_acquire) == 0) P::spin_pause();
      // [waiting]
    }
  }
};

TEST(waiting, a_loop_that_waits_says_so) { EXPECT_SCENARIO(one_waits_for_the_other); }

template <class P>
struct two_thieves {
  // [symmetric]
  static constexpr auto about =
      scenario{.name = "deque/two_thieves", .threads = 3, .symmetric = {.first = 1, .count = 2}};
  // [symmetric]
  typename P::template atomic<int> items{0};
  void thread(unsigned index) {
    if (index == 0) {
      items.fetch_add(1, std::memory_order_relaxed);
    } else {
      int seen = items.load(std::memory_order_relaxed);
      if (seen > 0) items.compare_exchange_strong(seen, seen - 1, std::memory_order_relaxed);
    }
  }
  void after() {
    require(items.load(std::memory_order_relaxed) >= 0, "nothing is taken that is not there");
  }
};

TEST(symmetric, two_thieves) { EXPECT_SCENARIO(two_thieves); }

// Labels and reasons, as in the library.
template <class P>
class labelled {
 public:
  bool steal_one(unsigned at) {
    // [labels]
    // [put] release, with [steal.back]: the thief then sees the item.
    back_.store(at + 1, std::memory_order_release);

    // [own_back] relaxed, alone: only the owner stores to it.
    const unsigned back = back_.load(std::memory_order_relaxed);

    // [steal.take] seq_cst, relaxed on failure, with [full], [pop.front]: of two that take one item
    // the later sees the earlier. Relaxed on failure: nothing is done with what it read.
    front_.compare_exchange_strong(at, at + 1, std::memory_order_seq_cst,
                                   std::memory_order_relaxed);
    // [labels]
    // [reason]
    // [full] acquire, with [steal.take]: the thief is done with the slot. Kept acquire: without it
    // only load buffering could go wrong, which the checker does not explore.
    seen_ = front_.load(std::memory_order_acquire);
    // [reason]
    return back > at && seen_ > at;
  }

 private:
  typename P::template atomic<unsigned> front_{0}, back_{0};
  unsigned seen_ = 0;
};

TEST(labelled, does_what_it_says) { EXPECT_TRUE(labelled<std_atomics>{}.steal_one(0)); }

// A submission takes two steps in the specification.
template <class P>
struct full_and_nothing_to_take {
  static constexpr auto about = scenario{
      .name = "table/steps", .threads = 2, .claim = "a submission is two steps, or one in vain"};
  using submissions = models::submissions;
  using action = submissions::action;
  using answer = submissions::answer;

  external_slots<int, P, 1> table;
  int records[2] = {};
  history<submissions> operations{about.threads};

  void thread(unsigned index) {
    const unsigned number = index;
    int& record = records[index];
    // [steps]
    operations.run_steps(index, [&](const auto& did) {
      if (!table.try_submit(record)) return did({action::reserve}, answer::full);
      did({action::reserve}, answer::done);
      did({action::show, number}, answer::done);
    });
    // [steps]
  }
  void after() {
    require_linearizable(operations, submissions{.slots = 1});
    while (table.take() != nullptr) {
    }
  }
};

TEST(linearizability, an_operation_of_two_steps) { EXPECT_SCENARIO(full_and_nothing_to_take); }

}  // namespace
