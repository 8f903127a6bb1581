// Scenarios and results as JSON: what --json writes, and what a worker process sends to its parent.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "base/json.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::cli {

json to_json(const scenario&);
json to_json(const verify::result&);
json to_json(const verify::rechecked&);
json to_json(const verify::estimated&);
json to_json(const verify::counterexample&);
// Strings of the result live as long as the process. All throw nlohmann::json::exception, or
// usage_error for a word or a number that cannot be.
verify::result result_from_json(const json&);
verify::estimated estimated_from(const json&);
verify::counterexample counterexample_from_json(const json&);
verify::memory_model model_from(const json&);

}  // namespace fencepost::cli
