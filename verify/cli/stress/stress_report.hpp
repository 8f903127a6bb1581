// What fencepost stress prints, in jcstress's form, and what it writes for other programs.
#pragma once

#include <string>

#include "base/screen.hpp"
#include "stress/stress_results.hpp"

namespace fencepost::cli {

class stress_report {
 public:
  stress_report(screen& out, std::string program) : out_(out), program_(std::move(program)) {}

  // A table of what each machine shows of relaxed accesses, and what that means.
  void calibration_of(const calibration&) const;
  // The heading of what follows; `name`: the columns of the longest name.
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

// JUnit's XML: a test case a scenario, the shapes of the calibration among them. What broke is a
// failure; what was not run, or not seen although it is expected, is skipped.
std::string to_junit(const stress_results&);

}  // namespace fencepost::cli
