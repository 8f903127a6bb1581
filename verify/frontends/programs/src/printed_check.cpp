#include "printed_check.hpp"

#include <cstdio>
#include <string>

#include "fencepost/verify/annotation.hpp"
#include "fencepost/verify/report.hpp"
#include "fencepost/verify/text.hpp"
#include "status.hpp"

namespace fencepost::programs {

namespace {

std::string number_of(unsigned n, const char* what) {
  return std::to_string(n) + ' ' + what + (n == 1 ? "" : "s");
}

// Says which threads get freed addresses again.
std::string addresses_of(const verify::options& o) {
  if (!o.reuse_addresses && !o.reuse_across_threads) return "";
  return std::string(" A freed address comes back to ") +
         (o.reuse_across_threads ? "any thread" : "the thread that freed it") +
         ", but for at most 1 allocation.";
}

// Says how many spurious failures, spurious wake-ups and time-outs are explored in one execution.
std::string bounds(const verify::options& o) {
  return "Explored in one execution: at most " +
         number_of(o.spurious_failures, "spurious failure") + ", " +
         number_of(o.spurious_wakeups, "spurious wake-up") + " and " +
         number_of(o.timeouts, "time-out") + "." + addresses_of(o);
}

// An annotation for a check that does not end as expected.
std::string annotation(const std::string& name, const verify::result& r) {
  if (!r.violation) return verify::github_error({}, name + ": a violation was expected");
  const verify::counterexample& c = *r.violation;
  std::string text = name + ": " + std::string(to_string(c.kind)) + ": " + c.message;
  if (const std::string why = what_went_wrong(c); !why.empty()) text += ". " + why;
  return verify::github_error(verify::annotated_place(c), text);
}

}  // namespace

void printed_check::print(const verify::result& r) const {
  for (const auto& [outcome, count] : r.outcomes)
    std::printf("%llu: %s\n", static_cast<unsigned long long>(count), outcome.c_str());
  verify::text_style style;
  style.names_options = false;  // the options that it names are those of scenarios
  style.max_steps = settings_.steps;
  style.own_data = false;
  std::printf("%s\n%s\n", to_text(r, style).c_str(), bounds(settings_.exploration).c_str());
  if (!coverage_.compilers.empty())
    std::printf("Compiled by %s.\n", in_one_line(coverage_.compilers).c_str());
  for (const std::string& sentence : coverage_.in_words())
    for (const std::string& line : verify::wrapped(sentence, style.width))
      std::printf("%s\n", line.c_str());
}

int printed_check::print_status(const verify::result& r) const {
  if (r.outcome == verify::verdict::incomplete) return status::incomplete;
  const bool wrong = r.outcome == verify::verdict::violated;
  const bool expected = wrong == settings_.expects_violation;
  if (!expected && verify::is_in_github_actions())
    std::printf("%s\n", annotation(settings_.exploration.name, r).c_str());
  if (settings_.expects_violation)
    std::printf("%s\n",
                wrong ? "Violated, as expected." : "A violation was expected, but there is none.");
  return expected ? status::as_expected : status::unexpected;
}

}  // namespace fencepost::programs
