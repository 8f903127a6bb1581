#include "evidence/necessity_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/names.hpp"
#include "base/shell_word.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {
namespace {

std::string not_exercised(const operation_report& o) {
  if (o.standing() == need::unknown) return "UNKNOWN: a scenario that was left out may execute it";
  const std::string_view so = o.outside ? "outside the scenarios" : "not exercised";
  return std::string(so) + (o.reason.empty() ? "" : ", kept: " + o.reason);
}

std::string verdict(const step_report& s) {
  switch (s.verdict) {
    case need::needed:
      if (s.model == verify::memory_model::xc20) {
        return fmt::format("needed under xc20: {} in {}", to_string(s.kind), s.scenario);
      }
      return fmt::format("needed: {} in {}", to_string(s.kind), s.scenario) +
             (s.reason.empty()
                  ? ""
                  : "; but the source says that it is kept for another reason: " + s.reason);
    case need::kept:
      return "kept: " + s.reason + (s.limit.empty() ? "" : "; and unknown: " + s.limit);
    case need::stronger:
      return fmt::format("STRONGER than any scenario needs ({} {})", s.explored.size(),
                         s.explored.size() == 1 ? "holds" : "hold");
    case need::unknown: return "UNKNOWN: " + s.limit;
    case need::not_run: return "not run";
    case need::not_exercised:
    case need::outside: break;
  }
  return "?";
}

tint tint_of(need n) {
  switch (n) {
    case need::needed: return tint::good;
    case need::kept:
    case need::outside: return tint::none;
    case need::stronger:
    case need::not_exercised: return tint::bad;
    default: return tint::warning;
  }
}

}  // namespace

std::string necessity_table::of(const header_report& h) const {
  std::vector<row> rows;
  std::string relaxed;
  for (const operation_report& o : h.operations) {
    if (o.asked && o.steps.empty()) {
      relaxed += (relaxed.empty() ? "" : ", ") +
                 (o.label.empty() ? "line " + std::to_string(o.source.line) : o.label);
      continue;
    }
    const std::string line = std::to_string(o.source.line);
    const std::string orders = o.asked ? in_words(*o.asked) : joined(o.source.orders);
    if (!o.asked) {
      const need n = o.standing();
      rows.push_back({line, o.label, o.source.name, orders, "", n, not_exercised(o)});
      continue;
    }
    bool first = true;
    for (const step_report& s : o.steps) {
      rows.push_back({first ? line : "", first ? o.label : "", first ? o.source.name : "",
                      first ? orders : "", s.step.name, s.verdict, verdict(s)});
      first = false;
    }
  }
  const std::string_view outside = h.outside ? ": compiled code, which no scenario explores" : "";
  return out_.tinted(tint::strong, h.name) + std::string(outside) + "\n" + lines(rows) +
         (relaxed.empty() ? "" : indented("relaxed, nothing to weaken: " + relaxed, 2));
}

std::string necessity_table::indented(const std::string& words, std::size_t by) const {
  std::string text;
  for (const std::string& line : verify::wrapped(words, std::max(out_.width(), by + 20) - by)) {
    text += std::string(by, ' ') + line + "\n";
  }
  return text;
}

std::string necessity_table::how_to_see(const step_report& s, const std::string& scenario) const {
  std::string text = fmt::format("{} explain {} --weaken {}", program_, shell_word(scenario),
                                 shell_word(to_text(s.change)));
  if (s.model != verify::memory_model::rc20) {
    text += fmt::format(" --model {}", to_string(s.model));
  }
  return text;
}

std::string necessity_table::lines(const std::vector<row>& rows) const {
  std::size_t line = 4;
  std::size_t label = 0;
  std::size_t operation = 9;
  std::size_t order = 5;
  std::size_t weaker = 6;
  for (const row& r : rows) {
    if (!r.label.empty()) label = std::max({label, r.label.size(), std::size_t{5}});
    line = std::max(line, r.line.size());
    operation = std::max(operation, r.operation.size());
    order = std::max(order, r.order.size());
    weaker = std::max(weaker, r.weaker.size());
  }
  const auto columns = [&](const row& r) {
    return fmt::format("  {:>{}}  ", r.line, line) +
           (label == 0 ? "" : fmt::format("{:<{}}  ", r.label, label)) +
           fmt::format("{:<{}}  {:<{}}  {:<{}}  ", r.operation, operation, r.order, order, r.weaker,
                       weaker);
  };
  if (rows.empty()) return {};
  std::string text =
      columns({"line", "label", "operation", "order", "weaker", {}, ""}) + "verdict\n";
  for (const row& r : rows) {
    const std::string begin = columns(r);
    // In a file there is room for the longest name of a scenario. On a terminal that is too narrow,
    // the verdict goes to the next line.
    const bool below = out_.is_terminal() && out_.width() < begin.size() + 40;
    const std::size_t room =
        below ? out_.width() - 8 : std::max(out_.width(), begin.size() + 76) - begin.size();
    std::string indent = begin;
    if (below) {
      text += begin.substr(0, begin.find_last_not_of(' ') + 1) + "\n";
      indent = std::string(8, ' ');
    }
    for (const std::string& part : verify::wrapped(r.words, room)) {
      text += indent + out_.tinted(tint_of(r.verdict), part) + "\n";
      indent = std::string(below ? 8 : begin.size(), ' ');
    }
  }
  return text;
}

}  // namespace fencepost::cli
