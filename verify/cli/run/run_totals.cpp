#include "run/run_totals.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "result_json/result_json.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {

run_totals totals_of(const std::vector<const entry*>& selected,
                     const std::vector<finished_job>& done) {
  run_totals t;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    const verify::result& r = done[i].result;
    if (!done[i].ran) {
      ++t.not_run;
      continue;
    }
    t.executions += r.executions;
    t.blocked += r.blocked;
    switch (judge(about, r)) {
      case standing::as_expected: ++t.as_expected; break;
      case standing::unexpected: ++t.unexpected; break;
      case standing::incomplete: ++t.incomplete; break;
    }
    if (r.recheck) add(t.recheck, *r.recheck);
    if (r.limit == "samples" || r.limit == "preemptions") ++t.in_part;
    if (r.outcome == verify::verdict::violated && judge(about, r) == standing::as_expected) {
      ++t.violated_as_expected;
    }
    if (r.outcome != verify::verdict::verified || r.executions == 0) continue;
    ++t.verified;
    t.threads = std::max(t.threads, r.threads);
    t.events = std::max(t.events, r.events);
    if (r.symmetric != 0) ++t.symmetric;
    if (r.atomics != 0 && r.plain == 0) ++t.no_data;
    if (!holds_with_load_buffering(r)) ++t.load_buffering;
    t.spurious_failures = std::max(t.spurious_failures, about.spurious_failures);
  }
  return t;
}

json to_json(const run_totals& t) {
  json j{{"scenarios", t.as_expected + t.unexpected + t.incomplete + t.not_run},
         {"as_expected", t.as_expected},
         {"unexpected", t.unexpected},
         {"incomplete", t.incomplete},
         {"not_run", t.not_run},
         {"executions", t.executions},
         {"blocked", t.blocked}};
  if (t.recheck.graphs != 0) j["recheck"] = verify::to_json(t.recheck);
  return j;
}

}  // namespace fencepost::cli
