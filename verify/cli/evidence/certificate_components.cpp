#include "evidence/certificate_components.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "base/names.hpp"
#include "base/this_program.hpp"
#include "evidence/certificate_links.hpp"
#include "evidence/certificate_words.hpp"
#include "fencepost/verify/report.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

std::string model_link(const std::string& model) {
  if (!this_program().is_fencepost) return code(model);  // the file that lists the scenarios
  return link(model + ".hpp", "../models/include/fencepost/models/" + model + ".hpp");
}

// Describes the result, and emphasizes one that is not as expected.
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
    text += ", freed addresses are reused by any thread";
  else if (about.reuse_addresses)
    text += ", freed addresses are reused";
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
                                                   : strong(to_string(o.standing()))});
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

}  // namespace

std::string name_of(const operation_report& o) {
  return o.label.empty() ? fmt::format("line {}", o.source.line) : code(o.label);
}

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
      "Atomic accesses and fences of compiled code, and of headers that are not components:"});
  page_table t{{{"file"}, {"label"}, {"operation"}, {"order"}, {"with"}, {"why not"}}, {}};
  for (const header_report& h : c.outside) {
    const std::string path = h.outside ? h.name : c.folder + "/" + h.name;
    bool first = true;
    for (const operation_report& o : h.operations) {
      t.rows.push_back({first ? link_or_text(h.name, "../" + path) : "", name_of(o),
                        code(o.source.name), joined(o.source.orders), partners_of(o),
                        h.outside          ? "compiled code"
                        : o.reason.empty() ? strong(to_string(o.standing()))
                                           : o.reason});
      first = false;
    }
  }
  all.push_back(std::move(t));
}

}  // namespace fencepost::cli
