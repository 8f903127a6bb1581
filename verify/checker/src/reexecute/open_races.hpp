// The load-buffering races that were not explored in full, each with its reason, once.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class open_races {
 public:
  void clear() noexcept { all_.clear(); }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  void add(source_location read, source_location write, std::string why) {
    const bool known = std::any_of(all_.begin(), all_.end(), [&](const auto& o) {
      return o.read == read && o.write == write && o.why == why;
    });
    if (!known) all_.push_back({read, write, std::move(why)});
  }
  [[nodiscard]] std::vector<reexecuted::open_race> take() { return std::move(all_); }

 private:
  std::vector<reexecuted::open_race> all_;
};

}  // namespace fencepost::verify
