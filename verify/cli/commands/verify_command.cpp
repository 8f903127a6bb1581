// fencepost verify: runs the scenarios, a line each as it finishes, then a summary.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include "base/interrupts.hpp"
#include "base/json.hpp"
#include "base/names.hpp"
#include "base/output_file.hpp"
#include "base/printable.hpp"
#include "base/replaced_file.hpp"
#include "base/usage.hpp"
#include "commands/shared_options.hpp"
#include "fencepost/verify/annotation.hpp"
#include "fencepost/verify/report.hpp"
#include "report/run_report.hpp"
#include "run/finished_job.hpp"
#include "run/judgement.hpp"
#include "run/result_json.hpp"
#include "run/run_scenarios.hpp"
#include "run/stopped_run.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {
namespace {

using verify::grouped;

// The k-th of n parts of the scenarios, for machines that share the work.
struct shard {
  std::size_t number = 1;
  std::size_t count = 1;
};

struct verify_options : common_options, limit_options {
  bool nightly = false;
  shard part_of;
  std::string junit;
  std::string sarif;
  std::string html;
  std::string checkpoint;
  std::string resume;
};

struct totals {
  std::size_t as_expected = 0;
  std::size_t unexpected = 0;
  std::size_t incomplete = 0;
  std::size_t not_run = 0;
  std::size_t verified = 0;
  std::size_t in_part = 0;  // incomplete because no more was asked for
  std::size_t violated_as_expected = 0;
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  unsigned threads = 0;
  std::size_t events = 0;
  unsigned spurious_failures = 0;
  std::size_t symmetric = 0;       // scenarios with symmetric threads
  std::size_t no_data = 0;         // … in which no plain data was watched
  std::size_t load_buffering = 0;  // … with a load-buffering race, of those that were verified
  verify::rechecked recheck;
};

totals sum(const std::vector<const entry*>& selected, const std::vector<finished_job>& done) {
  totals t;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    const verify::result& r = done[i].result;
    if (!done[i].ran) {
      ++t.not_run;
      continue;
    }
    t.executions += r.executions;
    t.blocked += r.blocked;
    switch (judge(about, r)) {
      case standing::as_expected: ++t.as_expected; break;
      case standing::unexpected: ++t.unexpected; break;
      case standing::incomplete: ++t.incomplete; break;
    }
    if (r.recheck) add(t.recheck, *r.recheck);
    if (r.limit == "samples" || r.limit == "preemptions") ++t.in_part;
    if (r.outcome == verify::verdict::violated && judge(about, r) == standing::as_expected) {
      ++t.violated_as_expected;
    }
    if (r.outcome != verify::verdict::verified || r.executions == 0) continue;
    ++t.verified;
    t.threads = std::max(t.threads, r.threads);
    t.events = std::max(t.events, r.events);
    if (r.symmetric != 0) ++t.symmetric;
    if (r.atomics != 0 && r.plain == 0) ++t.no_data;
    if (!holds_with_load_buffering(r)) ++t.load_buffering;
    t.spurious_failures = std::max(t.spurious_failures, about.spurious_failures);
  }
  return t;
}

json to_json(const totals& t) {
  json j{{"scenarios", t.as_expected + t.unexpected + t.incomplete + t.not_run},
         {"as_expected", t.as_expected},
         {"unexpected", t.unexpected},
         {"incomplete", t.incomplete},
         {"not_run", t.not_run},
         {"executions", t.executions},
         {"blocked", t.blocked}};
  if (t.recheck.graphs != 0) j["recheck"] = cli::to_json(t.recheck);
  return j;
}

// Without those of the nightly run, unless it is one or they are called by their names.
std::vector<const entry*> of_today(const verify_options& options, std::vector<const entry*> all) {
  std::erase_if(all, [&](const entry* e) {
    const auto& names = options.patterns;
    return e->about.nightly && !options.nightly &&
           std::find(names.begin(), names.end(), e->about.name) == names.end();
  });
  if (all.empty()) {
    throw usage_error(
        "verify: each of these scenarios may take minutes; add --nightly to run them");
  }
  return all;
}

// In turn, so that neighbours, which are alike in cost, come to different shards.
std::vector<const entry*> of_shard(const shard& s, const std::vector<const entry*>& all) {
  std::vector<const entry*> mine;
  for (std::size_t i = s.number - 1; i < all.size(); i += s.count) mine.push_back(all[i]);
  if (mine.empty()) {
    throw usage_error("verify: --shard " + std::to_string(s.number) + "/" +
                      std::to_string(s.count) + " is empty: there are only " +
                      std::to_string(all.size()) + " scenarios to share");
  }
  return mine;
}

// "2/4"
std::optional<shard> parse_shard(const std::string& text) {
  shard s;
  const char* const end = text.data() + text.size();
  const auto [slash, error] = std::from_chars(text.data(), end, s.number);
  if (error != std::errc() || slash == end || *slash != '/') return {};
  const auto [rest, error_after] = std::from_chars(slash + 1, end, s.count);
  if (error_after != std::errc() || rest != end) return {};
  if (s.number < 1 || s.number > s.count) return {};
  return s;
}

argument shard_option(shard& s) {
  argument a{"--shard", "K/N",
             "Only the K-th of N parts of the scenarios; all N parts together are all of them",
             argument::values::one,
             [&s](const std::vector<std::string>& given) { s = *parse_shard(given.front()); }};
  a.check = [](const std::string& text) {
    return parse_shard(text) ? std::string()
                             : "'" + text + "' is not K/N with K from 1 to N, as in 2/4";
  };
  return a;
}

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

class report {
 public:
  report(screen& out, const verify_options& options, const std::vector<const entry*>& selected,
         const std::string& program)
      : out_(out), options_(options), selected_(selected), program_(program) {
    for (const entry* e : selected) name_ = std::max(name_, verify::columns(e->about.name));
  }

  void begin() const {
    // A terminal that has no room for it has none for the verdict either: it gets its own line.
    const bool fits = !out_.is_terminal() || out_.width() >= 7 + name_ + 15 + 11 + 12 + 9;
    const shard& s = options_.part_of;
    out_.print(fmt::format("{} scenario{}{} under {}{}{}{}\n\n", selected_.size(),
                           selected_.size() == 1 ? "" : "s",
                           s.count == 1 ? "" : fmt::format(" (shard {} of {})", s.number, s.count),
                           to_string(options_.model), as_arguments(options_.changes),
                           part().empty() ? "" : "; of each ", part()) +
               out_.tinted(tint::strong,
                           fmt::format("{:<7}{:<{}}{:>15}{:>11}{:>12}{}", "", "scenario", name_,
                                       "executions", "blocked", "time", fits ? "  verdict" : "")) +
               "\n");
  }

  void line(const scenario& about, const finished_job& done) const {
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
    // A terminal would break the line anywhere.
    const bool fits =
        !out_.is_terminal() || 7 + numbers.size() + 2 + verdict.size() <= out_.width();
    std::string text = out_.tinted(tints[i], fmt::format("{:<7}", words[i])) + numbers +
                       (fits ? "  " : "\n         ") + verdict + "\n";
    if (s == standing::unexpected) text += details(about, done);
    if (s == standing::incomplete)
      if (const std::string why = verify::about_the_limit(r); !why.empty())
        text += indented(paragraph(why, 9), 9);
    out_.print(text);
  }

  // Of the violations that should not be, the one with the fewest steps.
  void counterexample(const std::vector<finished_job>& done) const {
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
        found == 1
            ? fmt::format("The counterexample to {}", about.name)
            : fmt::format("The shortest of the {} counterexamples, to {}", found, about.name);
    std::string text = "\n" + out_.tinted(tint::strong, title) + "\n";
    if (!about.claim.empty()) text += paragraph(fmt::format("Claim: {}", about.claim));
    verify::text_style style;
    style.width = out_.width();
    style.color = out_.color();
    out_.print(text + "\n" + to_text(*done[best].result.violation, style));
  }

  void end(const totals& t, const std::vector<finished_job>& done, double seconds) const {
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
      text += t.violated_as_expected == 1 ? "1 scenario must be violated, and is.\n"
                                          : fmt::format("{} scenarios must be violated, and are.\n",
                                                        t.violated_as_expected);
    }
    if (options_.recheck) text += paragraph(in_words(t.recheck));
    if (t.in_part != 0) {
      text +=
          paragraph(fmt::format("Of {} scenario{} not everything was explored, but {}: nothing "
                                "is known of the rest.",
                                t.in_part, t.in_part == 1 ? "" : "s", part()));
    }
    if (t.verified != 0) text += load_buffering(t, done);
    if (t.verified + t.in_part != 0)
      text += paragraph(verify::not_covered(t.load_buffering + t.in_part != 0));
    out_.print(text);
  }

  void left_out(std::size_t scenarios) const {
    if (scenarios == 0) return;
    out_.print(paragraph(fmt::format("{} larger scenario{} left out: verify --nightly explores {}.",
                                     scenarios, scenarios == 1 ? " is" : "s are",
                                     scenarios == 1 ? "it as well" : "them as well")));
  }

 private:
  // What is looked at of each scenario, "" for everything.
  std::string part() const {
    return verify::part_in_words(options_.preemptions, options_.samples,
                                 options_.seed.value_or(verify::options{}.seed));
  }

  // What is wrong, in a few lines; the steps come at the end, of one scenario only.
  std::string details(const scenario& about, const finished_job& done) const {
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
      text += indented(paragraph("Each run was given up because a thread waited for what no "
                                 "execution brings: a wait that never ends, or a fault of the "
                                 "checker.",
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

  std::string again(const scenario& about) const {
    std::string text = fmt::format("{} explain '{}'", program_, about.name);
    if (options_.model != verify::memory_model::rc20) {
      text += fmt::format(" --model {}", to_string(options_.model));
    }
    if (options_.reexecutions) {
      text += fmt::format(" --reexecutions {}", *options_.reexecutions);
    }
    return text + as_arguments(options_.changes) + part_as_arguments(options_);
  }

  std::string bounds(const totals& t) const {
    std::string text =
        fmt::format("Explored exhaustively under {}: {} scenario{}", to_string(options_.model),
                    t.verified, t.verified == 1 ? "" : "s");
    if (t.threads != 0) {
      text +=
          fmt::format(", with up to {} threads and {} events per execution", t.threads, t.events);
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
      text +=
          fmt::format(" In {} no plain data was watched: data races are not checked.", t.no_data);
    }
    return paragraph(text);
  }

  // Whether what was verified holds with load buffering as well, or the names of some scenarios of
  // which that is not known.
  std::string load_buffering(const totals& t, const std::vector<finished_job>& done) const {
    const bool weakest = options_.model == verify::memory_model::rc20;
    if (t.load_buffering == 0 && options_.model == verify::memory_model::xc20) {
      return paragraph(
          "Of what was verified, executions with load buffering were explored as well.");
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

  std::string paragraph(std::string_view words, std::size_t indent = 0) const {
    std::string text;
    for (const std::string& line : verify::wrapped(words, out_.width() - indent)) {
      text += line + "\n";
    }
    return text;
  }

  screen& out_;
  const verify_options& options_;
  const std::vector<const entry*>& selected_;
  const std::string& program_;
  std::size_t name_ = 8;
};

// Those of which a counterexample is shown.
std::vector<std::size_t> to_be_shown(const verify_options& options,
                                     const std::vector<const entry*>& selected,
                                     const std::vector<finished_job>& done) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const verify::result& r = done[i].result;
    if (!done[i].ran || !r.violation || r.violation->steps.empty()) continue;
    if (!options.html.empty() || judge(selected[i]->about, r) == standing::unexpected) {
      all.push_back(i);
    }
  }
  return all;
}

// --checkpoint and --resume.
limit_options in_sittings(const verify_options& options,
                          const std::vector<const entry*>& selected) {
  limit_options limits = static_cast<const limit_options&>(options);
  if (options.checkpoint.empty() && options.resume.empty()) return limits;
  if (selected.size() != 1) {
    throw usage_error("verify: --checkpoint and --resume are for one scenario; " +
                      std::to_string(selected.size()) + " match");
  }
  if (options.samples != 0) {
    throw usage_error(
        "verify: random executions are independent: --random goes with neither "
        "--checkpoint nor --resume");
  }
  const explored_thing what = explored_by(*selected.front(), options, options);
  if (!options.resume.empty()) {
    const stopped_run before = read_stopped_run("--resume", options.resume);
    require_same("--resume", options.resume, before.what, what);
    limits.resume = before.state.text();
  }
  if (!options.checkpoint.empty()) {
    const replaced_file can_be_written("--checkpoint", options.checkpoint);
    limits.on_checkpoint = [what, path = options.checkpoint](const std::string& state) {
      write_stopped_run("--checkpoint", path, what, state);
    };
  }
  return limits;
}

// A line for each scenario that is not as expected, where a workflow of GitHub shows them in the
// source.
std::string annotations(const std::vector<const entry*>& selected,
                        const std::vector<finished_job>& done) {
  std::string text;
  if (!verify::is_in_github_actions()) return text;
  for (std::size_t i = 0; i < done.size(); ++i) {
    const scenario& about = selected[i]->about;
    const verify::result& r = done[i].result;
    if (!done[i].ran || judge(about, r) != standing::unexpected) continue;
    source_location where = r.violation ? verify::annotated_place(*r.violation) : source_location{};
    const std::string file = where.line == 0 ? "" : on_disk(where.file).string();
    where.file = file.c_str();
    text += verify::github_error(where, printable(what_is_wrong(about, done[i]))) + "\n";
  }
  return text;
}

constexpr std::size_t probes_of_an_estimate = 2'000;

// --estimate.
void require_estimable(const verify_options& options) {
  if (options.probes == 0) return;
  require_all_of_it("verify", options.model, "--estimate");
  if (options.samples != 0 || !options.checkpoint.empty() || !options.resume.empty()) {
    throw usage_error(
        "verify: --estimate explores nothing: it goes with none of --random, --checkpoint and "
        "--resume");
  }
}

int run_verify(const verify_options& options, const program& p) {
  require_one_part("verify", options, options);
  require_estimable(options);
  if (!options.resume.empty()) require_all_of_it("verify", options.model, "--resume");
  if (!options.checkpoint.empty()) require_all_of_it("verify", options.model, "--checkpoint");
  const std::vector<const entry*> matching = select(p.entries, options.patterns);
  const std::vector<const entry*> today = of_today(options, matching);
  const std::vector<const entry*> selected = of_shard(options.part_of, today);
  const limit_options limits = in_sittings(options, selected);
  output_files files("verify",
                     {{"--json", options.json},
                      {"--junit", options.junit},
                      {"--sarif", options.sarif},
                      {"--html", options.html}},
                     output_files::wish{"--checkpoint", options.checkpoint});
  screen out(files.text(), options.color);
  const report text(out, options, selected, p.name);
  text.begin();
  const auto began = std::chrono::steady_clock::now();
  std::vector<finished_job> done = run_scenarios(
      selected, options, limits, out,
      [&](std::size_t i, const finished_job& d) { text.line(selected[i]->about, d); });
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();

  require_all_met(options.changes, selected, done);
  shorten_counterexamples(done, selected, to_be_shown(options, selected, done), options, options,
                          out);
  const totals t = sum(selected, done);
  if (interrupted()) out.print(out.tinted(tint::warning, "\ninterrupted\n"));
  text.counterexample(done);
  text.end(t, done, seconds);
  text.left_out(matching.size() - today.size());
  if (const std::string lines = annotations(selected, done); !lines.empty()) out.print(lines);
  std::vector<standing> standings;
  for (std::size_t i = 0; i < done.size(); ++i) {
    standings.push_back(judge(selected[i]->about, done[i].result));
  }
  const bool accept_incomplete = options.accept_incomplete && !interrupted();
  const exit_status status = status_of(standings, accept_incomplete);

  json whole = document("verify");
  whole["model"] = to_string(options.model);
  if (options.samples != 0) {
    whole["random"] = options.samples;
    whole["seed"] = options.seed.value_or(verify::options{}.seed);
  }
  if (options.preemptions) whole["bound"] = *options.preemptions;
  whole["accept_incomplete"] = options.accept_incomplete;
  whole["exit_status"] = static_cast<int>(status);
  whole["complete"] = t.incomplete + t.not_run == 0;
  whole["interrupted"] = interrupted();
  whole["seconds"] = seconds;
  whole["summary"] = to_json(t);
  whole["left_out"] = matching.size() - today.size();
  whole["shard"] = {{"number", options.part_of.number}, {"of", options.part_of.count}};
  whole["not_covered"] = verify::not_covered(t.load_buffering + t.in_part != 0);
  whole["scenarios"] = json::array();
  for (std::size_t i = 0; i < done.size(); ++i) {
    whole["scenarios"].push_back(to_json(*selected[i], done[i]));
  }
  write_json(files, whole);
  const run_report run{selected, done, options.model, seconds, status, accept_incomplete};
  if (files.wanted("--junit")) files.write("--junit", to_junit(run));
  if (files.wanted("--sarif")) files.write("--sarif", dump(to_sarif(run), 2));
  if (files.wanted("--html")) files.write("--html", to_html(run));
  files.save();
  return status;
}

}  // namespace

command verify_command(program& p) {
  command c{"verify", "Explore the scenarios and compare with what each expects", ""};
  auto options = std::make_shared<verify_options>();
  add_common(c, *options);
  add_limits(c, *options);
  add_parts(c, *options);
  add_reexecutions(c, options->reexecutions);
  add_symmetry(c, *options);
  c.flag("--from-beginning", options->from_beginning,
         "Run each execution from its beginning, not from where it first differs from the one "
         "before; explores the same executions, slower");
  c.flag(
      "--estimate", [options] { options->probes = probes_of_an_estimate; },
      "Explore nothing, but estimate how many executions each scenario has");
  add_recheck(c, *options);
  add_changes(c, *options);
  c.flag("--nightly", options->nightly,
         "The larger scenarios as well, each of which takes up to minutes");
  c.add(shard_option(options->part_of));
  c.file("--junit", options->junit, "Write the results to FILE as JUnit's XML");
  c.file("--sarif", options->sarif,
         "Write what is not as expected to FILE as SARIF 2.1.0, for code scanners");
  c.file("--html", options->html,
         "Write the results to FILE as a page, with the graphs of the counterexamples");
  c.file("--checkpoint", options->checkpoint,
         "Keep in FILE how far it is, about every ten seconds and at the end; for one scenario");
  c.file("--resume", options->resume, "Go on with what --checkpoint has kept in FILE");
  c.run = [options, &p] { return run_verify(*options, p); };
  return c;
}

}  // namespace fencepost::cli
