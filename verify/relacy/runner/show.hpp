// The output of the runner: lines, the table of the page, JSON.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "simulated_scenario.hpp"

namespace fencepost::relacy {

// The runs of a scenario, one for each scheduler.
struct row {
  struct run {
    relacy::scheduler scheduler;
    relacy::result result;
  };
  const entry* what = nullptr;
  std::vector<run> runs;

  const run* violated() const;  // the first violated run, of the expected kind if there is one
};

enum class standing : std::uint8_t {
  agrees,
  explained,   // Relacy disagrees, and a rule explains why
  differs,     // ... and no rule is known
  agrees_now,  // a rule explains why Relacy disagrees, but it agrees
  broken,
  incomplete,  // the time limit came first
  skipped,
};

standing judge(const row&);
// Returns 0 if all agree or a rule explains why not, 1 if not, 3 if a time limit came first.
int status_of(const std::vector<row>&);

std::string expectation(const scenario&);
// "holds", "holds, all", "violated (data race)", "broken: ended by signal 11".
std::string describe(const result&);

// The lines of one scenario, one for each scheduler; names are `width` wide.
std::string heading(std::size_t width);
std::string lines(const row&, std::size_t width);
std::string summary(const std::vector<row>&);

// The checker's verdicts by the name of the scenario, from fencepost verify --json.
using checker_verdicts = std::map<std::string, std::string, std::less<>>;
// Throws std::runtime_error if the document is not from there.
checker_verdicts checker_verdicts_of(const nlohmann::json& document);

// The cells of a line of the page's table.
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
nlohmann::json to_json(const std::vector<row>&);

}  // namespace fencepost::relacy
