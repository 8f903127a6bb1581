// Addresses as values: pointers, and accesses to the location at a computed address.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "engines.hpp"
#include "fencepost/litmus/parse.hpp"
#include "fencepost/litmus/test_runs.hpp"
#include "parse_message.hpp"

namespace fencepost::litmus::testing {
namespace {

using verify::memory_model;

std::vector<program> tests_with_addresses() {
  std::vector<program> all;
  for (const auto& file : find_tests({FENCEPOST_LITMUS_TESTS "/addresses"}))
    all.push_back(parse_file(file));
  return all;
}

std::string states(const outcome_set& found, const program& p) {
  std::string all;
  for (const auto& [state, times] : found.states) all += spell(p, state) + '\n';
  return all;
}

std::string states_under_rc20(const std::string& text) {
  const program p = parse(text);
  const outcome_set found = by_exploration::run(p, memory_model::rc20);
  EXPECT_EQ(found.limit, "");
  EXPECT_EQ(states(found, p), states(by_enumeration::run(p, memory_model::rc20), p));
  return states(found, p);
}

TEST(addresses, explored_as_enumerated_and_as_the_condition_says) {
  for (const program& p : tests_with_addresses())
    for (const memory_model m : all_models) {
      SCOPED_TRACE(p.name + " under " + std::string(to_string(m)));
      const outcome_set found = by_exploration::run(p, m);
      const outcome_set expected = by_enumeration::run(p, m);
      EXPECT_EQ(found.states, expected.states);
      EXPECT_EQ(found.executions, expected.executions);
      EXPECT_EQ(found.undef, expected.undef);
      EXPECT_EQ(found.limit, "");
      EXPECT_TRUE(holds(p, found));
      EXPECT_EQ(found.undef, p.name == "MP+rlx+addr+na");
    }
}

TEST(addresses, under_xc20_a_dependency_keeps_order_and_a_fake_one_does_not) {
  const std::map<std::string, bool> holds_under_xc20 = {
      {"LB+addrs", true},        {"LB+addr+data", true},  {"LB+addr+ctrl", true},
      {"LB+pointer+ctrl", true}, {"LB+addr+po", false},   {"LB+addr+fake", false},
      {"LB+fakes", false},       {"LB+pointer+po", false}};
  std::size_t seen = 0;
  for (const program& p : tests_with_addresses()) {
    const auto known = holds_under_xc20.find(p.name);
    SCOPED_TRACE(p.name);
    explore_options o;
    o.model = memory_model::xc20;
    const outcome_set found = explore(p, o);
    EXPECT_EQ(found.limit, "");
    EXPECT_EQ(holds(p, found), known == holds_under_xc20.end() || known->second);
    seen += known == holds_under_xc20.end() ? 0U : 1U;
  }
  EXPECT_EQ(seen, holds_under_xc20.size());
}

TEST(addresses, are_printed_as_they_are_read) {
  for (const program& p : tests_with_addresses()) {
    SCOPED_TRACE(p.name);
    EXPECT_EQ(parse(to_litmus(p)), p) << to_litmus(p);
  }
}

TEST(addresses, have_the_names_of_their_locations) {
  EXPECT_EQ(states_under_rc20("C t { int* p = &x; [q]=y; int x=7; 0:r0=x; }\n"
                              "P0 (int** p, int** q, int* y) {\n"
                              "  int r1 = *r0; *y = 5; int r2 = **q; *p = *q; int* r3 = *p;\n"
                              "  int r4 = *(y + (r1 - 7)); int r5 = r3 == y; int r6 = r3 - y; }\n"
                              "locations [0:r0; 0:r1; 0:r2; 0:r3; 0:r4; 0:r5; 0:r6; p; q;]"),
            "0:r0=x; 0:r1=7; 0:r2=5; 0:r3=y; 0:r4=5; 0:r5=1; 0:r6=0; [p]=y; [q]=y;\n");
  const program p = parse("C t { p=&x; } P0 (int** p) { int* r0 = *p; } exists (0:r0=&x /\\ p=x)");
  EXPECT_EQ(to_string(p, p.condition), "exists (0:r0=x /\\ [p]=x)");
  EXPECT_TRUE(holds(p, by_exploration::run(p, memory_model::rc20)));
}

TEST(addresses, all_accesses_go_through_them) {
  EXPECT_EQ(states_under_rc20(
                "C t { p=&x; x=1; }\n"
                "P0 (atomic_int** p) { atomic_int* r = atomic_load(p);\n"
                "  atomic_store(r, 2); int a = atomic_exchange(r, 3);\n"
                "  int b = atomic_fetch_add_explicit(r, 4, memory_order_relaxed); int e = 7;\n"
                "  int c = atomic_compare_exchange_strong(r, &e, 9);\n"
                "  int d = atomic_load(atomic_load(p)); }\n"
                "locations [0:a; 0:b; 0:c; 0:d; x;]"),
            "0:a=2; 0:b=3; 0:c=1; 0:d=9; [x]=9;\n");
}

TEST(addresses, what_is_no_location_makes_the_test_undefined) {
  const std::string null = "C t { int* p = 0; } P0 (int** p) { int* r = *p; int r1 = *r; }";
  const std::string beyond = "C t { } P0 (int* x) { int r = 1; *(x + r) = 1; }";
  for (const std::string& text : {null, beyond}) {
    const program p = parse(text);
    const std::string wrong =
        "P0 accesses an address that is not a location: the test is undefined";
    EXPECT_EQ(by_exploration::run(p, memory_model::rc20).limit, wrong);
    EXPECT_EQ(by_enumeration::run(p, memory_model::rc20).limit, wrong);
  }
  // Only if the access really happens: under xc20, if the value read from the future is written.
  const std::string load_buffering =
      "C t { }\n"
      "P0 (atomic_int* x, atomic_int* y) { int r = atomic_load_explicit(x, memory_order_relaxed);"
      " atomic_store_explicit(y + WHERE, 1, memory_order_relaxed); }\n"
      "P1 (atomic_int* x, atomic_int* y) { int r = atomic_load_explicit(y, memory_order_relaxed);"
      " atomic_store_explicit(x, 1, memory_order_relaxed); }";
  const auto under_xc20 = [&](const std::string& where) {
    std::string text = load_buffering;
    text.replace(text.find("WHERE"), 5, where);
    explore_options o;
    o.model = memory_model::xc20;
    return explore(parse(text), o).limit;
  };
  EXPECT_EQ(under_xc20("(r ^ r)"), "");
  EXPECT_NE(under_xc20("r"), "");
}

TEST(addresses, errors_say_what_is_expected) {
  const auto in_body = [](const std::string& statement) {
    const std::string text = message(
        "C t { } P0 (atomic_int* x, atomic_int** p) { int i = 0; int* r = x; " + statement + " }");
    return text.substr(text.find(": ") + 2);
  };
  const std::string is_pointer = "'x' is a pointer; expected *x or an atomic function";
  EXPECT_EQ(in_body("i = x;"), is_pointer);
  EXPECT_EQ(in_body("i = x * 2;"), is_pointer);
  EXPECT_EQ(in_body("i = x + 1;"), "expected a number, found an address");
  EXPECT_EQ(in_body("if (x) ;"), is_pointer);
  EXPECT_EQ(in_body("atomic_store(x, x);"), is_pointer);
  EXPECT_EQ(in_body("i = r;"), "expected a number, found an address");
  EXPECT_EQ(in_body("i = -r;"), "expected a number, found an address");
  EXPECT_EQ(in_body("r = 1;"), "expected an address, found a number");
  EXPECT_EQ(in_body("r = p;"), "unsupported: pointers to pointers as values");
  EXPECT_EQ(in_body("*p = 5;"), "expected an address, found a number");
  EXPECT_EQ(in_body("*i = 5;"), "'i' is not a pointer; declare it as int*");
  EXPECT_EQ(in_body("**x = 1;"), "this pointer points to a number, not to an address");
  EXPECT_EQ(in_body("i = &x;"),
            "expected an expression, found '&': a parameter is an address already");
  EXPECT_EQ(in_body("int* i;"), "'i' is declared as a pointer and as a number");
  EXPECT_EQ(in_body("int* j, k;"), "unsupported: several pointers in one declaration");
  EXPECT_EQ(in_body("atomic_fetch_add(p, 1);"), "unsupported: atomic_fetch_add of a pointer");
  EXPECT_EQ(in_body("atomic_compare_exchange_strong(p, &i, r);"),
            "expected an address to compare with, found a number");
  EXPECT_EQ(message("C t { p = &; } P0 () {}"),
            "t.litmus:1:12: expected a location after &, found ';'");
  EXPECT_EQ(message("C t { int* p = 5; } P0 () {}"),
            "t.litmus:1:12: 'p' is a pointer, but its initial value is a number");
  EXPECT_EQ(message("C t { p = &q; q = &x; } P0 () {}"),
            "t.litmus:1:12: unsupported: pointers to pointers as values");
  EXPECT_EQ(message("C t { } P0 (int*** p) {}"),
            "t.litmus:1:13: unsupported: pointers to pointers as values");
  EXPECT_EQ(message("C t { } P0 (int** p) {} P1 (int* p) {}"),
            "t.litmus:1:34: 'p' is a pointer elsewhere; expected two stars");
  EXPECT_EQ(message("C t { } P0 (int* p) {} P1 (int** p) {}"),
            "t.litmus:1:34: 'p' is a pointer here and a number elsewhere; expected one star");
  EXPECT_EQ(message("C t { } P0 (int* x) {} exists (x=x)"),
            "t.litmus:1:34: [x] is not a pointer; for the value of 'x' write it in brackets");
  EXPECT_EQ(message("C t { p=&x; } P0 (int** p) {} exists (p=z)"),
            "t.litmus:1:41: there is no location 'z'");
}

}  // namespace
}  // namespace fencepost::litmus::testing
