// What a check of a program prints at its end: its verdict, and what that does not cover.
#pragma once

#include "coverage.hpp"
#include "fencepost/verify/result.hpp"
#include "settings.hpp"

namespace fencepost::programs {

class printed_check {
 public:
  printed_check(const settings& s, const coverage& c) : settings_(s), coverage_(c) {}

  void print(const verify::result&) const;
  // Returns the exit status. If a violation was expected, prints whether there was one.
  [[nodiscard]] int print_status(const verify::result&) const;

 private:
  const settings& settings_;
  const coverage& coverage_;
};

}  // namespace fencepost::programs
