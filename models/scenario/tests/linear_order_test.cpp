// The search for a linear order: known histories, and random ones against all their permutations.
// How many random ones is set by the environment variable FENCEPOST_RANDOM_HISTORIES.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost {
namespace {

using ::testing::HasSubstr;

// A queue: put(item), and get() -> item or nothing.
struct queue {
  static constexpr std::string_view name = "a queue";
  using operation = std::optional<int>;  // what is put; none: get
  using result = std::optional<int>;
  std::vector<int> items = {};

  std::vector<possibility<queue>> apply(const operation& put) const {
    queue after = *this;
    if (put) {
      after.items.push_back(*put);
      return {{{}, after}};
    }
    if (items.empty()) return {{{}, after}};
    after.items.erase(after.items.begin());
    return {{items.front(), after}};
  }
  static std::string text(const operation& put, const result* r) {
    if (put) return "put(" + std::to_string(*put) + ")";
    if (r == nullptr) return "get()";
    return "get() -> " + (*r ? std::to_string(**r) : "nothing");
  }
  friend auto operator<=>(const queue&, const queue&) = default;
};

constexpr int x = 1, y = 2;

// An operation of a thread, from call to return by some clock.
template <class S>
struct timed {
  unsigned thread;
  int called, returned;
  typename S::operation operation;
  std::optional<typename S::result> result;
};
using queue_call = timed<queue>;

queue_call put(unsigned thread, int called, int returned, int item) {
  return {thread, called, returned, item, std::optional<int>{}};
}
constexpr int nothing = 0;
queue_call get(unsigned thread, int called, int returned, int item) {
  const std::optional<int> result = item == nothing ? std::nullopt : std::optional<int>{item};
  return {thread, called, returned, std::nullopt, result};
}
// What never comes back.
queue_call unfinished(queue_call one) {
  one.result.reset();
  return one;
}

template <class S>
recorded_history<S> by_clock(const std::vector<timed<S>>& all) {
  recorded_history<S> threads;
  for (const timed<S>& one : all) {
    threads.resize(std::max<std::size_t>(threads.size(), one.thread + 1));
    recorded<S> r{one.operation, one.result, {}};
    for (const timed<S>& other : all) {
      if (other.thread == one.thread || !other.result || other.returned >= one.called) continue;
      r.after.resize(std::max<std::size_t>(r.after.size(), other.thread + 1));
      ++r.after[other.thread];
    }
    threads[one.thread].push_back(r);
  }
  return threads;
}

bool is_linearizable(const std::vector<timed<queue>>& all) {
  return find_linear_order<queue>(by_clock<queue>(all)).exists;
}

// M. Herlihy and J. Wing, "Linearizability: a correctness condition for concurrent objects" (1990),
// figure 1: the queue's histories that are acceptable, and those that are not.
TEST(linear_order, concurrent_puts_are_taken_in_either_order) {
  EXPECT_TRUE(
      is_linearizable({put(0, 0, 10, x), put(1, 1, 9, y), get(1, 11, 12, x), get(0, 13, 14, y)}));
  EXPECT_TRUE(
      is_linearizable({put(0, 0, 10, x), put(1, 1, 9, y), get(1, 11, 12, y), get(0, 13, 14, x)}));
}
TEST(linear_order, an_item_that_was_put_first_is_taken_first) {
  EXPECT_FALSE(
      is_linearizable({put(0, 0, 1, x), put(1, 2, 3, y), get(1, 4, 5, y), get(0, 6, 7, x)}));
}
TEST(linear_order, an_item_can_be_taken_before_its_put_comes_back) {
  EXPECT_TRUE(is_linearizable({put(0, 0, 10, x), get(1, 2, 3, x)}));
  EXPECT_TRUE(is_linearizable({unfinished(put(0, 0, 10, x)), get(1, 2, 3, x)}));
}
TEST(linear_order, an_item_cannot_be_taken_before_its_put_is_called) {
  EXPECT_FALSE(is_linearizable({get(1, 0, 1, x), put(0, 2, 3, x)}));
}
TEST(linear_order, an_item_cannot_be_taken_twice) {
  EXPECT_FALSE(
      is_linearizable({put(0, 0, 10, x), put(1, 1, 9, y), get(0, 11, 12, y), get(1, 11, 12, y)}));
}
TEST(linear_order, a_queue_with_an_item_in_it_is_not_empty) {
  EXPECT_FALSE(is_linearizable({put(0, 0, 1, x), get(1, 2, 3, nothing)}));
  EXPECT_TRUE(is_linearizable({put(0, 0, 2, x), get(1, 1, 3, nothing)}));
}

TEST(linear_order, what_never_came_back_may_have_been_done_or_not) {
  const queue_call unknown = unfinished(get(1, 2, 0, nothing));
  EXPECT_TRUE(is_linearizable({put(0, 0, 1, x), unknown, get(2, 3, 4, x)}));
  EXPECT_TRUE(is_linearizable({put(0, 0, 1, x), unknown, get(2, 3, 4, nothing)}));
  const queue_call too_late = unfinished(get(1, 5, 0, nothing));
  EXPECT_FALSE(is_linearizable({put(0, 0, 1, x), too_late, get(2, 3, 4, nothing)}));
}

TEST(linear_order, nothing_is_one) {
  EXPECT_TRUE(find_linear_order<queue>({}).exists);
  EXPECT_TRUE(find_linear_order<queue>({{}, {}}).exists);
}

TEST(linear_order, the_order_that_is_found_is_one) {
  const auto found = find_linear_order<queue>(
      by_clock<queue>({put(0, 0, 10, x), put(1, 1, 9, y), get(1, 11, 12, y)}));
  using place = linear_order::place;
  EXPECT_EQ(found.order, (std::vector<place>{{1, 0}, {0, 0}, {1, 1}}));
}

TEST(linear_order, a_first_state_may_be_given) {
  const recorded_history<queue> taken = {{{std::nullopt, x, {}}}};
  EXPECT_FALSE(find_linear_order(taken, queue{}).exists);
  EXPECT_TRUE(find_linear_order(taken, queue{.items = {x}}).exists);
}

TEST(linear_order, says_what_was_done_and_what_does_not_fit) {
  const auto history = by_clock<queue>(
      {put(0, 0, 1, x), put(1, 2, 3, y), get(2, 4, 5, y), unfinished(get(2, 6, 0, nothing))});
  const auto found = find_linear_order<queue>(history);
  EXPECT_FALSE(found.exists);
  EXPECT_EQ(in_words<queue>(history),
            "main: put(1); thread 1: put(2); thread 2: get() -> 2, get()");
  EXPECT_EQ(why_not_linearizable<queue>(history, found),
            "no order of these operations is one of a queue: main: put(1); thread 1: put(2); "
            "thread 2: get() -> 2, get(); thread 1's put(2) comes before thread 2's get() -> 2. "
            "After put(1), put(2) there is no place for thread 2's get() -> 2");
}

// An order that follows from the others by transitivity is not mentioned.
TEST(linear_order, says_what_came_before_what) {
  const auto history =
      by_clock<queue>({put(1, 0, 1, x), put(2, 2, 3, y), get(3, 4, 5, y), get(3, 6, 7, x)});
  const std::string why = why_not_linearizable<queue>(history, find_linear_order<queue>(history));
  EXPECT_THAT(why,
              HasSubstr("; thread 1's put(1) comes before thread 2's put(2); thread 2's put(2) "
                        "comes before thread 3's get() -> 2. After"));
}

// ---- random histories ----

// All permutations, each looked at as a whole.
bool exists_by_permutations(const recorded_history<queue>& threads) {
  std::vector<linear_order::place> all;
  for (std::size_t t = 0; t < threads.size(); ++t)
    for (std::size_t i = 0; i < threads[t].size(); ++i) all.push_back({t, i});
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  do {
    std::vector<std::size_t> done(threads.size());
    queue state;
    bool fits = true;
    for (const std::size_t n : order) {
      const auto [t, i] = all[n];
      const recorded<queue>& r = threads[t][i];
      fits = fits && done[t] == i;
      for (std::size_t u = 0; u < r.after.size(); ++u) fits = fits && done[u] >= r.after[u];
      const auto next = state.apply(r.operation).front();
      fits = fits && next.result == *r.result;
      state = next.after;
      ++done[t];
    }
    if (fits) return true;
  } while (std::next_permutation(order.begin(), order.end()));
  return false;
}

int how_many() {
  const char* number = std::getenv("FENCEPOST_RANDOM_HISTORIES");
  return number != nullptr ? std::atoi(number) : 3000;
}

// Three threads of at most two operations each, of random length and with random results.
recorded_history<queue> any_history() {
  std::vector<timed<queue>> all;
  int next_item = 1;
  for (unsigned thread = 0; thread < 3; ++thread) {
    int now = 0;
    const int operations = *rc::gen::inRange(1, 3);
    for (int n = 0; n < operations; ++n) {
      const int called = now + *rc::gen::inRange(1, 5);
      now = called + *rc::gen::inRange(1, 8);
      all.push_back(*rc::gen::arbitrary<bool>()
                        ? put(thread, called, now, next_item++)
                        : get(thread, called, now, *rc::gen::inRange(0, 4)));
    }
  }
  return by_clock<queue>(all);
}

TEST(linear_order, agrees_with_all_permutations) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = how_many();
  int exist = 0, do_not = 0;
  const auto result = rc::detail::checkTestable(
      [&] {
        const recorded_history<queue> history = any_history();
        RC_LOG() << in_words<queue>(history) << order_in_words<queue>(history) << "\n";
        const bool expected = exists_by_permutations(history);
        RC_ASSERT(find_linear_order<queue>(history).exists == expected);
        ++(expected ? exist : do_not);
      },
      rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
  EXPECT_GT(exist, how_many() / 20) << "the histories show too little";
  EXPECT_GT(do_not, how_many() / 20) << "the histories show too little";
}

// ---- the memory ----

struct counter {
  static constexpr std::string_view name = "a counter";
  enum class operation { add, read };
  using result = unsigned;
  unsigned count = 0;
  std::vector<possibility<counter>> apply(operation o) const {
    if (o == operation::read) return {{count, *this}};
    return {{0, {count + 1}}};
  }
  static std::string text(operation o, const result*) {
    return o == operation::read ? "read()" : "add()";
  }
  friend auto operator<=>(const counter&, const counter&) = default;
};

// Four threads of five additions: 20! / 5!^4, more than 10^10 orders, and 6^4 sets of operations.
TEST(linear_order, what_led_to_nothing_is_not_tried_again) {
  recorded_history<counter> threads(4);
  for (auto& thread : threads) thread.assign(5, {counter::operation::add, 0, {}});
  threads.push_back({{counter::operation::read, 21, {}}});  // which none of them can explain
  const linear_order found = find_linear_order<counter>(threads);
  EXPECT_FALSE(found.exists);
  EXPECT_LE(found.states, 6u * 6 * 6 * 6);
  EXPECT_EQ(found.order.size(), 20u);
}

// One after the other, a thousand are not many.
TEST(linear_order, a_long_history_of_few_concurrent_operations_is_short_work) {
  std::vector<timed<counter>> all;
  for (int n = 0; n < 500; ++n) {
    all.push_back({0, 3 * n, 3 * n + 1, counter::operation::add, 0});
    all.push_back({1, 3 * n, 3 * n + 1, counter::operation::add, 0});
  }
  all.push_back({2, 2000, 2001, counter::operation::read, 1000});
  const linear_order found = find_linear_order<counter>(by_clock<counter>(all));
  EXPECT_TRUE(found.exists);
  EXPECT_LE(found.states, 3u * 500 + 1);
}

// ---- results that are not determined ----

// Takes one of several, and says so only sometimes.
struct bag {
  static constexpr std::string_view name = "a bag";
  using operation = std::optional<int>;  // put; none: take any
  using result = std::optional<int>;
  std::vector<int> items = {};
  std::vector<possibility<bag>> apply(const operation& put) const {
    bag after = *this;
    if (put) {
      after.items.push_back(*put);
      return {{{}, after}};
    }
    std::vector<possibility<bag>> all{{{}, *this}};  // not today
    for (std::size_t i = 0; i < items.size(); ++i) {
      after = *this;
      after.items.erase(after.items.begin() + static_cast<std::ptrdiff_t>(i));
      all.push_back({items[i], after});
      all.push_back({{}, after});  // taken, and not said
    }
    return all;
  }
  static std::string text(const operation&, const result*) { return "?"; }
  friend auto operator<=>(const bag&, const bag&) = default;
};

bool one_thread_may(const std::vector<std::pair<bag::operation, bag::result>>& calls) {
  recorded_history<bag> threads(1);
  for (const auto& [operation, result] : calls) threads[0].push_back({operation, result, {}});
  return find_linear_order<bag>(threads).exists;
}

// Of three items two are taken by name; the look before them took the third silently, or none.
TEST(linear_order, each_state_that_a_result_allows_is_tried) {
  EXPECT_TRUE(one_thread_may({{1, {}}, {2, {}}, {3, {}}, {{}, {}}, {{}, 3}, {{}, 1}}));
  EXPECT_FALSE(one_thread_may({{1, {}}, {{}, 1}, {{}, 1}}));
}

}  // namespace
}  // namespace fencepost
