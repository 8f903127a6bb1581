#include "evidence/necessity_report.hpp"

#include <nlohmann/json.hpp>

#include "base/interrupts.hpp"

namespace fencepost::cli {
namespace {

json to_json(const step_report& s) {
  json j{{"weaker", s.step.name}, {"change", to_text(s.change)}, {"verdict", to_string(s.verdict)}};
  if (s.verdict == need::needed) {
    j["scenario"] = s.scenario;
    j["model"] = to_string(s.model);
    j["violation"] = to_string(s.kind);
    j["message"] = s.message;
  }
  if (!s.reason.empty()) j["reason"] = s.reason;
  if (!s.explored.empty() && s.verdict != need::needed) j["hold"] = s.explored;
  if (!s.limit.empty() && s.verdict != need::needed) j["limit"] = s.limit;
  return j;
}

json to_json(const operation_report& o) {
  json j{{"line", o.source.line}, {"column", o.source.column}};
  if (!o.label.empty()) j["label"] = o.label;
  j["operation"] = o.source.name;
  if (o.asked) {
    j["order"] = to_string(o.asked->success);
    if (o.asked->what == verify::access::compare_exchange) {
      j["failure"] = to_string(o.asked->failure);
      j["weak"] = o.asked->weak;
    }
  } else {
    j["order"] = o.source.orders.empty() ? "" : o.source.orders.front();
  }
  j["exercised"] = o.asked.has_value();
  j["scenarios"] = o.scenarios;
  if (!o.reason.empty()) j["reason"] = o.reason;
  j["weakened"] = json::array();
  for (const step_report& s : o.steps) j["weakened"].push_back(to_json(s));
  return j;
}

}  // namespace

std::string_view to_string(need n) noexcept {
  switch (n) {
    case need::needed: return "needed";
    case need::kept: return "kept";
    case need::stronger: return "stronger than any scenario needs";
    case need::not_exercised: return "not exercised";
    case need::unknown: return "unknown";
    case need::outside: return "outside the scenarios";
    case need::not_run: return "not run";
  }
  return "?";
}

need operation_report::standing() const noexcept {
  if (asked) return need::needed;
  if (outside) return need::outside;
  if (!reason.empty()) return need::kept;
  return may_be_exercised ? need::unknown : need::not_exercised;
}

order_totals sum(const std::vector<header_report>& headers) {
  order_totals t;
  const auto count = [&t](need n) -> std::size_t& {
    switch (n) {
      case need::needed: return t.needed;
      case need::kept: return t.kept;
      case need::stronger: return t.stronger;
      case need::not_exercised: return t.not_exercised;
      case need::unknown: return t.unknown;
      case need::outside: return t.outside;
      case need::not_run: break;
    }
    return t.not_run;
  };
  for (const header_report& h : headers) {
    for (const operation_report& o : h.operations) {
      if (!o.outside) ++t.places;
      if (!o.asked)
        ++count(o.standing());
      else if (o.steps.empty())
        ++t.relaxed;
      for (const step_report& s : o.steps) {
        ++count(s.verdict);
        // An order that only xc20 needs may be kept with a reason: rc20 does not show the need.
        if (s.verdict == need::needed && !s.reason.empty() && s.model != verify::memory_model::xc20)
          ++t.stale_reasons;
      }
    }
  }
  return t;
}

exit_status status_of(const necessity_report& report, const order_totals& t) {
  if (report.broken || t.stronger + t.not_exercised + t.stale_reasons + report.loose.size() != 0)
    return exit_unexpected;
  return t.unknown + t.not_run + report.left_out.size() != 0 || interrupted() ? exit_incomplete
                                                                              : exit_as_expected;
}

json to_json(const header_report& h) {
  json j{{"header", h.name}, {"outside", h.outside}, {"places", json::array()}};
  for (const operation_report& o : h.operations) j["places"].push_back(to_json(o));
  return j;
}

json to_json(const order_totals& t) {
  return {{"places", t.places},     {"relaxed", t.relaxed},
          {"needed", t.needed},     {"kept", t.kept},
          {"stronger", t.stronger}, {"not_exercised", t.not_exercised},
          {"unknown", t.unknown},   {"outside", t.outside},
          {"not_run", t.not_run},   {"reasons_out_of_date", t.stale_reasons}};
}

}  // namespace fencepost::cli
