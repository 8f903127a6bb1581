// What `fencepost check` is told of a run, in JSON: an object in one line, to a file descriptor. Of
// a result as result_json.hpp has it.
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
