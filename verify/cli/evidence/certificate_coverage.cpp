#include "evidence/certificate_coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "evidence/certificate_components.hpp"
#include "evidence/certificate_links.hpp"
#include "evidence/certificate_words.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

const unsigned reexecutions = verify::options{}.reexecutions;

std::vector<std::string> claims_known(const certificate& all, buffered so) {
  std::vector<std::string> names;
  for (const auto* group : {&all.components, &all.others})
    for (const certified_component& c : *group)
      for (const certified_scenario& s : c.claims)
        if (s.known() == so) names.push_back(code(s.what->about.name));
  return names;
}

// Of which claims it is known that they hold under xc20, of which not, and what the answer is
// worth.
std::string load_buffering_covered(const certificate& all) {
  const std::string what =
      " ISO C++ allows cycles of program order and reads-from, and ARM shows them for relaxed "
      "accesses. ";
  const std::string race =
      link_or_text("load-buffering race", "guide/memory-model.md#load-buffering-races");
  const bool under_xc20 = all.model == verify::memory_model::xc20;
  if (all.model != verify::memory_model::rc20 && !under_xc20) {
    return what + "A claim that has no " + race + " holds with them under rc20.";
  }
  std::string text = what +
                     "The reading rc20 excludes them. A claim none of whose executions has a " +
                     race + " has no such execution either.";
  const std::string explored =
      link_or_text("explored under xc20", "guide/memory-model.md#exploring-load-buffering");
  if (all.xc20_runs == 0 && !under_xc20) {
    return text + " The others were not " + explored +
           " for this page: " + command_named("certificate --load-buffering N") + " does it.";
  }
  text += " Each of the others was " + explored;
  text += under_xc20 ? "."
                     : fmt::format(" as well, with up to {} runs more than under rc20.",
                                   grouped(all.xc20_runs));
  const auto add = [&](buffered so, const std::string& words) {
    const std::vector<std::string> names = claims_known(all, so);
    if (!names.empty()) text += " " + words + ": " + joined(names) + ".";
  };
  add(buffered::violated, strong("Violated"));
  add(buffered::within_limit,
      fmt::format("These hold within {} re-executions, and have executions with more reads from "
                  "the future, one upon the other, which were not explored",
                  reexecutions));
  add(buffered::not_resolved, "Not known, since some load-buffering race is not resolved (" +
                                  command_named("verify --model xc20 NAME") + " names it)");
  add(buffered::too_large, "Not known, since more runs are needed");
  return text +
         " That xc20 allows all that compilers and processors do is its authors' claim. An order "
         "that is there against load buffering alone is kept with a reason.";
}

// Orders that no scenario needs, each with the reason for it in the table.
std::vector<std::string> kept_orders(const certificate& all) {
  std::vector<std::string> names;
  for (const certified_component& c : all.components) {
    for (const header_report& h : c.headers) {
      for (const operation_report& o : h.operations) {
        const bool kept = (!o.asked && o.standing() == need::kept) ||
                          std::any_of(o.steps.begin(), o.steps.end(),
                                      [](const step_report& s) { return s.verdict == need::kept; });
        if (kept) names.push_back(h.name + " " + name_of(o));
      }
    }
  }
  return names;
}

}  // namespace

std::string under_xc20_too(const certificate& all) {
  if (all.model != verify::memory_model::rc20) return "";
  const auto count = [&](buffered so) { return claims_known(all, so).size(); };
  const std::size_t no_race = count(buffered::no_race);
  const std::size_t in_full = count(buffered::in_full);
  const std::size_t within = count(buffered::within_limit);
  const std::size_t wrong = count(buffered::violated);
  const std::size_t unknown = count(buffered::not_resolved) + count(buffered::too_large);
  const std::size_t others = in_full + within + wrong + unknown + count(buffered::not_explored);
  std::string text = fmt::format(" {} of them {} no load-buffering race and {} under {} as well.",
                                 grouped(no_race), no_race == 1 ? "has" : "have",
                                 no_race == 1 ? "holds" : "hold", code("xc20"));
  if (others == 0) return text;
  text += fmt::format(" Of the other {}, ", grouped(others));
  if (all.xc20_runs == 0)
    return text + "none was explored there " + std::string(see_load_buffering);
  return text + fmt::format(
                    "explored there, {} hold in full and {} within {} re-executions; of {} it is "
                    "not known, and {} violated {}",
                    in_full, within, reexecutions, unknown,
                    wrong == 0   ? "none is"
                    : wrong == 1 ? strong("one is")
                                 : strong(fmt::format("{} are", wrong)),
                    see_load_buffering);
}

page_list not_covered(const certificate& all) {
  constexpr scenario usual;
  static_assert(usual.spurious_failures == 1 && usual.spurious_wakeups == 1 && usual.timeouts == 1,
                "as the page says");
  page_list l;
  l.items = {
      strong("Larger programs.") +
          " A verdict is for the threads and operations of its scenario: the tables give them. "
          "That larger ones hold as well does not follow.",
      strong(load_buffering_item) + load_buffering_covered(all),
      strong("More bounded events.") +
          " In an execution a weak compare-exchange fails spuriously at most once, a condition "
          "variable wakes for no reason at most once, a timed wait times out at most once, unless "
          "the table says otherwise.",
      strong("Compilers and machines.") +
          " The memory model is that of C++, so no machine that follows it shows more; what a "
          "compiler makes of the templates, and what a processor makes of that, is another "
          "matter. The scenarios were compiled as below, for one architecture.",
      strong("The operating system.") +
          " Futexes, locks, threads and clocks are the checker's own while it explores. " +
          (this_program().is_fencepost
               ? "What stands in core/src for the real ones is tested, not explored."
               : "The real ones are not explored."),
      strong("Words accessed in halves") + " are not ISO C++. Their rules are the checker's: see " +
          link_or_text("the memory model", "guide/memory-model.md") + ".",
      strong("Progress under an unfair scheduler.") +
          " Lost wake-ups and deadlocks are looked for; starvation is not.",
  };
  if (const auto names = kept_orders(all); !names.empty()) {
    l.items.push_back(strong("Orders kept with a reason") +
                      " that no scenario confirms. The tables give the reasons: " + joined(names) +
                      ".");
  }
  if (!all.left_out.empty()) {
    std::vector<std::string> names;
    for (const entry* e : all.left_out) names.push_back(code(e->about.name));
    l.items.push_back(strong("Larger scenarios") +
                      ", which take from seconds to minutes each, are not part of this page: " +
                      joined(names) + ". " + command_named("verify --nightly") + " explores them.");
  }
  return l;
}

}  // namespace fencepost::cli
