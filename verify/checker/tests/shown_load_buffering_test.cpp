// Counterexamples of load buffering: which read takes its value from what comes after it, why
// nothing forbids that, and what would.
#include <gmock/gmock.h>

#include <algorithm>

#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/report.hpp"
#include "load_buffering_bodies.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

counterexample found_under_xc20(const std::function<void()>& body) {
  options o;
  o.model = memory_model::xc20;
  return counterexample_in(body, o);
}

std::string text_of(const counterexample& c) {
  text_style style;
  style.width = 400;
  return to_text(c, style);
}

// The first thread's read may come after the second one's store, by way of the reference.
void last_reference_dropped_relaxed() { drop_last_reference(relaxed); }

TEST(shown_load_buffering, the_read_the_store_that_is_not_kept_and_what_would_keep_it) {
  const counterexample c = found_under_xc20(last_reference_dropped_relaxed);
  EXPECT_THAT(c.message, HasSubstr("(load buffering)"));
  EXPECT_THAT(text_of(c), ContainsRegex("load relaxed freed = 1, from #7 below"));
  EXPECT_THAT(what_went_wrong(c),
              ContainsRegex("^thread 1 read freed = 1 \\(#2\\) from the store at "
                            "load_buffering_bodies.hpp:[0-9]+ \\(#7\\), which comes after it: "
                            "load buffering. Nothing keeps the fetch_sub of references at "
                            "load_buffering_bodies.hpp:[0-9]+ \\(#3\\) behind the read: a "
                            "release on #3 would, or an acquire on #2.$"));
}

// The steps show neither how promises are counted nor a choice that the program does not make.
TEST(shown_load_buffering, every_step_is_the_programs) {
  const counterexample c = found_under_xc20(last_reference_dropped_relaxed);
  ASSERT_EQ(c.steps.size(), 10U) << text_of(c);
  EXPECT_EQ(c.steps[1].reads_from, 6U);
  const auto from_below = [&](const edge& e) {
    return e.kind == relation::reads_from && e.from == 6 && e.to == 1;
  };
  EXPECT_EQ(std::count_if(c.edges.begin(), c.edges.end(), from_below), 1);
}

TEST(shown_load_buffering, what_a_read_modify_write_reads_from_below_and_who_reads_it) {
  const counterexample c = found_under_xc20([] {
    checked::atomic<int> a{0}, b{0};
    int first = 0;
    run_threads(3, [&](unsigned index) {
      if (index == 0) {
        first = a.fetch_add(1, relaxed);
        b.store(1, relaxed);
      } else if (index == 1) {
        if (b.load(relaxed) == 1) a.store(1, relaxed);
      } else {
        require(a.load(relaxed) != 2);
      }
    });
  });
  EXPECT_THAT(text_of(c), ContainsRegex("fetch_add relaxed a = 1 := 2, from #[0-9]+ below"));
  EXPECT_THAT(text_of(c), ContainsRegex("load relaxed a = 2, from #[0-9]+\n"));
}

TEST(shown_load_buffering, the_accesses_that_race) {
  const counterexample c = found_under_xc20([] {
    checked::plain<int> data{0};
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        const int read = a.load(relaxed);
        b.store(1, relaxed);
        if (read == 1) data.set(1);
        b.load(relaxed);
      } else {
        static_cast<void>(data.get());
        if (b.load(acquire) == 1) a.store(1, relaxed);
      }
    });
  });
  EXPECT_EQ(c.kind, violation::data_race);
  EXPECT_NE(c.where.line, 0U);
  EXPECT_THAT(text_of(c), HasSubstr("The race is between #"));
  EXPECT_THAT(c.message, ContainsRegex("plain data is (read|written) by thread [12] and "
                                       "(read|written) by thread [12], and neither happens"));
}

TEST(shown_load_buffering, the_read_from_below_is_drawn_upwards) {
  const std::string svg = to_svg(found_under_xc20(last_reference_dropped_relaxed), {});
  EXPECT_THAT(svg, HasSubstr("class=\"edge below\" data-from=\"7\" data-to=\"2\""));
  EXPECT_THAT(svg, HasSubstr("reads from what comes after it (load buffering)"));
  const std::string dot = to_dot(found_under_xc20(last_reference_dropped_relaxed), {});
  EXPECT_THAT(dot, HasSubstr("s7 -> s2"));
}

// A counterexample without a read from below does not speak of load buffering.
TEST(shown_load_buffering, others_do_not_speak_of_it) {
  const result r = check({}, [] {
    checked::atomic<int> a{0};
    run_threads(2, [&](unsigned) { require(a.fetch_add(1, relaxed) == 0); });
  });
  ASSERT_TRUE(r.violation);
  EXPECT_THAT(text_of(*r.violation), Not(HasSubstr("load buffering")));
  EXPECT_THAT(to_svg(*r.violation, {}), Not(HasSubstr("class=\"edge below\"")));
}

}  // namespace
}  // namespace fencepost::verify::testing
