// The verdicts on the memory orders of the headers: at each place, on each weaker order tried.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/usage.hpp"
#include "run/command_options.hpp"
#include "source/order_steps.hpp"
#include "source/source_scan.hpp"

namespace fencepost::cli {

enum class need : std::uint8_t {
  needed,         // a scenario is violated without it
  kept,           // none is, and a reason for it stands in the source
  stronger,       // none is
  not_exercised,  // no scenario comes there
  unknown,        // none is violated or comes there, and some could not be explored to the end
  outside,        // in compiled code, which no scenario explores
  not_run,        // an interrupt came first
};

std::string_view to_string(need) noexcept;

struct step_report {
  order_step step;
  verify::order_change change;
  need verdict = need::not_run;
  std::string scenario;  // needed: this one, and what is wrong in it
  violation kind = violation::none;
  std::string message;
  verify::memory_model model = verify::memory_model::rc20;  // under which it is
  std::string reason;                 // the one in the source, also where the order is needed
  std::vector<std::string> explored;  // not needed: these scenarios hold without it
  std::string limit;                  // not explored to the end: which scenario, and why
};

struct operation_report {
  source_operation source;
  std::string label;
  std::vector<std::string> partners;       // of the label
  std::optional<verify::asked_for> asked;  // none: no scenario comes there
  std::size_t scenarios = 0;               // how many do
  bool may_be_exercised = false;           // ... of those that were explored to the end
  std::string reason;                      // not exercised: why not
  std::vector<step_report> steps;
  bool outside = false;  // see header_report

  // Of a place that no scenario comes to: outside; kept with a reason; not exercised, or unknown
  // where a scenario that was left out may come there.
  need standing() const noexcept;
};

struct header_report {
  std::string name;      // within the folder: "deque/chase_lev.hpp"; if outside, with it
  bool outside = false;  // compiled code: "core/src/futex_portable.hpp"
  std::vector<operation_report> operations;
  std::vector<std::string> scenarios;  // that come to some of them
};

struct necessity_report {
  std::vector<header_report> headers;
  std::vector<std::string> left_out;  // scenarios that do not hold, or not within the limits
  bool broken = false;                // ... one of them is violated
  std::vector<std::string> loose;     // labels that are at none of the places
  std::size_t scenarios = 0;
  std::size_t checks = 0;  // explorations of a scenario with an order weakened
  std::size_t reused = 0;  // of them, results of an earlier run
  std::uint64_t executions = 0;
};

// How many of each standing. A place counts once for each step by which it was weakened.
struct order_totals {
  std::size_t places = 0;
  std::size_t relaxed = 0;
  std::size_t needed = 0;
  std::size_t kept = 0;
  std::size_t stronger = 0;
  std::size_t not_exercised = 0;
  std::size_t unknown = 0;
  std::size_t outside = 0;
  std::size_t not_run = 0;
  std::size_t stale_reasons = 0;  // needed, and the source says that it is kept for another reason

  // Neither needed nor kept with a reason, or not known to be.
  std::size_t open() const noexcept { return stronger + not_exercised + unknown + not_run; }
};
order_totals sum(const std::vector<header_report>&);
exit_status status_of(const necessity_report&, const order_totals&);

json to_json(const header_report&);
json to_json(const order_totals&);

}  // namespace fencepost::cli
