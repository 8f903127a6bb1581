#include "second_opinion_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <stdexcept>

#include "differences.hpp"
#include "runner_report.hpp"

namespace fencepost::relacy {
namespace {

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

}  // namespace

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
    why = fmt::format("**{}**", in_words(s));
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

}  // namespace fencepost::relacy
