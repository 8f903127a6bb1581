// The certificate as a page.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "evidence/certificate.hpp"
#include "evidence/certificate_components.hpp"
#include "evidence/certificate_coverage.hpp"
#include "evidence/certificate_links.hpp"
#include "evidence/certificate_load_buffering.hpp"
#include "evidence/certificate_words.hpp"
#include "fencepost/verify/report.hpp"
#include "report/html/page.hpp"
#include "run/judgement.hpp"

#if !defined(FENCEPOST_VERSION)
#define FENCEPOST_VERSION "0"
#endif

namespace fencepost::cli {
namespace {

using verify::grouped;

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang++ {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "a C++ compiler";
#endif
}

std::string count_of(std::size_t n, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", grouped(n), n == 1 ? one : many);
}

std::string marked_part(std::size_t good, std::size_t of) {
  return good == of ? grouped(of) : strong(fmt::format("{} of {}", good, of));
}

page_table totals(const std::vector<certified_component>& components, extent shown) {
  page_table t{{{"component"},
                {"claims", true},
                {std::string(xc20_column), true},
                {"executions", true},
                {"planted faults", true},
                {"orders needed", true},
                {"kept", true}},
               {}};
  if (shown == extent::whole) t.columns.push_back({"time", true});
  for (const certified_component& c : components) {
    const order_totals o = sum(c.headers);
    const std::size_t open = o.open();
    t.rows.push_back({link(c.name, "#" + c.name),
                      marked_part(as_expected(c.claims), c.claims.size()),
                      grouped(holding_under_xc20(c.claims)), grouped(c.executions()),
                      marked_part(as_expected(c.faults), c.faults.size()),
                      marked_part(o.needed, o.needed + open), grouped(o.kept)});
    if (shown == extent::whole) t.rows.back().push_back(verify::duration(c.seconds()));
  }
  return t;
}

std::string in_sum(const certificate& all) {
  std::size_t claims = 0;
  std::size_t holding = 0;
  std::size_t faults = 0;
  std::size_t caught = 0;
  std::uint64_t executions = 0;
  for (const auto* group : {&all.components, &all.others}) {
    for (const certified_component& c : *group) {
      claims += c.claims.size();
      holding += as_expected(c.claims);
      faults += c.faults.size();
      caught += as_expected(c.faults);
      executions += c.executions();
    }
  }
  const order_totals& o = all.orders;
  std::string text = fmt::format(
      "{} of {} claims hold, in {} executions: all that there are within the bounds.{} {} of {} "
      "planted faults and faulty protocols are caught. Of {} places with an atomic access or a "
      "fence, {} are relaxed; of the orders of the others {} are needed and {} are kept with a "
      "stated reason",
      holding, claims, grouped(executions), under_xc20_too(all), caught, faults, o.places,
      o.relaxed, o.needed, o.kept);
  const std::size_t open = o.open();
  if (open != 0) text += "; " + strong(count_of(open, "is open", "are open"));
  return text + ".";
}

// Says how the page is made, and where the tables are that a summary leaves out.
std::string origin(extent shown) {
  if (shown == extent::whole) {
    return command_named("certificate --markdown FILE") +
           " makes this page of the checker's results. Nothing in it is written by hand.";
  }
  if (!this_program().is_fencepost) {
    return command_named("certificate --summary FILE") +
           " makes this page of the checker's results. Nothing in it is written by hand. It sums "
           "up the whole certificate, whose tables have each claim with its bounds, each planted "
           "fault, and each memory order with the scenario that needs it: " +
           command_named("certificate --markdown FILE") + " makes it.";
  }
  return code("fencepost certificate --summary docs/certificate.md") +
         " makes this page of the checker's results; a test compares it with a fresh run that "
         "judges "
         "one graph of " +
         std::to_string(apart_if_quick) +
         " twice, and the nightly workflow with a whole one, explorations under xc20 included. "
         "Nothing in it is written by hand. It sums up the whole certificate, whose tables have "
         "each claim "
         "with its bounds, each planted fault, and each memory order with the scenario that needs "
         "it: " +
         code("ci/docs --certificate") + " makes it, and the nightly workflow publishes it.";
}

page made_of(const certificate& all, extent shown) {
  page p;
  p.push_back(page_heading{1, "Certificate"});
  const std::string where =
      this_program().is_fencepost ? "of Fencepost " FENCEPOST_VERSION : "in " + this_program().name;
  p.push_back(page_paragraph{"What was shown of each component " + where +
                             ", within which bounds, and what was not. " + origin(shown)});
  p.push_back(page_paragraph{
      fmt::format("Every scenario is explored exhaustively, under the reading {} of ",
                  code(to_string(all.model))) +
      link_or_text("the memory model", "guide/memory-model.md") + ", by the checker of version " +
      FENCEPOST_VERSION ". " + in_sum(all)});
  p.push_back(page_paragraph{
      in_words(all.recheck) +
      " It judges each complete execution by the model's axioms as they "
      "are written down, in code that shares nothing with the explorer: " +
      link_or_text("each graph judged twice", "checker.md#each-graph-judged-twice") + "."});
  p.push_back(page_paragraph{std::string(compiler_line) + compiler() + "."});
  p.push_back(page_paragraph{
      "Every line can be reproduced: " + command_named("verify NAME") + " explores a scenario, " +
      command_named("explain NAME") + " shows how a planted fault goes wrong, " +
      command_named("explain NAME --weaken FILE:LABEL=ORDER") + " why an order is needed (" +
      link_or_text("which orders are needed", "guide/necessity.md") + ")."});
  p.push_back(page_heading{2, "Summary"});
  p.push_back(totals(all.components, shown));
  p.push_back(page_paragraph{
      "Executions are those of the claims; the number of threads includes the main thread, which "
      "sets up and joins; of executions that differ only by a permutation of symmetric threads, "
      "one is explored and counted. An order counts once for each step by which it was "
      "weakened." +
      std::string(shown == extent::whole
                      ? " The time is that of one core, for claims and planted faults."
                      : "")});
  p.push_back(page_heading{2, "What is not covered"});
  p.push_back(not_covered(all));
  add_open_under_xc20(p, all);
  p.push_back(page_heading{2, "Components"});
  for (const certified_component& c : all.components) add_component(p, c, all.folder, shown);
  if (!all.outside.empty()) add_outside(p, all);
  if (!all.others.empty()) {
    p.push_back(page_heading{2, "Protocols of others"});
    p.push_back(page_paragraph{
        "Protocols as published, and known faults of other libraries, rebuilt from their "
        "descriptions: that the checker finds what is known to be wrong is part of what its "
        "verdicts are worth. See " +
        link("the findings", "findings.md") +
        ". The others are the litmus shapes with which a run on real threads begins: see " +
        link("on real threads", "guide/stress.md") + "."});
    for (const certified_component& c : all.others) add_component(p, c, all.folder, shown);
  }
  return p;
}

}  // namespace

page page_of(const certificate& all) { return made_of(all, extent::whole); }
page summary_of(const certificate& all) { return made_of(all, extent::summary); }

std::string to_html(const certificate& all, std::string_view tree) {
  const page p = page_of(all);
  std::string out =
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; img-src data:\">\n<link rel=\"icon\" href=\"data:,\">\n"
      "<title>Fencepost: certificate</title>\n<style>\n";
  out += page_css;
  out += certificate_css;
  out += "</style>\n</head>\n<body class=\"certificate\">\n";
  out += to_html(p, tree.empty() ? "" : std::string(tree) + "/docs/");
  return out + "</body>\n</html>";
}

}  // namespace fencepost::cli
