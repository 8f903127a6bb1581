#include "show.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "differences.hpp"

namespace fencepost::relacy {
namespace {

// Returns "1,234,567" for 1234567.
std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
}

std::uint64_t rate(const result& r) {
  return r.seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(r.iterations) / r.seconds)
                       : 0;
}

bool must_be_violated(const scenario& s) { return s.expected != violation::none; }

// Relacy does not distinguish some kinds that the checker does: it looks an object up before it
// accesses it, so that a null pointer is reported as freed memory and raises no signal; and it
// recognizes an endless loop only by the number of steps.
bool same_kind(violation a, violation b) {
  const auto of_relacy = [](violation v) {
    if (v == violation::crash) return violation::use_after_free;
    if (v == violation::no_progress) return violation::liveness;
    return v;
  };
  return of_relacy(a) == of_relacy(b);
}

// Returns what Relacy says, over all schedulers, as a cell of the table.
std::string opinion(const row& r) {
  if (r.what->run == nullptr) return fmt::format("skipped: {}", r.what->skipped);
  if (const row::run* bad = r.violated()) {
    return fmt::format("{} after {} ({})", to_string(bad->result.kind),
                       grouped(bad->result.iterations), to_string(bad->scheduler));
  }
  std::uint64_t sum = 0;
  for (const row::run& run : r.runs) {
    if (run.result.verdict == verdict::skipped) return "skipped: " + run.result.message;
    if (run.result.verdict == verdict::broken) return "broken: " + run.result.message;
    sum += run.result.iterations;
  }
  const bool complete = std::ranges::any_of(r.runs, [](const row::run& run) {
    return run.scheduler == scheduler::full && run.result.verdict == verdict::complete;
  });
  return fmt::format("holds in {}{}", grouped(sum), complete ? ", all of its full search" : "");
}

std::string in_words(standing s) {
  switch (s) {
    case standing::agrees: return "agrees";
    case standing::explained: return "differs, explained";
    case standing::differs: return "DIFFERS";
    case standing::agrees_now: return "agrees";
    case standing::broken: return "BROKEN";
    case standing::incomplete: return "cut short";
    case standing::skipped: return "skipped";
  }
  return "?";
}

}  // namespace

const row::run* row::violated() const {
  const run* any = nullptr;
  for (const run& r : runs) {
    if (r.result.verdict != verdict::violated) continue;
    if (same_kind(r.result.kind, what->about.expected)) return &r;
    if (any == nullptr) any = &r;
  }
  return any;
}

standing judge(const row& r) {
  const scenario& about = r.what->about;
  const bool is_skipped =
      r.what->run == nullptr || std::ranges::any_of(r.runs, [](const row::run& run) {
        return run.result.verdict == verdict::skipped;
      });
  if (is_skipped) return standing::skipped;
  const bool explained = rule_for(about.name) != nullptr;
  const row::run* bad = r.violated();
  const bool as_expected = must_be_violated(about)
                               ? bad != nullptr && same_kind(bad->result.kind, about.expected)
                               : bad == nullptr;
  if (!as_expected && bad != nullptr) return explained ? standing::explained : standing::differs;
  if (std::ranges::any_of(
          r.runs, [](const row::run& run) { return run.result.verdict == verdict::broken; })) {
    return explained ? standing::explained : standing::broken;
  }
  const bool cut =
      std::ranges::any_of(r.runs, [](const row::run& run) { return run.result.cut_short; });
  if (!as_expected) {
    return explained ? standing::explained : cut ? standing::incomplete : standing::differs;
  }
  if (explained) return standing::agrees_now;
  return cut && bad == nullptr ? standing::incomplete : standing::agrees;
}

int status_of(const std::vector<row>& rows) {
  int status = 0;
  for (const row& r : rows) {
    const standing s = judge(r);
    if (s == standing::differs || s == standing::broken) return 1;
    if (s == standing::incomplete) status = 3;
  }
  return status;
}

std::string expectation(const scenario& s) {
  return must_be_violated(s) ? std::string(to_string(s.expected)) : "holds";
}

std::string describe(const result& r) {
  switch (r.verdict) {
    case verdict::holds: return r.cut_short ? "holds so far" : "holds";
    case verdict::violated: return fmt::format("violated ({})", to_string(r.kind));
    case verdict::skipped:
    case verdict::broken: return fmt::format("{}: {}", to_string(r.verdict), r.message);
    case verdict::complete: break;
  }
  return std::string(to_string(r.verdict));
}

std::string heading(std::size_t width) {
  return fmt::format("{:<{}}  {:<14}  {:<24}  {:<9}  {:>10}  {:>12}\n", "scenario", width,
                     "expected", "verdict", "scheduler", "iterations", "iterations/s");
}

std::string lines(const row& r, std::size_t width) {
  const scenario& about = r.what->about;
  if (r.what->run == nullptr) {
    return fmt::format("{:<{}}  {:<14}  skipped: {}\n", about.name, width, expectation(about),
                       r.what->skipped);
  }
  std::string text;
  std::string standing = in_words(judge(r));
  for (const row::run& run : r.runs) {
    std::string line =
        fmt::format("{:<{}}  {:<14}  {:<24}  {:<9}  {:>10}  {:>12}  {}", about.name, width,
                    expectation(about), describe(run.result), to_string(run.scheduler),
                    grouped(run.result.iterations), grouped(rate(run.result)), standing);
    while (line.ends_with(' ')) line.pop_back();
    text += line + "\n";
    standing.clear();
  }
  return text;
}

std::string summary(const std::vector<row>& rows) {
  std::size_t counts[7] = {};
  std::size_t must = 0, found = 0;
  std::map<scheduler, std::size_t> by;
  for (const row& r : rows) {
    ++counts[static_cast<std::size_t>(judge(r))];
    if (judge(r) == standing::skipped || !must_be_violated(r.what->about)) continue;
    ++must;
    if (r.violated() != nullptr) ++found;
    for (const row::run& run : r.runs) by[run.scheduler] += run.result.verdict == verdict::violated;
  }
  const auto of = [&](standing s) { return counts[static_cast<std::size_t>(s)]; };
  std::string text = fmt::format(
      "{} scenario{}: {} agree, {} differ for a reason that is known, {} differ, {} broken, "
      "{} cut short, {} skipped.\n",
      rows.size(), rows.size() == 1 ? "" : "s", of(standing::agrees) + of(standing::agrees_now),
      of(standing::explained), of(standing::differs), of(standing::broken),
      of(standing::incomplete), of(standing::skipped));
  text += fmt::format("Of {} violation{} that must be found {} {} found", must,
                      must == 1 ? "" : "s", found, found == 1 ? "is" : "are");
  const char* separator = ": ";
  for (const auto& [s, times] : by) {
    text += fmt::format("{}{} by the {} scheduler", separator, times, to_string(s));
    separator = ", ";
  }
  text += ".\n";
  for (const row& r : rows) {
    if (judge(r) == standing::agrees_now) {
      text += fmt::format("{}: agrees, although differences.cpp says that it does not.\n",
                          r.what->about.name);
    }
  }
  return text;
}

checker_verdicts checker_verdicts_of(const nlohmann::json& document) try {
  checker_verdicts verdicts;
  for (const nlohmann::json& s : document.at("scenarios")) {
    const nlohmann::json& r = s.at("result");
    std::string said = r.at("verdict").get<std::string>();
    if (said == "violated") said = r.at("violation").at("kind").get<std::string>();
    if (said == "verified") said = "holds";
    verdicts[s.at("name").get<std::string>()] = said;
  }
  return verdicts;
} catch (const nlohmann::json::exception& e) {
  throw std::runtime_error(std::string("not what fencepost verify --json writes: ") + e.what());
}

std::vector<page_row> read_page(const std::string& text) {
  std::vector<page_row> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("| `")) continue;
    std::vector<std::string> cells;
    std::size_t begin = 1;
    for (std::size_t end = line.find('|', begin); end != std::string::npos;
         begin = end + 1, end = line.find('|', begin)) {
      std::string cell = line.substr(begin, end - begin);
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
      cells.push_back(cell);
    }
    if (cells.size() != 5 || cells[0].size() < 2) continue;
    rows.push_back(
        {cells[0].substr(1, cells[0].size() - 2), cells[1], cells[2], cells[3], cells[4]});
  }
  return rows;
}

page_row page_row_of(const row& r, const checker_verdicts& checker) {
  const scenario& about = r.what->about;
  const auto said = checker.find(about.name);
  const standing s = judge(r);
  std::string why;
  if (s == standing::explained) {
    const std::string_view key = rule_for(about.name)->key;
    std::string anchor(key);
    std::ranges::replace(anchor, ' ', '-');
    why = fmt::format("[{}](#{})", key, anchor);
  } else if (s == standing::differs || s == standing::broken || s == standing::incomplete) {
    why = "**" + in_words(s) + "**";
  }
  return {std::string(about.name), expectation(about),
          said == checker.end() ? "not asked" : said->second, opinion(r), why};
}

std::string page_table(const std::vector<std::string_view>& names,
                       const std::vector<page_row>& fresh, const std::vector<page_row>& earlier) {
  std::vector<page_row> rows;
  for (const std::string_view name : names) {
    for (const auto* source : {&fresh, &earlier}) {
      const auto found = std::ranges::find(*source, name, &page_row::name);
      if (found == source->end()) continue;
      rows.push_back(*found);
      break;
    }
  }
  std::size_t skipped = 0, agree = 0, explained = 0, open = 0, must = 0, shown = 0;
  std::string lines;
  for (const page_row& r : rows) {
    const bool is_skipped = r.relacy.starts_with("skipped");
    ++(is_skipped ? skipped : r.why.empty() ? agree : r.why.starts_with("[") ? explained : open);
    if (!is_skipped && r.expected != "holds") {
      ++must;
      if (r.relacy.find(" after ") != std::string::npos) ++shown;
    }
    lines += fmt::format("| `{}` | {} | {} | {} | {} |\n", r.name, r.expected, r.checker, r.relacy,
                         r.why);
  }
  return fmt::format(
      "{} scenarios: {} agree, {} differ for a reason that is known, {} are open, {} are skipped. "
      "Of {} violations that must be found {} are found.\n"
      "\n| scenario | expected | checker | Relacy | |\n| --- | --- | --- | --- | --- |\n{}",
      rows.size(), agree, explained, open, skipped, must, shown, lines);
}

nlohmann::json to_json(const std::vector<row>& rows) {
  nlohmann::json all = nlohmann::json::array();
  for (const row& r : rows) {
    nlohmann::json one;
    one["name"] = r.what->about.name;
    one["threads"] = r.what->about.threads;
    one["expected"] = to_string(r.what->about.expected);
    one["standing"] = in_words(judge(r));
    if (const rule* why = rule_for(r.what->about.name)) one["rule"] = why->key;
    if (r.what->run == nullptr) one["skipped"] = r.what->skipped;
    one["runs"] = nlohmann::json::array();
    for (const row::run& run : r.runs) {
      one["runs"].push_back({{"scheduler", to_string(run.scheduler)},
                             {"verdict", to_string(run.result.verdict)},
                             {"kind", to_string(run.result.kind)},
                             {"message", run.result.message},
                             {"iterations", run.result.iterations},
                             {"cut_short", run.result.cut_short},
                             {"seconds", run.result.seconds},
                             {"iterations_per_second", rate(run.result)},
                             {"history", run.result.history}});
    }
    all.push_back(std::move(one));
  }
  return {{"command", "relacy"}, {"scenarios", std::move(all)}};
}

}  // namespace fencepost::relacy
