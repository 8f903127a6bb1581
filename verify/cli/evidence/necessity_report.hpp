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
  kept,           // none is, and the source states a reason to keep it
  stronger,       // none is
  not_exercised,  // no scenario executes it
  unknown,        // none is violated or executes it, and some were not explored completely
  outside,        // in compiled code, which no scenario explores
  not_run,        // an interrupt came first
};

std::string_view to_string(need) noexcept;

struct step_report {
  order_step step;
  verify::order_change change;
  need verdict = need::not_run;
  std::string scenario;  // needed: the scenario that needs it, and its violation
  violation kind = violation::none;
  std::string message;
  verify::memory_model model = verify::memory_model::rc20;  // under which it is violated
  std::string reason;                 // the one in the source, even if the order is needed
  std::vector<std::string> explored;  // not needed: the scenarios that hold without it
  std::string limit;                  // which scenario was not explored completely, and why
};

struct operation_report {
  source_operation source;
  std::string label;
  std::vector<std::string> partners;       // of the label
  std::optional<verify::asked_for> asked;  // none: no scenario executes it
  std::size_t scenarios = 0;               // how many execute it
  bool may_be_exercised = false;           // by a scenario that was left out or not run
  std::string reason;                      // not exercised: the reason in the source
  std::vector<step_report> steps;
  bool outside = false;  // see header_report

  // The verdict on an operation that no scenario executes: outside; kept with a reason; not
  // exercised, or unknown if a scenario that was left out may execute it.
  need standing() const noexcept;
};

struct header_report {
  std::string name;      // within the folder: "deque/chase_lev.hpp"; if outside, with the folder
  bool outside = false;  // compiled code: "core/src/futex_portable.hpp"
  std::vector<operation_report> operations;
  std::vector<std::string> scenarios;  // that execute some of them
};

struct necessity_report {
  std::vector<header_report> headers;
  std::vector<std::string> left_out;  // scenarios that do not hold, or not within the limits
  bool broken = false;                // one of these is violated
  std::vector<std::string> loose;     // labels without an operation
  std::size_t scenarios = 0;
  std::size_t checks = 0;  // explorations of a scenario with an order weakened
  std::size_t reused = 0;  // of these, results of an earlier run
  std::uint64_t executions = 0;
};

// How many operations have each verdict. An operation counts once for each step by which it was
// weakened.
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
  std::size_t stale_reasons = 0;  // needed, but the source says that it is kept for another reason

  // The number of orders that are not known to be needed, and not kept with a reason.
  std::size_t open() const noexcept { return stronger + not_exercised + unknown + not_run; }
};
order_totals sum(const std::vector<header_report>&);
exit_status status_of(const necessity_report&, const order_totals&);

json to_json(const header_report&);
json to_json(const order_totals&);

}  // namespace fencepost::cli
