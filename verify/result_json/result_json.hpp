// Results as JSON: what --json writes, and what a process that explores sends to the one that
// asked.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

nlohmann::ordered_json to_json(const result&);
nlohmann::ordered_json to_json(const rechecked&);
nlohmann::ordered_json to_json(const estimated&);
nlohmann::ordered_json to_json(const counterexample&);

// Strings of the result live as long as the process. All throw nlohmann::json::exception, or
// std::invalid_argument for a word or a number that cannot be.
result result_from_json(const nlohmann::ordered_json&);
estimated estimated_from(const nlohmann::ordered_json&);
counterexample counterexample_from_json(const nlohmann::ordered_json&);
memory_model model_from(const nlohmann::ordered_json&);

}  // namespace fencepost::verify
