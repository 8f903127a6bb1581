// Compares two texts of the certificate.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>
#include <sstream>
#include <vector>

#include "evidence/certificate.hpp"
#include "evidence/certificate_words.hpp"

namespace fencepost::cli {
namespace {

// Reads a page line by line, without what differs between runs, and without the results of
// explorations under xc20 unless these are compared.
class masked_page {
 public:
  masked_page(const std::string& text, const certificate_limits& made_within)
      : text_(text),
        xc20_(made_within.xc20_runs != 0),
        all_judged_twice_(made_within.graphs_apart == 1) {}
  bool next() {
    while (std::getline(text_, line_)) {
      ++number_;
      if (line_.starts_with("## ")) of_xc20_ = line_.substr(3) == under_xc20_heading;
      if (xc20_ || !of_xc20_) return true;
    }
    return false;
  }
  [[nodiscard]] const std::string& line() const noexcept { return line_; }
  [[nodiscard]] std::size_t number() const noexcept { return number_; }
  [[nodiscard]] std::string masked() {
    static const std::regex time(R"([0-9.]+ (ms|s|min)( [0-9]+ s)?\b)");
    if (line_.starts_with(compiler_line)) return std::string(compiler_line);
    if (!all_judged_twice_)
      if (const std::size_t end = line_.find(judged_twice); end != std::string::npos)
        return line_.substr(end);
    const std::string timeless = std::regex_replace(line_, time, "TIME");
    return xc20_ ? timeless : without_xc20(timeless);
  }

 private:
  std::string without_xc20(const std::string& line) {
    static const std::regex others(R"((Of the other [0-9,]+, ).*)");
    static const std::string item = fmt::format("- **{}**", load_buffering_item);
    if (line.starts_with(item)) return item;
    if (!line.starts_with("|")) {
      column_ = 0;
      const std::size_t end = line.find(see_load_buffering);
      if (end == std::string::npos) return line;
      return std::regex_replace(line.substr(0, end), others, "$1") + line.substr(end);
    }
    std::vector<std::string> cells = cells_of(line);
    if (const auto here = std::find(cells.begin(), cells.end(), xc20_column); here != cells.end())
      column_ = static_cast<std::size_t>(here - cells.begin());
    if (column_ != 0 && column_ < cells.size()) cells[column_] = "XC20";
    return fmt::format("{}", fmt::join(cells, "|"));
  }
  // Returns the cells of a row of a table; a bar within a cell follows a backslash.
  static std::vector<std::string> cells_of(const std::string& row) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] == '|' && (i == 0 || row[i - 1] != '\\'))
        cells.emplace_back();
      else
        cells.back() += row[i];
    }
    for (std::string& cell : cells) {
      cell.erase(0, cell.find_first_not_of(' '));
      cell.erase(cell.find_last_not_of(' ') + 1);
    }
    return cells;
  }

  std::istringstream text_;
  bool xc20_, all_judged_twice_;
  bool of_xc20_ = false;  // the current section is about xc20
  std::string line_;
  std::size_t number_ = 0;  // of the line, from 1
  std::size_t column_ = 0;  // of the table: the one for xc20; 0: there is none
};

}  // namespace

std::string difference(const std::string& old, const std::string& fresh,
                       const certificate_limits& made_within) {
  masked_page one(old, made_within);
  masked_page other(fresh, made_within);
  for (;;) {
    const bool has = one.next();
    const bool wants = other.next();
    if (!has && !wants) return {};
    if (!has) return fmt::format("line {} is missing:\n  {}", one.number() + 1, other.line());
    if (!wants) return fmt::format("line {} should not be there:\n  {}", one.number(), one.line());
    if (one.masked() != other.masked()) {
      return fmt::format("line {} is\n  {}\nand should be\n  {}", one.number(), one.line(),
                         other.line());
    }
  }
}

}  // namespace fencepost::cli
