// Results as text.
#include "fencepost/verify/report.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "painter.hpp"
#include "words.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t most_outcomes = 50;
constexpr std::size_t between_columns = 2;

// "1,234 executions, 5 blocked, at most 3 threads and 40 events, 0.12 s"
std::string numbers(const result& r) {
  std::string text = counted(r.executions, "execution") + ", " + grouped(r.blocked) + " blocked";
  if (r.threads != 0) {
    text += ", at most " + counted(r.threads, "thread") + " and " + counted(r.events, "event");
  }
  return text + ", " + duration(r.seconds);
}

// "at most 2 spurious failures, 1 spurious wake-up and 1 time-out an execution"
std::string bounds_in_words(const options& o) {
  return "at most " + counted(o.spurious_failures, "spurious failure") + ", " +
         counted(o.spurious_wakeups, "spurious wake-up") + " and " +
         counted(o.timeouts, "time-out") + " an execution";
}

// The table of outcomes, in the form of jcstress.
std::string outcome_table(const result& r) {
  const std::vector<outcome_row> rows = outcome_rows(r);
  if (rows.empty()) return {};
  std::size_t result_width = columns("outcome");
  std::size_t count_width = columns("executions");
  std::size_t verdict_width = columns("expectation");
  for (const outcome_row& row : rows) {
    result_width = std::max(result_width, columns(row.result));
    count_width = std::max(count_width, grouped(row.executions).size());
  }
  const auto line = [&](const std::string& result, const std::string& count,
                        const std::string& verdict, const std::string& description) {
    std::string text = "  " + result +
                       std::string(result_width - columns(result) + between_columns, ' ') +
                       std::string(count_width - count.size(), ' ') + count;
    if (!verdict.empty()) text += "  " + verdict;
    if (!description.empty()) {
      text += std::string(verdict_width - verdict.size() + between_columns, ' ') + description;
    }
    return text + "\n";
  };
  const bool judged = rows.front().verdict.has_value();
  std::string out =
      line("outcome", "executions", judged ? "expectation" : "", judged ? "description" : "");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const outcome_row& row = rows[i];
    if (i == most_outcomes) {
      return out + "  ... " + grouped(rows.size() - most_outcomes) + " more ...\n";
    }
    out += line(row.result, grouped(row.executions),
                row.verdict ? std::string(to_string(*row.verdict)) : "", row.description);
  }
  return out;
}

// Says why each run began at the beginning, which takes longer; "" if runs were resumed.
std::string where_runs_begin(const result& r, const text_style& style) {
  if (r.from_beginning.empty()) return {};
  return paragraph("each execution was run from the beginning: " + r.from_beginning, style.width,
                   "  ");
}

// True if more is known of what was left out than an estimate of how much it is.
bool judges_the_rest(const result& r) {
  return r.sample || r.limit == "probes" || r.limit == "preemptions" || r.limit == "load buffering";
}

}  // namespace

std::vector<outcome_row> outcome_rows(const result& r) {
  std::vector<outcome_row> rows;
  std::map<std::string, std::uint64_t> others = r.outcomes;
  for (const known_outcome& k : r.known_outcomes) {
    outcome_row row{std::string(k.result), 0, k.verdict, std::string(k.description), true};
    if (const auto found = others.find(row.result); found != others.end()) {
      row.executions = found->second;
      others.erase(found);
    }
    rows.push_back(std::move(row));
  }
  for (const auto& [text, count] : others) {
    outcome_row row{text, count, {}, "", false};
    if (!r.known_outcomes.empty()) row.verdict = expect::forbidden;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::string watched(const result& r) {
  if (r.atomics == 0 && r.plain == 0) return {};
  const std::string atomics = counted(r.atomics, "atomic");
  if (r.plain == 0) return atomics + "; no plain data was watched: data races are not checked";
  return atomics + " and " + counted(r.plain, "plain object");
}

std::string in_one_line(const result& r, const options& o) {
  std::string text = std::string(to_string(r.outcome)) + ": " + counted(r.executions, "execution") +
                     ", at most " + counted(r.threads, "thread") + " and " +
                     counted(r.events, "event");
  if (const std::string objects = watched(r); !objects.empty()) text += ", watched " + objects;
  text += r.load_buffering.empty() ? "; no load-buffering race"
                                   : "; " + counted(r.load_buffering.size(), "load-buffering race");
  return text + "; " + bounds_in_words(o);
}

std::string to_text(const result& r, const text_style& style) {
  const painter paint(style.color);
  const std::string model(to_string(r.model));
  const std::string part =
      part_in_words(r.preemptions, r.sample ? r.sample->draws : 0, r.sample ? r.sample->seed : 0);
  std::string out;
  if (!r.name.empty() && r.name != options{}.name) out += paint.bold(r.name) + ": ";
  switch (r.outcome) {
    case verdict::verified:
      if (r.executions == 0) {
        out += paint.red("nothing is shown") + ": no execution is complete under " + model + "\n";
        out += paragraph(numbers(r), style.width, "  ");
        out += paragraph(
            "Each run was abandoned because a thread waited for something that happens in no "
            "execution: either a wait that never ends, or a fault of the checker.",
            style.width);
        break;
      }
      out += paint.green("verified") + ": explored exhaustively under " + model;
      if (r.reexecutions && !r.reexecutions->exhaustive)
        out += " within " + counted(r.reexecutions->limit, "re-execution");
      out += "\n";
      out += paragraph(numbers(r), style.width, "  ");
      if (const std::string objects = watched(r); !objects.empty())
        out += paragraph("watched: " + objects, style.width, "  ");
      out += paragraph(load_buffering_in_words(r), style.width, "  ");
      out += where_runs_begin(r, style);
      break;
    case verdict::violated:
      out += paint.red("violated") + " under " + model + (part.empty() ? "" : ", " + part) + "\n";
      out +=
          paragraph(numbers(r) + (r.violations > 1 ? "; this is the shortest of " +
                                                         grouped(r.violations) + " counterexamples"
                                                   : ""),
                    style.width, "  ");
      break;
    case verdict::incomplete:
      out += paint.yellow("incomplete") + " under " + model + ": " +
             (judges_the_rest(r) ? why_incomplete(r) : limit_in_words(r.limit)) + "\n";
      out += paragraph(
          numbers(r) +
              (r.whole ? ", of " + in_words(*r.whole) + " or more in all" : std::string()) +
              ". Nothing is known of the rest.",
          style.width, "  ");
      out += where_runs_begin(r, style);
      if (const std::string why = about_the_limit(r, style.names_options); !why.empty())
        out += paragraph(why, style.width, "  ");
      break;
  }
  out += outcome_table(r);
  if (r.violation) out += "\n" + to_text(*r.violation, style);
  if (r.outcome == verdict::verified && r.executions != 0) {
    out += paragraph(not_covered(!holds_with_load_buffering(r)), style.width);
  }
  return out;
}

std::string to_text(const result& r) { return to_text(r, text_style{}); }

}  // namespace fencepost::verify
