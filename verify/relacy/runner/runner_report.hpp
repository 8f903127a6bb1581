// The runner's output: a line for each run, a summary, JSON.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "agreement.hpp"

namespace fencepost::relacy {

// Returns "1,234,567" for 1234567.
std::string grouped(std::uint64_t n);

// "holds", "holds, all", "violated (data race)", "broken: ended by signal 11".
std::string describe(const result&);

// The lines of one scenario, one for each scheduler; names are `width` wide.
std::string heading(std::size_t width);
std::string lines(const row&, std::size_t width);
std::string summary(const std::vector<row>&);
nlohmann::json to_json(const std::vector<row>&);

}  // namespace fencepost::relacy
