#include "real_threads.hpp"

#include <gtest/gtest.h>

namespace fencepost::models {

void tally::broken(const char* what, source_location where) {
  std::lock_guard lock{mutex_};
  ++broken_[std::string(where.file) + ":" + std::to_string(where.line) + ": " + what];
}

void tally::record(std::string_view outcome) {
  std::lock_guard lock{mutex_};
  ++outcomes_[std::string(outcome)];
}

void tally::expect_nothing_broken(unsigned executions) const {
  for (const auto& [claim, times] : broken_) {
    ADD_FAILURE() << claim << " does not hold, " << times << " times in " << executions;
  }
}

void tally::expect_outcomes_among(std::span<const known_outcome> known) const {
  for (const auto& [outcome, times] : outcomes_) {
    EXPECT_TRUE(allows(known, outcome))
        << outcome << " is forbidden, and was seen " << times << " times";
  }
}

}  // namespace fencepost::models
