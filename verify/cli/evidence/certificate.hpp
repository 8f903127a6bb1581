// The evidence for the library, and its bounds: for each component the claims that hold, the
// planted faults that are caught, and which of its memory orders are needed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/document.hpp"
#include "evidence/necessity.hpp"
#include "evidence/under_xc20.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

struct certified_scenario {
  const entry* what = nullptr;
  finished_job done;
  std::optional<verify::result> under_xc20;  // for a claim with a load-buffering race

  buffered known() const { return known_under_xc20(done.result, under_xc20); }
};

// certificate --quick judges one of this many graphs twice.
inline constexpr std::uint64_t apart_if_quick = 16;

struct certificate_limits : necessity_options {
  // How many more runs than under rc20 a claim may take under xc20; 0: it is not explored there.
  std::uint64_t xc20_runs = 0;
  std::uint64_t graphs_apart = 1;  // see verify::options
};

// True if the scenario ran and its result is the expected one.
bool is_as_expected(const certified_scenario&);
std::size_t as_expected(const std::vector<certified_scenario>&);
// Counts the claims that hold under xc20, in full or only within the limit on re-executions.
std::size_t holding_under_xc20(const std::vector<certified_scenario>& claims);

struct certified_component {
  std::string name;
  std::vector<std::string> models;         // the headers of its scenarios, without ending
  std::vector<certified_scenario> claims;  // must hold
  std::vector<certified_scenario> faults;  // must be violated
  std::vector<header_report> headers;      // of core, which its scenarios execute most

  std::uint64_t executions() const;  // of the claims
  double seconds() const;            // of claims and faults
};

struct certificate {
  verify::memory_model model = verify::memory_model::rc20;
  std::string folder;                           // of the headers
  std::vector<certified_component> components;  // of the kit
  std::vector<certified_component> others;      // for other people's protocols
  std::vector<header_report> outside;           // that no scenario executes
  std::vector<const entry*> left_out;           // take minutes, and were not requested
  verify::rechecked recheck;                    // the graphs of all of these scenarios
  necessity_report needs;                       // its headers are moved to the components
  order_totals orders;
  std::uint64_t xc20_runs = 0;
  exit_status status = exit_as_expected;
};

// Explores what no earlier run has stored.
certificate certify(const std::vector<entry>&, const certificate_limits&, result_store&, screen&);

// Returns the whole page; its links are relative to the folder docs of the source tree.
page page_of(const certificate&);
// The same without the tables of the components.
page summary_of(const certificate&);
// Returns the whole page as a self-contained file, with links to files in `tree`.
std::string to_html(const certificate&, std::string_view tree);

// Compares two texts of the same page, except for times and compilers. Returns the first line in
// which they differ, as "line 12 is ..., and should be ...", or "". Leaves out the results of
// explorations under xc20 if the fresh page was made without any, and the number of graphs judged
// twice if some were not.
std::string difference(const std::string& old, const std::string& fresh,
                       const certificate_limits& made_within);

}  // namespace fencepost::cli
