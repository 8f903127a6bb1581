// docs/second-opinion.md agrees with differences.cpp and with the kit's scenarios.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "differences.hpp"
#include "every_scenario.hpp"

namespace fencepost::relacy {
namespace {

std::string page() {
  std::ifstream stream(FENCEPOST_PAGE);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The names of the scenarios that `fencepost list` shows.
std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const scenario_of_model& s : every_scenario()) all.emplace_back(s.about.name);
  return all;
}

// The names in the first column of the page's table.
std::vector<std::string> names_in_table() {
  std::vector<std::string> all;
  const std::string text = page();
  const std::string begin = "\n| `";
  for (std::size_t at = text.find(begin, text.find("<!-- table")); at != std::string::npos;
       at = text.find(begin, at + 1)) {
    const std::size_t name = at + begin.size();
    all.push_back(text.substr(name, text.find('`', name) - name));
  }
  return all;
}

bool has(const std::vector<std::string>& all, std::string_view name) {
  return std::ranges::find(all, name) != all.end();
}

TEST(differences, each_is_of_a_scenario_that_there_is) {
  const std::vector<std::string> all = names();
  for (const difference& d : differences()) EXPECT_TRUE(has(all, d.scenario)) << d.scenario;
}

TEST(page, each_rule_and_each_difference_has_its_place) {
  const std::string text = page(), above_table = text.substr(0, text.find("## The table"));
  for (const rule& r : rules()) {
    std::string heading(r.key);
    heading.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(heading.front())));
    EXPECT_NE(above_table.find("\n### " + heading + "\n"), std::string::npos) << heading;
  }
  for (const difference& d : differences()) {
    const std::string_view claim = d.scenario.substr(d.scenario.find('/') + 1);
    EXPECT_NE(above_table.find(claim), std::string::npos) << d.scenario;
  }
}

TEST(page, the_table_has_every_scenario) {
  const std::vector<std::string> listed = names(), in_table = names_in_table();
  for (const std::string& name : listed)
    EXPECT_TRUE(has(in_table, name)) << name << " is not in the table: ci/relacy --table";
  for (const std::string& name : in_table)
    EXPECT_TRUE(has(listed, name)) << name << " is only in the table: ci/relacy --table";
  if (HasFailure()) return;
  EXPECT_EQ(in_table, listed) << "in another order: ci/relacy --table";
}

}  // namespace
}  // namespace fencepost::relacy
