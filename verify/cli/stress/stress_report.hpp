// What fencepost stress prints, in jcstress's form, and what it writes for other programs.
#pragma once

#include <string>

#include "base/screen.hpp"
#include "stress/stress_results.hpp"

namespace fencepost::cli {

class stress_report {
 public:
  stress_report(screen& out, std::string program) : out_(out), program_(std::move(program)) {}

  // Prints a table of what each machine shows of relaxed accesses, and what that means.
  void calibration_of(const calibration&) const;
  // Prints the heading of the scenarios; `name`: the columns of the longest name.
  void begin(std::size_t name);
  void line(const stressed&) const;
  void end(const stress_results&) const;

 private:
  std::string table(const stressed&) const;
  std::string claims(const stressed&) const;
  std::string paragraph(const std::string&) const;

  screen& out_;
  std::string program_;
  std::size_t name_ = 8;
};

// JUnit XML: a test case for each scenario, including the shapes of the calibration. A broken
// scenario is a failure; one that was not run, or was not seen violated as expected, is skipped.
std::string to_junit(const stress_results&);

}  // namespace fencepost::cli
