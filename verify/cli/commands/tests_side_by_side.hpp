// Tests of a program, each in a process of its own, as many at once as there may be.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "commands/program_reports.hpp"

namespace fencepost::cli {

class tests_side_by_side {
 public:
  // `settings`: FENCEPOST_CHECK, but for how many processes each may use. The last tests share
  // those that are left.
  tests_side_by_side(std::vector<std::string> program, std::string settings, unsigned jobs)
      : program_(std::move(program)), settings_(std::move(settings)), jobs_(jobs) {}

  // Tells of each as if they were run one after the other: in this order, and as soon as all before
  // it are done. On an interrupt no more are started, and those that run are asked to stop.
  void run(const std::vector<std::string>& names,
           const std::function<void(const named_run&)>& done);

 private:
  std::vector<std::string> program_;
  std::string settings_;
  unsigned jobs_;
};

}  // namespace fencepost::cli
