// The classic shapes: for each, outcomes that must be seen and outcomes that must not.
//
// Threads are written in shorthand: Wx1rel stores 1 to x with release, Ryacq loads y with acquire
// into the thread's next register (r0, r1, …), Uxrlx increments x (fetch_add) and Ux5sc exchanges
// it for 5, both into a register, Fsc is a fence. Orders: na (plain), rlx, acq, rel, ar, sc.
#include <gtest/gtest.h>

#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "engines.hpp"
#include "fencepost/litmus/parse.hpp"

namespace fencepost::litmus::testing {
namespace {

using verify::memory_model;
using models = std::vector<memory_model>;
const models all = {memory_model::rc20, memory_model::rc11, memory_model::cpp20};

struct classic {
  std::string name;
  std::vector<std::string> threads;
  std::vector<std::string> seen;
  std::vector<std::string> never;
  models under = all;
  bool race = false;
};

std::string order(const std::string& code) {
  static const std::map<std::string, std::string> names = {{"rlx", "relaxed"},
                                                           {"acq", "acquire"},
                                                           {"rel", "release"},
                                                           {"ar", "acq_rel"},
                                                           {"sc", "seq_cst"}};
  return "memory_order_" + names.at(code);
}

std::string statement_of(const std::string& shorthand, int& registers, std::string& touched) {
  const char what = shorthand[0];
  if (what == 'F') return "atomic_thread_fence(" + order(shorthand.substr(1)) + ");";
  const std::string at = shorthand.substr(1, 1);
  const bool number = shorthand.size() > 2 && shorthand[2] >= '0' && shorthand[2] <= '9';
  const std::string value = number ? shorthand.substr(2, 1) : "1";
  const std::string code = shorthand.substr(number ? 3 : 2);
  if (touched.find(at) == std::string::npos) touched += at;
  if (what == 'W') {
    if (code == "na") return "*" + at + " = " + value + ";";
    return "atomic_store_explicit(" + at + ", " + value + ", " + order(code) + ");";
  }
  const std::string into = "int r" + std::to_string(registers++) + " = ";
  if (what == 'R') {
    if (code == "na") return into + "*" + at + ";";
    return into + "atomic_load_explicit(" + at + ", " + order(code) + ");";
  }
  const std::string function = number ? "atomic_exchange_explicit(" : "atomic_fetch_add_explicit(";
  return into + function + at + ", " + value + ", " + order(code) + ");";
}

program make(const classic& c, const std::string& proposition) {
  std::string text = "C " + c.name + "\n{ x=0; y=0; z=0; a=0; b=0; }\n";
  for (std::size_t t = 0; t < c.threads.size(); ++t) {
    std::istringstream in(c.threads[t]);
    std::string body;
    std::string touched;
    int registers = 0;
    for (std::string word; in >> word;)
      body += "  " + statement_of(word, registers, touched) + "\n";
    std::string parameters;
    for (const char at : touched) {
      parameters += (parameters.empty() ? "" : ", ") + std::string("atomic_int* ") + at;
    }
    text += "P" + std::to_string(t) + " (" + parameters + ") {\n" + body + "}\n";
  }
  return parse(text + "exists (" + proposition + ")\n", c.name);
}

const std::vector<classic>& classics() {
  using enum memory_model;
  static const std::vector<classic> shapes = {
      // Store buffering.
      {"SB_relaxed",
       {"Wx1rlx Ryrlx", "Wy1rlx Rxrlx"},
       {"0:r0=0 /\\ 1:r0=0", "0:r0=0 /\\ 1:r0=1", "0:r0=1 /\\ 1:r0=0", "0:r0=1 /\\ 1:r0=1"},
       {}},
      {"SB_release_acquire", {"Wx1rel Ryacq", "Wy1rel Rxacq"}, {"0:r0=0 /\\ 1:r0=0"}, {}},
      {"SB_sequentially_consistent",
       {"Wx1sc Rysc", "Wy1sc Rxsc"},
       {"0:r0=0 /\\ 1:r0=1", "0:r0=1 /\\ 1:r0=0", "0:r0=1 /\\ 1:r0=1"},
       {"0:r0=0 /\\ 1:r0=0"}},
      {"SB_fences_around_relaxed",
       {"Wx1rlx Fsc Ryrlx", "Wy1rlx Fsc Rxrlx"},
       {"0:r0=0 /\\ 1:r0=1", "0:r0=1 /\\ 1:r0=1"},
       {"0:r0=0 /\\ 1:r0=0"}},
      {"SB_one_fence_is_too_few", {"Wx1rlx Fsc Ryrlx", "Wy1rlx Rxrlx"}, {"0:r0=0 /\\ 1:r0=0"}, {}},
      {"SB_acq_rel_fences_are_too_weak",
       {"Wx1rlx Far Ryrlx", "Wy1rlx Far Rxrlx"},
       {"0:r0=0 /\\ 1:r0=0"},
       {}},
      {"SB_fence_against_accesses",
       {"Wx1rlx Fsc Ryrlx", "Wy1sc Rxsc"},
       {"0:r0=0 /\\ 1:r0=1"},
       {"0:r0=0 /\\ 1:r0=0"}},
      {"SB_read_modify_writes", {"Uxsc Rysc", "Uysc Rxsc"}, {}, {"0:r1=0 /\\ 1:r1=0"}},
      {"3.SB_sequentially_consistent",
       {"Wx1sc Rysc", "Wy1sc Rzsc", "Wz1sc Rxsc"},
       {"0:r0=0 /\\ 1:r0=0 /\\ 2:r0=1"},
       {"0:r0=0 /\\ 1:r0=0 /\\ 2:r0=0"}},

      // Message passing: fence and atomic synchronisation in all four combinations.
      {"MP_relaxed",
       {"Wx1rlx Wy1rlx", "Ryrlx Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0", "1:r0=1 /\\ 1:r1=1", "1:r0=0 /\\ 1:r1=1"},
       {}},
      {"MP_store_to_load",
       {"Wx1rlx Wy1rel", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=1", "1:r0=0 /\\ 1:r1=0"},
       {"1:r0=1 /\\ 1:r1=0"}},
      {"MP_fence_to_load",
       {"Wx1rlx Frel Wy1rlx", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=1"},
       {"1:r0=1 /\\ 1:r1=0"}},
      {"MP_store_to_fence",
       {"Wx1rlx Wy1rel", "Ryrlx Facq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=1"},
       {"1:r0=1 /\\ 1:r1=0"}},
      {"MP_fence_to_fence",
       {"Wx1rlx Frel Wy1rlx", "Ryrlx Facq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=1"},
       {"1:r0=1 /\\ 1:r1=0"}},
      {"MP_no_acquire", {"Wx1rlx Wy1rel", "Ryrlx Rxrlx"}, {"1:r0=1 /\\ 1:r1=0"}, {}},
      {"MP_no_release", {"Wx1rlx Wy1rlx", "Ryacq Rxrlx"}, {"1:r0=1 /\\ 1:r1=0"}, {}},
      {"MP_release_fence_after_the_store",
       {"Wx1rlx Wy1rlx Frel", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0"},
       {}},
      {"MP_acquire_fence_before_the_load",
       {"Wx1rlx Wy1rel", "Facq Ryrlx Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0"},
       {}},
      {"MP_acquire_fence_does_not_release",
       {"Wx1rlx Facq Wy1rlx", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0"},
       {}},
      {"MP_plain_data_published", {"Wx1na Wy1rel", "Ryacq"}, {"1:r0=1"}, {}},
      {"MP_plain_data_races", {"Wx1na Wy1rlx", "Ryacq Rxna"}, {"1:r0=1 /\\ 1:r1=0"}, {}, all, true},

      // Load buffering: po ∪ rf has no cycle in any of the models.
      {"LB_relaxed",
       {"Rxrlx Wy1rlx", "Ryrlx Wx1rlx"},
       {"0:r0=1 /\\ 1:r0=0", "0:r0=0 /\\ 1:r0=1", "0:r0=0 /\\ 1:r0=0"},
       {"0:r0=1 /\\ 1:r0=1"}},

      // Two writers, two readers.
      {"IRIW_release_acquire",
       {"Wx1rel", "Wy1rel", "Rxacq Ryacq", "Ryacq Rxacq"},
       {"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0"},
       {}},
      {"IRIW_sequentially_consistent",
       {"Wx1sc", "Wy1sc", "Rxsc Rysc", "Rysc Rxsc"},
       {"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=1"},
       {"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0"}},
      {"IRIW_fences_around_relaxed",
       {"Wx1rlx", "Wy1rlx", "Rxrlx Fsc Ryrlx", "Ryrlx Fsc Rxrlx"},
       {"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=1"},
       {"2:r0=1 /\\ 2:r1=0 /\\ 3:r0=1 /\\ 3:r1=0"}},

      // Causality.
      {"WRC_relaxed",
       {"Wx1rlx", "Rxrlx Wy1rlx", "Ryrlx Rxrlx"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0"},
       {}},
      {"WRC_release_acquire",
       {"Wx1rlx", "Rxrlx Wy1rel", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=1"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0"}},
      {"RWC_release_acquire",
       {"Wx1rel", "Rxacq Ryacq", "Wy1rel Rxacq"},
       {"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0"},
       {}},
      {"RWC_fences_around_relaxed",
       {"Wx1rlx", "Rxrlx Fsc Ryrlx", "Wy1rlx Fsc Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=1"},
       {"1:r0=1 /\\ 1:r1=0 /\\ 2:r0=0"}},
      {"ISA2_release_acquire",
       {"Wx1rlx Wy1rel", "Ryacq Wz1rel", "Rzacq Rxrlx"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=1"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0"}},
      {"ISA2_relaxed_in_the_middle",
       {"Wx1rlx Wy1rel", "Ryrlx Wz1rel", "Rzacq Rxrlx"},
       {"1:r0=1 /\\ 2:r0=1 /\\ 2:r1=0"},
       {}},

      // Writes of two threads.
      {"2+2W_relaxed", {"Wx1rlx Wy2rlx", "Wy1rlx Wx2rlx"}, {"x=1 /\\ y=1", "x=2 /\\ y=2"}, {}},
      {"2+2W_release", {"Wx1rel Wy2rel", "Wy1rel Wx2rel"}, {"x=1 /\\ y=1"}, {}},
      {"2+2W_sequentially_consistent",
       {"Wx1sc Wy2sc", "Wy1sc Wx2sc"},
       {"x=2 /\\ y=2", "x=1 /\\ y=2"},
       {"x=1 /\\ y=1"}},
      {"2+2W_fences_between_relaxed",
       {"Wx1rlx Fsc Wy2rlx", "Wy1rlx Fsc Wx2rlx"},
       {"x=2 /\\ y=2"},
       {"x=1 /\\ y=1"}},
      {"S_relaxed", {"Wx2rlx Wy1rlx", "Ryrlx Wx1rlx"}, {"1:r0=1 /\\ x=2", "1:r0=1 /\\ x=1"}, {}},
      {"S_release_acquire",
       {"Wx2rlx Wy1rel", "Ryacq Wx1rlx"},
       {"1:r0=1 /\\ x=1"},
       {"1:r0=1 /\\ x=2"}},
      {"R_release_acquire", {"Wx1rel Wy1rel", "Wy2rel Rxacq"}, {"y=2 /\\ 1:r0=0"}, {}},
      {"R_sequentially_consistent",
       {"Wx1sc Wy1sc", "Wy2sc Rxsc"},
       {"y=2 /\\ 1:r0=1", "y=1 /\\ 1:r0=0"},
       {"y=2 /\\ 1:r0=0"}},
      {"R_fences_around_relaxed",
       {"Wx1rlx Fsc Wy1rlx", "Wy2rlx Fsc Rxrlx"},
       {"y=1 /\\ 1:r0=0"},
       {"y=2 /\\ 1:r0=0"}},

      // Three threads in a circle.
      {"Z6.0_release_acquire",
       {"Wx1rel Wy1rel", "Ryacq Wz1rel", "Wz2rel Rxacq"},
       {"1:r0=1 /\\ z=2 /\\ 2:r0=0"},
       {}},
      {"Z6.0_sequentially_consistent",
       {"Wx1sc Wy1sc", "Rysc Wz1sc", "Wz2sc Rxsc"},
       {"1:r0=1 /\\ z=2 /\\ 2:r0=1"},
       {"1:r0=1 /\\ z=2 /\\ 2:r0=0"}},
      // Happens-before that is not strong does not order sequentially consistent operations.
      {"Z6.U", {"Wx1sc Wy1rel", "Uysc Ryrlx", "Wy3sc Rxsc"}, {"1:r0=1 /\\ 1:r1=3 /\\ 2:r0=0"}, {}},

      // Coherence.
      {"CoWW", {"Wx1rlx Wx2rlx"}, {"x=2"}, {"x=1", "x=0"}},
      {"CoRR",
       {"Wx1rlx", "Rxrlx Rxrlx"},
       {"1:r0=0 /\\ 1:r1=1", "1:r0=1 /\\ 1:r1=1"},
       {"1:r0=1 /\\ 1:r1=0"}},
      {"CoRR_two_readers_agree",
       {"Wx1rlx", "Wx2rlx", "Rxrlx Rxrlx", "Rxrlx Rxrlx"},
       {"2:r0=1 /\\ 2:r1=2 /\\ 3:r0=1 /\\ 3:r1=2"},
       {"2:r0=1 /\\ 2:r1=2 /\\ 3:r0=2 /\\ 3:r1=1"}},
      {"CoWR", {"Wx1rlx Rxrlx", "Wx2rlx"}, {"0:r0=1", "0:r0=2"}, {"0:r0=0", "0:r0=2 /\\ x=1"}},
      {"CoRW",
       {"Rxrlx Wx1rlx", "Wx2rlx"},
       {"0:r0=2 /\\ x=1", "0:r0=0 /\\ x=2"},
       {"0:r0=1", "0:r0=2 /\\ x=2"}},
      {"CoRMW",
       {"Uxrlx", "Uxrlx"},
       {"0:r0=0 /\\ 1:r0=1", "0:r0=1 /\\ 1:r0=0"},
       {"0:r0=0 /\\ 1:r0=0", "x=1"}},
      {"a_store_does_not_split_a_read_modify_write",
       {"Uxrlx", "Wx5rlx"},
       {"0:r0=0 /\\ x=5", "0:r0=5 /\\ x=6"},
       {"0:r0=0 /\\ x=6", "0:r0=5 /\\ x=5"}},

      // Release sequences.
      {"a_read_modify_write_continues_a_release_sequence",
       {"Wx1rlx Wy1rel", "Uyrlx", "Ryacq Rxrlx"},
       {"2:r0=2 /\\ 2:r1=1"},
       {"2:r0=2 /\\ 2:r1=0"}},
      {"two_read_modify_writes_continue_it_too",
       {"Wx1rlx Wy1rel", "Uyrlx", "Uyrlx", "Ryacq Rxrlx"},
       {"3:r0=3 /\\ 3:r1=1"},
       {"3:r0=3 /\\ 3:r1=0"}},
      {"an_exchange_continues_it",
       {"Wx1rlx Wy1rel", "Uy5rlx", "Ryacq Rxrlx"},
       {},
       {"1:r0=1 /\\ 2:r0=5 /\\ 2:r1=0"}},
      {"a_store_of_another_thread_ends_it",
       {"Wx1rlx Wy1rel", "Ryrlx Wy5rlx", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 2:r0=5 /\\ 2:r1=0"},
       {}},
      {"a_later_store_of_the_thread_ends_it_since_C++20",
       {"Wx1rlx Wy1rel Wy2rlx", "Ryacq Rxrlx"},
       {"1:r0=2 /\\ 1:r1=0"},
       {},
       {rc20, cpp20}},
      {"a_later_store_of_the_thread_continued_it_in_C++11",
       {"Wx1rlx Wy1rel Wy2rlx", "Ryacq Rxrlx"},
       {"1:r0=2 /\\ 1:r1=1"},
       {"1:r0=2 /\\ 1:r1=0"},
       {rc11}},
      {"a_fence_begins_one_for_each_later_store",
       {"Wx1rlx Frel Wy1rlx Wy2rlx", "Ryacq Rxrlx"},
       {"1:r0=2 /\\ 1:r1=1"},
       {"1:r0=2 /\\ 1:r1=0", "1:r0=1 /\\ 1:r1=0"}},
      {"a_read_modify_write_after_a_fence",
       {"Wx1rlx Frel Wy1rlx", "Uyrlx", "Ryrlx Facq Rxrlx"},
       {},
       {"2:r0=2 /\\ 2:r1=0"}},
      {"an_acquiring_read_modify_write_does_not_release",
       {"Wx1rlx Uyacq", "Ryacq Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0"},
       {}},
      {"a_releasing_read_modify_write_does_not_acquire",
       {"Wx1rlx Wy1rel", "Uyrel Rxrlx"},
       {"1:r0=1 /\\ 1:r1=0"},
       {}},
      {"an_acq_rel_read_modify_write_does_both",
       {"Wx1rlx Uyar", "Uyar Rxrlx"},
       {},
       {"1:r0=1 /\\ 1:r1=0"}},
  };
  return shapes;
}

template <class Engine>
class classics_of : public ::testing::Test {};
using engines = ::testing::Types<by_enumeration, by_exploration>;
TYPED_TEST_SUITE(classics_of, engines, );

TYPED_TEST(classics_of, show_what_they_must_and_nothing_that_they_must_not) {
  for (const classic& c : classics()) {
    for (const memory_model m : c.under) {
      const std::string where = c.name + " under " + std::string(verify::to_string(m));
      for (const std::string& p : c.seen) {
        const outcome_set got = TypeParam::run(make(c, p), m);
        EXPECT_GT(got.positive, 0U) << where << ": " << p << " is never seen";
        EXPECT_EQ(got.undef, c.race) << where;
      }
      for (const std::string& p : c.never) {
        EXPECT_EQ(TypeParam::run(make(c, p), m).positive, 0U) << where << ": " << p << " is seen";
      }
    }
  }
}

// Store buffering with a load that is the spurious failure of a weak compare-exchange: it has the
// order of a failure, which may be stronger than that of success.
TYPED_TEST(classics_of, a_spurious_failure_has_the_order_of_a_failure) {
  const program p = parse(
      "C spurious\n{ x=0; y=0; }\n"
      "P0 (atomic_int* x, atomic_int* y) {\n"
      "  atomic_store(y, 1);\n"
      "  int r0 = atomic_load(x);\n}\n"
      "P1 (atomic_int* x, atomic_int* y) {\n"
      "  atomic_store(x, 1);\n"
      "  int r0 = 0;\n"
      "  int r1 = atomic_compare_exchange_weak_explicit(y, &r0, 1, memory_order_relaxed,\n"
      "                                                 memory_order_seq_cst);\n}\n"
      "exists (0:r0=0 /\\ 1:r0=0 /\\ 1:r1=0)");
  for (const memory_model m : all) {
    const outcome_set got = TypeParam::run(p, m);
    EXPECT_EQ(got.positive, 0U);
    EXPECT_EQ(got.executions, 5U);
  }
}

// A program with a word of halves, which is built in code since the file format has no such words.
class halves {
 public:
  explicit halves(std::vector<std::vector<statement>> bodies) {
    test_.name = "halves";
    test_.locations = {{"x", location_kind::halves, 0}};
    for (std::vector<statement>& body : bodies)
      test_.threads.push_back({{{"r0", 0}}, std::move(body)});
  }

  // The number of executions after which the second thread's register holds high:low.
  template <class Engine>
  std::uint64_t reads(value low, value high, memory_model m) {
    proposition p;
    p.what = proposition::kind::atom;
    p.left = {1U, 0};
    p.right = join_halves(low, high);
    test_.condition = {quantifier::exists, p};
    return Engine::run(test_, m).positive;
  }

 private:
  program test_;
};

statement put(word_part part, value v, access_order o) { return {store{0, constant(v), o, part}}; }
statement get(word_part part, access_order o) { return {load{0U, 0, o, part}}; }

TYPED_TEST(classics_of, halves_are_ordered_by_synchronisation_through_either) {
  using enum access_order;
  using enum word_part;
  const auto publish = [](access_order store_order, access_order load_order) {
    return halves({{put(low, 1, relaxed), put(high, 1, store_order)}, {get(whole, load_order)}});
  };
  for (const memory_model m : all) {
    // Without both a release and an acquire, the halves are two locations.
    EXPECT_EQ(publish(relaxed, acquire).template reads<TypeParam>(0, 1, m), 1U);
    EXPECT_EQ(publish(release, relaxed).template reads<TypeParam>(0, 1, m), 1U);
    // A thread that acquires the later half observes the earlier one, even in the same access.
    EXPECT_EQ(publish(release, acquire).template reads<TypeParam>(0, 1, m), 0U);
    EXPECT_EQ(publish(release, acquire).template reads<TypeParam>(1, 0, m), 1U);
    EXPECT_EQ(publish(release, acquire).template reads<TypeParam>(1, 1, m), 1U);
  }
}

// The exchange of the whole word continues the release sequence of the low half: the load of the
// high half after it synchronizes with the thread that wrote the low half, and does not read an
// older value of the high half than that thread wrote.
TEST(a_word_of_halves, is_acquired_through_either) {
  using enum access_order;
  using enum word_part;
  const modify exchange{{},      0,    rmw_operation::exchange, constant(join_halves(5, 7)),
                        relaxed, whole};
  halves test({{put(high, 1, relaxed), put(low, 1, release)}, {{exchange}, get(high, acquire)}});
  for (const memory_model m : all) {
    const std::uint64_t expected = test.reads<by_enumeration>(7, 0, m);
    EXPECT_GT(expected, 0U) << to_string(m);
    EXPECT_EQ(test.reads<by_exploration>(7, 0, m), expected) << to_string(m);
  }
}

TYPED_TEST(classics_of, accesses_of_whole_words_do_not_tear) {
  using enum access_order;
  using enum word_part;
  halves test({{put(whole, join_halves(1, 1), relaxed)}, {get(whole, relaxed)}});
  for (const memory_model m : all) {
    EXPECT_EQ(test.template reads<TypeParam>(0, 1, m), 0U);
    EXPECT_EQ(test.template reads<TypeParam>(1, 0, m), 0U);
    EXPECT_EQ(test.template reads<TypeParam>(1, 1, m), 1U);
  }
}

// n threads that each increment one location: each order of the increments is one execution.
TYPED_TEST(classics_of, increments_have_as_many_executions_as_orders) {
  std::uint64_t orders = 1;
  classic c{"increments", {}, {}, {}};
  for (std::uint64_t n = 1; n <= 6; ++n) {
    orders *= n;
    c.threads.emplace_back("Uxrlx");
    for (const memory_model m : all) {
      const outcome_set got = TypeParam::run(make(c, "x=" + std::to_string(n)), m);
      EXPECT_EQ(got.executions, orders) << n << " threads";
      EXPECT_EQ(got.negative, 0U) << n << " threads";
    }
  }
}

}  // namespace
}  // namespace fencepost::litmus::testing
