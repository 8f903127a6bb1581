#include "run/command_options.hpp"

#include <cmath>

#include "base/shell_word.hpp"
#include "base/usage.hpp"
#include "fencepost/verify/check.hpp"
#include "source/weaken.hpp"

namespace fencepost::cli {

void require_all_of_it(const std::string& command, verify::memory_model model,
                       const std::string& option) {
  if (model != verify::memory_model::xc20) return;
  throw usage_error(
      command + ": " + option +
      " cannot be used with --model xc20, which is explored in one piece; omit one of them");
}

void require_one_part(const std::string& command, const common_options& common,
                      const limit_options& options) {
  if (options.samples != 0) require_all_of_it(command, common.model, "--random");
  if (options.preemptions) require_all_of_it(command, common.model, "--bound");
  if (options.reexecutions && common.model != verify::memory_model::xc20) {
    throw usage_error(command + ": --reexecutions needs --model xc20; give both");
  }
  if (options.samples != 0 && options.preemptions) {
    throw usage_error(command +
                      ": --random and --bound cannot be combined: random executions are not "
                      "bounded; omit one of them");
  }
  if (options.seed && options.samples == 0) {
    throw usage_error(command +
                      ": --seed needs --random and a number of executions, such as --random 10000");
  }
}

std::string part_as_arguments(const limit_options& options) {
  std::string text;
  if (options.samples != 0) text += " --random " + std::to_string(options.samples);
  if (options.seed) text += " --seed " + std::to_string(*options.seed);
  if (options.preemptions) text += " --bound " + std::to_string(*options.preemptions);
  return text;
}

void require_all_met(const std::vector<verify::order_change>& changes,
                     const std::vector<const entry*>& selected,
                     const std::vector<finished_job>& done) {
  for (const verify::order_change& c : changes) {
    bool fits = false;
    std::string there;   // at the place
    std::string others;  // in the file
    for (std::size_t i = 0; i < done.size(); ++i) {
      const finished_job& d = done[i];
      if (!d.ran) return;
      for (const verify::access_place& p : d.result.places) {
        fits = fits || (c.concerns(p.where) && c.fits(p.asked));
        if (c.concerns(p.where)) there = to_string(p.asked.what);
        if (c.concerns(p.where) && !c.name.empty()) {
          require_same_source(c, p, selected[i]->about.expected == violation::none);
        }
        const verify::order_change elsewhere{c.file, p.where.line};
        if (!elsewhere.concerns(p.where)) continue;
        const std::string name =
            " " + (c.name.empty() ? std::to_string(p.where.line) : place_name(p.where));
        if ((others + " ").find(name + " ") == std::string::npos) others += name;
      }
    }
    if (fits) continue;
    std::string why = "--weaken " + to_text(c) + ": ";
    if (!there.empty()) {
      why += "the operation there is a " + there + ", which has no such order";
    } else if (!others.empty()) {
      why +=
          "the scenarios execute no atomic access or fence there; in this file they execute some ";
      why += c.name.empty() ? "in lines" : "at";
      why += others;
    } else {
      why += "the scenarios execute no atomic access or fence in a file of that name";
    }
    throw usage_error(why);
  }
}

std::string as_arguments(const std::vector<verify::order_change>& changes) {
  std::string text;
  for (const verify::order_change& c : changes) text += " --weaken " + shell_word(to_text(c));
  return text;
}

std::chrono::milliseconds milliseconds_of(double seconds) {
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::ceil(seconds * 1000)));
}

verify::options options_for(const entry& e, const common_options& common,
                            const limit_options& limits) {
  verify::options o = verify::with_bounds_of(e.about);
  o.model = common.model;
  o.max_executions = limits.max_executions;
  o.timeout = milliseconds_of(limits.timeout);
  o.shorten = limits.shorten;
  o.changes = limits.changes;
  o.examples = limits.examples;
  o.samples = limits.samples;
  o.probes = limits.probes;
  o.seed = limits.seed.value_or(o.seed);
  o.preemptions = limits.preemptions;
  o.reexecutions = limits.reexecutions.value_or(o.reexecutions);
  o.symmetry = limits.symmetry;
  if (limits.from_beginning) o.resume_points = false;
  o.recheck = limits.recheck;
  o.estimate = true;
  o.resume = limits.resume;
  o.on_checkpoint = limits.on_checkpoint;
  o.parts = limits.parts;
  o.before_parts = milliseconds_of(limits.before_parts);
  return o;
}

}  // namespace fencepost::cli
