// Known numbers of executions are found, no graph is visited twice, and priorities change nothing.
#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

TEST(counts, known_numbers_of_executions_are_found) {
  for (const known_program& p : programs_of_known_count()) EXPECT_EQ(wrong_count(p), "");
}

TEST(counts, no_graph_is_visited_twice) {
  for (const known_program& p : programs_of_every_kind()) EXPECT_EQ(wrong_count(p), "");
}

TEST(counts, priorities_do_not_change_the_set_of_graphs) {
  for (const known_program& p : programs_of_every_kind())
    EXPECT_EQ(wrong_under_other_priorities(p), "");
}

TEST(counts, priorities_do_not_change_the_set_of_graphs_under_any_model) {
  for (const memory_model m : {memory_model::rc11, memory_model::cpp20}) {
    for (known_program p : programs_of_every_kind()) {
      p.bounds.model = m;
      EXPECT_EQ(wrong_under_other_priorities(p), "") << to_string(m);
    }
  }
}

// A stack with plain links: each thread pushes its node and pops one.
void push_and_pop(unsigned threads) {
  struct node {
    checked::plain<node*> next{nullptr};
  };
  node nodes[3];
  checked::atomic<node*> top{nullptr};
  in_threads(threads, [&](unsigned i) {
    node* mine = &nodes[i];
    node* seen = top.load(relaxed);
    do {
      mine->next.set(seen);
    } while (!top.compare_exchange_strong(seen, mine, release, relaxed));
    seen = top.load(acquire);
    while (seen != nullptr &&
           !top.compare_exchange_strong(seen, seen->next.get(), acq_rel, acquire)) {
    }
  });
}

TEST(counts, treiber_stack_of_three_threads_that_push_and_pop) {
  const result r = check({}, [] { push_and_pop(3); });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  // 25,680, less twelve in which a thread twice returns to what it had seen.
  EXPECT_EQ(r.executions, 25'668U);
}

TEST(counts, what_ran_is_told) {
  const result r = check({}, [] {
    checked::atomic<int> x{0};
    in_threads(2, [&](unsigned) { x.fetch_add(1); });
  });
  EXPECT_EQ(r.outcome, verdict::verified);
  EXPECT_EQ(r.executions, 2U);
  EXPECT_EQ(r.blocked, 0U);
  EXPECT_EQ(r.threads, 3U);
  EXPECT_EQ(r.events, 6U) << "two creations, two increments, two joins";
  EXPECT_EQ(r.fraction, 1.0);
  EXPECT_EQ(r.limit, "");
  EXPECT_TRUE(r);
}

TEST(counts, no_run_is_wasted_on_spin_loops_and_locks_that_the_explorer_knows) {
  const result r = check({}, [] {
    checked::mutex m;
    in_threads(4, [&](unsigned) { const std::lock_guard lock(m); });
  });
  EXPECT_EQ(r.executions, 24U);
  EXPECT_LT(r.blocked, r.executions * 10);
}

}  // namespace
}  // namespace fencepost::verify::testing
