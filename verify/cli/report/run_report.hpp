// A run of fencepost verify, in the formats that other programs read.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

struct run_report {
  const std::vector<const entry*>& scenarios;
  const std::vector<finished_job>& done;  // one for each of them
  std::string model = "rc20";             // or "sc", where all accesses are sequentially consistent
  double seconds = 0;
  exit_status status = exit_as_expected;
  bool accept_incomplete = false;
  std::string command = "verify";
  std::vector<std::string> compilers = {};  // of a program that was checked as it is
  std::vector<std::string> notes = {};      // what the verdicts on it do not cover
};

// JUnit XML: a test suite for each component, a test case for each scenario. An unexpected result
// is a failure, an incomplete one an error, or skipped if that is accepted; a scenario that was not
// run is skipped.
std::string to_junit(const run_report&);

// SARIF 2.1.0: a result for each scenario that is not as expected (error) or incomplete (warning),
// with the steps of its counterexample as a code flow; what the verdicts do not cover as
// notifications. Files are named relative to the source tree.
json to_sarif(const run_report&);

// A self-contained page: the table of scenarios, and for each violated one its execution graph, to
// be stepped through with the source beside it.
std::string to_html(const run_report&);

// Escapes text for XML: between tags, or in an attribute, where newlines must be kept.
std::string xml_text(const std::string&);
// Returns "The shortest of 12 counterexamples that were found.", or that it is the first one; "" if
// there is none.
std::string which_counterexample(const verify::result&);
// Says in one line what is wrong with a scenario that is not as expected.
std::string what_is_wrong(const scenario&, const finished_job&);

}  // namespace fencepost::cli
