// Reads the ordering labels of a source, and finds the operation that each of them names.
#pragma once

#include <string>
#include <string_view>

#include "source/ordering_labels.hpp"

namespace fencepost::cli {

labelled_source read_labels(std::string path, std::string_view text);

}  // namespace fencepost::cli
