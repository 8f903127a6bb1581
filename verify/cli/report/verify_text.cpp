#include "report/verify_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/printable.hpp"
#include "base/shell_word.hpp"
#include "fencepost/verify/report.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {

namespace {

using verify::grouped;

std::string indented(const std::string& text, std::size_t by = 2) {
  std::string out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end != begin) out += std::string(by, ' ') + text.substr(begin, end - begin);
    out += "\n";
    begin = end + 1;
  }
  return out;
}

}  // namespace

verify_text::verify_text(screen& out, const common_options& common, const limit_options& limits,
                         std::string share, const std::vector<const entry*>& selected,
                         const std::string& program)
    : out_(out),
      common_(common),
      limits_(limits),
      share_(std::move(share)),
      selected_(selected),
      program_(program) {
  for (const entry* e : selected) name_ = std::max(name_, verify::columns(e->about.name));
}

void verify_text::begin() const {
  // A terminal without room for this word has none for the verdicts either, which get lines of
  // their own.
  const bool fits = !out_.is_terminal() || out_.width() >= 7 + name_ + 15 + 11 + 12 + 9;
  out_.print(fmt::format("{} scenario{}{} under {}{}{}{}\n\n", selected_.size(),
                         selected_.size() == 1 ? "" : "s", share_, to_string(common_.model),
                         as_arguments(limits_.changes), part().empty() ? "" : "; each with ",
                         part()) +
             out_.tinted(tint::strong,
                         fmt::format("{:<7}{:<{}}{:>15}{:>11}{:>12}{}", "", "scenario", name_,
                                     "executions", "blocked", "time", fits ? "  verdict" : "")) +
             "\n");
}

void verify_text::line(const scenario& about, const finished_job& done) const {
  const verify::result& r = done.result;
  const standing s = judge(about, r);
  const char* const words[] = {"ok", "FAIL", "LIMIT"};
  const tint tints[] = {tint::good, tint::bad, tint::warning};
  const auto i = static_cast<std::size_t>(s);
  const std::string padding(name_ - verify::columns(about.name), ' ');
  const std::string numbers =
      fmt::format("{}{}{:>15}{:>11}{:>12}", about.name, padding, grouped(r.executions),
                  grouped(r.blocked), verify::duration(r.seconds));
  const std::string verdict = describe(about, r);
  // A terminal would break the line at any character.
  const bool fits = !out_.is_terminal() || 7 + numbers.size() + 2 + verdict.size() <= out_.width();
  std::string text = out_.tinted(tints[i], fmt::format("{:<7}", words[i])) + numbers +
                     (fits ? "  " : "\n         ") + verdict + "\n";
  if (s == standing::unexpected) text += details(about, done);
  if (s == standing::incomplete)
    if (const std::string why = verify::about_the_limit(r); !why.empty())
      text += indented(paragraph(why, 9), 9);
  out_.print(text);
}

void verify_text::counterexample(const std::vector<finished_job>& done) const {
  const auto steps = [&](std::size_t i) { return done[i].result.violation->steps.size(); };
  std::size_t found = 0;
  std::size_t best = done.size();
  for (std::size_t i = 0; i < done.size(); ++i) {
    const verify::result& r = done[i].result;
    if (!done[i].ran || !r.violation || r.violation->steps.empty() ||
        judge(selected_[i]->about, r) != standing::unexpected) {
      continue;
    }
    ++found;
    if (best == done.size() || steps(i) < steps(best)) best = i;
  }
  if (found == 0) return;
  const scenario& about = selected_[best]->about;
  const std::string title =
      found == 1 ? fmt::format("The counterexample to {}", about.name)
                 : fmt::format("The shortest of the {} counterexamples, to {}", found, about.name);
  std::string text = "\n" + out_.tinted(tint::strong, title) + "\n";
  if (!about.claim.empty()) text += paragraph(fmt::format("Claim: {}", about.claim));
  verify::text_style style;
  style.width = out_.width();
  style.color = out_.color();
  out_.print(text + "\n" + to_text(*done[best].result.violation, style));
}

std::string verify_text::part() const {
  return verify::part_in_words(limits_.preemptions, limits_.samples,
                               limits_.seed.value_or(verify::options{}.seed));
}

std::string verify_text::details(const scenario& about, const finished_job& done) const {
  std::string text;
  if (done.result.recheck && done.result.recheck->rejected != 0) {
    text += indented(
        paragraph("The axioms reject a graph that was explored (" + done.result.recheck->why +
                      "): a fault of the checker, or of the axioms. Please report "
                      "it, with the graph:",
                  9) +
            done.result.recheck->graph,
        9);
  } else if (done.result.violation) {
    verify::text_style style;
    style.width = out_.width() - 9;
    style.color = out_.color();
    style.steps = false;
    text += indented(to_text(*done.result.violation, style), 9);
  } else if (done.result.executions == 0) {
    text += indented(
        paragraph("Each run was abandoned because a thread waited for something that happens in no "
                  "execution: either a wait that never ends, or a fault of the checker.",
                  9),
        9);
  } else {
    text += indented(paragraph(fmt::format("{} must be violated ({}), and no execution is. "
                                           "Claim: {}",
                                           about.name, to_string(about.expected), about.claim),
                               9),
                     9);
  }
  if (!done.output.empty()) {
    text += "         It printed:\n" + indented(printable(done.output), 11);
  }
  return text + "         " + again(about) + "\n";
}

std::string verify_text::again(const scenario& about) const {
  std::string text = fmt::format("{} explain {}", program_, shell_word(about.name));
  if (common_.model != verify::memory_model::rc20) {
    text += fmt::format(" --model {}", to_string(common_.model));
  }
  if (limits_.reexecutions) {
    text += fmt::format(" --reexecutions {}", *limits_.reexecutions);
  }
  return text + as_arguments(limits_.changes) + part_as_arguments(limits_);
}

}  // namespace fencepost::cli
