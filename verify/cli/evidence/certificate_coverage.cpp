#include "evidence/certificate_coverage.hpp"

#include <algorithm>
#include <vector>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "evidence/certificate_components.hpp"
#include "evidence/certificate_links.hpp"
#include "evidence/certificate_load_buffering.hpp"
#include "evidence/certificate_words.hpp"

namespace fencepost::cli {
namespace {

// Lists the orders that no scenario needs; the table has the reason for each.
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

page_list not_covered(const certificate& all) {
  constexpr scenario usual;
  static_assert(usual.spurious_failures == 1 && usual.spurious_wakeups == 1 && usual.timeouts == 1,
                "as the page says");
  page_list l;
  l.items = {
      strong("Larger programs.") +
          " A verdict is for the threads and operations of its scenario: the tables give them. "
          "It does not follow that larger ones hold.",
      strong(load_buffering_item) + load_buffering_covered(all),
      strong("More bounded events.") +
          " In an execution a weak compare-exchange fails spuriously at most once, a condition "
          "variable wakes for no reason at most once, a timed wait times out at most once, unless "
          "the table says otherwise.",
      strong("Compilers and machines.") +
          " The memory model is that of C++, so no machine that follows it shows more; what a "
          "compiler makes of the templates, and a processor of its code, is not covered. The "
          "scenarios were compiled as below, for one architecture.",
      strong("The operating system.") +
          " Futexes, locks, threads and clocks are the checker's own while it explores. " +
          (this_program().is_fencepost
               ? "The code in core/src that uses the real ones is tested, not explored."
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
