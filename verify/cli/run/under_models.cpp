#include "run/under_models.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fencepost/verify/report.hpp"
#include "run/finished_job.hpp"
#include "run/run_scenarios.hpp"

namespace fencepost::cli {
namespace {

using verify::memory_model;
using verify::verdict;

struct memory {
  std::string_view name, what;
  memory_model model;
  bool sequentially_consistent;
};
constexpr memory memories[] = {
    {"sc", "every access sequentially consistent", memory_model::rc20, true},
    {"rc20", "the orders in the source", memory_model::rc20, false},
    {"xc20", "and load buffering", memory_model::xc20, false}};

bool goes_on(const under_models& u) {
  if (u.all.empty()) return true;
  const verify::result& last = u.all.back().result;
  return last.outcome != verdict::violated && last.limit != "interrupted" && u.shown.ran;
}

// True if the last result holds for this memory as well: without a load-buffering race, xc20 has no
// other executions.
bool is_known(const under_models& u, const memory& m) {
  return m.model == memory_model::xc20 && u.all.back().model == "rc20" &&
         holds_with_load_buffering(u.all.back().result);
}

std::string whose(const under_models& u) {
  const under_models::tried& last = u.all.back();
  if (last.result.outcome == verdict::violated) {
    if (last.model == "sc")
      return "The cause is the algorithm: it fails when the threads take turns in this order, on "
             "any processor, and no memory order helps.";
    const bool unknown = std::any_of(u.all.begin(), u.all.end() - 1, [](const auto& t) {
      return t.result.outcome == verdict::incomplete;
    });
    if (unknown) return "Whether it also happens under a stronger model is not known.";
    if (last.model == "rc20")
      return "The cause is an order that is too weak: with sequentially consistent accesses there "
             "is no violation. "
             "AArch64 reorders what the order lets it, x86-64 a store with a later load only; "
             "compilers may reorder on either.";
    return "The cause is load buffering: without it there is no violation. " +
           verify::on_processors(*last.result.violation);
  }
  if (last.result.outcome == verdict::incomplete)
    return fmt::format("Whether there is a violation under {} is not known.", last.model);
  return "It holds under each of these models.";
}

}  // namespace

std::vector<under_models> run_under_models(const std::vector<const entry*>& selected,
                                           const common_options& common,
                                           const limit_options& limits, screen& out) {
  std::vector<under_models> found(selected.size());
  for (const memory& m : memories) {
    std::vector<const entry*> left;
    std::vector<std::size_t> at;
    for (std::size_t i = 0; i < selected.size(); ++i) {
      if (!goes_on(found[i])) continue;
      if (!found[i].all.empty() && is_known(found[i], m)) {
        found[i].all.push_back({m.name, found[i].all.back().result});
        continue;
      }
      left.push_back(selected[i]);
      at.push_back(i);
    }
    common_options how = common;
    how.model = m.model;
    limit_options changed = limits;
    if (m.sequentially_consistent)
      for (verify::order_change& c : verify::all_sequentially_consistent())
        changed.changes.push_back(std::move(c));
    const std::vector<finished_job> done =
        run_scenarios(left, how, changed, out, [](std::size_t, const finished_job&) {});
    for (std::size_t i = 0; i < done.size(); ++i) {
      found[at[i]].all.push_back({m.name, done[i].result});
      found[at[i]].shown = done[i];
    }
  }
  return found;
}

under_models explore_under_models(
    const std::function<finished_job(memory_model, bool sequentially_consistent)>& explore) {
  under_models found;
  for (const memory& m : memories) {
    if (!goes_on(found)) break;
    if (found.all.empty() || !is_known(found, m))
      found.shown = explore(m.model, m.sequentially_consistent);
    found.all.push_back({m.name, found.shown.result});
  }
  return found;
}

std::string in_words(const under_models& u, const screen& out) {
  std::string text = out.tinted(tint::strong, "Under which memory model") + "\n";
  for (const memory& m : memories) {
    const auto t = std::find_if(u.all.begin(), u.all.end(), [&](const under_models::tried& one) {
      return one.model == m.name;
    });
    const bool tried = t != u.all.end();
    text += fmt::format(
        "  {:<5} {:<11} {:>14}  {}\n", m.name, tried ? to_string(t->result.outcome) : "violated",
        tried ? verify::grouped(t->result.executions) + " executions" : "as above", m.what);
  }
  for (const std::string& line : verify::wrapped(whose(u), out.width())) text += line + "\n";
  return text;
}

json to_json(const under_models& u) {
  json all = json::array();
  for (const under_models::tried& t : u.all) {
    json one{{"model", t.model},
             {"outcome", to_string(t.result.outcome)},
             {"executions", t.result.executions}};
    if (!t.result.limit.empty()) one["limit"] = t.result.limit;
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace fencepost::cli
