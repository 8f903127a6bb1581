// Why an execution could go wrong: what is not ordered in it, and what would have ordered it.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "shown_execution.hpp"

namespace fencepost::verify {

struct diagnosis {
  std::string words;  // a sentence or two; "" if there is nothing to say
  // Pairs of steps: the second is not ordered after the first, although it should be.
  std::vector<std::pair<std::size_t, std::size_t>> unordered;
  std::vector<std::size_t> marked;  // other steps that the words are about
};

// `shown` must be that of `c`.
diagnosis diagnose(const counterexample& c, const shown_execution& shown);
std::string what_went_wrong(const counterexample&, const place_names*);

}  // namespace fencepost::verify
