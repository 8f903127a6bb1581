// Atomics of sixteen bytes: a pointer and a counter, two pointers.
#include <cstdint>
#include <cstring>
#include <new>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

struct pair {
  std::uint64_t first = 0, second = 0;
  bool operator==(const pair&) const = default;
};
using wide = checked::atomic<pair>;

TEST(wide, values_are_kept_whole) {
  const result r = check({}, [] {
    wide x{{1, ~std::uint64_t{0}}};
    require(x.load() == pair{1, ~std::uint64_t{0}}, "the initial value");
    x.store({2, 3});
    require(x.exchange({3, 2}) == pair{2, 3}, "exchange gives the old value");
    pair expected{2, 3};
    require(!x.compare_exchange_strong(expected, {0, 0}), "another value");
    require(expected == pair{3, 2}, "and it is told");
    require(x.compare_exchange_strong(expected, {0, 0}), "the value");
    require(x.load() == pair{}, "zeros");
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1U);
}

TEST(wide, halves_of_different_writes_are_never_read) {
  const result r = check({}, [] {
    wide x;
    concurrently(
        [&] {
          x.store({1, 1}, relaxed);
          x.store({2, 2}, relaxed);
        },
        [&] {
          const pair seen = x.load(relaxed);
          require(seen.first == seen.second, "one write's");
          outcome(seen.first);
        });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(outcomes_of(r), (std::set<std::string>{"0", "1", "2"}));
  EXPECT_EQ(r.executions, 3U);
}

// As with smaller atomics, every execution is explored once, whichever thread comes first.
TEST(wide, executions_are_those_of_small_atomics) {
  for (const std::vector<unsigned>& priorities :
       {std::vector<unsigned>{}, std::vector<unsigned>{0, 2, 1}, std::vector<unsigned>{2, 1, 0}}) {
    options o;
    o.priorities = priorities;
    std::set<std::uint64_t> graphs;
    o.on_graph = [&](std::uint64_t g) { EXPECT_TRUE(graphs.insert(g).second); };
    o.on_restart = [&] { graphs.clear(); };
    const result r = check(o, [] {
      wide x;
      in_threads(2, [&](unsigned i) {
        for (int times = 0; times < 2; ++times) {
          pair seen = x.load(relaxed);
          while (!x.compare_exchange_strong(seen, {seen.first + 1, i}, relaxed)) {
          }
        }
      });
      require(x.load().first == 4, "no increment is lost");
    });
    EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
    static std::set<std::uint64_t> first;
    if (first.empty()) first = graphs;
    EXPECT_EQ(graphs, first);
  }
}

#if defined(__GNUC__) && !defined(__clang__)
TEST(wide, padding_is_not_compared) {
  struct padded {
    std::uint64_t number;
    std::uint32_t tag;
  };
  const result r = check({}, [] {
    alignas(padded) unsigned char dirty[sizeof(padded)];
    std::memset(dirty, 0xee, sizeof dirty);
    auto* expected = new (dirty) padded;
    expected->number = 1;
    expected->tag = 2;
    checked::atomic<padded> x{padded{1, 2}};
    require(x.compare_exchange_strong(*expected, padded{3, 4}), "equal but for the padding");
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}
#endif

TEST(wide, a_waiter_is_woken_by_a_change_of_either_half) {
  const auto body = [](bool notifies) {
    return [notifies] {
      wide x;
      concurrently(
          [&] {
            x.wait({0, 0});
          },
          [&] {
            x.store({0, 1});
            if (notifies) x.notify_one();
          });
    };
  };
  EXPECT_EQ(found_in(body(true)), violation::none);
  EXPECT_EQ(found_in(body(false)), violation::liveness);
}

// A stack of numbered nodes. Without a tag, a node that was popped and pushed again is mistaken for
// the one that was seen (ABA).
void pop_while_others_pop_and_push(bool tagged) {
  constexpr std::uint64_t nodes = 2;  // named 1 and 2; 0 is none
  checked::atomic<std::uint64_t> next[nodes + 1];
  wide top{{1, 0}};
  next[1].store(2, relaxed);
  checked::atomic<int> holders[nodes + 1];
  const auto pop = [&] {
    pair seen = top.load();
    while (seen.first != 0 &&
           !top.compare_exchange_strong(
               seen, {next[seen.first].load(relaxed), seen.second + (tagged ? 1 : 0)})) {
    }
    if (seen.first != 0)
      require(holders[seen.first].fetch_add(1, relaxed) == 0, "a node is popped twice");
    return seen.first;
  };
  const auto push = [&](std::uint64_t node) {
    holders[node].fetch_sub(1, relaxed);
    pair seen = top.load();
    do {
      next[node].store(seen.first, relaxed);
    } while (!top.compare_exchange_strong(seen, {node, seen.second + (tagged ? 1 : 0)}));
  };
  concurrently(
      [&] {
        pop();
        pop();
      },
      [&] {
        const std::uint64_t first = pop();
        pop();
        if (first != 0) push(first);
      });
}

TEST(wide, a_tag_beside_the_pointer_keeps_nodes_apart) {
  const result r = check({}, [] { pop_while_others_pop_and_push(true); });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
}

TEST(wide, without_the_tag_a_node_is_popped_twice) {
  const result r = check({}, [] { pop_while_others_pop_and_push(false); });
  ASSERT_EQ(found(r), violation::assertion) << to_text(r);
  EXPECT_EQ(r.violation->message, "a node is popped twice");
  EXPECT_NE(to_text(r).find("{1, 0}"), std::string::npos) << to_text(r);
}

}  // namespace
}  // namespace fencepost::verify::testing
