#include "report/run_report.hpp"

#include <nlohmann/json.hpp>

#include "fencepost/verify/report.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {

std::string which_counterexample(const verify::result& r) {
  if (!r.violation || r.violation->steps.empty()) return {};
  if (r.violations < 2) return "The first counterexample that was found.";
  return "The shortest of " + verify::grouped(r.violations) + " counterexamples that were found.";
}

std::string what_is_wrong(const scenario& about, const finished_job& done) {
  const verify::result& r = done.result;
  std::string text = std::string(about.name) + ": " + describe(about, r);
  if (r.violation) {
    text += ": " + r.violation->message;
    if (const std::string why = what_went_wrong(*r.violation); !why.empty()) text += ". " + why;
  }
  if (!about.claim.empty())
    text += (text.ends_with('.') ? " " : ". ") + ("Claim: " + std::string(about.claim));
  return text;
}

}  // namespace fencepost::cli
