// The reader of herd's format: what it accepts, what it says about what it rejects, and that no
// input makes it crash.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "engines.hpp"
#include "fencepost/litmus/parse.hpp"
#include "fencepost/litmus/test_runs.hpp"
#include "parse_message.hpp"

namespace fencepost::litmus::testing {
namespace {

using verify::memory_model;

outcome_set outcomes(const std::string& text) {
  return by_enumeration::run(parse(text), memory_model::rc20);
}

std::string states(const std::string& text) {
  const program p = parse(text);
  std::string all;
  for (const auto& [state, times] : by_enumeration::run(p, memory_model::rc20).states) {
    all += (all.empty() ? "" : " | ") + spell(p, state);
  }
  return all;
}

// The final states of one thread with this body and the parameters x and y.
std::string run_body(const std::string& body, const std::string& shown) {
  return states("C t\n{}\nP0 (atomic_int* x, int* y) {" + body + "}\nlocations [" + shown + "]");
}

TEST(parser, all_forms_of_the_initial_state) {
  EXPECT_EQ(states("C t { x=1; [y]=2; int z = -3; atomic_int a = 4; _Atomic int b = 0x5; c; int d; "
                   "const volatile long e = 6; f = ATOMIC_INIT(7); 0:r0=8; }\n"
                   "P0 (atomic_int* x) { int r1 = r0 + atomic_load(x); }\n"
                   "locations [0:r0; 0:r1; x; y; z; a; b; c; d; e; f;]"),
            "0:r0=8; 0:r1=9; [a]=4; [b]=5; [c]=0; [d]=0; [e]=6; [f]=7; [x]=1; [y]=2; [z]=-3;");
}

TEST(parser, comments_descriptions_and_keys) {
  EXPECT_EQ(states("C test-name.1+2 \"a { description\"\nHash=0 (* {nested (* comment *)} *)\n"
                   "Cycle=Rfe // { no\n/* { */ { (* c *) x=1; // d\n }\n"
                   "P0(atomic_int *x) { /* (* */ int r0 = (*x); // }\n }\n"
                   "(* after *) exists (* in *) (0:r0=1)"),
            "0:r0=1;");
}

TEST(parser, all_operations_with_and_without_orders) {
  EXPECT_EQ(run_body("atomic_store(x, 1); int r0 = atomic_exchange(x, 2);"
                     "int r1 = atomic_fetch_add(x, 5); int r2 = atomic_fetch_sub(x, 1);"
                     "int r3 = atomic_fetch_or(x, 8); int r4 = atomic_fetch_and(x, 12);"
                     "int r5 = atomic_fetch_xor(x, 15); int r6 = atomic_load(x);"
                     "atomic_thread_fence(memory_order_consume); atomic_fetch_add(x, 0);",
                     "0:r0; 0:r1; 0:r2; 0:r3; 0:r4; 0:r5; 0:r6; x;"),
            "0:r0=1; 0:r1=2; 0:r2=7; 0:r3=6; 0:r4=14; 0:r5=12; 0:r6=3; [x]=3;");
  EXPECT_EQ(run_body("atomic_store_explicit(x, 1, memory_order_release);"
                     "int r0 = atomic_exchange_explicit(x, 2, memory_order_acq_rel);"
                     "int r1 = atomic_fetch_add_explicit(x, 5, memory_order_relaxed);"
                     "int r2 = atomic_load_explicit(x, memory_order_acquire); *y = r2 + *y;",
                     "0:r0; 0:r1; 0:r2; x; y;"),
            "0:r0=1; 0:r1=2; 0:r2=7; [x]=7; [y]=7;");
}

TEST(parser, compare_exchange_takes_the_expected_value_from_a_location_or_a_local) {
  EXPECT_EQ(
      run_body("int r0 = atomic_compare_exchange_strong(x, y, 2);"
               "int r1 = atomic_compare_exchange_strong_explicit(x, y, 3, memory_order_relaxed, "
               "memory_order_relaxed);",
               "0:r0; 0:r1; x; y;"),
      "0:r0=1; 0:r1=0; [x]=2; [y]=2;");
  EXPECT_EQ(run_body("int e; int r0 = atomic_compare_exchange_strong(x, &e, 2);"
                     "int r1 = atomic_compare_exchange_strong(x, &e, 3);",
                     "0:r0; 0:r1; 0:e; x;"),
            "0:e=2; 0:r0=1; 0:r1=0; [x]=2;");
  // A weak compare-exchange may fail although the values are equal.
  EXPECT_EQ(run_body("int r0 = atomic_compare_exchange_weak(x, y, 2);", "0:r0; x; y;"),
            "0:r0=0; [x]=0; [y]=0; | 0:r0=1; [x]=2; [y]=0;");
}

TEST(parser, expressions_have_the_precedence_of_C) {
  EXPECT_EQ(
      run_body("int a = 1 + 2 * 3 - 4 / 2 % 3; int b = 1 | 6 & 3 ^ 8; int c = 1 + 1 == 2;"
               "int d = !3 || 2 && ~0; int e = -(2) - -3; int f = (1 < 2) + (2 <= 1) + (3 > 2) "
               "+ (1 >= 1) + (1 != 1); int g = (int)5;",
               "0:a; 0:b; 0:c; 0:d; 0:e; 0:f; 0:g;"),
      "0:a=5; 0:b=11; 0:c=1; 0:d=1; 0:e=1; 0:f=3; 0:g=5;");
}

TEST(parser, accesses_may_stand_in_expressions) {
  EXPECT_EQ(run_body("int r0 = atomic_fetch_add(x, 1) + 10 * atomic_fetch_add(x, 1);"
                     "atomic_store(x, atomic_load(x) + 5); if (atomic_load(x) == 7) { *y = 1; }",
                     "0:r0; x; y;"),
            "0:r0=10; [x]=7; [y]=1;");
}

TEST(parser, the_right_side_of_and_and_or_is_accessed_only_when_needed) {
  EXPECT_EQ(
      run_body("int a = 0 && atomic_fetch_add(x, 1) + 1; int b = 1 || atomic_fetch_add(x, 1);"
               "int c = 1 && atomic_fetch_add(x, 1) == 0; int d = 0 || atomic_fetch_add(x, 1);",
               "0:a; 0:b; 0:c; 0:d; x;"),
      "0:a=0; 0:b=1; 0:c=1; 0:d=1; [x]=2;");
}

TEST(parser, branches_and_bounded_loops) {
  EXPECT_EQ(run_body("int i = 0; while (i < 3) { i = i + 1; } if (i == 2) *y = 1; else if (i == 3) "
                     "{ *y = 2; ; } else *y = 3;",
                     "0:i; y;"),
            "0:i=3; [y]=2;");
  const std::string waits =
      "C t {} P0 (atomic_int* x) { atomic_store(x, 1); }"
      "P1 (atomic_int* x) { while (atomic_load(x) == 0) {} } exists (x=1)";
  const outcome_set got = outcomes(waits);
  EXPECT_TRUE(got.cut);
  EXPECT_EQ(got.executions, 5U);  // after 0 … 4 turns
  EXPECT_FALSE(outcomes("C t {} P0 (int* x) { int i = 0; while (i < 4) i = i + 1; }").cut);
  EXPECT_TRUE(outcomes("C t {} P0 (int* x) { while (1) { while (1) { } } }").cut);
}

TEST(parser, conditions) {
  const std::string test =
      "C t { x=1; } P0 (atomic_int* x) { int r0 = atomic_load(x); int r1 = 2; }\n";
  const auto condition = [&](const std::string& c) {
    const program p = parse(test + c);
    const outcome_set o = by_enumeration::run(p, memory_model::rc20);
    return to_string(p, p.condition) + (holds(p, o) ? " Ok" : " No");
  };
  EXPECT_EQ(condition("exists (0:r0=1 /\\ 0:r1=2)"), "exists (0:r0=1 /\\ 0:r1=2) Ok");
  EXPECT_EQ(condition("exists 0:r0=1 \\/ [x]=2 /\\ P0:r1=3"),
            "exists (0:r0=1 \\/ ([x]=2 /\\ 0:r1=3)) Ok");
  EXPECT_EQ(condition("~exists (x=1)"), "~exists ([x]=1) No");
  EXPECT_EQ(condition("forall (~(x=2) /\\ x != 3)"), "forall (not ([x]=2) /\\ not ([x]=3)) Ok");
  EXPECT_EQ(condition("forall (x=1 => 0:r0=[x])"), "forall ([x]=1 => 0:r0=[x]) Ok");
  EXPECT_EQ(condition("exists (true)"), "exists (true) Ok");
  EXPECT_EQ(condition("exists false"), "exists (false) No");
  EXPECT_EQ(condition(""), "forall (true) Ok");
  EXPECT_EQ(outcomes(test + "filter (x=2) exists (true)").executions, 0U);
}

TEST(parser, errors_name_the_file_the_place_and_what_is_wrong) {
  const std::string head = "C t\n{ x=0; }\n";
  const std::string body = head + "P0 (atomic_int* x, int* y) {\n";
  EXPECT_EQ(message(body + "  atomic_store(x, 1)\n}"),
            "t.litmus:5:1: expected ; after the statement, found '}'");
  EXPECT_EQ(message(body + "  r0 = 1;\n}"),
            "t.litmus:4:3: unknown variable 'r0'; declare it as int");
  EXPECT_EQ(message(body + "  atomic_store(z, 1);\n}"),
            "t.litmus:4:16: 'z' is not a parameter of P0");
  EXPECT_EQ(message(body + "  int r = x;\n}"),
            "t.litmus:4:11: 'x' is a pointer; expected *x or an atomic function");
  EXPECT_EQ(message(body + "  int r = atomic_load_explicit(x, memory_order_release);\n}"),
            "t.litmus:4:35: C forbids memory_order_release in atomic_load_explicit");
  EXPECT_EQ(message(body + "}\nexists (0:r0=1)"), "t.litmus:5:11: thread P0 has no variable 'r0'");
  EXPECT_EQ(message(body + "}\nexists (z=1)"), "t.litmus:5:9: there is no location 'z'");
  EXPECT_EQ(message(head), "t.litmus:3:1: expected P0 and its body, found the end of the file");
  EXPECT_EQ(message(head + "P1 () {}"),
            "t.litmus:3:1: expected P0, found 'P1': threads are numbered in order");
  EXPECT_EQ(message("AArch64 t\n{}"),
            "t.litmus:1:1: unsupported: architecture 'AArch64'; expected the header \"C name\"");
  EXPECT_EQ(message("C t\n{ x=0; "),
            "t.litmus:2:8: expected a location or a register such as 0:r0, "
            "found the end of the file");
  EXPECT_EQ(message(body + " /* never"), "t.litmus:4:2: this comment never ends: expected */");
}

TEST(parser, what_the_subset_leaves_out_is_said_by_name) {
  const auto in_body = [](const std::string& statement) {
    const std::string text = message("C t {} P0 (atomic_int* x) { int i = 0; " + statement + " }");
    return text.substr(text.find(": ") + 2);
  };
  EXPECT_EQ(in_body("do { } while (1);"), "unsupported: do-while");
  EXPECT_EQ(in_body("for (;;) { }"), "unsupported: for");
  EXPECT_EQ(in_body("goto end;"), "unsupported: goto");
  EXPECT_EQ(in_body("switch (1) { }"), "unsupported: switch");
  EXPECT_EQ(in_body("while (1) break;"), "unsupported: break");
  EXPECT_EQ(in_body("return;"), "unsupported: return");
  EXPECT_EQ(in_body("i++;"), "unsupported: operator ++");
  EXPECT_EQ(in_body("i += 1;"), "unsupported: operator +=");
  EXPECT_EQ(in_body("i = i << 1;"), "unsupported: operator <<");
  EXPECT_EQ(in_body("i = i ? 1 : 2;"), "unsupported: operator ?");
  EXPECT_EQ(in_body("i = x[0];"), "unsupported: arrays");
  EXPECT_EQ(in_body("int** p;"), "unsupported: local pointers to pointers");
  EXPECT_EQ(in_body("int j = smp_load_acquire(x);"), "unsupported: function 'smp_load_acquire'");
  EXPECT_EQ(in_body("unsigned j;"), "unsupported: type 'unsigned'");
  EXPECT_EQ(message("C t { int a[2] = {1, 2}; } P0 () {}"), "t.litmus:1:12: unsupported: arrays");
}

TEST(parser, deep_nesting_is_an_error_not_a_crash) {
  const auto nested = [](const std::string& open, const std::string& close, int depth) {
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
  };
  const std::string body = "C t {} P0 (atomic_int* x) { int i = 0; ";
  constexpr int deep = 100'000;
  for (const std::string& text :
       {body + "i = " + nested("(", ")", deep), body + nested("{", "}", deep),
        body + "i = " + nested("!", "", deep) + "1; }", body + nested("if (i) ", "", deep) + "; }",
        body + "i = 0" + nested(" + 1", "", deep) + "; }", body + nested("while (1) {", "}", deep),
        body + "i = 0" + nested(" && 1", "", deep) + "; }",
        body + nested("if (i) ; else ", "", deep) + "; }",
        body + "*" + nested("(", ")", deep) + " = 1; }",
        body + "} exists " + nested("(", ")", deep), body + "} exists " + nested("~", "", deep),
        body + "} exists " + nested("x=1 => ", "", deep) + "true"}) {
    EXPECT_NE(message(text), "no error") << text.substr(0, 60);
  }
}

TEST(parser, long_conditions_are_fine) {
  std::string text = "C t {} P0 (atomic_int* x) { } exists (x=0";
  for (int i = 0; i < 20'000; ++i) text += " /\\ x=0";
  EXPECT_EQ(outcomes(text + ")").positive, 1U);
}

// Real tests, damaged: pieces dropped, doubled, moved between files, bytes changed.
TEST(parser, damaged_files_give_a_program_or_an_error) {
  std::vector<std::string> texts;
  for (const auto& file :
       find_tests({FENCEPOST_LITMUS_TESTS "/tests", FENCEPOST_LITMUS_TESTS "/addresses"})) {
    std::ifstream in(file, std::ios::binary);
    texts.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  ASSERT_FALSE(texts.empty());
  const std::vector<std::string> pieces = {
      "{",  "}",    "(", ")", ";",  "/*",   "(*",      "*)",    "\"",     "while",
      "if", "else", "~", "0", "0x", "-",    "&&",      "/\\",   "exists", "int",
      "P1", ":",    "&", "*", "x",  "true", "_Atomic", "(int)", "\xff",   "99999999999999999999"};
  const bool held = rc::check("damaged files", [&] {
    std::string text = *rc::gen::elementOf(texts);
    const int wounds = *rc::gen::inRange(1, 6);
    for (int i = 0; i < wounds && !text.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const auto length = *rc::gen::inRange<std::size_t>(0, 20);
      switch (*rc::gen::inRange(0, 5)) {
        case 0: text.erase(at, length); break;
        case 1: text.insert(at, text.substr(at, length)); break;
        case 2: text.insert(at, *rc::gen::elementOf(pieces)); break;
        case 3: text[at] = *rc::gen::arbitrary<char>(); break;
        default: {
          const std::string& other = *rc::gen::elementOf(texts);
          text.insert(at, other.substr(std::min(at, other.size()), length));
        }
      }
    }
    try {
      const program p = parse(text);
      RC_ASSERT(!p.threads.empty());
      static_cast<void>(parse(to_litmus(p)));
    } catch (const parse_error& e) {
      RC_ASSERT(e.line() > 0U);
      RC_ASSERT(!e.message().empty());
    }
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace fencepost::litmus::testing
