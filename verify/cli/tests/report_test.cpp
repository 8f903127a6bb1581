// The text of reports. The golden texts are what a reader sees: change them when reports improve.
#include "fencepost/verify/report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

namespace fencepost::verify {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// A place in a file that does not exist: the report shows the place, but no line of code.
constexpr source_location at(const char* function, std::uint32_t line) {
  return {"kit/mailbox.hpp", function, line, 0};
}

counterexample message_lost() {
  counterexample c;
  c.kind = violation::data_race;
  c.message = "read of the slot (#6) and write of the slot (#3)";
  c.thread = 2;
  c.threads = 3;
  c.where = at("receive", 28);
  c.steps = {
      {0, step_kind::create_thread, "create thread 1", {}, "", 0, 0, {}},
      {0, step_kind::create_thread, "create thread 2", {}, "", 0, 0, {}},
      {1, step_kind::plain_write, "write slot", {}, "slot", 0, 7, at("send", 20)},
      {1, step_kind::store, "store relaxed ready = 1", {}, "ready", 0, 1, at("send", 21)},
      {2, step_kind::load, "load acquire ready = 1", 3, "ready", 1, 0, at("receive", 27)},
      {2, step_kind::plain_read, "read slot", 2, "slot", 7, 0, at("receive", 28)},
      {2, step_kind::violation, "data race with #3", {}, "", 0, 0, at("receive", 28)},
  };
  return c;
}

TEST(report, a_counterexample_has_one_column_a_thread) {
  EXPECT_EQ(to_text(message_lost()),
            R"(data race: read of the slot (#6) and write of the slot (#3)
  at kit/mailbox.hpp:28, in receive(), by thread 2

    main   thread 1                 thread 2
#1  create thread 1
#2  create thread 2
#3         write slot
             mailbox.hpp:20 send
#4         store relaxed ready = 1
             mailbox.hpp:21 send
#5                                  load acquire ready = 1, from #4
                                      mailbox.hpp:27 receive
#6                                  read slot, from #3
                                      mailbox.hpp:28 receive
#7                                  !! data race with #3

Files
  mailbox.hpp  kit/mailbox.hpp

The race is between #3 and #6. Two threads access the same plain data, at least one of them writes,
and neither access happens before the other: the behaviour is undefined. What is missing is a
release by the first thread that an acquire of the second reads from.
)");
}

TEST(report, a_step_shows_its_line_of_code_if_the_file_can_be_read) {
  counterexample c = message_lost();
  c.steps[2].where = source_location::current();  // this very line
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("report_test.cpp:" + std::to_string(c.steps[2].where.line)));
  EXPECT_THAT(text, HasSubstr("c.steps[2].where = source_location::current();"));
}

TEST(report, locations_are_called_after_the_code_that_accesses_them) {
  counterexample c = message_lost();
  const auto on = [](const char* letter, const char* text, step_kind kind, std::uint32_t line) {
    return step{1, kind, text, {}, letter, 0, 0, {__FILE__, "send", line, 0}};
  };
  const std::uint32_t here = __LINE__;
  // flags[1].ready.store(1);
  // other->ready.store(1);
  c.steps = {on("a", "store relaxed a := 1", step_kind::store, here + 1),
             on("b", "store relaxed b := 1", step_kind::store, here + 2),
             on("c", "store relaxed c := 1", step_kind::store, 0)};
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("store relaxed ready@1 := 1"));
  EXPECT_THAT(text, HasSubstr("store relaxed ready@2 := 1"));
  EXPECT_THAT(text, HasSubstr("store relaxed c := 1"));
}

TEST(report, files_of_one_name_are_told_apart) {
  counterexample c = message_lost();
  c.steps[2].where.file = "other/mailbox.hpp";
  EXPECT_THAT(to_text(c), HasSubstr("other/mailbox.hpp:20"));
  EXPECT_THAT(to_text(c), HasSubstr("kit/mailbox.hpp:21"));
}

std::size_t widest_line(const std::string& text) {
  std::size_t widest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) widest = std::max(widest, columns(line));
  return widest;
}

counterexample with_threads(unsigned count) {
  counterexample c = message_lost();
  c.steps.clear();
  for (unsigned t = 0; t <= count; ++t) {
    c.steps.push_back({t,
                       step_kind::read_modify_write,
                       "compare-exchange strong acq_rel/relaxed top = 17 -> 18",
                       {},
                       "top",
                       17,
                       18,
                       at("steal", 100 + t)});
  }
  return c;
}

TEST(report, four_threads_fit_into_a_hundred_columns) {
  for (const std::size_t width : {100u, 110u, 120u}) {
    text_style style;
    style.width = width;
    const std::string text = to_text(with_threads(4), style);
    EXPECT_LE(widest_line(text), width) << text;
    EXPECT_THAT(text, HasSubstr("thread 4\n"));
  }
}

TEST(report, more_threads_share_one_column) {
  const std::string text = to_text(with_threads(7));
  EXPECT_LE(widest_line(text), 100u) << text;
  EXPECT_THAT(text, HasSubstr("#8  T7    compare-exchange"));
}

TEST(report, a_long_counterexample_leaves_out_its_middle) {
  counterexample c = message_lost();
  c.steps.assign(1000, c.steps[3]);
  for (std::size_t i = 0; i < 1000; ++i) c.steps[i].where.line = static_cast<unsigned>(i);
  c.steps.back().text = "the last";
  text_style style;
  style.max_steps = 30;
  const std::string text = to_text(c, style);
  EXPECT_THAT(text, HasSubstr("... 970 steps left out ..."));
  EXPECT_THAT(text, HasSubstr("#10 "));
  EXPECT_THAT(text, Not(HasSubstr("#11 ")));
  EXPECT_THAT(text, Not(HasSubstr("#980 ")));
  EXPECT_THAT(text, HasSubstr("#981 "));
  EXPECT_THAT(text, HasSubstr("the last"));
}

TEST(report, ten_thousand_steps_are_shortened_unless_all_are_wanted) {
  counterexample c = message_lost();
  c.steps.assign(10'000, c.steps[3]);
  for (std::size_t i = 0; i < 10'000; ++i) c.steps[i].where.line = static_cast<unsigned>(i);
  EXPECT_THAT(to_text(c), HasSubstr("... 9,920 steps left out ..."));
  text_style style;
  style.max_steps = 0;
  EXPECT_THAT(to_text(c, style), Not(HasSubstr("left out")));
}

TEST(report, of_many_steps_the_last_of_each_thread_are_shown) {
  counterexample c = message_lost();
  c.steps.assign(1'000, c.steps[3]);
  for (std::size_t i = 0; i < c.steps.size(); ++i) c.steps[i].where.line = static_cast<unsigned>(i);
  c.steps[300].thread = c.steps[500].thread = 2;
  text_style style;
  style.max_steps = 30;
  const std::string text = to_text(c, style);
  for (const char* const shown : {"#8 ", "#301 ", "#501 ", "#981 ", "#1000 "})
    EXPECT_THAT(text, HasSubstr(shown));
  for (const char* const not_shown : {"#9 ", "#300 ", "#502 ", "#980 "})
    EXPECT_THAT(text, Not(HasSubstr(not_shown)));
}

TEST(report, of_the_turns_of_a_loop_that_are_alike_three_are_shown) {
  counterexample c = message_lost();
  const std::vector<step> turn = {c.steps[3], c.steps[4]};
  for (int i = 0; i < 5000; ++i) c.steps.insert(c.steps.begin() + 5, turn.begin(), turn.end());
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("... 9,996 steps left out, like the 2 above ..."));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 50);
}

TEST(report, the_first_thread_is_called_main) {
  counterexample c = message_lost();
  c.message = "thread 0 waits for thread 10";
  EXPECT_THAT(to_text(c), HasSubstr("data race: main waits for thread 10\n"));
}

// Five steps before the first thread is created; only the fourth is read by another thread.
counterexample with_a_set_up() {
  counterexample c = message_lost();
  const step set_up{0, step_kind::store, "store relaxed ready = 0", {}, "", 0, 0, at("box", 9)};
  c.steps.insert(c.steps.begin(), 5, set_up);
  c.steps[9].reads_from = 3;
  c.steps[10].reads_from = 7;
  return c;
}

TEST(report, of_the_set_up_only_what_is_read_later_is_shown) {
  const counterexample c = with_a_set_up();
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("... 3 steps of the set-up left out ..."));
  EXPECT_THAT(text, Not(HasSubstr("#3 ")));
  EXPECT_THAT(text, HasSubstr("#4 "));
  EXPECT_THAT(text, HasSubstr("#5 "));  // a gap of one or two steps is not left out
  text_style style;
  style.max_steps = 0;
  EXPECT_THAT(to_text(c, style), HasSubstr("#3 "));
}

// Thread 1 accesses variables of its own before it writes the slot, thread 2 between its steps.
TEST(report, plain_data_of_one_thread_is_not_shown) {
  counterexample c = message_lost();
  const auto own = [](unsigned thread, step_kind kind, const char* text) {
    return step{thread, kind, text, {}, "", 0, 0, at("own", 9)};
  };
  c.steps.insert(c.steps.begin() + 5, {own(2, step_kind::plain_write, "write turns"),
                                       own(2, step_kind::plain_read, "read turns")});
  c.steps.insert(
      c.steps.begin() + 2,
      {own(1, step_kind::plain_write, "write size"), own(1, step_kind::plain_read, "read size"),
       own(1, step_kind::plain_read, "read size"), own(1, step_kind::plain_read, "read size")});
  c.steps[8].reads_from = 7;
  c.steps[11].reads_from = 6;
  text_style style;
  style.own_data = false;
  const std::string text = to_text(c, style);
  EXPECT_THAT(text, Not(HasSubstr("size")));
  EXPECT_THAT(text, Not(HasSubstr("turns")));
  EXPECT_THAT(text, Not(HasSubstr("steps left out")));
  EXPECT_THAT(text, HasSubstr("#7          write slot\n"));
  EXPECT_THAT(text, HasSubstr("#12                                  read slot, from #7\n"));
  EXPECT_THAT(text, HasSubstr("The race is between #7 and #12."));
  EXPECT_THAT(text, HasSubstr("Not shown: accesses to plain data that no other thread accesses."));
  style.max_steps = 0;
  EXPECT_THAT(to_text(c, style), HasSubstr("#6          read size\n"));
  EXPECT_THAT(to_text(c, style), Not(HasSubstr("Not shown")));
  EXPECT_THAT(to_text(c), HasSubstr("#6          read size\n"));
}

TEST(report, what_ends_while_one_thread_accesses_it_is_shown) {
  counterexample c = message_lost();
  c.kind = violation::use_after_free;
  c.steps.resize(5);
  c.steps.push_back({0, step_kind::violation, "destroyed", {}, "slot", 0, 0, at("main", 30)});
  text_style style;
  style.own_data = false;
  EXPECT_THAT(to_text(c, style), HasSubstr("#3         write slot\n"));
}

TEST(report, what_a_thread_does_last_is_shown) {
  counterexample c = message_lost();
  c.kind = violation::crash;
  c.steps.erase(c.steps.begin() + 2);
  c.steps[4].reads_from = {};
  text_style style;
  style.own_data = false;
  EXPECT_THAT(to_text(c, style), HasSubstr("read slot"));
}

TEST(report, a_set_up_that_breaks_is_shown) {
  counterexample c = with_a_set_up();
  c.steps.resize(5);
  EXPECT_THAT(to_text(c), Not(HasSubstr("left out")));
}

TEST(report, a_read_says_which_write_above_it_does_not_see) {
  counterexample c = message_lost();
  const auto on_ready = [](unsigned thread, step_kind kind, std::uint64_t read,
                           std::uint64_t written, std::optional<std::size_t> from) {
    return step{thread, kind, "access", from, "ready", read, written, at("send", 20)};
  };
  c.steps = {on_ready(1, step_kind::store, 0, 1, {}),  //
             on_ready(1, step_kind::store, 0, 2, {}),  //
             on_ready(2, step_kind::load, 1, 0, 0),    //
             on_ready(2, step_kind::load, 2, 0, 1),    //
             on_ready(3, step_kind::load, 0, 0, {})};  //
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("access, from #1 (not #2)\n"));
  EXPECT_THAT(text, HasSubstr("access, from #2\n"));
  EXPECT_THAT(text, HasSubstr("access, initial value (not #2)\n"));
  EXPECT_THAT(text, HasSubstr("(not #2): #2 writes to the same location"));
}

// If only the source of one half is known, a write that may be the source of the other half is not
// said to be passed over.
TEST(report, words_of_halves) {
  counterexample c = message_lost();
  c.steps = {
      {1, step_kind::store, "store relaxed a:b := 0x200000001", {}, "a:b", 0, 0x200000001, {}},
      {1, step_kind::store, "store relaxed b := 3", {}, "b", 0, 3, {}},
      {2, step_kind::load, "load relaxed a:b = 0x200000001", 0, "a:b", 0x200000001, 0, {}},
      {2, step_kind::load, "load relaxed a:b = 0x300000001", 0, "a:b", 0x300000001, 0, {}},
      {2, step_kind::load, "load relaxed b = 2", 0, "b", 2, 0, {}},
      {1, step_kind::store, "store relaxed a:b := 0x700000009", {}, "a:b", 0, 0x700000009, {}},
      {2, step_kind::load, "load relaxed a:b = 0x300000009", 5, "a:b", 0x300000009, 0, {}}};
  const std::string text = to_text(c);
  EXPECT_THAT(text, HasSubstr("store relaxed a:b := 2:1\n"));
  EXPECT_THAT(text, HasSubstr("load relaxed a:b = 2:1, from #1 (not #2)\n"));
  EXPECT_THAT(text, HasSubstr("load relaxed a:b = 3:1, from #1\n"));
  EXPECT_THAT(text, HasSubstr("load relaxed b = 2, from #1 (not #2)\n"));
  EXPECT_THAT(text, HasSubstr("load relaxed a:b = 3:9, from #6\n"));
}

TEST(report, a_long_line_of_code_is_cut) {
  counterexample c = message_lost();
  constexpr auto here = __LINE__ + 1;
  // ready.store(1, std::memory_order_relaxed), and a great deal more that nobody wants to read here
  c.steps[3].where = {__FILE__, "send", here, 0};
  text_style style;
  style.width = 80;
  const std::string text = to_text(c, style);
  EXPECT_LE(widest_line(text), 80u);
  EXPECT_THAT(text, HasSubstr("ready.store(1, relaxed)"));
  EXPECT_THAT(text, HasSubstr("...\n"));
}

TEST(report, a_counterexample_without_steps_is_a_message_and_its_meaning) {
  counterexample c;
  c.kind = violation::leak;
  c.message = "16 bytes";
  EXPECT_EQ(to_text(c), "leak: 16 bytes\nA block is still allocated when the execution ends.\n");
}

TEST(report, a_function_is_called_by_its_name_alone) {
  const auto name = [](const char* function) {
    counterexample c = message_lost();
    c.where = {"kit/mailbox.hpp", function, 28, 0};
    const std::string text = to_text(c);
    const std::size_t begin = text.find(":28, in ") + 8;
    return text.substr(begin, text.find(", by thread 2") - begin);
  };
  EXPECT_EQ(name("receive"), "receive()");
  EXPECT_EQ(name("kit::mailbox::receive(int) const"), "receive()");
  EXPECT_EQ(name("(anonymous namespace)::receive()"), "receive()");
  EXPECT_EQ(name("(anonymous namespace)::box<int (*)(int)>::~box()"), "~box()");
  EXPECT_EQ(name("kit::queue<std::pair<int, int>, 2>::push(std::pair<int, int>)"), "push()");
  EXPECT_EQ(name("void kit::each<int, kit::all<int> >(int&&)"), "each()");
  EXPECT_EQ(name("kit::operator<(kit::a const&, kit::b const&)"), "operator<()");
  EXPECT_EQ(name("std::ostream& kit::operator<< <int>(std::ostream&, int)"), "operator<<()");
  EXPECT_EQ(name("main::{lambda(kit::box<int>&)#1}::operator()(kit::box<int>&) const"),
            name("operator()"));
}

TEST(report, colour_only_on_request) {
  text_style style;
  EXPECT_THAT(to_text(message_lost(), style), Not(HasSubstr("\033")));
  style.color = true;
  EXPECT_THAT(to_text(message_lost(), style), HasSubstr("\033["));
}

TEST(report, exhaustive_is_said_only_of_what_was) {
  result r;
  r.executions = 1000;
  r.fraction = 0.02;
  r.limit = "the limit of 1000 executions";
  for (const verdict v : {verdict::verified, verdict::violated, verdict::incomplete}) {
    r.outcome = v;
    const bool said = to_text(r).find("exhaustive") != std::string::npos;
    EXPECT_EQ(said, v == verdict::verified) << to_text(r);
  }
}

TEST(report, without_a_complete_execution_nothing_is_verified) {
  result r;
  r.outcome = verdict::verified;
  r.blocked = 7;
  r.fraction = 1;
  const std::string text = to_text(r);
  EXPECT_THAT(text, HasSubstr("nothing is shown: no execution is complete under rc20"));
  EXPECT_THAT(text, Not(HasSubstr("verified")));
  EXPECT_THAT(text, Not(HasSubstr("exhaustive")));
}

TEST(report, of_many_outcomes_the_first_are_shown) {
  result r;
  r.outcome = verdict::verified;
  r.executions = 1000;
  for (int i = 1000; i < 2000; ++i) r.outcomes[std::to_string(i)] = 1;
  const std::string text = to_text(r);
  EXPECT_THAT(text, HasSubstr("  1049              1\n"));
  EXPECT_THAT(text, Not(HasSubstr("  1050 ")));
  EXPECT_THAT(text, HasSubstr("... 950 more ...\n"));
}

TEST(report, results_in_words) {
  result r;
  r.outcome = verdict::incomplete;
  r.executions = 1000;
  r.blocked = 1;
  r.whole = verify::estimated{20, 50'000, 12'345, 2'000'000'000};
  r.seconds = 0.5;
  r.threads = 1;
  r.events = 9;
  r.limit = "the limit of 1000 executions";
  r.outcomes = {{"0, 1", 990}, {"1, 1", 10}};
  EXPECT_EQ(to_text(r), R"(incomplete under rc20: the limit of 1000 executions
  1,000 executions, 1 blocked, at most 1 thread and 9 events, 0.50 s, of about 12,000 to
  2,000,000,000 executions or more in all. Nothing is known of the rest.
  outcome  executions
  0, 1            990
  1, 1             10
)");
}

TEST(text, numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(~std::uint64_t{0}), "18,446,744,073,709,551,615");
  EXPECT_EQ(rounded(0), "0");
  EXPECT_EQ(rounded(99.4), "99");
  EXPECT_EQ(rounded(99.6), "100");
  EXPECT_EQ(rounded(1'249'999), "1,200,000");
  EXPECT_EQ(rounded(1.26e21), "1.3e+21");
  EXPECT_EQ(duration(-1), "0.00 s");
  EXPECT_EQ(duration(9.99), "9.99 s");
  EXPECT_EQ(duration(9.999), "10.0 s");
  EXPECT_EQ(duration(99.99), "1 min 40 s");
  EXPECT_EQ(duration(3599.7), "1 h 00 min");
  EXPECT_EQ(duration(1e300), "years");
  EXPECT_EQ(percent(0), "0 %");
  EXPECT_EQ(percent(1e-9), "< 0.1 %");
  EXPECT_EQ(percent(0.034), "3.4 %");
  EXPECT_EQ(percent(0.9999), "99 %");
  EXPECT_EQ(percent(1), "100 %");
}

TEST(text, wrapping) {
  EXPECT_THAT(wrapped("", 10), ElementsAre(""));
  EXPECT_THAT(wrapped("one two three", 7), ElementsAre("one two", "three"));
  EXPECT_THAT(wrapped("one\ntwo", 10), ElementsAre("one", "two"));
  EXPECT_THAT(wrapped("abcdefgh", 3), ElementsAre("abc", "def", "gh"));
  EXPECT_THAT(wrapped("é é é", 3), ElementsAre("é é", "é"));
  EXPECT_EQ(columns("é…"), 2u);
  EXPECT_EQ(shortened("abcdef", 6), "abcdef");
  EXPECT_EQ(shortened("abcdefg", 6), "abc...");
}

}  // namespace
}  // namespace fencepost::verify
