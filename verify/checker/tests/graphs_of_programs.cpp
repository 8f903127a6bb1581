// What must hold of the graphs of any program, however it is explored.
#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

known_program after_threads(const known_program& p, unsigned idle) {
  known_program later = p;
  later.name += ", after " + std::to_string(idle) + " threads";
  later.body = [body = p.body, idle] {
    in_threads(idle, [](unsigned) {});
    body();
  };
  return later;
}

namespace {

std::string wrong_count(const known_program& p, options o) {
  std::vector<std::uint64_t> graphs;
  o.name = p.name;
  if (p.executions != 0) o.max_executions = 1000 + 100 * p.executions;
  o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
  o.on_restart = [&] { graphs.clear(); };
  const result r = check(o, p.body);
  if (r.outcome != verdict::verified) return p.name + ": " + to_text(r);
  if (p.executions != 0 && r.executions != p.executions)
    return p.name + ": " + std::to_string(r.executions) + " executions instead of " +
           std::to_string(p.executions);
  std::sort(graphs.begin(), graphs.end());
  if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
    return p.name + ": a graph is visited twice";
  return "";
}

// Advances to the next order of four threads, beginning from none; returns false after the last.
bool next_order(std::vector<unsigned>& priorities) {
  if (!priorities.empty()) return std::next_permutation(priorities.begin(), priorities.end());
  priorities.resize(4);
  std::iota(priorities.begin(), priorities.end(), 0U);
  return true;
}

}  // namespace

std::string wrong_count(const known_program& p) {
  std::string wrong = wrong_count(p, p.bounds);
  if (!wrong.empty() || !p.bounds.priorities.empty()) return wrong;
  options o = p.bounds;
  o.priorities = {0};  // reads are not postponed
  return wrong_count(p, o);
}

std::string wrong_under_other_priorities(const known_program& p) {
  std::vector<std::uint64_t> first;
  std::vector<unsigned> priorities;  // none: reads are postponed
  do {
    std::vector<std::uint64_t> graphs;
    options o = p.bounds;
    o.name = p.name;
    o.priorities = priorities;
    o.max_executions = 1'000'000;
    o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
    o.on_restart = [&] { graphs.clear(); };
    const result r = check(o, p.body);
    std::string which = p.name + ", priorities";
    for (const unsigned t : priorities) which += " " + std::to_string(t);
    if (r.outcome != verdict::verified) return which + ": " + to_text(r);
    std::sort(graphs.begin(), graphs.end());
    if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
      return which + ": a graph is visited twice";
    if (first.empty()) first = graphs;
    if (graphs != first)
      return which + ": " + std::to_string(graphs.size()) + " graphs, in another order " +
             std::to_string(first.size()) + ", or other ones";
  } while (next_order(priorities));
  return "";
}

std::string wrong_within_bounds(const known_program& p) {
  using counted = std::map<std::uint64_t, unsigned>;  // graphs, and the preemptions that each takes
  result r;
  bool twice = false;
  const auto explore = [&](std::optional<unsigned> bound, std::vector<unsigned> priorities) {
    counted all;
    options o = p.bounds;
    o.name = p.name;
    o.preemptions = bound;
    o.priorities = std::move(priorities);
    o.max_executions = 1'000'000;
    o.on_restart = [&] { all.clear(); };
    o.on_preemptions = [&](std::uint64_t g, unsigned n) {
      if (!all.emplace(g, n).second) twice = true;
    };
    r = check(o, p.body);
    return all;
  };
  const counted all = explore({}, {});
  if (r.outcome != verdict::verified) return p.name + ": " + to_text(r);
  unsigned most = 0;
  for (const auto& [graph, n] : all) most = std::max(most, n);
  for (unsigned bound = 0; bound <= most + 1; ++bound) {
    for (const std::vector<unsigned>& priorities :
         {std::vector<unsigned>{}, std::vector<unsigned>{3, 2, 1, 0}}) {
      const counted some = explore(bound, priorities);
      const std::string where = p.name + ", bound " + std::to_string(bound) +
                                (priorities.empty() ? "" : ", last thread first") + ": ";
      if (twice) return where + "a graph is visited twice";
      if (r.outcome != (r.cut == 0 ? verdict::verified : verdict::incomplete))
        return where + to_text(r);
      if (r.cut == 0 && some != all) return where + "not all graphs, and none was given up";
      if (bound > most && r.cut != 0) return where + "gives up what is within it";
      for (const auto& [graph, n] : all)
        if (n <= bound && !some.contains(graph)) return where + "a graph within it is left out";
      for (const auto& [graph, n] : some)
        if (!all.contains(graph) || all.at(graph) != n) return where + "a graph that there is not";
    }
  }
  return "";
}

std::string wrong_draws(const known_program& p) {
  constexpr std::uint64_t samples = 10'000;
  constexpr std::size_t not_much = 50;
  std::set<std::uint64_t> there;
  std::set<std::uint64_t> drawn;
  options o = p.bounds;
  o.name = p.name;
  o.on_restart = [&] { there.clear(); };
  o.on_graph = [&](std::uint64_t g) { there.insert(g); };
  if (const result r = check(o, p.body); r.outcome != verdict::verified)
    return p.name + ": " + to_text(r);
  o.samples = samples;
  o.on_restart = [&] { drawn.clear(); };
  o.on_graph = [&](std::uint64_t g) { drawn.insert(g); };
  const result r = check(o, p.body);
  if (r.outcome != verdict::incomplete) return p.name + ", drawn: " + to_text(r);
  if (r.executions != drawn.size() || r.sample->graphs != drawn.size())
    return p.name + ": graphs are counted twice";
  if (!std::includes(there.begin(), there.end(), drawn.begin(), drawn.end()))
    return p.name + ": a graph is drawn that there is not";
  if (there.size() <= not_much && drawn.size() != there.size())
    return p.name + ": " + std::to_string(drawn.size()) + " of " + std::to_string(there.size()) +
           " graphs are drawn";
  return "";
}

}  // namespace fencepost::verify::testing
