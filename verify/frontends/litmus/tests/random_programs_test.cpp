// Properties of small random programs: 500 for each property, unless the environment variable
// FENCEPOST_RANDOM_PROGRAMS says otherwise, as it does at night.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "axioms/graph_fingerprint.hpp"
#include "axioms/recheck.hpp"
#include "engines.hpp"
#include "fencepost/litmus/machine.hpp"
#include "fencepost/litmus/parse.hpp"
#include "random_program.hpp"

namespace fencepost::litmus::testing {
namespace {

int how_many() {
  const char* number = std::getenv("FENCEPOST_RANDOM_PROGRAMS");
  return number != nullptr ? std::atoi(number) : 500;
}

// The message of a failure has the seed, and RC_PARAMS="reproduce=…" runs that program again.
void for_random_programs(const program_shape& shape,
                         const std::function<void(const program&)>& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = how_many();
  const rc::detail::TestMetadata metadata;
  const auto result =
      rc::detail::checkTestable([&] { property(*any_program(shape)); }, metadata, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
}

enumerate_options within_reason() {
  enumerate_options options;
  options.max_candidates = 100'000;
  return options;
}

bool subset(const outcome_set& a, const outcome_set& b) {
  return std::all_of(a.states.begin(), a.states.end(),
                     [&](const auto& state) { return b.states.contains(state.first); });
}

TEST(random_programs, printed_and_parsed_are_the_same_program) {
  program_shape shape;
  shape.accesses = 12;
  shape.weak = shape.plain = true;
  for_random_programs(shape, [](const program& p) {
    const program again = parse(to_litmus(p));
    RC_ASSERT(again == p);
  });
}

TEST(random_programs, every_outcome_of_the_stronger_models_is_one_of_rc20) {
  program_shape shape;
  shape.weak = shape.plain = true;
  for_random_programs(shape, [](const program& p) {
    const auto [rc20, rc11, cpp20] = enumerate_all(p, within_reason());
    RC_PRE(rc20.limit.empty());
    RC_ASSERT(subset(rc11, rc20));
    RC_ASSERT(subset(cpp20, rc20));
    RC_ASSERT(rc20.executions >= rc11.executions);
    RC_ASSERT(rc20.executions >= cpp20.executions);
    RC_ASSERT(rc20.undef || (!rc11.undef && !cpp20.undef));
  });
}

// All interleavings of the threads over one memory: sequential consistency by definition, without
// graphs.
class interleaver {
 public:
  explicit interleaver(const program& p) : program_(p), answers_(p.threads.size()), counter_(p) {
    for (const location& l : p.locations) memory_.push_back(l.initial);
  }

  outcome_set run() {
    go_on();
    return counter_.result();
  }

 private:
  // Runs a thread one event further than there are answers; only that event changes the memory.
  struct next_event final : machine {
    next_event(const std::vector<value>& given, std::vector<value>& shared)
        : answers(given), memory(shared) {}

    value access(const std::function<value()>& really) {
      if (index < answers.size()) return answers[index++];
      if (done) throw stopped{};
      done = true;
      ++index;
      return answer = really();
    }
    value load(location_id l, word_part, access_order) override {
      return access([&] { return memory[l]; });
    }
    void store(location_id l, word_part, value v, access_order) override {
      access([&] { return memory[l] = v; });
    }
    value modify(location_id l, word_part, rmw_operation op, value operand, access_order) override {
      return access([&] {
        const value old = memory[l];
        memory[l] = apply(op, old, operand);
        return old;
      });
    }
    compared compare_exchange(location_id l, word_part, value expected, value desired, access_order,
                              access_order, bool) override {
      const value old = access([&] {
        const value seen = memory[l];
        if (seen == expected) memory[l] = desired;
        return seen;
      });
      return {old == expected, old};
    }
    void fence(access_order) override {}
    void cut() override {}
    void stray() override {}

    struct stopped {};
    const std::vector<value>& answers;
    std::vector<value>& memory;
    std::size_t index = 0;
    bool done = false;
    value answer = 0;
  };

  void go_on() {
    bool ended = true;
    final_state end;
    for (unsigned t = 0; t < program_.threads.size(); ++t) {
      const std::vector<value> memory = memory_;
      next_event m(answers_[t], memory_);
      try {
        end.registers.push_back(run_thread(program_, t, m).registers);
      } catch (const next_event::stopped&) {
      }
      if (m.done) {
        ended = false;
        answers_[t].push_back(m.answer);
        go_on();
        answers_[t].pop_back();
      }
      memory_ = memory;
    }
    if (!ended) return;
    end.memory = memory_;
    counter_.add(end, false);
  }

  const program& program_;
  std::vector<value> memory_;
  std::vector<std::vector<value>> answers_;
  outcome_counter counter_;
};

TEST(random_programs, sequentially_consistent_programs_have_the_outcomes_of_interleavings) {
  program_shape shape;
  shape.accesses = 7;
  shape.only_sc = true;
  for_random_programs(shape, [](const program& p) {
    const outcome_set expected = interleaver(p).run();
    for (const outcome_set& got : enumerate_all(p, within_reason())) {
      RC_PRE(got.limit.empty());
      RC_ASSERT(subset(got, expected));
      RC_ASSERT(subset(expected, got));
    }
  });
}

// No priorities, or the last thread first, or some order of the first three threads.
std::vector<unsigned> any_priorities(const program& p) {
  const auto threads = static_cast<unsigned>(p.threads.size());
  return *rc::gen::elementOf(
      std::vector<std::vector<unsigned>>{{}, {threads, 1, 3}, {2, 1, 3}, {3, 1, 2}, {2, 3, 1}});
}

bool compares(const std::vector<statement>& body) {
  return std::any_of(body.begin(), body.end(), [](const statement& s) {
    const auto* const b = std::get_if<branch>(&s.what);
    return std::holds_alternative<compare_exchange>(s.what) ||
           (b != nullptr && (compares(b->then) || compares(b->otherwise)));
  });
}
bool compares(const program& p) {
  return std::any_of(p.threads.begin(), p.threads.end(),
                     [](const thread& t) { return compares(t.body); });
}

void explored_as_enumerated(const program_shape& shape, unsigned spurious) {
  for_random_programs(shape, [&](const program& p) {
    enumerate_options options = within_reason();
    options.spurious_failures = spurious;
    const auto expected = enumerate_all(p, options);
    RC_PRE(expected[0].limit.empty());
    explore_options how;
    how.spurious_failures = spurious;
    how.priorities = any_priorities(p);
    std::string wrong;  // the first
    how.on_complete_graph = [&](const verify::explored_graph& g) {
      const axioms::opinion o = axioms::judge(g);
      if (wrong.empty() && o.what != axioms::opinion::kind::confirmed) wrong = o.why;
    };
    for (std::size_t m = 0; m < all_models.size(); ++m) {
      how.model = all_models[m];
      const outcome_set got = explore(p, how);
      RC_LOG() << "model " << verify::to_string(all_models[m]) << ": " << got.executions
               << " executions explored, " << expected[m].executions << " exist\n";
      RC_ASSERT(got.limit == "");
      RC_ASSERT(wrong == "");
      RC_ASSERT(subset(got, expected[m]));
      RC_ASSERT(subset(expected[m], got));
      RC_ASSERT(got.executions == expected[m].executions);
      RC_ASSERT(got.states == expected[m].states);
      RC_ASSERT(got.undef == expected[m].undef);
      // Only the explorer considers what a compare-exchange would do with another value.
      RC_ASSERT(got.load_buffering == expected[m].load_buffering || compares(p));
    }
  });
}

TEST(random_programs, explored_as_enumerated) { explored_as_enumerated({}, 0); }

TEST(random_programs, explored_as_enumerated_with_weak_compare_exchange) {
  program_shape shape;
  shape.accesses = 7;
  shape.weak = true;
  explored_as_enumerated(shape, 1);
}

TEST(random_programs, explored_as_enumerated_with_plain_accesses) {
  program_shape shape;
  shape.plain = true;
  explored_as_enumerated(shape, 0);
}

// As when a program is checked: a race ends the exploration, in whatever order its graph is built.
TEST(random_programs, stop_where_one_of_the_executions_has_a_race) {
  program_shape shape;
  shape.plain = true;
  unsigned with_race = 0, without = 0;
  for_random_programs(shape, [&](const program& p) {
    const auto expected = enumerate_all(p, within_reason());
    RC_PRE(expected[0].limit.empty());
    explore_options how;
    how.stop_at_race = true;
    how.priorities = any_priorities(p);
    for (std::size_t m = 0; m < all_models.size(); ++m) {
      how.model = all_models[m];
      const outcome_set got = explore(p, how);
      RC_LOG() << "model " << verify::to_string(all_models[m]) << ": " << got.limit << '\n';
      RC_ASSERT(got.limit.empty() != expected[m].undef);
      ++(expected[m].undef ? with_race : without);
    }
  });
  EXPECT_GT(with_race, 0U);
  EXPECT_GT(without, 0U);
}

TEST(random_programs, explored_as_enumerated_with_addresses) {
  program_shape shape;
  shape.accesses = 7;
  shape.addresses = true;
  explored_as_enumerated(shape, 0);
}

TEST(random_programs, explored_as_enumerated_with_halves) {
  program_shape shape;
  shape.halves = true;
  shape.locations = 2;
  explored_as_enumerated(shape, 0);
}

TEST(random_programs, explored_as_enumerated_with_halves_and_weak_compare_exchange) {
  program_shape shape;
  shape.halves = shape.weak = true;
  shape.accesses = 7;
  shape.locations = 1;
  explored_as_enumerated(shape, 1);
}

// Programs that are too large to be enumerated: the axioms confirm each explored graph.
TEST(random_programs, explored_graphs_of_larger_programs_are_confirmed) {
  program_shape shape;
  shape.accesses = 30;
  shape.locations = 4;
  shape.weak = shape.plain = shape.halves = true;
  std::uint64_t graphs = 0;
  for_random_programs(shape, [&](const program& p) {
    explore_options how;
    how.spurious_failures = 1;
    how.max_executions = 100;
    how.priorities = any_priorities(p);
    std::string wrong;  // the first
    how.on_complete_graph = [&](const verify::explored_graph& g) {
      const axioms::opinion o = axioms::judge(g);
      if (wrong.empty() && o.what != axioms::opinion::kind::confirmed)
        wrong = o.why + '\n' + axioms::to_text(g);
      ++graphs;
    };
    for (const verify::memory_model m : all_models) {
      how.model = m;
      explore(p, how);
      RC_ASSERT(wrong == "");
    }
  });
  std::cout << graphs << " graphs\n";
  EXPECT_GT(graphs, 0U);
}

// --- Symmetric threads ---------------------------------------------------------------------------

struct graphs_and_classes {
  std::set<std::uint64_t> graphs;
  std::map<std::uint64_t, unsigned> classes;  // and how often each was explored
  outcome_set outcomes;
};

graphs_and_classes explored_with(const program& p, explore_options options) {
  graphs_and_classes all;
  options.max_executions = 20'000;
  options.on_graph = [&](std::uint64_t graph) { all.graphs.insert(graph); };
  options.on_class = [&](std::uint64_t graph) { ++all.classes[graph]; };
  options.on_restart = [&] {
    all.graphs.clear();
    all.classes.clear();
  };
  all.outcomes = explore(p, options);
  return all;
}

// The program with this number of copies of one of its threads.
program with_copies(program p, std::size_t of, unsigned copies) {
  const auto at = p.threads.begin() + static_cast<std::ptrdiff_t>(of);
  const thread original = *at;
  p.threads.insert(at, copies - 1, original);
  p.displayed.clear();
  for (location_id l = 0; l < p.locations.size(); ++l) p.displayed.push_back({std::nullopt, l});
  return p;
}

// If the copies are declared symmetric, each class of graphs is explored, no graph twice, and
// almost always one graph of each class.
void one_of_each_class(const program_shape& shape, unsigned spurious) {
  std::uint64_t all = 0, explored = 0, classes = 0;
  for_random_programs(shape, [&](const program& original) {
    const unsigned copies = *rc::gen::inRange(2U, 4U);
    const auto of = *rc::gen::inRange<std::size_t>(0, original.threads.size());
    const program p = with_copies(original, of, copies);
    explore_options options;
    options.spurious_failures = spurious;
    options.model = all_models.at(*rc::gen::inRange<std::size_t>(0, all_models.size()));
    options.priorities = any_priorities(p);
    options.symmetric = {static_cast<unsigned>(of), copies};
    options.symmetry = false;
    const graphs_and_classes full = explored_with(p, options);
    RC_PRE(full.outcomes.limit.empty());
    options.symmetry = true;
    const graphs_and_classes reduced = explored_with(p, options);
    RC_LOG() << "threads " << of << " to " << of + copies - 1 << " are symmetric\n" << to_litmus(p);
    RC_ASSERT(reduced.outcomes.limit.empty());
    RC_ASSERT(reduced.outcomes.executions == reduced.graphs.size());
    RC_ASSERT(std::includes(full.graphs.begin(), full.graphs.end(), reduced.graphs.begin(),
                            reduced.graphs.end()));
    RC_ASSERT(reduced.classes.size() == full.classes.size());
    for (const auto& [id, times] : reduced.classes) RC_ASSERT(full.classes.contains(id));
    RC_ASSERT(reduced.outcomes.undef == full.outcomes.undef);
    all += full.graphs.size();
    explored += reduced.graphs.size();
    classes += full.classes.size();
  });
  std::cout << all << " graphs, " << explored << " explored, " << classes << " classes\n";
  EXPECT_LE(explored, classes + classes / 100);
}

TEST(random_programs, one_graph_of_those_that_differ_by_which_thread_is_which) {
  program_shape shape;
  shape.accesses = 6;
  shape.threads = 3;
  one_of_each_class(shape, 0);
}

TEST(random_programs, one_graph_of_each_class_with_weak_compare_exchange) {
  program_shape shape;
  shape.accesses = 5;
  shape.threads = 3;
  shape.weak = true;
  one_of_each_class(shape, 1);
}

TEST(random_programs, one_graph_of_each_class_with_halves) {
  program_shape shape;
  shape.accesses = 5;
  shape.threads = 3;
  shape.halves = true;
  shape.locations = 2;
  one_of_each_class(shape, 0);
}

}  // namespace
}  // namespace fencepost::litmus::testing
