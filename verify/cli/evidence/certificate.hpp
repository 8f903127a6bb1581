// What was shown of the library, within which bounds: of each component the claims that hold, the
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
  std::optional<verify::result> under_xc20;  // of a claim that has a load-buffering race

  buffered known() const { return known_under_xc20(done.result, under_xc20); }
};

// Of the graphs that certificate --quick explores it judges one of so many twice.
inline constexpr std::uint64_t apart_if_quick = 16;

struct certificate_limits : necessity_options {
  // Claims are explored under xc20 with so many runs more than under rc20; 0: they are not.
  std::uint64_t xc20_runs = 0;
  std::uint64_t graphs_apart = 1;  // see verify::options
};

// Whether it ran and came out as it must.
bool is_as_expected(const certified_scenario&);
std::size_t as_expected(const std::vector<certified_scenario>&);
// Those that hold, within so many re-executions or in full.
std::size_t holding_under_xc20(const std::vector<certified_scenario>& claims);

struct certified_component {
  std::string name;
  std::vector<std::string> models;         // the headers of its scenarios, without ending
  std::vector<certified_scenario> claims;  // must hold
  std::vector<certified_scenario> faults;  // must be violated
  std::vector<header_report> headers;      // of core, that its scenarios come to most

  std::uint64_t executions() const;  // of the claims
  double seconds() const;            // of claims and faults
};

struct certificate {
  verify::memory_model model = verify::memory_model::rc20;
  std::string folder;                           // of the headers
  std::vector<certified_component> components;  // of the kit
  std::vector<certified_component> others;      // whose scenarios are on other people's protocols
  std::vector<header_report> outside;           // which no scenario comes to
  std::vector<const entry*> left_out;           // take minutes, and were not asked for
  verify::rechecked recheck;                    // the graphs of all of these scenarios
  necessity_report needs;                       // its headers are with the components
  order_totals orders;
  std::uint64_t xc20_runs = 0;
  exit_status status = exit_as_expected;
};

// Explores what is not known from earlier.
certificate certify(const std::vector<entry>&, const certificate_limits&, result_store&, screen&);

// As a page; links are relative to the folder docs of the source tree.
page page_of(const certificate&);
// Without the tables of the components.
page summary_of(const certificate&);
// The same, whole and on its own, with links to files that lie in `tree`.
std::string to_html(const certificate&, std::string_view tree);

// Two texts of the same page compared, times and compilers aside: the first line in which they
// differ, as "line 12 is ..., and should be ..."; "" if in none. What an exploration under xc20
// shows is not compared where the fresh page was made without any, and how many graphs were judged
// twice not where some were left out.
std::string difference(const std::string& old, const std::string& fresh,
                       const certificate_limits& made_within);

}  // namespace fencepost::cli
