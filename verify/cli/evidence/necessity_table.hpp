// What necessity prints: a table for each header.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "base/screen.hpp"
#include "evidence/necessity_report.hpp"

namespace fencepost::cli {

class necessity_table {
 public:
  // The arguments must outlive the table.
  necessity_table(const screen& out, const std::string& program) : out_(out), program_(program) {}

  std::string of(const header_report&) const;
  // Returns a paragraph with all its lines indented.
  std::string indented(const std::string& words, std::size_t by) const;
  // The command that shows what the weaker order does in the scenario.
  std::string how_to_see(const step_report&, const std::string& scenario) const;

 private:
  struct row {
    std::string line, label, operation, order, weaker;
    need verdict;
    std::string words;
  };
  std::string lines(const std::vector<row>&) const;

  const screen& out_;
  const std::string& program_;
};

}  // namespace fencepost::cli
