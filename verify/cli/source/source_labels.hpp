// The labels of places in the source, read from the files that the program was built from.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "fencepost/verify/report.hpp"
#include "source/ordering_labels.hpp"

namespace fencepost::cli {

class source_labels final : public verify::place_names {
 public:
  // Returns "" if the operation has no label, or if the file cannot be read.
  std::string label_at(const source_location&) const override;

 private:
  mutable std::map<std::string, std::optional<labelled_source>> files_;  // each is read once
};

}  // namespace fencepost::cli
