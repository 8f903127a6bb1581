// The certificate as a page.
#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "evidence/certificate.hpp"
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

// A page of another project's scenarios has no links: it lies anywhere, and has Fencepost's pages
// nowhere near.
std::string link_or_text(std::string_view text, std::string_view to) {
  return this_program().is_fencepost ? link(text, to) : std::string(text);
}

std::string command_named(std::string_view arguments) {
  return code(this_program().name + " " + std::string(arguments));
}

std::string model_link(const std::string& model) {
  if (!this_program().is_fencepost) return code(model);  // the file that lists them
  return link(model + ".hpp", "../models/include/fencepost/models/" + model + ".hpp");
}

// Of a scenario that is not as it should be.
std::string alarm(const certified_scenario& s) {
  const std::string words = s.done.ran ? describe(s.what->about, s.done.result) : "not run";
  return is_as_expected(s) ? words : strong(words);
}

std::string bounds(const certified_scenario& s) {
  const scenario& about = s.what->about;
  const verify::result& r = s.done.result;
  std::string text = fmt::format("{} threads, {} events", r.threads, r.events);
  const scenario usual;
  const auto add = [&](unsigned n, unsigned common, const char* what) {
    if (n != common) text += fmt::format(", {} {}", n, what);
  };
  add(about.spurious_failures, usual.spurious_failures, "spurious failures");
  add(about.spurious_wakeups, usual.spurious_wakeups, "spurious wake-ups");
  add(about.timeouts, usual.timeouts, "time-outs");
  if (r.symmetric != 0) text += fmt::format(", {} symmetric threads", r.symmetric);
  if (about.reuse_across_threads)
    text += ", addresses are used again by any thread";
  else if (about.reuse_addresses)
    text += ", addresses are used again";
  if (about.typed_memory) text += ", memory keeps its type";
  return text;
}

page_table claims_of(const certified_component& c) {
  page_table t{{{"scenario"},
                {"claim"},
                {"bounds"},
                {"executions", true},
                {"verdict"},
                {std::string(xc20_column)}},
               {}};
  for (const certified_scenario& s : c.claims) {
    const std::string xc20 = in_words(s.known(), s.under_xc20);
    t.rows.push_back({code(s.what->about.name), std::string(s.what->about.claim), bounds(s),
                      grouped(s.done.result.executions), alarm(s),
                      s.known() == buffered::violated ? strong(xc20) : xc20});
  }
  return t;
}

page_table faults_of(const certified_component& c) {
  page_table t{{{"scenario"}, {"what is wrong"}, {"verdict"}}, {}};
  for (const certified_scenario& s : c.faults) {
    t.rows.push_back({code(s.what->about.name), std::string(s.what->about.claim), alarm(s)});
  }
  return t;
}

std::string verdict_of(const step_report& s) {
  switch (s.verdict) {
    case need::needed:
      return fmt::format("needed{}: {} in {}",
                         s.model == verify::memory_model::xc20 ? " under xc20" : "",
                         to_string(s.kind), code(s.scenario));
    case need::kept: return "kept: " + s.reason;
    case need::unknown: return strong("unknown: " + s.limit);
    default: return strong(to_string(s.verdict));
  }
}

std::string name_of(const operation_report& o) {
  return o.label.empty() ? fmt::format("line {}", o.source.line) : code(o.label);
}

std::string partners_of(const operation_report& o) {
  std::vector<std::string> names;
  for (const std::string& p : o.partners) names.push_back(code(p));
  return joined(names);
}

void add_orders(page& all, const header_report& h, const std::string& folder) {
  all.push_back(page_paragraph{"Memory orders of " +
                               link_or_text(h.name, "../" + folder + "/" + h.name) + ":"});
  page_table t{{{"label"}, {"operation"}, {"order"}, {"with"}, {"less"}, {"verdict"}}, {}};
  std::vector<std::string> relaxed;
  for (const operation_report& o : h.operations) {
    if (o.asked && o.steps.empty()) {
      relaxed.push_back(name_of(o));
    } else if (!o.asked) {
      t.rows.push_back({name_of(o), code(o.source.name), joined(o.source.orders), partners_of(o),
                        "",
                        o.standing() == need::kept ? "not exercised, kept: " + o.reason
                                                   : strong(to_string(need::not_exercised))});
    }
    bool first = true;
    for (const step_report& s : o.steps) {
      t.rows.push_back({first ? name_of(o) : "", first ? code(o.source.name) : "",
                        first ? in_words(*o.asked) : "", first ? partners_of(o) : "", s.step.name,
                        verdict_of(s)});
      first = false;
    }
  }
  if (!t.rows.empty()) all.push_back(std::move(t));
  if (!relaxed.empty()) {
    all.push_back(page_paragraph{"Relaxed, with nothing to weaken: " + joined(relaxed) + "."});
  }
}

// How much of it a page shows.
enum class extent : std::uint8_t { whole, summary };

void add_component(page& all, const certified_component& c, const std::string& folder,
                   extent shown) {
  all.push_back(page_heading{3, c.name});
  std::vector<std::string> models;
  for (const std::string& m : c.models) models.push_back(model_link(m));
  std::string sources = "Scenarios of " + joined(models);
  if (shown == extent::summary) {
    std::vector<std::string> headers;
    for (const header_report& h : c.headers) {
      headers.push_back(link_or_text(h.name, "../" + folder + "/" + h.name));
    }
    if (!headers.empty()) sources += "; memory orders of " + joined(headers);
  }
  all.push_back(page_paragraph{sources + "."});
  if (shown == extent::summary) return;
  if (!c.claims.empty()) all.push_back(claims_of(c));
  if (!c.faults.empty()) {
    all.push_back(page_paragraph{"Planted faults, each of which must be violated:"});
    all.push_back(faults_of(c));
  }
  for (const header_report& h : c.headers) add_orders(all, h, folder);
}

void add_outside(page& all, const certificate& c) {
  all.push_back(page_heading{2, "What no scenario explores"});
  all.push_back(page_paragraph{
      "Atomic accesses and fences of compiled code, and of headers that are no component:"});
  page_table t{{{"file"}, {"label"}, {"operation"}, {"order"}, {"with"}, {"why not"}}, {}};
  for (const header_report& h : c.outside) {
    const std::string path = h.outside ? h.name : c.folder + "/" + h.name;
    bool first = true;
    for (const operation_report& o : h.operations) {
      t.rows.push_back({first ? link_or_text(h.name, "../" + path) : "", name_of(o),
                        code(o.source.name), joined(o.source.orders), partners_of(o),
                        h.outside          ? "compiled code"
                        : o.reason.empty() ? strong(to_string(need::not_exercised))
                                           : o.reason});
      first = false;
    }
  }
  all.push_back(std::move(t));
}

std::string part(std::size_t good, std::size_t of) {
  return good == of ? grouped(of) : strong(fmt::format("{} of {}", good, of));
}

std::vector<std::string> claims_known(const certificate& all, buffered so) {
  std::vector<std::string> names;
  for (const auto* group : {&all.components, &all.others})
    for (const certified_component& c : *group)
      for (const certified_scenario& s : c.claims)
        if (s.known() == so) names.push_back(code(s.what->about.name));
  return names;
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
    t.rows.push_back({link(c.name, "#" + c.name), part(as_expected(c.claims), c.claims.size()),
                      grouped(holding_under_xc20(c.claims)), grouped(c.executions()),
                      part(as_expected(c.faults), c.faults.size()), part(o.needed, o.needed + open),
                      grouped(o.kept)});
    if (shown == extent::whole) t.rows.back().push_back(verify::duration(c.seconds()));
  }
  return t;
}

const unsigned reexecutions = verify::options{}.reexecutions;

// With a space before it.
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

// Where the page comes from, and where the tables are that a summary leaves out.
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
         " makes this page of the checker's results; a test compares it with a fresh run, and the "
         "nightly workflow also what it says of explorations under xc20. Nothing "
         "in it is written by hand. It sums up the whole certificate, whose tables have each claim "
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
      "Any line can be seen again: " + command_named("verify NAME") + " explores a scenario, " +
      command_named("explain NAME") + " shows how a planted fault goes wrong, " +
      command_named("explain NAME --weaken FILE:LABEL=ORDER") + " why an order is needed (" +
      link_or_text("which orders are needed", "guide/necessity.md") + ")."});
  p.push_back(page_heading{2, "In sum"});
  p.push_back(totals(all.components, shown));
  p.push_back(page_paragraph{
      "Executions are those of the claims; threads are counted with the main thread, which sets up "
      "and joins; of executions that differ only by which of symmetric threads is which, one "
      "is explored and counted. An order counts once for each step by which it was "
      "weakened." +
      std::string(shown == extent::whole
                      ? " The time is that of one core, for claims and planted faults."
                      : "")});
  p.push_back(page_heading{2, "What is not covered"});
  p.push_back(not_covered(all));
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
        ". And the shapes by which memory models are known, which a run on real threads begins "
        "with: "
        "see " +
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
