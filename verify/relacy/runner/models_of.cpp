// fencepost_relacy_models PATTERN...: prints the models that have scenarios that match a pattern,
// one per line, as models/CMakeLists.txt names them, so that ci/relacy compiles no others.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "base/names.hpp"
#include "base/usage.hpp"
#include "every_scenario.hpp"

int main(int argc, char** argv) try {
  using namespace fencepost;
  const std::vector<relacy::scenario_of_model> all = relacy::every_scenario();
  std::vector<std::string_view> models;
  for (const auto* s : cli::select(all, {argv + std::min(argc, 1), argv + argc})) {
    if (models.empty() || models.back() != s->model) models.push_back(s->model);
  }
  for (const std::string_view model : models) std::puts(std::string(model).c_str());
  return cli::exit_as_expected;
} catch (const std::exception& e) {
  std::fprintf(stderr, "fencepost_relacy_models: %s\n", e.what());
  return fencepost::cli::exit_usage;
}
