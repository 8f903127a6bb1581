#include "runner_report.hpp"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "differences.hpp"

namespace fencepost::relacy {
namespace {

std::uint64_t rate(const result& r) {
  return r.seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(r.iterations) / r.seconds)
                       : 0;
}

}  // namespace

std::string grouped(std::uint64_t n) {
  std::string text = std::to_string(n);
  for (std::size_t at = text.size(); at > 3; at -= 3) text.insert(at - 3, ",");
  return text;
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
  std::string standing(in_words(judge(r)));
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
  std::size_t counts[standings] = {};
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
