// What is shown of an execution as JSON: its steps and edges, and the places in the source.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

nlohmann::ordered_json json_of(const source_location&);
source_location location_from(const nlohmann::ordered_json&);

nlohmann::ordered_json json_of(const access_place&);
access_place place_from(const nlohmann::ordered_json&);

// Into an object that may have more, and out of one.
void write_graph(const execution&, nlohmann::ordered_json&);
void read_graph(const nlohmann::ordered_json&, execution&);

}  // namespace fencepost::verify
