#include "run/judgement.hpp"

#include <algorithm>

#include "fencepost/verify/report.hpp"

namespace fencepost::cli {

using verify::verdict;

std::string_view to_string(standing s) noexcept {
  switch (s) {
    case standing::as_expected: return "as expected";
    case standing::unexpected: return "unexpected";
    case standing::incomplete: return "incomplete";
  }
  return "?";
}

namespace {

bool is_rejected(const verify::result& r) noexcept { return r.recheck && r.recheck->rejected != 0; }
bool is_not_shown(const verify::result& r) noexcept {
  return r.violation && !r.violation->came_again;
}

}  // namespace

standing judge(const scenario& about, const verify::result& result) noexcept {
  if (is_rejected(result) || is_not_shown(result)) return standing::unexpected;
  if (result.outcome == verdict::incomplete) return standing::incomplete;
  // If every run was abandoned, nothing was shown, whatever was expected.
  if (result.outcome == verdict::verified && result.executions == 0) return standing::unexpected;
  const violation found = result.outcome == verdict::verified ? violation::none
                          : result.violation                  ? result.violation->kind
                                                              : violation::crash;
  return found == about.expected ? standing::as_expected : standing::unexpected;
}

std::string describe(const scenario& about, const verify::result& result) {
  const std::string wanted(to_string(about.expected));
  if (is_rejected(result)) return "a fault of the checker: the axioms reject a graph";
  if (result.outcome == verdict::incomplete) {
    return "incomplete: " + why_incomplete(result);
  }
  const bool as_expected = judge(about, result) == standing::as_expected;
  if (result.outcome == verdict::verified && result.executions == 0) {
    return "no execution is complete: nothing is shown";
  }
  if (result.outcome == verdict::verified) {
    return as_expected ? "verified" : "no violation found, expected: " + wanted;
  }
  const std::string found(to_string(result.violation ? result.violation->kind : violation::crash));
  if (as_expected) return "violated, as expected (" + found + ")";
  if (is_not_shown(result)) return "violated: " + found + ", but not when it was run again";
  return "violated: " + found + (about.expected == violation::none ? "" : ", expected: " + wanted);
}

void add(verify::rechecked& sum, const verify::rechecked& more) {
  if (sum.rejected == 0) {
    sum.why = more.why;
    sum.graph = more.graph;
  }
  sum.graphs += more.graphs;
  sum.confirmed += more.confirmed;
  sum.rejected += more.rejected;
  for (const auto& [reason, times] : more.not_held) sum.not_held[reason] += times;
}

std::string in_words(const verify::rechecked& r) {
  std::string text = verify::grouped(r.confirmed) + " of " + verify::grouped(r.graphs) +
                     (r.graphs == 1 ? " graph" : " graphs") +
                     " confirmed by a second implementation";
  if (r.rejected != 0) text += ", " + verify::grouped(r.rejected) + " rejected";
  for (const auto& [reason, times] : r.not_held) {
    text += ", " + verify::grouped(times) + " not judged (" + reason + ")";
  }
  return text + ".";
}

std::string expectation(const scenario& about) {
  if (about.expected == violation::none) return "to hold";
  return "to be violated (" + std::string(to_string(about.expected)) + ")";
}

exit_status status_of(const std::vector<standing>& all, bool accept_incomplete) noexcept {
  const auto any = [&](standing s) { return std::find(all.begin(), all.end(), s) != all.end(); };
  if (any(standing::unexpected)) return exit_unexpected;
  return any(standing::incomplete) && !accept_incomplete ? exit_incomplete : exit_as_expected;
}

}  // namespace fencepost::cli
