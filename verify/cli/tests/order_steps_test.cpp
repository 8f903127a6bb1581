#include "source/order_steps.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fencepost::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using verify::access;
using verify::asked_for;
using verify::order;

// Each weaker order in words, such as "acquire loses release".
std::vector<std::string> steps(const asked_for& a) {
  std::vector<std::string> words;
  for (const order_step& s : weaker(a)) words.push_back(s.name + " loses " + s.lost);
  return words;
}

TEST(order_steps, a_load_and_a_store_have_two) {
  EXPECT_THAT(steps({access::load, order::seq_cst}), ElementsAre("acquire loses seq_cst"));
  EXPECT_THAT(steps({access::load, order::acquire}), ElementsAre("relaxed loses acquire"));
  EXPECT_THAT(steps({access::load, order::relaxed}), IsEmpty());
  EXPECT_THAT(steps({access::store, order::seq_cst}), ElementsAre("release loses seq_cst"));
  EXPECT_THAT(steps({access::store, order::release}), ElementsAre("relaxed loses release"));
  EXPECT_THAT(steps({access::store, order::relaxed}), IsEmpty());
}

TEST(order_steps, a_read_modify_write_loses_each_half_on_its_own) {
  EXPECT_THAT(steps({access::read_modify_write, order::seq_cst}),
              ElementsAre("acq_rel loses seq_cst"));
  EXPECT_THAT(steps({access::read_modify_write, order::acq_rel}),
              ElementsAre("acquire loses release", "release loses acquire"));
  EXPECT_THAT(steps({access::read_modify_write, order::release}),
              ElementsAre("relaxed loses release"));
  EXPECT_THAT(steps({access::read_modify_write, order::relaxed}), IsEmpty());
}

TEST(order_steps, a_compare_exchange_has_its_failure_and_its_strength_too) {
  EXPECT_THAT(steps({access::compare_exchange, order::acquire, order::acquire, false}),
              ElementsAre("relaxed loses acquire", "relaxed on failure loses acquire on failure",
                          "weak loses strong"));
  EXPECT_THAT(steps({access::compare_exchange, order::relaxed, order::seq_cst, true}),
              ElementsAre("acquire on failure loses seq_cst on failure"));
  EXPECT_THAT(steps({access::compare_exchange, order::relaxed, order::relaxed, true}), IsEmpty());
}

TEST(order_steps, a_fence_can_go) {
  EXPECT_THAT(steps({access::fence, order::seq_cst}),
              ElementsAre("acq_rel loses seq_cst", "removed loses fence"));
  EXPECT_THAT(steps({access::fence, order::release}), ElementsAre("removed loses release"));
}

// Each step makes the operation a different one that C++ allows.
TEST(order_steps, each_step_is_a_change_that_fits) {
  for (const access what : {access::load, access::store, access::read_modify_write,
                            access::compare_exchange, access::fence}) {
    for (const order o :
         {order::relaxed, order::acquire, order::release, order::acq_rel, order::seq_cst}) {
      if (!is_allowed(what, o)) continue;
      const asked_for a{what, o, order::acquire, false};
      for (const order_step& s : weaker(a)) {
        const verify::order_change c{"x.hpp", 1, 0, s.which, s.to};
        EXPECT_TRUE(c.fits(a)) << to_string(what) << " " << s.name;
        EXPECT_NE(c.applied_to(a), a) << to_string(what) << " " << s.name;
      }
    }
  }
}

}  // namespace
}  // namespace fencepost::cli
