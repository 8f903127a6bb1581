#include "evidence/certificate_load_buffering.hpp"

#include <fmt/format.h>

#include <array>
#include <vector>

#include "base/names.hpp"
#include "evidence/certificate_components.hpp"
#include "evidence/certificate_links.hpp"
#include "evidence/certificate_words.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

const unsigned reexecutions = verify::options{}.reexecutions;

// The columns of the table.
constexpr std::array left_open{buffered::within_limit, buffered::not_resolved, buffered::too_large};

std::vector<std::string> claims_known(const certified_component& c, buffered so) {
  std::vector<std::string> names;
  for (const certified_scenario& s : c.claims)
    if (s.known() == so) names.push_back(code(s.what->about.name));
  return names;
}

std::vector<std::string> claims_known(const certificate& all, buffered so) {
  std::vector<std::string> names;
  for (const auto* group : {&all.components, &all.others})
    for (const certified_component& c : *group)
      for (std::string& name : claims_known(c, so)) names.push_back(std::move(name));
  return names;
}

std::size_t how_many_known(const certificate& all, buffered so) {
  return claims_known(all, so).size();
}

std::size_t how_many_left_open(const certificate& all) {
  std::size_t n = 0;
  for (const buffered so : left_open) n += how_many_known(all, so);
  return n;
}

bool was_explored(const certificate& all) {
  return all.xc20_runs != 0 || all.model == verify::memory_model::xc20;
}

std::string explored_claims(const certificate& all) {
  std::string text = all.xc20_runs == 0
                         ? "."
                         : fmt::format(" as well, with up to {} runs more than under rc20.",
                                       grouped(all.xc20_runs));
  if (const auto wrong = claims_known(all, buffered::violated); !wrong.empty())
    text += " " + strong("Violated") + ": " + joined(wrong) + ".";
  if (how_many_left_open(all) == 0) return text;
  return text + fmt::format(
                    " {} hold within {} re-executions and have executions with more reads from "
                    "the future, one upon the other, which were not explored; of {} some race is "
                    "not resolved; {} need more runs: {} names them.",
                    how_many_known(all, buffered::within_limit), reexecutions,
                    how_many_known(all, buffered::not_resolved),
                    how_many_known(all, buffered::too_large),
                    link(std::string(under_xc20_heading), "#under-xc20"));
}

}  // namespace

std::string load_buffering_covered(const certificate& all) {
  const std::string what =
      " ISO C++ allows cycles of program order and reads-from, and ARM shows them for relaxed "
      "accesses. ";
  const std::string race =
      link_or_text("load-buffering race", "guide/memory-model.md#load-buffering-races");
  if (all.model != verify::memory_model::rc20 && all.model != verify::memory_model::xc20)
    return what + "A claim that has no " + race + " holds with them under rc20.";
  const std::string text =
      what + "The reading rc20 excludes them. A claim none of whose executions has a " + race +
      " has no such execution either.";
  const std::string explored =
      link_or_text("explored under xc20", "guide/memory-model.md#exploring-load-buffering");
  if (!was_explored(all))
    return text + " The others were not " + explored +
           " for this page: " + command_named("certificate --load-buffering N") + " does it.";
  return text + " Each of the others was " + explored + explored_claims(all) +
         " That xc20 allows all that compilers and processors do is its authors' claim. An order "
         "whose only purpose is to exclude load buffering is kept with a reason.";
}

std::string under_xc20_too(const certificate& all) {
  if (all.model != verify::memory_model::rc20) return "";
  const auto count = [&](buffered so) { return how_many_known(all, so); };
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
                    "explored there, {} hold in full and {} within {} re-executions; for {} it is "
                    "not known, and {} violated {}",
                    in_full, within, reexecutions, unknown,
                    wrong == 0   ? "none is"
                    : wrong == 1 ? strong("one is")
                                 : strong(fmt::format("{} are", wrong)),
                    see_load_buffering);
}

void add_open_under_xc20(page& p, const certificate& all) {
  if (!was_explored(all) || how_many_left_open(all) == 0) return;
  p.push_back(page_heading{2, std::string(under_xc20_heading)});
  p.push_back(page_paragraph{
      "The claims with a load-buffering race that are not known to hold in full; the other claims "
      "with such a race do. " +
      command_named("verify --model xc20 NAME") +
      " explores one without a limit on the runs, and names the races that it does not resolve."});
  page_table t{{{"component"},
                {fmt::format("hold within {} re-executions", reexecutions)},
                {"a race is not resolved"},
                {"more runs are needed"}},
               {}};
  for (const auto* group : {&all.components, &all.others})
    for (const certified_component& c : *group) {
      std::vector<std::string> row{c.name};
      bool any = false;
      for (const buffered so : left_open) {
        const std::vector<std::string> names = claims_known(c, so);
        any = any || !names.empty();
        row.push_back(joined(names));
      }
      if (any) t.rows.push_back(std::move(row));
    }
  p.push_back(std::move(t));
}

}  // namespace fencepost::cli
