// Checks ordering labels against the code that they name, and against each other.
#pragma once

#include <vector>

#include "source/ordering_labels.hpp"

namespace fencepost::cli {

// Returns everything that is wrong with the labels of the files, and the bare members, sorted by
// file and line.
std::vector<label_finding> check_labels(const std::vector<labelled_source>&);

}  // namespace fencepost::cli
