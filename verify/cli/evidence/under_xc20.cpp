#include "evidence/under_xc20.hpp"

#include <fmt/format.h>

#include "fencepost/verify/report.hpp"

namespace fencepost::cli {

using verify::verdict;

buffered known_under_xc20(const verify::result& r,
                          const std::optional<verify::result>& under_xc20) {
  if (r.outcome == verdict::verified && r.load_buffering.empty() &&
      r.model == verify::memory_model::rc20)
    return buffered::no_race;
  if (!under_xc20) return buffered::not_explored;
  const verify::result& x = *under_xc20;
  if (x.outcome == verdict::violated) return buffered::violated;
  const bool resolved = x.reexecutions && x.reexecutions->open.empty();
  if (x.outcome == verdict::verified && resolved)
    return x.reexecutions->exhaustive ? buffered::in_full : buffered::within_limit;
  return x.limit == "load buffering" ? buffered::not_resolved : buffered::too_large;
}

std::string in_words(buffered b, const std::optional<verify::result>& under_xc20) {
  switch (b) {
    case buffered::no_race: return "holds: no load-buffering race";
    case buffered::in_full: return "holds";
    case buffered::within_limit:
      return fmt::format("holds within {} re-executions", under_xc20->reexecutions->limit);
    case buffered::not_resolved:
    case buffered::too_large: return "not known: " + why_incomplete(*under_xc20);
    case buffered::violated: {
      const auto& found = under_xc20->violation;
      return "violated: " + std::string(to_string(found ? found->kind : violation::crash));
    }
    case buffered::not_explored: return "not explored";
  }
  return "?";
}

bool is_open_under_xc20(const verify::result& r) {
  return r.model == verify::memory_model::rc20 && r.outcome == verdict::verified &&
         r.executions != 0 && !r.load_buffering.empty();
}

verify::options options_under_xc20(const entry& e, const common_options& common,
                                   const limit_options& limits, const verify::result& under_rc20,
                                   std::uint64_t runs) {
  verify::options how = options_for(e, common, limits);
  how.model = verify::memory_model::xc20;
  how.recheck = false;
  how.estimate = false;
  how.timeout = std::chrono::milliseconds(0);
  how.max_executions = under_rc20.executions + under_rc20.blocked + runs;
  return how;
}

}  // namespace fencepost::cli
