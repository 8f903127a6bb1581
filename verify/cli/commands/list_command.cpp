// fencepost list: the scenarios, the claim that each checks, what is expected.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/report.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {
namespace {

constexpr std::size_t narrowest_claim = 32;

int list(const common_options& options, const std::vector<entry>& entries) {
  const std::vector<const entry*> selected = select(entries, options.patterns);
  output_files files("list", {{"--json", options.json}});
  screen out(files.text(), options.color);

  std::size_t name = 8;
  std::size_t expected = 8;
  const auto short_expectation = [](const scenario& s) {
    return s.expected == violation::none ? "holds" : std::string(to_string(s.expected));
  };
  for (const entry* e : selected) {
    name = std::max(name, verify::columns(e->about.name));
    expected = std::max(expected, short_expectation(e->about).size());
  }
  // The claim is shown beside the rest if there is room for it, else on lines of its own.
  const std::size_t left = name + 2 + 7 + 2 + expected + 2;
  const bool beside = out.width() >= left + narrowest_claim;
  const std::size_t indent = beside ? left : 4;
  std::string text =
      out.tinted(tint::strong, fmt::format("{:<{}}  threads  {:<{}}  {}", "scenario", name,
                                           "expected", expected, beside ? "claim" : ""));
  text += "\n";
  json scenarios = json::array();
  for (const entry* e : selected) {
    const scenario& s = e->about;
    const std::string padding(name - verify::columns(s.name), ' ');
    text += fmt::format("{}{}  {:>7}  {:<{}}", s.name, padding, s.threads, short_expectation(s),
                        expected);
    bool first = beside;
    for (const std::string& line : verify::wrapped(s.claim, out.width() - indent)) {
      if (line.empty()) continue;
      text += first ? "  " : "\n" + std::string(indent, ' ');
      text += line;
      first = false;
    }
    while (text.ends_with(' ')) text.pop_back();
    text += "\n";
    scenarios.push_back(to_json(s));
  }
  text += fmt::format("\n{} scenario{}\n", selected.size(), selected.size() == 1 ? "" : "s");
  out.print(text);

  json whole = document("list");
  whole["scenarios"] = std::move(scenarios);
  write_json(files, whole);
  files.save();
  return exit_as_expected;
}

}  // namespace

command list_command(program& p) {
  command c{"list", "List the scenarios and the claim that each checks",
            "Exit status: 0; 2 wrong usage or bad input.\n"};
  auto options = std::make_shared<common_options>();
  add_common(c, *options);
  c.run = [options, &p] { return list(*options, p.entries); };
  return c;
}

}  // namespace fencepost::cli
