// Shared by the tests of Relacy's interface. Include it first, before relacy.hpp's macros are in
// the way; it includes relacy.hpp last.
#pragma once

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "fencepost/compat/relacy.hpp"

namespace fencepost::relacy_testing {

// What simulate() returned and printed.
struct answer {
  bool as_expected = false;
  rl::test_params params;
  std::string said;
};

template <class Suite>
answer simulated(rl::test_params p = {}) {
  std::ostringstream out;
  p.output_stream = &out;
  p.progress_stream = nullptr;
  answer a;
  a.as_expected = rl::simulate<Suite>(p);
  a.params = p;
  a.said = out.str();
  return a;
}

// Succeeds if the suite has the result that it declares.
template <class Suite>
::testing::AssertionResult has_declared_result(const rl::test_params& p = {}) {
  const answer a = simulated<Suite>(p);
  if (a.as_expected && a.params.test_result == Suite::params::expected_result)
    return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << a.said;
}

}  // namespace fencepost::relacy_testing
