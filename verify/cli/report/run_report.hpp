// A run of fencepost verify, in the forms that other programs read.
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

struct run_report {
  const std::vector<const entry*>& scenarios;
  const std::vector<finished_job>& done;  // of each of them
  std::string model = "rc20";             // or "sc", where all accesses are sequentially consistent
  double seconds = 0;
  exit_status status = exit_as_expected;
  bool accept_incomplete = false;
  std::string command = "verify";
  std::vector<std::string> compilers = {};  // of a program that was checked as it is
  std::vector<std::string> notes = {};      // what the verdicts on it do not cover
};

// JUnit's XML: a test suite a component, a test case a scenario. What is not as expected is a
// failure, what is incomplete an error, or skipped if that is accepted; what was not run is
// skipped.
std::string to_junit(const run_report&);

// SARIF 2.1.0: a result for each scenario that is not as expected (error) or incomplete (warning),
// with the steps of its counterexample as a code flow; what the verdicts do not cover as
// notifications. Files are named relative to the source tree.
json to_sarif(const run_report&);

// A page of its own, which fetches nothing: the table of scenarios, and for each that is violated
// its execution graph, to be stepped through, with the source beside it.
std::string to_html(const run_report&);

// For XML: between tags, or in an attribute, where the ends of lines must be kept.
std::string xml_text(const std::string&);
// "The shortest of 12 counterexamples that were found.", or that it is the first one; "" for none.
std::string which_counterexample(const verify::result&);
// One line: what is wrong with a scenario that is not as expected.
std::string what_is_wrong(const scenario&, const finished_job&);

}  // namespace fencepost::cli
