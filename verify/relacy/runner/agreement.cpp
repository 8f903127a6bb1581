#include "agreement.hpp"

#include <algorithm>

#include "differences.hpp"

namespace fencepost::relacy {
namespace {

// Relacy does not distinguish some kinds that the checker does: it looks an object up before it
// accesses it, so that a null pointer is reported as freed memory and raises no signal; and it
// recognizes an endless loop only by the number of steps.
bool same_kind(violation a, violation b) {
  const auto of_relacy = [](violation v) {
    if (v == violation::crash) return violation::use_after_free;
    if (v == violation::no_progress) return violation::liveness;
    return v;
  };
  return of_relacy(a) == of_relacy(b);
}

bool any(const row& r, verdict v) {
  return std::ranges::any_of(r.runs, [&](const row::run& run) { return run.result.verdict == v; });
}

}  // namespace

const row::run* row::violated() const {
  const run* other_kind = nullptr;
  for (const run& r : runs) {
    if (r.result.verdict != verdict::violated) continue;
    if (same_kind(r.result.kind, what->about.expected)) return &r;
    if (other_kind == nullptr) other_kind = &r;
  }
  return other_kind;
}

standing judge(const row& r) {
  const scenario& about = r.what->about;
  if (r.what->run == nullptr || any(r, verdict::skipped)) return standing::skipped;
  const bool explained = rule_for(about.name) != nullptr;
  const row::run* bad = r.violated();
  const bool as_expected = must_be_violated(about)
                               ? bad != nullptr && same_kind(bad->result.kind, about.expected)
                               : bad == nullptr;
  if (!as_expected && bad != nullptr) return explained ? standing::explained : standing::differs;
  if (any(r, verdict::broken)) return explained ? standing::explained : standing::broken;
  const bool cut =
      std::ranges::any_of(r.runs, [](const row::run& run) { return run.result.cut_short; });
  if (!as_expected) {
    return explained ? standing::explained : cut ? standing::incomplete : standing::differs;
  }
  if (explained) return standing::agrees_now;
  return cut && bad == nullptr ? standing::incomplete : standing::agrees;
}

std::string_view in_words(standing s) {
  switch (s) {
    case standing::agrees: return "agrees";
    case standing::explained: return "differs, explained";
    case standing::differs: return "DIFFERS";
    case standing::agrees_now: return "agrees";
    case standing::broken: return "BROKEN";
    case standing::incomplete: return "cut short";
    case standing::skipped: return "skipped";
  }
  return "?";
}

int status_of(const std::vector<row>& rows) {
  int status = 0;
  for (const row& r : rows) {
    const standing s = judge(r);
    if (s == standing::differs || s == standing::broken) return 1;
    if (s == standing::incomplete) status = 3;
  }
  return status;
}

std::string expectation(const scenario& s) {
  return must_be_violated(s) ? std::string(to_string(s.expected)) : "holds";
}

}  // namespace fencepost::relacy
