#include "evidence/certificate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/interrupts.hpp"
#include "base/this_program.hpp"
#include "run/judgement.hpp"
#include "run/run_or_recall.hpp"
#include "source/source_files.hpp"

namespace fencepost::cli {
namespace {

// "known_bugs/parlaylib_54" is one of the known bugs.
std::string_view folder_of(std::string_view name) { return name.substr(0, name.find('/')); }

// Returns "worker_sleep" for the headers worker_sleep/claims and worker_sleep/faults; for any other
// header its own name.
std::string_view component_of(std::string_view model) {
  for (const std::string_view part : {"/claims", "/faults"}) {
    if (model.ends_with(part)) model.remove_suffix(part.size());
  }
  return model;
}

bool is_others(std::string_view component) {
  if (!this_program().is_fencepost) return false;
  return component == "published" || component == "known_bugs" || component == "second_opinion" ||
         component == "litmus";
}

// Maps a scenario to its component: that of the header whose name begins the scenario's. Headers
// without a component of their own, such as larger_bounds, have scenarios of several.
class components {
 public:
  explicit components(const std::vector<entry>& entries) {
    for (const entry& e : entries) {
      const std::string_view component = component_of(e.model);
      if (folder_of(e.about.name).starts_with(component)) {
        by_prefix_.try_emplace(std::string(folder_of(e.about.name)), component);
      }
    }
  }

  std::string of(std::string_view scenario) const {
    const std::string prefix(folder_of(scenario));
    const auto found = by_prefix_.find(prefix);
    return found == by_prefix_.end() ? prefix : found->second;
  }

 private:
  std::map<std::string, std::string> by_prefix_;
};

certified_component& component(std::vector<certified_component>& all, const std::string& name) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const certified_component& c) { return c.name == name; });
  if (found != all.end()) return *found;
  certified_component fresh;
  fresh.name = name;
  all.push_back(std::move(fresh));
  return all.back();
}

void add_scenario(certificate& all, const components& names, certified_scenario s) {
  const entry& e = *s.what;
  const std::string name = names.of(e.about.name);
  certified_component& c = component(is_others(name) ? all.others : all.components, name);
  if (std::find(c.models.begin(), c.models.end(), e.model) == c.models.end()) {
    c.models.emplace_back(e.model);
  }
  (e.about.expected == violation::none ? c.claims : c.faults).push_back(std::move(s));
}

// Returns the component of the same name, or else the one with the most scenarios that execute the
// header, where a component whose name begins the header's counts as one more; "" if there is none.
std::string owner_of(const header_report& h, const certificate& all, const components& names) {
  std::string stem = stem_of(h.name);
  std::map<std::string, std::size_t> visits;
  for (const std::string& scenario : h.scenarios) ++visits[names.of(scenario)];
  std::string best;
  for (const certified_component& c : all.components) {
    if (c.name == stem) return stem;
    if (stem.starts_with(c.name + "_")) ++visits[c.name];
    if (visits[c.name] > visits[best]) best = c.name;
  }
  return best;
}

void add_header(certificate& all, const components& names, header_report h) {
  const std::string owner = h.outside ? "" : owner_of(h, all, names);
  auto& headers = owner.empty() ? all.outside : component(all.components, owner).headers;
  headers.push_back(std::move(h));
}

exit_status status_of_scenarios(const certificate& all) {
  std::vector<standing> standings;
  for (const auto* group : {&all.components, &all.others}) {
    for (const certified_component& c : *group) {
      for (const auto* list : {&c.claims, &c.faults}) {
        for (const certified_scenario& s : *list) {
          standings.push_back(s.done.ran ? judge(s.what->about, s.done.result)
                                         : standing::incomplete);
          if (s.known() == buffered::violated) standings.push_back(standing::unexpected);
        }
      }
    }
  }
  return status_of(standings);
}

// Explores under xc20 the claims that hold and have a load-buffering race, except for those whose
// results are stored.
void explore_under_xc20(std::vector<certified_scenario>& all, const certificate_limits& options,
                        result_store& store, const worker_limits& limits, screen& out) {
  std::vector<job> jobs;
  std::vector<certified_scenario*> asked;
  for (certified_scenario& s : all) {
    if (s.what->about.expected != violation::none || !is_open_under_xc20(s.done.result)) continue;
    jobs.push_back(
        {s.what, options_under_xc20(*s.what, options, options, s.done.result, options.xc20_runs)});
    asked.push_back(&s);
  }
  std::vector<finished_job> done =
      run_or_recall(jobs, store, limits, [&](std::size_t finished, std::size_t of) {
        out.live(interrupted() ? "stopping; interrupt again to stop at once"
                               : fmt::format("scenarios under xc20: {} of {}", finished, of));
      });
  for (std::size_t i = 0; i < done.size(); ++i)
    if (done[i].ran) asked[i]->under_xc20 = std::move(done[i].result);
}

}  // namespace

bool is_as_expected(const certified_scenario& s) {
  return s.done.ran && judge(s.what->about, s.done.result) == standing::as_expected;
}

std::size_t as_expected(const std::vector<certified_scenario>& all) {
  return static_cast<std::size_t>(std::count_if(all.begin(), all.end(), is_as_expected));
}

std::size_t holding_under_xc20(const std::vector<certified_scenario>& claims) {
  return static_cast<std::size_t>(
      std::count_if(claims.begin(), claims.end(), [](const certified_scenario& s) {
        const buffered known = s.known();
        return known == buffered::no_race || known == buffered::in_full ||
               known == buffered::within_limit;
      }));
}

std::uint64_t certified_component::executions() const {
  std::uint64_t sum = 0;
  for (const certified_scenario& s : claims) sum += s.done.result.executions;
  return sum;
}

double certified_component::seconds() const {
  double sum = 0;
  for (const auto* list : {&claims, &faults}) {
    for (const certified_scenario& s : *list) sum += s.done.result.seconds;
  }
  return sum;
}

certificate certify(const std::vector<entry>& entries, const certificate_limits& options,
                    result_store& store, screen& out) {
  require_headers("certificate", options);
  const components names(entries);
  certificate all;
  all.model = options.model;
  all.folder = options.folder;
  all.xc20_runs = options.xc20_runs;
  std::vector<job> jobs;
  for (const entry& e : entries) {
    if (e.about.nightly && !options.nightly) {
      all.left_out.push_back(&e);
      continue;
    }
    verify::options how = options_for(e, options, options);
    how.recheck = true;
    how.graphs_apart = options.graphs_apart;
    how.list_places = true;  // for find_needs(), which then recalls this result
    jobs.push_back({&e, how});
  }
  worker_limits limits;
  limits.jobs = options.jobs;
  std::vector<finished_job> done =
      run_or_recall(jobs, store, limits, [&](std::size_t finished, std::size_t of) {
        out.live(interrupted() ? "stopping; interrupt again to stop at once"
                               : fmt::format("scenarios: {} of {}", finished, of));
      });
  std::vector<certified_scenario> explored;
  for (std::size_t i = 0; i < done.size(); ++i) {
    if (done[i].result.recheck) add(all.recheck, *done[i].result.recheck);
    explored.push_back({jobs[i].what, std::move(done[i]), {}});
    certified_scenario& s = explored.back();
    if (s.done.ran && all.model == verify::memory_model::xc20) s.under_xc20 = s.done.result;
  }
  if (options.xc20_runs != 0 && !interrupted())
    explore_under_xc20(explored, options, store, limits, out);
  out.clear();
  for (certified_scenario& s : explored) add_scenario(all, names, std::move(s));
  all.needs = find_needs(entries, options, store, out);
  all.orders = sum(all.needs.headers);
  for (header_report& h : all.needs.headers) add_header(all, names, std::move(h));
  all.needs.headers.clear();
  const exit_status scenarios = status_of_scenarios(all);
  all.status = scenarios == exit_unexpected ? scenarios : status_of(all.needs, all.orders);
  if (all.status == exit_as_expected) all.status = scenarios;
  return all;
}

}  // namespace fencepost::cli
