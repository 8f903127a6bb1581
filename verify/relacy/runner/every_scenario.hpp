// The kit's scenarios by name, without a policy to run them on.
#pragma once

#include <string_view>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "model_headers.inc"
#include "with_fields.hpp"

namespace fencepost::relacy {

struct scenario_of_model {
  scenario about;
  std::string_view model;  // as models/CMakeLists.txt names it
};

// Returns the scenarios in the order in which the checker lists them.
inline std::vector<scenario_of_model> every_scenario() {
  std::vector<scenario_of_model> all;
#define FENCEPOST_MODEL(model, list) \
  models::visit<with_fields>(list, [&]<class S> { all.push_back({S::about, model}); });
#include "model_lists.inc"
#undef FENCEPOST_MODEL
  return all;
}

}  // namespace fencepost::relacy
