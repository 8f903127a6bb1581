// An exploration in several sittings, and in parts that are explored separately and combined.
#include <gmock/gmock.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checkpoint.hpp"
#include "judged_programs.hpp"
#include "known_programs.hpp"
#include "programs.hpp"
#include "random_programs.hpp"
#include "resumed.hpp"
#include "sittings.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::HasSubstr;

// Explores in parts, in any order, which are divided again if they are large.
result in_parts(const known_program& p, std::size_t parts, std::mt19937& random) {
  constexpr int most = 1'000;
  options o = p.bounds;
  std::string left;
  for (int i = 0; i < most; ++i) {
    o.parts = parts;
    o.before_parts = std::chrono::milliseconds(0);
    sitting s = sit(o, p.body, left);
    if (s.found.limit != "parts") return s.found;
    o.parts = 0;
    checkpoint all(s.left);
    EXPECT_GE(all.parts(), parts);
    std::vector<std::string> results;
    for (std::size_t n = 0; n < all.parts(); ++n) {
      o.max_executions = random() % 4 == 0 ? 1 + random() % 20 : 0;
      results.push_back(sit(o, p.body, all.part(n).text()).left);
    }
    o.max_executions = 0;
    std::shuffle(results.begin(), results.end(), random);
    if (random() % 2 == 0) results.pop_back();  // one is lost
    for (const std::string& r : results) {
      try {
        all.put(checkpoint(r));
      } catch (const std::invalid_argument&) {
        // The part lies behind what ends the exploration.
      }
    }
    left = all.text();
  }
  ADD_FAILURE() << p.name << " comes to no end";
  return {};
}

std::vector<known_program> programs() {
  std::vector<known_program> all = programs_of_every_kind();
  std::erase_if(all, [](const known_program& p) {
    return p.bounds.keep_going || p.bounds.samples != 0 || p.bounds.examples != 0;
  });
  return all;
}

TEST(sittings, are_one_exploration) {
  for (const known_program& p : programs())
    for (const std::uint64_t runs : {1U, 7U})
      EXPECT_EQ(difference(p, in_one_piece(p), in_sittings(p, runs)), "");
}

// Whichever run is the last of a sitting, including one that has passed on to others.
TEST(sittings, from_resume_points_are_one_exploration) {
  for (const known_program& p : programs_to_resume())
    for (const std::uint64_t runs : {17U, 18U, 19U, 20U, 21U, 40U})
      EXPECT_EQ(difference_in_sittings(p, runs), "") << runs;
}

TEST(sittings, of_parts_that_are_put_together_are_one_exploration) {
  std::mt19937 random(1);
  for (const known_program& p : programs())
    for (const std::size_t parts : {2U, 5U, 30U})
      EXPECT_EQ(difference(p, in_one_piece(p), in_parts(p, parts, random)), "");
}

TEST(sittings, of_random_programs_are_one_exploration) {
  std::mt19937 random(3);
  for (unsigned seed = 0; seed < 60; ++seed) {
    const known_program p = random_program(seed);
    const result whole = in_one_piece(p);
    EXPECT_EQ(difference(p, whole, in_sittings(p, 5 + seed % 9)), "");
    EXPECT_EQ(difference(p, whole, in_parts(p, 2 + seed % 7, random)), "");
  }
}

TEST(sittings, find_the_first_violation) {
  std::mt19937 random(2);
  for (const judged_program& j : programs_that_block()) {
    const known_program p{j.name, 0, j.body, j.bounds};
    const result whole = in_one_piece(p);
    EXPECT_EQ(difference(p, whole, in_sittings(p, 3)), "");
    EXPECT_EQ(difference(p, whole, in_parts(p, 4, random)), "");
  }
}

// ---- what is kept ----

template <unsigned Threads>
void increments() {
  checked::atomic<int> x{0};
  in_threads(Threads, [&](unsigned) { x.fetch_add(1, relaxed); });
}

std::string left_of(std::uint64_t runs) {
  options o;
  o.max_executions = runs;
  return sit(o, increments<3>, "").left;
}

TEST(checkpoints, say_how_far_it_is) {
  const checkpoint c(left_of(3));
  EXPECT_FALSE(c.is_complete());
  EXPECT_FALSE(c.is_violated());
  EXPECT_EQ(c.executions(), 3U);
  EXPECT_EQ(c.parts(), 1U);
  EXPECT_FALSE(c.whole()) << "nothing is estimated unless it is asked for";
  EXPECT_EQ(checkpoint(c.text()).text(), c.text());
  EXPECT_THROW(static_cast<void>(c.part(1)), std::out_of_range);
  EXPECT_TRUE(checkpoint(left_of(100)).is_complete());
}

TEST(checkpoints, a_limit_of_executions_is_of_the_sitting) {
  options o;
  o.max_executions = 2;
  sitting s = sit(o, increments<3>, "");
  for (const std::uint64_t executions : {2U, 4U}) {
    EXPECT_EQ(s.found.limit, "max_executions");
    EXPECT_EQ(s.found.executions, executions);
    s = sit(o, increments<3>, s.left);
  }
  EXPECT_EQ(s.found.outcome, verdict::verified);
  EXPECT_EQ(s.found.executions, 6U);
}

// The first execution is right, and the wrong one that comes next does more than the violation
// needs.
void broken_after_nine_events_or_two() {
  checked::atomic<int> x{0}, y{0};
  in_threads(2, [&](unsigned i) {
    if (i == 1) {
      x.store(1, relaxed);
      x.store(2, relaxed);
      return;
    }
    const int seen = x.load(relaxed);
    if (seen == 1) {
      for (int step = 0; step < 8; ++step) y.fetch_add(1, relaxed);
    }
    require(seen == 2, seen == 1 ? "broken after nine events" : "broken after two events");
  });
}
TEST(checkpoints, a_limit_of_time_is_of_the_sitting) {
  options o;
  o.max_executions = 1;
  std::string left = sit(o, broken_after_nine_events_or_two, "").left;
  const std::string_view word = "\nseconds ";
  const std::size_t begin = left.find(word) + word.size();
  left.replace(begin, left.find('\n', begin) - begin, "1000");
  o.max_executions = 0;
  const auto message = [&] {
    const sitting s = sit(o, broken_after_nine_events_or_two, left);
    EXPECT_GE(s.found.seconds, 1000);
    return s.found.violation ? s.found.violation->message : "";
  };
  EXPECT_EQ(message(), "broken after nine events");
  o.shorten = 100;
  o.timeout = std::chrono::seconds(500);
  EXPECT_EQ(message(), "broken after two events");
}

TEST(checkpoints, that_are_complete_give_the_result_at_once) {
  options o;
  const sitting s = sit(
      o, [] { FAIL() << "is not run"; }, left_of(100));
  EXPECT_EQ(s.found.outcome, verdict::verified);
  EXPECT_EQ(s.found.executions, 6U);
}

TEST(checkpoints, take_nothing_that_is_not_theirs) {
  options o;
  o.parts = 2;
  o.before_parts = std::chrono::milliseconds(0);
  const std::string divided = sit(o, increments<8>, "").left;
  checkpoint all(divided);
  const std::size_t parts = all.parts();
  ASSERT_GE(parts, 2U);
  const checkpoint explored(sit({}, increments<8>, all.part(1).text()).left);
  EXPECT_EQ(sit({}, increments<8>, all.part(1).text()).found.limit, "part");
  all.put(explored);
  EXPECT_EQ(all.parts(), parts - 1);
  const std::string before = all.text();
  EXPECT_THROW(all.put(explored), std::invalid_argument) << "twice";
  EXPECT_THROW(all.put(checkpoint(left_of(3))), std::invalid_argument) << "of the whole";
  EXPECT_EQ(all.text(), before);
}

TEST(checkpoints, that_are_none_are_refused) {
  const std::string good = left_of(3);
  std::string why;
  const auto refuses = [&](const std::string& text) {
    try {
      const checkpoint c(text);
    } catch (const std::invalid_argument& e) {
      why = e.what();
      return true;
    }
    return false;
  };
  EXPECT_FALSE(refuses(good));
  EXPECT_TRUE(refuses(""));
  EXPECT_TRUE(refuses("fencepost checkpoint 1\n"));
  EXPECT_TRUE(refuses("fencepost checkpoint 2\n"));
  for (std::size_t n = 0; n + 1 < good.size(); ++n)
    EXPECT_TRUE(refuses(good.substr(0, n))) << good.substr(0, n);
  const std::string head = good.substr(0, good.find("end end"));
  EXPECT_FALSE(refuses(head + "end end\nopen begin 0.1\nopen 0.1 end\nparts 2\n"));
  EXPECT_TRUE(refuses(head + "end end\nopen begin 0.1\nopen 0.2 end\nparts 2\n"));
  EXPECT_THAT(why, HasSubstr("follow"));
  EXPECT_TRUE(refuses(head + "end end\nopen begin 0.1\nparts 1\n"));
  EXPECT_THAT(why, HasSubstr("follow"));
  EXPECT_TRUE(refuses(head + "end end\nopen 0.1 0.1\nopen 0.1 end\nparts 2\n"));
  EXPECT_THAT(why, HasSubstr("follow"));
  EXPECT_TRUE(refuses(head + "end end\nclosed begin end 00\nparts 1\n"));
  EXPECT_THAT(why, HasSubstr("result"));
  EXPECT_TRUE(refuses(head + "end end\nwhole 20 many 1 2\nopen begin end\nparts 1\n"));
  EXPECT_THAT(why, HasSubstr("number"));
  const result r = sit({}, increments<3>, "nothing").found;
  EXPECT_EQ(r.outcome, verdict::incomplete);
  EXPECT_THAT(r.limit, HasSubstr("not a checkpoint"));
}

TEST(checkpoints, of_what_one_process_has_to_explore_there_are_none) {
  options o;
  o.samples = 10;
  const sitting s = sit(o, increments<3>, "");
  EXPECT_EQ(s.found.outcome, verdict::incomplete);
  EXPECT_THAT(s.found.limit, HasSubstr("sittings"));
  EXPECT_EQ(s.left, "");
}

}  // namespace
}  // namespace fencepost::verify::testing
