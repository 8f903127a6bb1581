// parallel_sort against std::stable_sort, and what it leaves behind when a comparison throws.
#include "fencepost/runtime/parallel_sort.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <memory>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "fake_worker.hpp"
#include "fencepost/runtime/fork_join.hpp"

namespace fencepost {
namespace {

using test::fake_worker;
using test::thieves;

// A key, and its original position.
struct numbered {
  int key = 0;
  std::size_t number = 0;
  friend bool operator==(const numbered&, const numbered&) = default;
};
constexpr auto by_key = [](const numbered& a, const numbered& b) { return a.key < b.key; };

// Shapes of input that sorts handle well or badly.
enum class shape { random, few_values, rising, falling, two_runs, almost, last };
std::vector<numbered> make(shape how, std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::vector<numbered> all(size);
  for (std::size_t i = 0; i < size; ++i) {
    const int place = static_cast<int>(i), any = static_cast<int>(random() % 1'000'000);
    int key = any;
    if (how == shape::few_values) key = any % 7;
    if (how == shape::rising) key = place / 3;
    if (how == shape::falling) key = -place / 3;
    if (how == shape::two_runs) key = i < size / 3 ? place : place - static_cast<int>(size / 2);
    if (how == shape::almost) key = any % 50 == 0 ? any : place;
    all[i] = {key, i};
  }
  return all;
}
rc::Gen<shape> any_shape() {
  return rc::gen::map(rc::gen::inRange(0, static_cast<int>(shape::last)),
                      [](int i) { return static_cast<shape>(i); });
}

template <class Worker>
bool sorts_as_std(Worker& me, const std::vector<numbered>& in) {
  std::vector<numbered> expected = in, out = in;
  std::stable_sort(expected.begin(), expected.end(), by_key);
  parallel_sort(me, out.begin(), out.end(), by_key);
  if (out != expected) return false;
  // The same for elements that own memory, in a segmented container, with a projection, descending.
  std::deque<std::pair<std::string, int>> texts;
  for (const numbered& each : in) texts.emplace_back(std::to_string(each.number), each.key);
  auto expected_texts = texts;
  std::stable_sort(expected_texts.begin(), expected_texts.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  parallel_sort(me, texts, std::greater<>{}, &std::pair<std::string, int>::second);
  return texts == expected_texts;
}

RC_GTEST_PROP(parallel_sort, is_stable_sort, (std::uint64_t seed)) {
  fake_worker me{seed, thieves::some};
  const auto size = *rc::gen::inRange<std::size_t>(0, 3000);
  RC_ASSERT(sorts_as_std(me, make(*any_shape(), size, seed)));
  RC_ASSERT(me.open() == 0);
}
RC_GTEST_PROP(parallel_sort, of_few_is_stable_sort, (std::uint64_t seed)) {
  fake_worker me{seed, thieves::some};
  const auto size = *rc::gen::inRange<std::size_t>(0, 70);
  RC_ASSERT(sorts_as_std(me, make(*any_shape(), size, seed)));
}

// Large enough for divided merges.
TEST(parallel_sort, of_many_is_stable_sort) {
  for (int how = 0; how < static_cast<int>(shape::last); ++how) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      fake_worker me{seed, thieves::some};
      EXPECT_TRUE(sorts_as_std(me, make(static_cast<shape>(how), 40'000 + seed, seed))) << how;
    }
  }
}

TEST(parallel_sort, takes_what_is_random_access) {
  fake_worker me{3};
  std::array<int, 5> values{4, 2, 5, 1, 3};
  int built_in[] = {4, 2, 5, 1, 3};
  const std::array<int, 5> expected{1, 2, 3, 4, 5};
  parallel_sort(me, values);
  EXPECT_EQ(values, expected);
  parallel_sort(me, values.rbegin(), values.rend());
  EXPECT_EQ(values, (std::array<int, 5>{5, 4, 3, 2, 1}));
  parallel_sort(me, built_in);
  EXPECT_TRUE(std::equal(expected.begin(), expected.end(), built_in));
  std::vector<int> none;
  parallel_sort(me, none);
  parallel_sort(me, built_in + 3, built_in + 3);
}

// Neither copied nor default constructed.
TEST(parallel_sort, elements_are_only_moved) {
  fake_worker me{5, thieves::some};
  struct only_moved {
    explicit only_moved(int of) : value(of) {}
    only_moved(only_moved&&) = default;
    only_moved& operator=(only_moved&&) = default;
    int value;
  };
  std::vector<std::unique_ptr<int>> pointers;
  std::vector<only_moved> plain;
  for (int i = 0; i < 2000; ++i) {
    pointers.push_back(std::make_unique<int>((i * 7919) % 2000));
    plain.emplace_back((i * 7919) % 2000);
  }
  parallel_sort(me, pointers, {}, [](const auto& pointer) { return *pointer; });
  parallel_sort(me, plain, {}, &only_moved::value);
  for (int i = 0; i < 2000; ++i) {
    EXPECT_EQ(*pointers[static_cast<std::size_t>(i)], i);
    EXPECT_EQ(plain[static_cast<std::size_t>(i)].value, i);
  }
}

TEST(parallel_sort, comparisons_are_no_more_than_promised) {
  for (int how = 0; how < static_cast<int>(shape::last); ++how) {
    for (const std::size_t size : {100U, 5000U, 60'000U}) {
      fake_worker me{size, thieves::some};
      std::vector<numbered> all = make(static_cast<shape>(how), size, 1);
      std::size_t calls = 0;
      parallel_sort(
          me, all,
          [&calls](int a, int b) {
            ++calls;
            return a < b;
          },
          &numbered::key);
      const double n = static_cast<double>(size);
      EXPECT_LE(static_cast<double>(calls), n * std::log2(n) + 2 * n) << how << ' ' << size;
      if (how == static_cast<int>(shape::rising)) {
        EXPECT_LE(calls, size * 5 / 4);
      }
    }
  }
}

// Records its live instances: whenever a comparison throws, each element exists once, in the range.
struct alive {
  static inline std::set<const alive*> all;
  int value;
  std::size_t number;
  alive(int of, std::size_t count) : value(of), number(count) { all.insert(this); }
  alive(alive&& other) noexcept
      : value(std::exchange(other.value, -1)), number(std::exchange(other.number, 0)) {
    all.insert(this);
  }
  alive& operator=(alive&& other) noexcept {
    value = std::exchange(other.value, -1);
    number = std::exchange(other.number, 0);
    return *this;
  }
  ~alive() { all.erase(this); }
};

template <class T>
bool is_permutation_of_numbers(const std::vector<T>& all) {
  std::vector<std::size_t> numbers;
  for (const T& each : all) numbers.push_back(each.number);
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (numbers[i] != i) return false;
  }
  return true;
}

RC_GTEST_PROP(parallel_sort, a_comparison_that_throws_leaves_all_elements, (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(2, 2000);
  const auto calls_left = *rc::gen::inRange<std::size_t>(0, 2 * size);
  fake_worker me{seed, thieves::some};
  std::vector<numbered> copied = make(*any_shape(), size, seed);
  std::vector<alive> moved;
  for (const numbered& each : copied) moved.emplace_back(each.key, each.number);
  const auto sort = [&](auto& all, auto member) {
    std::size_t left = calls_left;
    try {
      parallel_sort(
          me, all,
          [&left](int a, int b) {
            if (left-- == 0) throw std::out_of_range("now");
            return a < b;
          },
          member);
      return left <= calls_left;  // the comparison was not called that often
    } catch (const std::out_of_range&) {
      return true;
    }
  };
  RC_ASSERT(sort(copied, &numbered::key));
  RC_ASSERT(is_permutation_of_numbers(copied));
  RC_ASSERT(sort(moved, &alive::value));
  RC_ASSERT(is_permutation_of_numbers(moved));
  RC_ASSERT(alive::all.size() == size);
  RC_ASSERT(me.open() == 0);
}

// The comparison is inconsistent: any order is right, but the elements must be the same.
RC_GTEST_PROP(parallel_sort, an_ordering_that_contradicts_itself_loses_nothing,
              (std::uint64_t seed)) {
  const auto size = *rc::gen::inRange<std::size_t>(2, 3000);
  fake_worker me{seed, thieves::some};
  std::vector<numbered> all = make(shape::random, size, seed);
  std::mt19937_64 random{seed};
  parallel_sort(me, all, [&random](const auto&, const auto&) { return random() % 2 == 0; });
  RC_ASSERT(is_permutation_of_numbers(all));
}

TEST(parallel_sort, numbers_that_are_none_are_kept) {
  fake_worker me{9, thieves::some};
  std::vector<double> all(5000);
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = i % 3 == 0 ? std::numeric_limits<double>::quiet_NaN()
                        : static_cast<double>(i * 7919 % 5000);
  }
  std::vector<double> rest = all;
  parallel_sort(me, all, [](double a, double b) { return a < b; });
  const auto not_one = [](double each) { return !(each == each); };
  EXPECT_EQ(std::count_if(all.begin(), all.end(), not_one), 1667);
  all.erase(std::remove_if(all.begin(), all.end(), not_one), all.end());
  rest.erase(std::remove_if(rest.begin(), rest.end(), not_one), rest.end());
  std::sort(all.begin(), all.end());
  std::sort(rest.begin(), rest.end());
  EXPECT_EQ(all, rest);
}

RC_GTEST_PROP(parallel_sort_on_workers, is_stable_sort, (std::uint64_t seed)) {
  static fork_join pool{{.workers = 4}};
  const auto size = *rc::gen::inRange<std::size_t>(0, 25'000);
  const std::vector<numbered> in = make(*any_shape(), size, seed);
  RC_ASSERT(pool.run([&](fork_join_worker& me) { return sorts_as_std(me, in); }));
}

TEST(parallel_sort_on_workers, a_comparison_that_throws_ends_it) {
  fork_join pool{{.workers = 4}};
  for (int bad = 1; bad < 20'000; bad += 1999) {
    std::vector<numbered> all = make(shape::random, 20'000, 1);
    all[static_cast<std::size_t>(bad)].key = -1;
    EXPECT_THROW(pool.run([&](fork_join_worker& me) {
      parallel_sort(me, all, [](const numbered& a, const numbered& b) {
        if (a.key < 0 || b.key < 0) throw std::out_of_range("negative");
        return a.key < b.key;
      });
    }),
                 std::out_of_range);
    EXPECT_TRUE(is_permutation_of_numbers(all));
  }
}

}  // namespace
}  // namespace fencepost
