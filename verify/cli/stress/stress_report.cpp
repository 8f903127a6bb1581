#include "stress/stress_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/shell_word.hpp"
#include "fencepost/verify/report.hpp"
#include "report/run_report.hpp"

namespace fencepost::cli {
namespace {

using verify::columns;
using verify::grouped;

// "3.26 %", "0.0012 %": two significant digits, however small the number.
std::string frequency(std::uint64_t count, std::uint64_t samples) {
  if (samples == 0 || count == 0) return "0 %";
  const double percent = 100.0 * static_cast<double>(count) / static_cast<double>(samples);
  return percent >= 1 ? fmt::format("{:.2f} %", percent) : fmt::format("{:.2g} %", percent);
}

std::string times(std::uint64_t count) { return count == 1 ? "once" : grouped(count) + " times"; }

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t has = columns(text);
  return std::string(text) + std::string(width > has ? width - has : 0, ' ');
}

std::string describe(const stressed& s) {
  switch (judge(s)) {
    case stress_standing::held: return "not seen broken";
    case stress_standing::broken: return "broken " + times(s.times_broken());
    case stress_standing::seen_violated:
      return fmt::format("expected violation ({}): seen {}", to_string(s.expected),
                         times(s.times_broken()));
    case stress_standing::not_seen:
      return fmt::format("expected violation ({}): not seen, which is no evidence",
                         to_string(s.expected));
    case stress_standing::not_run: return "not run";
  }
  return "?";
}

std::string machine_in_words(const stress::host& m) {
  std::string text = m.architecture;
  if (!m.processor.empty()) text += ", " + m.processor;
  text += fmt::format(", {} processor{}", m.processors, m.processors == 1 ? "" : "s");
  if (!m.emulator.empty()) text += ", emulated by " + m.emulator;
  return text;
}

}  // namespace

std::string stress_report::paragraph(const std::string& words) const {
  std::string text;
  for (const std::string& line : verify::wrapped(words, out_.width())) text += line + "\n";
  return text;
}

void stress_report::calibration_of(const calibration& c) const {
  std::string text =
      out_.tinted(tint::strong, "What this machine shows of weak memory") + "\n" +
      paragraph(machine_in_words(c.where)) +
      out_.tinted(tint::strong, fmt::format("  {:<20}{:<12}{:>14}{:>16}  {}", "shape", "outcome",
                                            "seen", "of samples", "what it is")) +
      "\n";
  const auto all = weak_outcomes(c);
  for (const weak_outcome& w : all) {
    const bool is_seen = w.outcome->count != 0;
    const bool forbidden = w.outcome->verdict == expect::forbidden;
    const std::string line =
        fmt::format("  {:<20}{:<12}{:>14}{:>16}  ", w.shape->name, w.outcome->result,
                    w.shape->ran ? (is_seen ? grouped(w.outcome->count) : "never") : "not run",
                    grouped(w.shape->samples));
    text += out_.tinted(is_seen ? (forbidden ? tint::bad : tint::warning) : tint::none, line) +
            w.outcome->description + "\n";
  }
  if (all.empty()) text += "  no shapes were run\n";
  text += paragraph(what_it_cannot_show(c));
  out_.print(text + "\n");
}

void stress_report::begin(std::size_t name) {
  name_ = std::max(name_, name);
  out_.print(out_.tinted(tint::strong, fmt::format("{:<7}{:<{}}{:>15}{:>11}  {}", "", "scenario",
                                                   name_, "samples", "time", "result")) +
             "\n");
}

std::string stress_report::table(const stressed& s) const {
  std::size_t width = 7;
  for (const counted_outcome& o : s.outcomes) width = std::max(width, columns(o.result));
  std::string text = fmt::format("         {:<{}}{:>15}{:>12}  {:<12} {}\n", "outcome", width,
                                 "samples", "frequency", "expectation", "description");
  for (const counted_outcome& o : s.outcomes) {
    const bool bad = o.verdict == expect::forbidden && o.count != 0;
    const tint t = bad                                                ? tint::bad
                   : o.verdict == expect::interesting && o.count != 0 ? tint::warning
                                                                      : tint::none;
    std::string line =
        fmt::format("         {}{:>15}{:>12}  {:<12} {}", padded(o.result, width), grouped(o.count),
                    frequency(o.count, s.samples), to_string(o.verdict), o.description);
    while (line.ends_with(' ')) line.pop_back();
    text += out_.tinted(t, line) + "\n";
  }
  return text;
}

std::string stress_report::claims(const stressed& s) const {
  std::string text;
  for (const stressed_claim& c : s.broken) {
    text += fmt::format("         {}: {}\n", to_string(c.kind), c.what);
    std::string where;
    if (!c.file.empty()) where = verify::shown_path(c.file);
    if (c.line != 0) where += fmt::format(":{}", c.line);
    if (!c.function.empty()) where += " " + c.function;
    if (!where.empty()) where += ", ";
    text += fmt::format("           {}{}, first after {:.3f} s, seed {}\n", where, times(c.count),
                        c.after, c.seed);
  }
  if (judge(s) == stress_standing::broken) {
    if (!s.claim.empty()) text += "         Claim: " + s.claim + "\n";
    text +=
        fmt::format("         {0} stress {1}   {0} explain {1}\n", program_, shell_word(s.name));
  }
  return text;
}

void stress_report::line(const stressed& s) const {
  const stress_standing standing = judge(s);
  const bool bad = standing == stress_standing::broken;
  const bool unclear =
      standing == stress_standing::not_seen || standing == stress_standing::not_run;
  const char* const word = bad ? "FAIL" : unclear ? "-" : "ok";
  const tint t = bad ? tint::bad : unclear ? tint::warning : tint::good;
  std::string text = out_.tinted(t, fmt::format("{:<7}", word)) + padded(s.name, name_) +
                     fmt::format("{:>15}{:>11}  {}\n", grouped(s.samples),
                                 verify::duration(s.seconds), describe(s));
  if (s.ran && !s.outcomes.empty()) text += table(s);
  out_.print(text + claims(s));
}

void stress_report::end(const stress_results& r) const {
  std::size_t standings[5] = {};
  std::uint64_t samples = 0;
  for (const stressed& s : r.scenarios) {
    ++standings[static_cast<std::size_t>(judge(s))];
    samples += s.samples;
  }
  const auto count = [&](stress_standing s) { return standings[static_cast<std::size_t>(s)]; };
  std::string text =
      fmt::format("\n{} of {} scenarios not seen broken, ", count(stress_standing::held),
                  count(stress_standing::held) + count(stress_standing::broken)) +
      out_.tinted(count(stress_standing::broken) == 0 ? tint::none : tint::bad,
                  fmt::format("{} broken", count(stress_standing::broken)));
  const std::size_t expected =
      count(stress_standing::seen_violated) + count(stress_standing::not_seen);
  if (expected != 0) {
    text += fmt::format("; {} of {} expected violations seen",
                        count(stress_standing::seen_violated), expected);
  }
  if (count(stress_standing::not_run) != 0) {
    text += "; " +
            out_.tinted(tint::warning, fmt::format("{} not run", count(stress_standing::not_run)));
  }
  std::string seeds;
  for (const std::uint64_t seed : r.seeds)
    seeds += (seeds.empty() ? "" : ", ") + std::to_string(seed);
  text += fmt::format("\n{} samples, {}, seed {}\n", grouped(samples), verify::duration(r.seconds),
                      seeds.empty() ? "none" : seeds);
  text += paragraph(
      "A sample is an execution that happened. What was not seen may happen all the same, here or "
      "on another machine: fencepost verify explores everything that can.");
  out_.print(text);
}

namespace {

std::string test_case(const std::string& suite, const stressed& s) {
  const std::size_t slash = s.name.find('/');
  const std::string name = slash == std::string::npos ? s.name : s.name.substr(slash + 1);
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\" time=\"{:.3f}\">\n",
                                 xml_text(suite), xml_text(name), s.seconds);
  std::string details = s.claim + "\n";
  for (const stressed_claim& c : s.broken) {
    details += fmt::format("{}: {}\n{}:{}, {}, seed {}\n", to_string(c.kind), c.what, c.file,
                           c.line, times(c.count), c.seed);
  }
  for (const counted_outcome& o : s.outcomes) {
    details += fmt::format("{}: {} ({})\n", o.result, o.count, to_string(o.verdict));
  }
  switch (judge(s)) {
    case stress_standing::broken:
      text += fmt::format("      <failure type=\"broken\" message=\"{}\">{}</failure>\n",
                          xml_text(describe(s)), xml_text(details));
      break;
    case stress_standing::not_seen:
    case stress_standing::not_run:
      text += fmt::format("      <skipped message=\"{}\"/>\n", xml_text(describe(s)));
      break;
    case stress_standing::held:
    case stress_standing::seen_violated:
      text += fmt::format("      <system-out>{} samples\n{}</system-out>\n", s.samples,
                          xml_text(details));
      break;
  }
  return text + "    </testcase>\n";
}

struct junit_suite {
  std::string name;
  std::string cases = {};
  std::size_t tests = 0, failures = 0, skipped = 0;
  double seconds = 0;

  void add(const stressed& s) {
    cases += test_case(name, s);
    ++tests;
    seconds += s.seconds;
    const stress_standing standing = judge(s);
    if (standing == stress_standing::broken) ++failures;
    if (standing == stress_standing::not_seen || standing == stress_standing::not_run) ++skipped;
  }
  std::string attributes() const {
    return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\" time=\"{:.3f}\"",
                       tests, failures, skipped, seconds);
  }
};

}  // namespace

std::string to_junit(const stress_results& r) {
  std::vector<junit_suite> suites;
  junit_suite all{"all"};
  const auto add = [&](const std::string& suite, const stressed& s) {
    const auto found = std::find_if(suites.begin(), suites.end(),
                                    [&](const junit_suite& known) { return known.name == suite; });
    (found == suites.end() ? suites.emplace_back(junit_suite{suite}) : *found).add(s);
    all.add(s);
  };
  for (const calibration& c : r.machines) {
    for (const stressed& s : c.shapes) add("calibration " + c.where.architecture, s);
  }
  for (const stressed& s : r.scenarios) add(s.name.substr(0, s.name.find('/')), s);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"fencepost stress\" {}>\n", all.attributes());
  for (const junit_suite& s : suites) {
    text += fmt::format("  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n", xml_text(s.name),
                        s.attributes(), s.cases);
  }
  return text + "</testsuites>";
}

}  // namespace fencepost::cli
