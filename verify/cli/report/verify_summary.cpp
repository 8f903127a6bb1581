// The end of verify's output: what was explored, what holds, and what that does not cover.
#include <fmt/format.h>

#include "fencepost/verify/report.hpp"
#include "report/verify_text.hpp"
#include "run/judgement.hpp"

namespace fencepost::cli {

using verify::grouped;

void verify_text::end(const run_totals& t, const std::vector<finished_job>& done,
                      double seconds) const {
  std::string text = fmt::format("\n{} of {} as expected, ", t.as_expected, selected_.size()) +
                     out_.tinted(t.unexpected == 0 ? tint::none : tint::bad,
                                 fmt::format("{} unexpected", t.unexpected)) +
                     ", " +
                     out_.tinted(t.incomplete == 0 ? tint::none : tint::warning,
                                 fmt::format("{} incomplete", t.incomplete));
  if (t.not_run != 0)
    text += ", " + out_.tinted(tint::warning, fmt::format("{} not run", t.not_run));
  text += fmt::format("\n{} executions, {} blocked, {}\n", grouped(t.executions),
                      grouped(t.blocked), verify::duration(seconds));
  if (t.verified != 0) text += bounds(t);
  if (t.violated_as_expected != 0) {
    text += t.violated_as_expected == 1
                ? "1 scenario must be violated, and is.\n"
                : fmt::format("{} scenarios must be violated, and are.\n", t.violated_as_expected);
  }
  if (limits_.recheck) text += paragraph(in_words(t.recheck));
  if (t.in_part != 0) {
    text += paragraph(fmt::format(
        "Of {} scenario{} only a part was explored ({}): nothing is known about the rest.",
        t.in_part, t.in_part == 1 ? "" : "s", part()));
  }
  if (t.verified != 0) text += load_buffering(t, done);
  if (t.verified + t.in_part != 0)
    text += paragraph(verify::not_covered(t.load_buffering + t.in_part != 0));
  out_.print(text);
}

void verify_text::left_out(std::size_t scenarios) const {
  if (scenarios == 0) return;
  out_.print(paragraph(fmt::format("{} larger scenario{} left out: verify --nightly explores {}.",
                                   scenarios, scenarios == 1 ? " is" : "s are",
                                   scenarios == 1 ? "it as well" : "them as well")));
}

std::string verify_text::bounds(const run_totals& t) const {
  std::string text = fmt::format("Explored exhaustively under {}: {} scenario{}",
                                 to_string(common_.model), t.verified, t.verified == 1 ? "" : "s");
  if (t.threads != 0) {
    text += fmt::format(", with up to {} threads and {} events per execution", t.threads, t.events);
  }
  if (t.spurious_failures != 0) {
    text += fmt::format(
        "; a weak compare-exchange fails spuriously at most {} per execution",
        t.spurious_failures == 1 ? "once" : fmt::format("{} times", t.spurious_failures));
  }
  if (t.symmetric != 0) {
    text += fmt::format(
        "; in {} with symmetric threads, one execution of those that differ only by a "
        "permutation of these threads",
        t.symmetric);
  }
  text += ".";
  if (t.no_data != 0) {
    text += fmt::format(" In {} no plain data was watched: data races are not checked.", t.no_data);
  }
  return paragraph(text);
}

std::string verify_text::load_buffering(const run_totals& t,
                                        const std::vector<finished_job>& done) const {
  const bool weakest = common_.model == verify::memory_model::rc20;
  if (t.load_buffering == 0 && common_.model == verify::memory_model::xc20) {
    return paragraph("Of what was verified, executions with load buffering were explored as well.");
  }
  if (t.load_buffering == 0) {
    return paragraph(weakest ? "No load-buffering race: what was verified holds under xc20 too."
                             : "No load-buffering race.");
  }
  std::string text;
  if (t.load_buffering < t.verified) {
    text = fmt::format("No load-buffering race in {} of {}{}. ", t.verified - t.load_buffering,
                       t.verified, weakest ? ", which hold under xc20 too" : "");
  }
  constexpr std::size_t most = 3;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < done.size() && names.size() < most; ++i) {
    const verify::result& r = done[i].result;
    if (r.outcome != verify::verdict::verified || r.load_buffering.empty()) continue;
    names.emplace_back(selected_[i]->about.name);
    if (t.load_buffering == 1) names.back() += " has " + load_buffering_in_words(r);
  }
  if (t.load_buffering > 1) text += fmt::format("Load-buffering races in {}: ", t.load_buffering);
  text += fmt::format("{}", fmt::join(names, ", "));
  if (names.size() < t.load_buffering) {
    text += fmt::format(" and {} more (--json has all, with their places)",
                        t.load_buffering - names.size());
  }
  return paragraph(text + ".");
}

std::string verify_text::paragraph(std::string_view words, std::size_t indent) const {
  std::string text;
  for (const std::string& line : verify::wrapped(words, out_.width() - indent)) {
    text += line + "\n";
  }
  return text;
}

}  // namespace fencepost::cli
