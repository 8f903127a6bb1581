// An exploration in parts: whatever the parts, together they explore what one exploration does.
#include "parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "judged_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"
#include "resumed.hpp"

namespace fencepost::verify::testing {
namespace {

using ending = part_result::ending;

// Explores a part to its end.
class whole_part final : public part_control {
 public:
  bool is_over(const result&) override { return false; }
  bool wants_a_part() override { return false; }
  void give(const part&) override {}
};

std::uint64_t all_changes(const std::vector<changed_place>& places) {
  std::uint64_t sum = 0;
  for (const changed_place& p : places) sum += p.runs;
  return sum;
}

TEST(parts, of_programs_of_every_kind_are_the_whole) {
  for (const known_program& p : programs_of_every_kind())
    for (const unsigned one_in : {1U, 2U, 7U}) EXPECT_EQ(wrong_in_parts(p, one_in, one_in), "");
}

TEST(parts, of_programs_of_known_count_are_the_whole) {
  for (const known_program& p : programs_of_known_count()) {
    if (p.executions <= 2'000) {
      EXPECT_EQ(wrong_in_parts(p, 5, 1), "");
    }
  }
}

TEST(parts, of_random_programs_are_the_whole) {
  for (unsigned seed = 0; seed < 200; ++seed)
    EXPECT_EQ(wrong_in_parts(random_program(seed), 1 + seed % 20, seed), "");
}

TEST(parts, of_programs_that_block_are_the_whole) {
  for (const judged_program& p : programs_that_block())
    EXPECT_EQ(wrong_in_parts({p.name, 0, p.body, p.bounds}, 3, 1), "");
}

TEST(parts, of_symmetric_threads_are_the_whole) {
  for (const symmetric_program& p : programs_of_symmetric_threads())
    EXPECT_EQ(wrong_in_parts(as_known(p), 3, 1), "");
}

TEST(parts, that_go_on_from_resume_points_are_the_whole) {
  for (const known_program& p : programs_to_resume())
    for (unsigned seed = 0; seed < 10; ++seed) EXPECT_EQ(wrong_in_parts_resumed(p, seed), "");
}

TEST(parts, keep_the_examples_of_the_whole) {
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_EQ(wrong_examples_in_parts(1 + seed % 5, seed), "");
}

// Each place counts the runs that begin with a choice of its access: a part that has used up its
// runs leaves the next run to the part that continues.
TEST(parts, that_end_by_a_number_of_runs_count_each_run_once) {
  const auto body = [] {
    checked::atomic<int> x{0};
    const auto add = [&] { x.fetch_add(1, relaxed); };
    concurrently(add, add, add, add);
  };
  const std::uint64_t whole = all_changes(check({}, body).changed);
  options few;
  few.max_executions = 5;
  ledger l;
  int parts = 0;
  while (const std::optional<part> p = l.take()) {
    explorer e(few, body);
    whole_part control;
    ASSERT_TRUE(l.close(p->after, e.explore(*p, control)));
    ++parts;
  }
  EXPECT_EQ(parts, 5);
  EXPECT_EQ(l.total().found.executions, 24U);
  EXPECT_EQ(all_changes(l.total().found.changed), whole);
}

// It takes two runs to show that a location is contended, and separate parts may make one each: one
// thread reads data in turns of a loop that are left out, the other one writes the data.
TEST(parts, of_a_program_whose_data_are_contended_are_the_whole) {
  const auto body = [] {
    checked::atomic<int> x{0}, y{0};
    checked::plain<int> data{0};
    concurrently(
        [&] {
          while (x.load(relaxed) == 0) static_cast<void>(data.get());
        },
        [&] {
          if (y.load(relaxed) == 1) data.set(1);
          x.store(1, relaxed);
        },
        [&] { y.store(1, relaxed); });
  };
  for (unsigned seed = 1; seed < 20; ++seed)
    EXPECT_EQ(wrong_in_parts({"contended", 0, body}, 1 + seed % 4, seed), "");
}

TEST(parts, within_a_bound_on_preemptions_are_the_whole) {
  for (unsigned seed = 0; seed < 50; ++seed) {
    known_program p = random_program(seed);
    p.bounds.preemptions = seed % 3;
    EXPECT_EQ(wrong_in_parts(p, 5, seed), "");
  }
}

// ---- paths ----

TEST(paths, come_in_the_order_of_the_search) {
  const choice_path in_order[] = {{0, 0, 0}, {0, 0, 1}, {0, 0},  {0, 1, 5}, {0, 1}, {0},
                                  {1, 0},    {1},       {12, 3}, {12},      {}};
  for (const choice_path& a : in_order)
    for (const choice_path& b : in_order) EXPECT_EQ(ends_before(a, b), &a < &b);
}

TEST(paths, are_read_as_they_are_written) {
  const std::pair<search_path, const char*> known[] = {
      {{{}, {}}, "0"},
      {{{}, {0, 0, 0, 0, 7}}, "0*4.7"},
      {{{}, {1, 2, 2, 3}}, "1.2.2.3"},
      {{{{{}, {}}, {{4, 4, 4}, {}}}, {1}}, "0/4*3/1"},
      {{{{{}, {{1, 3}, {0, 12}}}, {{2}, {}}}, {}}, "@1.3+0.12/2/0"},
  };
  for (const auto& [path, text] : known) {
    EXPECT_EQ(to_text(path), text);
    EXPECT_EQ(search_path_from(text), path) << text;
  }
  std::mt19937 random(1);
  const auto any_path = [&] {
    choice_path p;
    for (auto n = random() % 8; n > 0; --n) p.push_back(static_cast<std::uint32_t>(random() % 3));
    if (!p.empty()) p.back() = 1 + static_cast<std::uint32_t>(random() % 1'000);
    return p;
  };
  for (int i = 0; i < 1'000; ++i) {
    search_path p;
    for (auto n = random() % 3; n > 0; --n) p.lessons.push_back({any_path(), {}});
    p.choices = any_path();
    EXPECT_EQ(search_path_from(to_text(p)), p) << to_text(p);
  }
}

TEST(paths, that_are_none_are_refused) {
  for (const char* const text :
       {"",     " ",      "a",  "1.", ".1",         "1..2",          "1*",         "*2",  "1*2*3",
        "-1",   "1/",     "/1", "1 ", "4294967296", "1*99999999999", "0*10000001", "@/0", "@1/0",
        "@1.2", "@1.2+/0"})
    EXPECT_FALSE(search_path_from(text)) << text;
}

// ---- the ledger ----

part_result up_to(choice_path at, ending how, std::uint64_t executions) {
  part_result r;
  r.how = how;
  r.at = std::move(at);
  r.found.executions = executions;
  return r;
}

TEST(ledgers, are_complete_when_the_parts_are_one_again) {
  ledger l;
  EXPECT_FALSE(l.complete());
  const part whole = l.take().value();
  EXPECT_FALSE(l.take());
  EXPECT_TRUE(l.divide(whole.after, {choice_path{3}, {}}));
  EXPECT_TRUE(l.divide(whole.after, {choice_path{1, 2}, {3}}));
  const part middle = l.take().value();
  EXPECT_EQ(middle.after, (choice_path{1, 2}));
  EXPECT_EQ(middle.last, choice_path{3});
  const part end = l.take().value();
  EXPECT_TRUE(l.close(end.after, up_to({}, ending::exhausted, 1)));
  EXPECT_TRUE(l.close(whole.after, up_to({}, ending::exhausted, 20)));
  EXPECT_FALSE(l.complete());
  EXPECT_TRUE(l.close(middle.after, up_to({2, 0}, ending::stopped, 300)));
  EXPECT_FALSE(l.complete());
  const part rest = l.take().value();
  EXPECT_EQ(rest.after, (choice_path{2, 0}));
  EXPECT_TRUE(l.close(rest.after, up_to({}, ending::exhausted, 4000)));
  EXPECT_TRUE(l.complete());
  EXPECT_EQ(l.total().found.executions, 4321U);
}

TEST(ledgers, do_not_take_what_does_not_fit) {
  ledger l;
  EXPECT_FALSE(l.divide({}, {choice_path{3}, {}})) << "nobody explores it";
  const part whole = l.take().value();
  EXPECT_FALSE(l.divide(choice_path{1}, {choice_path{3}, {}})) << "no such part";
  EXPECT_FALSE(l.divide(whole.after, {choice_path{3}, {4}})) << "not its end";
  EXPECT_FALSE(l.close(choice_path{1}, {})) << "no such part";
  EXPECT_TRUE(l.close(whole.after, up_to({}, ending::exhausted, 1)));
  EXPECT_FALSE(l.close(whole.after, up_to({}, ending::exhausted, 1))) << "twice";
  EXPECT_EQ(l.total().found.executions, 1U);
}

TEST(ledgers, explore_what_is_lost_again) {
  ledger l;
  const part whole = l.take().value();
  EXPECT_TRUE(l.divide(whole.after, {choice_path{3}, {}}));
  l.reopen(whole.after);
  const part again = l.take().value();
  EXPECT_EQ(again.after, whole.after);
  EXPECT_EQ(again.last, choice_path{3}) << "but not what was given away";
}

TEST(ledgers, take_what_was_explored_elsewhere) {
  ledger all;
  const part whole = all.take().value();
  EXPECT_TRUE(all.divide(whole.after, {choice_path{3}, {}}));
  EXPECT_TRUE(all.divide(whole.after, {choice_path{2}, {3}}));
  EXPECT_TRUE(all.close(whole.after, up_to({}, ending::exhausted, 1)));
  ledger second(all.left().at(0));
  const part mine = second.take().value();
  EXPECT_TRUE(second.close(mine.after, up_to({3, 5}, ending::stopped, 20)));
  all.put(second);
  ASSERT_EQ(all.left().size(), 2U);
  EXPECT_EQ(all.left().at(0).after, (choice_path{3, 5}));
  EXPECT_EQ(all.total().found.executions, 21U);
  EXPECT_THROW(all.put(second), std::invalid_argument) << "twice";
  ledger third(part{choice_path{3}, {}});
  const part rest = third.take().value();
  EXPECT_TRUE(third.close(rest.after, up_to({4}, ending::violated, 300)));
  all.put(third);
  EXPECT_TRUE(all.violation());
  EXPECT_FALSE(all.complete());
  ledger before(all.left().at(0));
  EXPECT_TRUE(before.close(before.take().value().after, up_to({3, 7}, ending::violated, 4000)));
  all.put(before);
  EXPECT_TRUE(all.complete());
  EXPECT_TRUE(all.left().empty()) << "nothing behind it is";
  EXPECT_EQ(all.total().found.executions, 4021U) << "nor counts";
}

TEST(ledgers, end_with_the_first_violation) {
  ledger l;
  const part first = l.take().value();
  EXPECT_TRUE(l.divide(first.after, {choice_path{5}, {}}));
  const part second = l.take().value();
  EXPECT_TRUE(l.divide(second.after, {choice_path{7}, {}}));
  const part third = l.take().value();
  EXPECT_TRUE(l.close(third.after, up_to({8, 1}, ending::violated, 1)));
  EXPECT_FALSE(l.complete());
  EXPECT_TRUE(l.close(second.after, up_to({6, 1}, ending::violated, 20)));
  EXPECT_FALSE(l.has(third.after)) << "it comes after the first";
  EXPECT_FALSE(l.complete());
  EXPECT_TRUE(l.close(first.after, up_to({}, ending::exhausted, 300)));
  EXPECT_TRUE(l.complete());
  EXPECT_EQ(l.total().at, (choice_path{6, 1}));
  EXPECT_EQ(l.total().found.executions, 320U);
}

}  // namespace
}  // namespace fencepost::verify::testing
