// A bound on preemptions: everything within it is explored, nothing twice, and what is not
// exhaustive is not called so. The count itself is compared with all orders of the steps.
#include <functional>
#include <map>

#include "known_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

TEST(preemptions, all_graphs_within_the_bound_are_explored) {
  for (const known_program& p : programs_of_known_count()) {
    if (p.executions != 0 && p.executions <= 150) {
      EXPECT_EQ(wrong_within_bounds(p), "");
    }
  }
}

TEST(preemptions, all_graphs_within_the_bound_are_explored_with_all_kinds_of_choices) {
  for (const known_program& p : programs_of_every_kind()) EXPECT_EQ(wrong_within_bounds(p), "");
}

TEST(preemptions, all_graphs_within_the_bound_are_explored_of_random_programs) {
  for (unsigned seed = 0; seed < 300; ++seed)
    EXPECT_EQ(wrong_within_bounds(random_program(seed)), "");
}

// ---------------------------------------------------------------------------------------------
// The definition, step by step: a search through all orders.

struct ordering {
  explicit ordering(const execution& e) : steps(e.steps), threads(e.threads) {
    for (std::size_t i = 0; i < steps.size(); ++i) of[steps[i].thread].push_back(i);
    for (std::size_t i = 0; i < steps.size(); ++i)
      if (steps[i].reads_from) before[i].push_back(*steps[i].reads_from);
    for (const edge& link : e.edges)
      if (link.kind == relation::synchronizes_with) before[link.to].push_back(link.from);
  }

  static bool waits(const step& s) {
    return s.kind == step_kind::join_thread || s.kind == step_kind::finish ||
           s.text.starts_with("lock ");
  }

  // Returns the least number of preemptions from here on, with so many steps of each thread done,
  // and the last one made by `running`.
  unsigned least(std::vector<std::size_t> done, unsigned running) {
    const auto key = std::make_pair(done, running);
    if (const auto known = found.find(key); known != found.end()) return known->second;
    unsigned& best = found[key] = 1000;
    bool any = false;
    for (const auto& [t, mine] : of) {
      if (done[t] == mine.size()) continue;
      any = true;
      const std::size_t next = mine[done[t]];
      bool possible = true;
      for (const std::size_t b : before[next]) {
        const auto& there = of[steps[b].thread];
        const auto at = std::find(there.begin(), there.end(), b) - there.begin();
        possible = possible && static_cast<std::size_t>(at) < done[steps[b].thread];
      }
      if (!possible) continue;
      const bool left = t != running && done[running] != 0 && done[running] < of[running].size() &&
                        !waits(steps[of[running][done[running]]]);
      std::vector<std::size_t> after = done;
      ++after[t];
      const unsigned rest = least(std::move(after), t) + (left ? 1 : 0);
      best = std::min(best, rest);
    }
    if (!any) best = 0;
    return best;
  }
  unsigned least() { return least(std::vector<std::size_t>(threads), 0); }

  const std::vector<step>& steps;
  std::size_t threads;
  std::map<unsigned, std::vector<std::size_t>> of;
  std::map<std::size_t, std::vector<std::size_t>> before;
  std::map<std::pair<std::vector<std::size_t>, unsigned>, unsigned> found;
};

void expect_counted(const std::string& name, const std::function<std::string()>& body) {
  std::string outcome;
  std::map<std::string, unsigned> counted;
  options o;
  o.examples = 10'000;
  o.on_preemptions = [&](std::uint64_t, unsigned n) {
    const auto [at, is_new] = counted.try_emplace(outcome, n);
    EXPECT_EQ(at->second, n) << name << ": what is read decides";
  };
  const result r = check(o, [&] {
    const std::string text = body();
    fencepost::outcome(text.c_str());
    outcome = text;
  });
  ASSERT_EQ(r.outcome, verdict::verified) << name << to_text(r);
  std::set<unsigned> different;
  for (const auto& [text, shown] : r.examples) {
    EXPECT_EQ(counted.at(text), ordering(shown).least()) << name << ": " << text;
    different.insert(counted.at(text));
  }
  EXPECT_GT(different.size(), 1U) << name << ": programs that say something";
}

TEST(preemptions, are_the_fewest_of_all_orders) {
  expect_counted("two threads that increment", [] {
    integer x{0};
    int seen[2][3] = {};
    in_threads(2, [&](unsigned i) {
      for (int& s : seen[i]) s = x.fetch_add(1);
    });
    std::string text;
    for (const auto& mine : seen)
      for (const int s : mine) text += std::to_string(s) + " ";
    return text;
  });
  expect_counted("three threads that talk", [] {
    integer x{0}, y{0};
    int seen[3][2] = {};
    in_threads(3, [&](unsigned i) {
      if (i == 0) x.store(1);
      seen[i][0] = x.fetch_add(static_cast<int>(10 * i));
      y.store(static_cast<int>(i) + 1);
      seen[i][1] = y.load();
      if (i == 2) x.store(7);
    });
    std::string text;
    for (const auto& mine : seen)
      for (const int s : mine) text += std::to_string(s) + " ";
    return text;
  });
  expect_counted("a lock, and talk outside of it", [] {
    integer x{0};
    checked::mutex m;
    int seen[2][3] = {};
    int taken = 0;
    in_threads(2, [&](unsigned i) {
      seen[i][0] = x.fetch_add(1);
      m.lock();
      seen[i][1] = taken++;
      m.unlock();
      seen[i][2] = x.fetch_add(1);
    });
    std::string text;
    for (const auto& mine : seen)
      for (const int s : mine) text += std::to_string(s) + " ";
    return text;
  });
}

// ---------------------------------------------------------------------------------------------
// Verdicts.

void increments() {
  integer x{0};
  in_threads(3, [&](unsigned) {
    for (int i = 0; i < 4; ++i) x.fetch_add(1);
  });
}

result within(unsigned bound, const std::function<void()>& body) {
  options o;
  o.preemptions = bound;
  return check(o, body);
}

TEST(preemptions, what_is_beyond_the_bound_is_unknown) {
  const result r = within(1, increments);
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_EQ(r.limit, "preemptions");
  EXPECT_EQ(r.preemptions, 1U);
  EXPECT_GT(r.cut, 0U);
  EXPECT_LT(r.executions, 34'650U / 10) << "much less than all";
  EXPECT_GE(r.executions, within(0, increments).executions);
  EXPECT_EQ(to_text(r).find("exhaustive"), std::string::npos) << to_text(r);
  EXPECT_NE(to_text(r).find("bound of 1 preemption,"), std::string::npos) << to_text(r);
}

TEST(preemptions, a_bound_that_cuts_nothing_leaves_the_exploration_exhaustive) {
  const result r = within(100, increments);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.cut, 0U);
  EXPECT_EQ(r.executions, 34'650U) << "12! / (4! 4! 4!)";
}

// Wrong if the second thread is preempted twice.
void needs_two() {
  integer x{0}, y{0};
  bool wrong = false;
  in_threads(2, [&](unsigned i) {
    if (i == 0) {
      for (int n = 1; n <= 2; ++n) {
        if (y.load() != n) return;
        x.store(n);
      }
    } else {
      y.store(1);
      if (x.load() != 1) return;
      y.store(2);
      wrong = x.load() == 2;
    }
  });
  require(!wrong, "the answers have come");
}

TEST(preemptions, a_violation_is_found_with_as_many_as_it_needs) {
  EXPECT_EQ(within(4, needs_two).outcome, verdict::violated);
  const result r = within(0, needs_two);
  EXPECT_NE(r.outcome, verdict::verified) << to_text(r);
}

TEST(preemptions, a_counterexample_within_a_bound_is_come_to_again) {
  const result r = within(3, needs_two);
  ASSERT_EQ(r.outcome, verdict::violated);
  options o;
  o.preemptions = r.violation->preemptions;
  o.priorities = r.violation->priorities;
  o.replay = r.violation->path;
  const result again = check(o, needs_two);
  ASSERT_EQ(again.outcome, verdict::violated);
  EXPECT_EQ(again.violation->steps.size(), r.violation->steps.size());
}

}  // namespace
}  // namespace fencepost::verify::testing
