// What a check of a program prints when it is over: its verdict, and what that does not cover.
#pragma once

#include <string>

#include "fencepost/verify/result.hpp"
#include "image.hpp"
#include "session.hpp"
#include "settings.hpp"

namespace fencepost::programs {

class printed_check {
 public:
  printed_check(const settings& s, const image& p, const session& of)
      : settings_(s), program_(p), session_(of) {}

  void print(const verify::result&) const;
  // Was it what was expected? Says so where a violation was.
  [[nodiscard]] int print_status(const verify::result&) const;

 private:
  void print_not_covered(const verify::result&) const;

  const settings& settings_;
  const image& program_;
  const session& session_;
};

}  // namespace fencepost::programs
