#include "litmus_results.hpp"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "../../../frontends/litmus/tests/lengthened.hpp"
#include "../programs.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"

namespace fencepost::verify::testing {

std::vector<expectation> known_states() {
  const std::string folder = FENCEPOST_LITMUS_TESTS;
  std::vector<expectation> all;
  std::ifstream lines(folder + "/expected.jsonl");
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) continue;
    const auto test = nlohmann::json::parse(line);
    for (const memory_model m : all_models) {
      expectation e{folder + "/" + std::string(test["file"]), m, test["executions"],
                    test["states"].get<std::set<std::string>>()};
      if (m != memory_model::rc11) {
        const auto& other = test["alt"][m == memory_model::rc20 ? "rc11_rs20" : "cpp20"];
        e.executions = other["executions"];
        if (!other["states_same"]) {
          for (const auto& s : other["extra"]) e.states.insert(s);
          for (const auto& s : other["missing"]) e.states.erase(s);
        }
      }
      all.push_back(std::move(e));
    }
  }
  return all;
}

std::string wrong_states(const expectation& expected, bool long_ones) {
  litmus::program p = litmus::parse_file(expected.file);
  if (long_ones) p = litmus::testing::lengthened(p);
  litmus::explore_options o;
  o.model = expected.model;
  o.max_executions = 100 + 100 * expected.executions;
  std::vector<std::uint64_t> graphs;
  o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
  const litmus::outcome_set got = litmus::explore(p, o);
  const std::string where = p.name + " under " + std::string(to_string(expected.model));
  if (got.executions != expected.executions)
    return where + ": " + std::to_string(got.executions) + " executions instead of " +
           std::to_string(expected.executions);
  std::set<std::string> states;
  for (const auto& [state, count] : got.states) states.insert(litmus::spell(p, state));
  if (states != expected.states) return where + ": other states";
  std::sort(graphs.begin(), graphs.end());
  if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
    return where + ": a graph is visited twice";
  return "";
}

}  // namespace fencepost::verify::testing
