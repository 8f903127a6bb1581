// The second opinion: what it confirms, and that it rejects whatever is no execution.
#include "axioms/recheck.hpp"
#include "axioms/graph_fingerprint.hpp"

#include <set>

#include "fencepost/verify/gtest.hpp"
#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;
using axioms::judge;
using axioms::opinion;
using kind = explored_event::kind;

rechecked recheck(options o, const std::function<void()>& body) {
  o.recheck = true;
  const result r = check(o, body);
  EXPECT_TRUE(r.recheck);
  EXPECT_EQ(r.recheck->why, "") << o.name << '\n' << r.recheck->graph;
  EXPECT_EQ(r.recheck->graphs, r.executions) << o.name;
  return *r.recheck;
}

std::vector<explored_graph> graphs_of(options o, const std::function<void()>& body) {
  std::vector<explored_graph> all;
  o.on_complete_graph = [&](const explored_graph& g) { all.push_back(g); };
  const result r = check(o, body);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_FALSE(all.empty());
  return all;
}

TEST(recheck, confirms_every_graph_of_programs_of_every_kind) {
  for (const known_program& p : programs_of_every_kind()) {
    for (const memory_model m : all_models) {
      options o = p.bounds;
      o.model = m;
      o.name = p.name;
      const rechecked r = recheck(o, p.body);
      EXPECT_EQ(r.confirmed, r.graphs) << p.name;
    }
  }
}

TEST(recheck, confirms_as_many_graphs_as_are_known_to_exist) {
  for (const known_program& p : programs_of_known_count()) {
    options o = p.bounds;
    o.name = p.name;
    const rechecked r = recheck(o, p.body);
    EXPECT_EQ(r.confirmed, p.executions == 0 ? r.graphs : p.executions) << p.name;
  }
}

TEST(recheck, judges_the_first_graph_and_one_of_so_many) {
  options o;
  o.recheck = true;
  const auto body = [] {
    integer x{0};
    in_threads(3, [&](unsigned) { x.fetch_add(1, relaxed); });
  };
  o.graphs_apart = 0;
  EXPECT_EQ(check(o, body).recheck->confirmed, 6U);
  for (const std::uint64_t apart : {1U, 4U, 5U, 100U}) {
    o.graphs_apart = apart;
    const result r = check(o, body);
    EXPECT_EQ(r.executions, 6U);
    EXPECT_EQ(r.recheck->confirmed, (r.executions + apart - 1) / apart);
  }
}

// With a store that the load synchronizes with, and with one that it does not.
TEST(recheck, knows_which_events_came_too_early) {
  for (const bool acquires : {true, false}) {
    const auto graphs = graphs_of({}, [=] {
      integer x{0};
      run_threads(2, [&](unsigned index) {
        if (index == 0)
          x.store(1, std::memory_order_release);
        else
          x.load(acquires ? std::memory_order_acquire : std::memory_order_relaxed);
      });
    });
    unsigned reads_one = 0;
    for (const explored_graph& g : graphs) {
      const bool one = g.threads[2][0].read == 1;
      reads_one += one ? 1 : 0;
      EXPECT_EQ(axioms::read_with_cycles(g, {{}, {2}, {1}}).reversed, one && acquires);
      EXPECT_FALSE(axioms::read_with_cycles(g, {{}, {1}, {2}}).reversed);
    }
    EXPECT_EQ(reads_one, 1U);
  }
}

TEST(recheck, is_said_only_if_it_was_asked_for) {
  EXPECT_FALSE(check({}, [] { integer x{0}; }).recheck);
}

TEST(recheck, counts_what_it_has_no_room_for) {
  const auto body = [] {
    integer x{0};
    for (int i = 0; i < 3000; ++i) x.store(i, relaxed);
  };
  const rechecked r = recheck({}, body);
  EXPECT_EQ(r.graphs, 1U);
  EXPECT_EQ(r.confirmed, 0U);
  ASSERT_EQ(r.not_held.size(), 1U);
  EXPECT_EQ(r.not_held.begin()->first, "more than 2048 events");
  EXPECT_EQ(r.not_held.begin()->second, 1U);
}

TEST(recheck, has_room_for_two_thousand_events) {
  const rechecked r = recheck({}, [] {
    integer x{0};
    concurrently(
        [&] {
          for (int i = 0; i < 1000; ++i) x.store(i, relaxed);
        },
        [] {
          integer y{0};
          for (int i = 0; i < 1000; ++i) y.fetch_add(1, seq_cst);
        });
  });
  EXPECT_EQ(r.confirmed, 1U);
}

// ---------------------------------------------------------------------------------------------
// Every alteration gives another graph that was explored, or one that is rejected.

struct altered {
  std::size_t other = 0;     // graphs that were explored
  std::size_t rejected = 0;  // graphs that are no execution
};

class explored_set {
 public:
  explored_set(const options& o, const std::function<void()>& body) : graphs(graphs_of(o, body)) {
    for (const explored_graph& g : graphs) {
      EXPECT_EQ(judge(g).what, opinion::kind::confirmed) << judge(g).why;
      EXPECT_TRUE(all_.insert(axioms::fingerprint(g)).second) << "twice:\n" << axioms::to_text(g);
    }
  }

  void look_at(const explored_graph& g, altered& count) const {
    const opinion o = judge(g);
    const bool known = all_.contains(axioms::fingerprint(g));
    EXPECT_EQ(o.what, known ? opinion::kind::confirmed : opinion::kind::rejected)
        << o.why << '\n'
        << axioms::to_text(g);
    ++(known ? count.other : count.rejected);
  }

  const std::vector<explored_graph> graphs;

 private:
  std::set<std::uint64_t> all_;
};

altered with_writes_swapped(const explored_set& all) {
  altered count;
  for (explored_graph g : all.graphs) {
    for (explored_graph::cell& cell : g.cells) {
      for (std::size_t i = 0; i + 1 < cell.order.size(); ++i) {
        std::swap(cell.order[i], cell.order[i + 1]);
        all.look_at(g, count);
        std::swap(cell.order[i], cell.order[i + 1]);
      }
    }
  }
  return count;
}

// For programs all of whose writes have the same value, so that no thread behaves differently.
altered with_other_sources(const explored_set& all) {
  altered count;
  for (explored_graph g : all.graphs) {
    for (auto& thread : g.threads) {
      for (explored_event& e : thread) {
        if (e.what != kind::load && e.what != kind::update) continue;
        const explored_event::name before = e.sources[0];
        std::vector<explored_event::name> others = g.cells[e.cells[0]].order;
        others.emplace_back();
        for (const explored_event::name& other : others) {
          if (other == before) continue;
          e.sources[0] = other;
          all.look_at(g, count);
        }
        e.sources[0] = before;
      }
    }
  }
  return count;
}

TEST(recheck, a_swap_in_modification_order_is_another_graph_or_none) {
  const auto body = [] {
    integer x{0}, y{0};
    concurrently(
        [&] {
          x.store(1, seq_cst);
          static_cast<void>(y.load(seq_cst));
          x.store(2, release);
        },
        [&] {
          y.store(1, seq_cst);
          static_cast<void>(x.load(acquire));
          x.fetch_add(10, relaxed);
        },
        [&] { x.store(3, relaxed); });
  };
  for (const memory_model m : all_models) {
    const explored_set all(under(m), body);
    const altered count = with_writes_swapped(all);
    EXPECT_GT(count.other, 0U);
    EXPECT_GT(count.rejected, 0U);
  }
}

TEST(recheck, another_source_is_another_graph_or_none) {
  const std::function<void()> programs[] = {
      [] {  // coherence, happens-before, atomicity
        integer x{1}, y{1};
        concurrently(
            [&] {
              x.store(1, relaxed);
              y.store(1, release);
            },
            [&] {
              static_cast<void>(y.load(acquire));
              static_cast<void>(x.load(relaxed));
              x.exchange(1, relaxed);
            },
            [&] { x.exchange(1, acq_rel); });
      },
      [] {  // the order of sequentially consistent events
        integer x{1}, y{1};
        concurrently(
            [&] {
              x.store(1, relaxed);
              checked::fence(seq_cst);
              static_cast<void>(y.load(relaxed));
            },
            [&] {
              y.store(1, seq_cst);
              static_cast<void>(x.load(seq_cst));
              checked::fence(seq_cst);
              static_cast<void>(x.load(relaxed));
            });
      },
      [] {  // the same across creation and join
        integer x{1}, y{1};
        x.store(1, seq_cst);
        checked::thread other([&] {
          y.store(1, seq_cst);
          static_cast<void>(x.load(seq_cst));
        });
        checked::thread child([&] { static_cast<void>(y.load(seq_cst)); });
        child.join();
        other.join();
        static_cast<void>(y.load(relaxed));
      },
  };
  for (const auto& body : programs) {
    for (const memory_model m : all_models) {
      const altered count = with_other_sources(explored_set(under(m), body));
      EXPECT_GT(count.rejected, 0U);
    }
  }
}

// ---------------------------------------------------------------------------------------------
// Whatever is removed from a graph or changed in it is noticed.

explored_event& first(explored_graph& g, unsigned thread, kind what) {
  for (explored_event& e : g.threads[thread])
    if (e.what == what) return e;
  ADD_FAILURE() << "there is no such event";
  return g.threads[thread].front();
}

// A graph in which thread 2 has read the flag that thread 1 raised, and then the data.
explored_graph message_passed() {
  for (const explored_graph& g : graphs_of({}, [] {
         integer ready{0};
         plain data{0};
         concurrently(
             [&] {
               data.set(42);
               ready.store(1, release);
             },
             [&] {
               if (ready.load(acquire) == 1) require(data.get() == 42, "it is all there");
             });
       })) {
    if (g.threads[2].front().read == 1) return g;
  }
  ADD_FAILURE() << "the message never came";
  return {};
}

void expect_rejected(const explored_graph& g, const char* why) {
  const opinion o = judge(g);
  EXPECT_EQ(o.what, opinion::kind::rejected);
  EXPECT_EQ(o.why, why);
}

TEST(recheck, a_release_that_is_gone_is_a_race_on_the_data) {
  explored_graph g = message_passed();
  EXPECT_EQ(judge(g).what, opinion::kind::confirmed);
  first(g, 1, kind::store).success = order::relaxed;
  expect_rejected(g, "two accesses to plain data are not ordered");
}

TEST(recheck, an_acquire_that_is_gone_is_a_race_on_the_data) {
  explored_graph g = message_passed();
  first(g, 2, kind::load).success = order::relaxed;
  expect_rejected(g, "two accesses to plain data are not ordered");
}

TEST(recheck, a_creation_that_is_gone_leaves_what_came_before_it_unordered) {
  explored_graph g = message_passed();
  for (explored_event& e : g.threads[0])
    if (e.what == kind::create) e.threads = 0;
  expect_rejected(g, "an access is not ordered after the construction of its object");
}

TEST(recheck, a_join_that_is_gone_leaves_what_comes_after_it_unordered) {
  explored_graph g = message_passed();
  for (explored_event& e : g.threads[0])
    if (e.what == kind::join) e.threads = 0;
  expect_rejected(g, "an access is not ordered before the destruction of its object");
}

TEST(recheck, an_access_after_the_end_of_its_object_is_missed) {
  explored_graph g = message_passed();
  silent_access last = g.silent.back();
  EXPECT_EQ(last.what, silent_access::kind::end);
  last.what = silent_access::kind::read;
  last.after += 1;
  g.threads[0].push_back(first(g, 0, kind::join));
  g.threads[0].back().threads = 0;
  g.silent.push_back(last);
  expect_rejected(g, "an object is accessed after its destruction");
}

TEST(recheck, another_value_is_missed) {
  explored_graph g = message_passed();
  first(g, 2, kind::load).read = 7;
  expect_rejected(g, "#1 of thread 2 reads a value other than the one that was written");
  g = message_passed();
  first(g, 1, kind::store).written = 7;
  expect_rejected(g, "#1 of thread 1 stores a value other than the one it was given");
}

TEST(recheck, arithmetic_that_is_wrong_is_missed) {
  const auto graphs = graphs_of({}, [] {
    checked::atomic<std::uint8_t> x{255};
    x.fetch_add(2, relaxed);
    std::uint8_t one = 1;
    x.compare_exchange_strong(one, 5, relaxed);
  });
  ASSERT_EQ(graphs.size(), 1U);
  explored_graph g = graphs.front();
  EXPECT_EQ(judge(g).what, opinion::kind::confirmed);
  EXPECT_EQ(g.threads[0][0].written, 1U);
  g.threads[0][0].written = 257;
  expect_rejected(g, "#1 of thread 0 writes a value other than the one it computes");
  g = graphs.front();
  g.threads[0][1].writes = false;
  expect_rejected(g, "#2 of thread 0 succeeds where it must fail, or fails where it must succeed");
  g = graphs.front();
  g.threads[0][1].spurious = true;
  expect_rejected(g, "#2 of thread 0 may not fail spuriously");
}

TEST(recheck, a_write_that_is_missing_in_modification_order_is_missed) {
  explored_graph g = message_passed();
  for (explored_graph::cell& cell : g.cells)
    if (!cell.order.empty()) cell.order.clear();
  expect_rejected(g,
                  "the modification order of a location does not contain each of its writes once");
}

TEST(recheck, a_race_that_is_not_said_is_missed) {
  options o;
  o.races_are_outcomes = true;
  const auto graphs = graphs_of(o, [] {
    engine& e = *engine::current();
    const word x(e.declare(nullptr, 4, 0, {}));
    concurrently([&] { engine::current()->store(x, 1, order::plain, {}); },
                 [&] { engine::current()->load(x, order::plain, {}); });
  });
  for (explored_graph g : graphs) {
    EXPECT_EQ(judge(g).what, opinion::kind::confirmed) << judge(g).why;
    EXPECT_TRUE(g.race);
    g.race = false;
    expect_rejected(g, "the explorer reports no race, and there is one");
  }
}

TEST(recheck, a_graph_that_comes_twice_is_rejected) {
  axioms::second_opinion all;
  const explored_graph g = message_passed();
  all.hear(g);
  EXPECT_EQ(all.so_far().confirmed, 1U);
  all.hear(g);
  EXPECT_EQ(all.so_far().rejected, 1U);
  EXPECT_EQ(all.so_far().why, "it was explored before");
  EXPECT_NE(all.so_far().graph, "");
  all.restart();
  all.hear(g);
  EXPECT_EQ(all.so_far().confirmed, 1U);
  EXPECT_EQ(all.so_far().rejected, 0U);
}

TEST(recheck, a_rejected_graph_fails_a_test_whatever_it_expects) {
  result r = check({}, [] { integer x{0}; });
  r.recheck = rechecked{1, 0, 1, {}, "it was explored before", "#1 of thread 0: fence seq_cst\n"};
  EXPECT_FALSE(judge(violation::none, r, {}).passes);
  r = check({}, [] { require(false, "never"); });
  EXPECT_TRUE(judge(violation::assertion, r, {}).passes);
  r.recheck = rechecked{1, 0, 1, {}, "it was explored before", "#1 of thread 0: fence seq_cst\n"};
  const test_verdict said = judge(violation::assertion, r, {});
  EXPECT_FALSE(said.passes);
  EXPECT_NE(said.text.find("#1 of thread 0: fence seq_cst"), std::string::npos);
}

// ---------------------------------------------------------------------------------------------

// All accesses are sequentially consistent, so every execution is an interleaving; also where they
// are the last of a thread that is joined, or the first of one that is created.
TEST(recheck, creation_and_join_order_sequentially_consistent_accesses) {
  // With many such events, the order is found in another way.
  const auto before = [](unsigned many) {
    integer z{0};
    for (unsigned i = 0; i < many; ++i) z.store(1, seq_cst);
  };
  for (unsigned i = 0; i < 2 * std::size(all_models); ++i) {
    const memory_model m = all_models[i / 2];
    const unsigned many = i % 2 == 0 ? 0 : 1000;
    const auto join = outcomes_of(under(m), [=] {
      before(many);
      integer x{0}, y{0};
      int r[2] = {};
      checked::thread first([&] { x.store(1, seq_cst); });
      checked::thread other([&] {
        y.store(1, seq_cst);
        r[0] = x.load(seq_cst);
      });
      first.join();
      r[1] = y.load(seq_cst);
      other.join();
      outcome(r[0], r[1]);
    });
    EXPECT_FALSE(join.contains("0, 0")) << to_string(m);
    const auto create = outcomes_of(under(m), [=] {
      before(many);
      integer x{0}, y{0};
      int r[2] = {};
      checked::thread other([&] {
        y.store(1, seq_cst);
        r[0] = x.load(seq_cst);
      });
      x.store(1, seq_cst);
      checked::thread last([&] { r[1] = y.load(seq_cst); });
      last.join();
      other.join();
      outcome(r[0], r[1]);
    });
    EXPECT_FALSE(create.contains("0, 0")) << to_string(m);
    EXPECT_EQ(create.size(), 3U);
    EXPECT_EQ(join.size(), 3U);
  }
}

}  // namespace
}  // namespace fencepost::verify::testing
