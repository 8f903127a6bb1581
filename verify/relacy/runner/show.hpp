// What the runner says: lines, the table of the page, JSON.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "simulated_scenario.hpp"

namespace fencepost::relacy {

// A scenario under each of the schedulers.
struct row {
  struct run {
    relacy::scheduler scheduler;
    relacy::result result;
  };
  const entry* what = nullptr;
  std::vector<run> runs;

  const run* violated() const;  // the first, of the expected kind before others
};

enum class standing : std::uint8_t {
  agrees,
  explained,   // Relacy says something else, and a rule decides why
  differs,     // ... and none is known
  agrees_now,  // a rule says why it differs, but it does not
  broken,
  incomplete,  // the time limit came first
  skipped,
};

standing judge(const row&);
// 0 agreement or a known rule, 1 not, 3 a time limit came first.
int status_of(const std::vector<row>&);

std::string expectation(const scenario&);
// "holds", "holds, all", "violated (data race)", "broken: ended by signal 11".
std::string describe(const result&);

// The lines of one scenario, one for each scheduler; names are `width` wide.
std::string heading(std::size_t width);
std::string lines(const row&, std::size_t width);
std::string summary(const std::vector<row>&);

// What the checker said, by name: the "verdict" of fencepost verify --json.
using checker_verdicts = std::map<std::string, std::string, std::less<>>;
// Throws std::runtime_error for what is not such a document.
checker_verdicts checker_verdicts_of(const nlohmann::json& document);

// A line of the page's table, its cells.
struct page_row {
  std::string name, expected, checker, relacy, why;
};
// Those of a page, or of a table alone.
std::vector<page_row> read_page(const std::string& text);
page_row page_row_of(const row&, const checker_verdicts&);
// The table with what is new in the place of what was there, in the order of the names; of a name
// that neither has there is no row.
std::string page_table(const std::vector<std::string_view>& names,
                       const std::vector<page_row>& fresh, const std::vector<page_row>& earlier);
nlohmann::json to_json(const std::vector<row>&);

}  // namespace fencepost::relacy
