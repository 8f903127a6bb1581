// fencepost certificate: the evidence for the library, as a table and as pages.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input_file.hpp"
#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/output_file.hpp"
#include "base/shell_word.hpp"
#include "base/this_program.hpp"
#include "commands/shared_options.hpp"
#include "evidence/certificate.hpp"
#include "fencepost/verify/report.hpp"
#include "result_json/result_json.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {
namespace {

struct certificate_options : certificate_limits {
  std::string markdown;
  std::string summary;
  std::string html;
  std::string check;
  std::string tree;
  bool quick = false;
};

constexpr std::uint64_t kept_executions_if_quick = 10'000;

// The rows of the terminal's table.
struct line {
  std::string name, claims, executions, faults, needed, kept, open, time;
};

std::string part(std::size_t good, std::size_t of) {
  return good == of ? verify::grouped(of) : fmt::format("{} of {}", good, of);
}

std::string table_of(const certificate& all, const screen& out) {
  std::vector<line> lines = {{"component", "claims", "executions", "faults caught", "orders needed",
                              "kept", "open", "time"}};
  for (const auto* group : {&all.components, &all.others}) {
    for (const certified_component& c : *group) {
      const order_totals o = sum(c.headers);
      lines.push_back(
          {c.name, part(as_expected(c.claims), c.claims.size()), verify::grouped(c.executions()),
           part(as_expected(c.faults), c.faults.size()), std::to_string(o.needed),
           std::to_string(o.kept), std::to_string(o.open()), verify::duration(c.seconds())});
    }
  }
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const line& l = lines[i];
    const std::string words =
        fmt::format("{:<16}{:>10}{:>13}{:>15}{:>15}{:>6}{:>6}{:>10}\n", l.name, l.claims,
                    l.executions, l.faults, l.needed, l.kept, l.open, l.time);
    text +=
        out.tinted(i == 0 ? tint::strong : tint::none, words.substr(0, words.size() - 1)) + "\n";
  }
  return text;
}

// Lists scenarios with unexpected results, orders that are neither needed nor kept, and loose
// labels.
std::string findings(const certificate& all) {
  std::string text;
  for (const auto* group : {&all.components, &all.others}) {
    for (const certified_component& c : *group) {
      for (const auto* list : {&c.claims, &c.faults}) {
        for (const certified_scenario& s : *list) {
          if (!is_as_expected(s)) {
            text += fmt::format("{}: {}\n", s.what->about.name,
                                s.done.ran ? describe(s.what->about, s.done.result) : "not run");
          }
          if (s.known() == buffered::violated) {
            text += fmt::format("{}: {} under xc20\n", s.what->about.name,
                                in_words(s.known(), s.under_xc20));
          }
        }
      }
    }
  }
  if (all.orders.stronger + all.orders.not_exercised + all.orders.stale_reasons != 0) {
    text +=
        "some orders are stronger than needed, not exercised, or kept for a reason that is out of "
        "date: " +
        this_program().name + " necessity lists them\n";
  }
  for (const std::string& label : all.needs.loose)
    text += label + ": this label belongs to no atomic access or fence\n";
  return text;
}

json json_of(const certified_component& c) {
  json j{{"component", c.name}, {"scenarios", json::array()}, {"headers", json::array()}};
  for (const auto* list : {&c.claims, &c.faults}) {
    for (const certified_scenario& s : *list) {
      j["scenarios"].push_back(to_json(*s.what, s.done));
      if (s.under_xc20) j["scenarios"].back()["under_xc20"] = to_json(*s.under_xc20);
    }
  }
  for (const header_report& h : c.headers) j["headers"].push_back(to_json(h));
  return j;
}

json json_of(const certificate& all) {
  json whole = document("certificate");
  whole["model"] = to_string(all.model);
  whole["exit_status"] = static_cast<int>(all.status);
  whole["not_covered"] = verify::not_covered(true);
  whole["recheck"] = to_json(all.recheck);
  whole["components"] = json::array();
  for (const auto* group : {&all.components, &all.others}) {
    for (const certified_component& c : *group) whole["components"].push_back(json_of(c));
  }
  return whole;
}

std::string without_end(const std::string& text) {
  return text.substr(0, text.find_last_not_of('\n') + 1);
}

// Each kind of page names the command that makes it.
bool is_summary(const std::string& page) {
  return page.find(this_program().name + " certificate --summary") != std::string::npos;
}

void make_quick(certificate_options& options) {
  if (!options.markdown.empty() || !options.summary.empty() || !options.html.empty())
    throw usage_error(
        "certificate: --quick leaves out a part of the checks, so it cannot write a page; omit "
        "--quick");
  options.graphs_apart = apart_if_quick;
  options.kept_executions = kept_executions_if_quick;
}

int run_certificate(const certificate_options& options, const program& p) {
  const std::string old = options.check.empty() ? "" : read_input("--check", options.check);
  output_files files("certificate",
                     {{"--json", options.json},
                      {"--markdown", options.markdown},
                      {"--summary", options.summary},
                      {"--html", options.html}},
                     output_files::wish{"--cache", options.cache});
  screen out(files.text(), options.color);
  result_store store(options.cache, digests_of(p.entries));
  const certificate all = certify(p.entries, options, store, out);
  out.print(table_of(all, out));
  out.print("\n" + in_words(all.recheck) + "\n");
  if (options.quick) out.print(fmt::format("One graph in {} was rechecked.\n", apart_if_quick));
  if (interrupted()) {
    out.print(out.tinted(tint::warning, "interrupted") + ": no page is written" +
              (options.cache.empty() ? "\n" : "; to continue, run the same command again\n"));
    return exit_incomplete;
  }
  if (const std::string wrong = findings(all); !wrong.empty()) {
    out.print("\n" + out.tinted(tint::bad, wrong));
  }
  write_json(files, json_of(all));
  const std::string fresh = to_markdown(page_of(all));
  const std::string summary = to_markdown(summary_of(all));
  files.write("--markdown", without_end(fresh));
  files.write("--summary", without_end(summary));
  if (files.wanted("--html")) files.write("--html", without_end(to_html(all, options.tree)));
  files.save();
  if (options.check.empty()) return all.status;
  const std::string wrong = difference(old, is_summary(old) ? summary : fresh, options);
  if (wrong.empty()) {
    out.print("\n" + options.check + " matches this run, except for times" +
              (options.xc20_runs == 0 ? "; explorations under xc20 are not compared\n" : "\n"));
    return all.status;
  }
  out.print(out.tinted(
      tint::bad,
      fmt::format("\n{} does not match this run: {}\nTo rewrite it: {} certificate {} {}\n",
                  options.check, wrong, p.name, is_summary(old) ? "--summary" : "--markdown",
                  shell_word(options.check))));
  return exit_unexpected;
}

}  // namespace

command certificate_command(program& p) {
  command c{
      "certificate",
      "Show what was established for each claim, planted fault and memory order of the library",
      "Exit status: 0 every claim holds, every planted fault is caught, and each order is needed "
      "or\n"
      "kept with a reason; 1 one of these does not hold, or the page of --check differs; 2 wrong\n"
      "usage or bad input; 3 a limit was hit, or an interrupt came.\n"};
  auto options = std::make_shared<certificate_options>();
  add_common(c, *options, "");
  add_limits(c, *options);
  add_search(c, *options);
  c.file("--markdown", options->markdown, "Write the page to FILE");
  c.file("--summary", options->summary,
         this_program().is_fencepost
             ? "Write the page without its tables to FILE, as docs/certificate.md is"
             : "Write the page without its tables to FILE");
  c.file("--html", options->html, "Write the page to FILE as a self-contained HTML page");
  c.file("--check", options->check,
         "Fail if the Markdown page or summary FILE differs from this run, except in times; the "
         "part about explorations under xc20 is compared only with --load-buffering");
  c.option("--load-buffering", options->xc20_runs, "N",
           "Also explore under xc20 each claim that has a load-buffering race, with up to N runs "
           "more than under rc20; 0: do not")
      .showing_default(options->xc20_runs)
      .must(whole_number(0, 1'000'000'000'000));
  c.flag("--quick", options->quick,
         fmt::format("Recheck only one graph in {} by the axioms, and search at most {} executions "
                     "of a scenario for a need of the orders that are kept with a reason; --check "
                     "then does not compare how many graphs are confirmed",
                     apart_if_quick, verify::grouped(kept_executions_if_quick)));
  c.option("--tree", options->tree, "PLACE",
           "The path or URL of the source tree, for the links of --html");
  c.run = [options, &p] {
    if (options->quick) make_quick(*options);
    return run_certificate(*options, p);
  };
  return c;
}

}  // namespace fencepost::cli
