// The report of a run to `fencepost check`: a JSON object in one line, to a file descriptor.
// Results are written as in result_json.hpp.
#pragma once

#include <string>
#include <vector>

#include "coverage.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::programs {

void write_report(int to, const verify::result&, const verify::options&, const coverage&);
// {"tests": [...]}
void write_names(int to, const std::vector<std::string>&);

}  // namespace fencepost::programs
