// Counts, for each place in the source, the runs that exist because the access there had
// alternatives: what makes a space large.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

// Returns the index of this place, which is added if it is new.
inline std::size_t index_of(const source_location& where, std::vector<changed_place>& all) {
  const auto at = std::find_if(all.begin(), all.end(), [&](const changed_place& p) {
    return p.where.line == where.line && p.where.column == where.column &&
           std::string_view(p.where.file) == where.file;
  });
  if (at != all.end()) return static_cast<std::size_t>(at - all.begin());
  all.push_back({where, 0});
  return all.size() - 1;
}

inline void add(std::vector<changed_place>& sum, const std::vector<changed_place>& more) {
  for (const changed_place& p : more) sum[index_of(p.where, sum)].runs += p.runs;
}

class changed_places {
 public:
  void begin() noexcept { all_.clear(); }
  // Counts the next run, which differs from this one by a choice of the access there.
  void count(const source_location& where) {
    if (last_ >= all_.size() || all_[last_].where != where) last_ = index_of(where, all_);
    ++all_[last_].runs;
  }
  [[nodiscard]] const std::vector<changed_place>& all() const noexcept { return all_; }

 private:
  std::vector<changed_place> all_;
  std::size_t last_ = 0;
};

}  // namespace fencepost::verify
