// What the verdict on a program does not cover, beyond what no verdict covers.
#pragma once

#include <string>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "image.hpp"
#include "session.hpp"

namespace fencepost::programs {

struct coverage {
  std::vector<std::string> compilers;
  std::vector<std::string> libraries;  // code there is not watched
  std::vector<std::string> parts;      // source files not compiled by fencepost c++ or cc
  bool hides_structures = false;       // compiled by a gcc without the plugin
  bool is_optimized = false;
  unsigned threads_without_atomics = 0;
  bool depends_on_addresses = false;  // that could be reused, but were not (ABA)
  bool has_left_threads = false;      // that were waiting when main() had returned
  bool has_failed_assumptions = false;

  // A sentence for each of these, except the compilers.
  [[nodiscard]] std::vector<std::string> in_words() const;
};

[[nodiscard]] coverage coverage_of(const verify::result&, const verify::options&, const image&,
                                   const session&);

[[nodiscard]] std::string in_one_line(const std::vector<std::string>& names);

}  // namespace fencepost::programs
