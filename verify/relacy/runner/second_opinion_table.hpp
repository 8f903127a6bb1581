// The table of docs/second-opinion.md: a row for each scenario.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "agreement.hpp"

namespace fencepost::relacy {

// The checker's verdicts by the name of the scenario, from fencepost verify --json.
using checker_verdicts = std::map<std::string, std::string, std::less<>>;
// Throws std::runtime_error if the document was not written by that command.
checker_verdicts checker_verdicts_of(const nlohmann::json& document);

// The cells of a row of the table.
struct page_row {
  std::string name, expected, checker, relacy, why;
};
// Reads the rows of a page, or of a table alone.
std::vector<page_row> read_page(const std::string& text);
page_row page_row_of(const row&, const checker_verdicts&);
// Returns the table in the order of the names, with fresh rows in place of earlier ones; a name
// that has neither gets no row.
std::string page_table(const std::vector<std::string_view>& names,
                       const std::vector<page_row>& fresh, const std::vector<page_row>& earlier);

}  // namespace fencepost::relacy
