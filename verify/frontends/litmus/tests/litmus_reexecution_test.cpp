// Executions with load buffering, found by re-execution, against the oracle.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"
#include "random_program.hpp"
#include "reexecution_programs.hpp"

namespace fencepost::litmus::testing {
namespace {

TEST(reexecution, finds_what_is_known) { EXPECT_EQ(wrong_reexecution(), ""); }

TEST(reexecution, finds_a_store_that_both_branches_have) {
  const program p = shown(parse(R"(C both
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 1) { atomic_store_explicit(y, 1, memory_order_relaxed); }
  else { atomic_store_explicit(y, 1, memory_order_relaxed); }
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, r0, memory_order_relaxed);
}
exists (0:r0=1 /\ 1:r0=1)
)"));
  EXPECT_TRUE(both_read_one(p, enough));
}

TEST(reexecution, makes_nothing_out_of_thin_air) {
  // 42 is written only by a thread that has read it.
  const program p = shown(parse(R"(C air
{}
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  if (r0 == 42) { atomic_store_explicit(y, 42, memory_order_relaxed); }
}
P1 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(y, memory_order_relaxed);
  if (r0 == 42) { atomic_store_explicit(x, 42, memory_order_relaxed); }
}
exists (0:r0=42)
)"));
  EXPECT_EQ(explore_again(p, enough).all.size(), 1U);
}

// The program with writes whose values tell which write they are from and what went into them.
program distinct(program p) {
  value next = 1;
  const auto replace = [&](expression& e) {
    e = e.op == operation::constant ? constant(next) : binary(operation::add, e, constant(next));
    next *= 2;
  };
  for (thread& t : p.threads)
    for (statement& s : t.body) {
      if (auto* w = std::get_if<store>(&s.what)) replace(w->what);
      if (auto* m = std::get_if<modify>(&s.what)) {
        m->op = rmw_operation::fetch_add;
        replace(m->operand);
      }
      if (auto* c = std::get_if<compare_exchange>(&s.what)) {
        modify m{std::nullopt, c->at, rmw_operation::fetch_add, constant(next), c->success};
        next *= 2;
        s.what = m;
      }
    }
  return p;
}

const char* programs_at_night() { return std::getenv("FENCEPOST_RANDOM_PROGRAMS"); }

void for_random(int by_day, const std::function<void()>& property) {
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = programs_at_night() != nullptr ? std::atoi(programs_at_night()) : by_day;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata{}, params);
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.is<rc::detail::SuccessResult>()) << text.str();
}

// The programs are smaller by day: the oracle takes seconds for some programs of six accesses.
void for_random_programs(program_shape shape, int by_day,
                         const std::function<void(const program&)>& property) {
  shape.threads = 3;
  shape.accesses = programs_at_night() != nullptr ? 6 : 5;
  for_random(by_day, [&] { property(*any_program(shape)); });
}

TEST(reexecution, is_between_rc20_and_rc20_without_the_axiom_in_random_programs) {
  for_random_programs({}, 2000, [](const program& p) { RC_ASSERT(compared(p, false) == ""); });
}

TEST(reexecution, is_between_the_two_where_accesses_go_where_addresses_lead) {
  program_shape shape;
  shape.addresses = true;
  for_random_programs(shape, 1000, [](const program& p) { RC_ASSERT(compared(p, false) == ""); });
}

// Two threads that each read a word, or a half of it, and write the other's word; and a third that
// may read and write either. Every half that is written differs from the others.
class load_buffering_of_words {
 public:
  explicit load_buffering_of_words(bool exchanges) : exchanges_(exchanges) {
    program_.name = "words";
    for (const char* name : {"x", "y"}) {
      location l;
      l.name = name;
      l.kind = location_kind::halves;
      program_.locations.push_back(l);
    }
    program_.threads.resize(3);
    for (const unsigned t : {0U, 1U}) {
      some_reads(t, t);
      write(t, 1 - t);
      if (*number(3) == 0) write(t, 1 - t);
      if (*number(4) == 0) some_reads(t, *number(2));
    }
    if (*number(3) == 0) some_reads(2, *number(2));
    if (*number(3) != 0) write(2, *number(2));
    program_.condition.how = quantifier::exists;
  }
  program finish() && { return shown(std::move(program_)); }

 private:
  static rc::Gen<unsigned> number(unsigned below) {
    return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0U, below));
  }
  static word_part any_part() {
    return std::array{word_part::whole, word_part::low, word_part::high}.at(*number(3));
  }
  static access_order any_order(access_order other) {
    return *number(8) == 0 ? other : access_order::relaxed;
  }
  value whole() {
    next_ += 2;
    return join_halves(next_ - 1, next_);
  }
  register_id fresh(unsigned t) {
    auto& registers = program_.threads[t].registers;
    registers.push_back({"r" + std::to_string(registers.size()), 0});
    return static_cast<register_id>(registers.size() - 1);
  }
  void add(unsigned t, statement s) { program_.threads[t].body.push_back(std::move(s)); }

  void some_reads(unsigned t, location_id at) {
    for (unsigned left = *number(4) == 0 ? 2 : 1; left-- > 0;) {
      if (exchanges_ && *number(3) == 0) {
        exchange(t, at);
        continue;
      }
      add(t, {load{fresh(t), at, any_order(access_order::acquire), any_part()}});
    }
  }
  void write(unsigned t, location_id at) {
    if (exchanges_ && *number(4) == 0) return exchange(t, at);
    const word_part part = any_part();
    const value v = part == word_part::whole ? whole() : ++next_;
    add(t, {store{at, constant(v), any_order(access_order::release), part}});
    written_.push_back(v);
  }
  // The compare-exchange expects the initial value, or one that the program writes.
  void exchange(unsigned t, location_id at) {
    compare_exchange c;
    c.at = at;
    const register_id expected = fresh(t);
    const auto known = static_cast<unsigned>(written_.size());
    const unsigned which = *number(known + 2);
    add(t, {assign{expected, constant(which < known ? written_[which] : 0)}});
    c.expected = expected_register{expected};
    c.desired = constant(whole());
    c.success = any_order(access_order::acq_rel);
    c.to = fresh(t);
    written_.push_back(c.desired.constant);
    add(t, {c});
  }

  program program_;
  bool exchanges_;
  value next_ = 0;
  std::vector<value> written_;
};

// For most programs all outcomes are found.
void compare_words(bool exchanges) {
  unsigned programs = 0, cyclic = 0, missing = 0;
  for_random(300, [&] {
    const program p = load_buffering_of_words(exchanges).finish();
    RC_LOG() << to_litmus(p);
    ++programs;
    if (compared_words(p, false) != "") {
      ++missing;
      RC_ASSERT(compared_words(p, true) == "");
    }
    cyclic += includes(explore_again(p, 0).all, explore_again(p, enough, 100'000).all) ? 0U : 1U;
  });
  std::cout << cyclic << " programs with an outcome that needs a cycle; " << missing
            << " of which some are not found\n";
  EXPECT_GT(cyclic, programs / 5);
  EXPECT_LT(missing, programs / 4);
}
TEST(reexecution, is_between_the_two_where_words_are_written_by_halves) { compare_words(false); }
TEST(reexecution, is_between_the_two_where_words_of_halves_are_exchanged) { compare_words(true); }

TEST(reexecution, is_what_the_oracle_says_where_values_tell_where_they_come_from) {
  program_shape shape;
  shape.branches = false;
  unsigned cyclic = 0;
  for_random_programs(shape, 2000, [&](const program& random) {
    const program p = distinct(random);
    RC_ASSERT(compared(p, true) == "");
    cyclic += includes(explore_again(p, 0).all, explore_again(p, enough).all) ? 0U : 1U;
  });
  std::cout << cyclic << " programs with an outcome that needs a cycle\n";
  EXPECT_GT(cyclic, 2U);
}

}  // namespace
}  // namespace fencepost::litmus::testing
