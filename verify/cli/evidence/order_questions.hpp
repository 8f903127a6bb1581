// Decides whether orders may be weakened: the scenarios that execute the operation are explored
// with each weaker order.
#pragma once

#include <vector>

#include "evidence/need_runs.hpp"
#include "evidence/visited_headers.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

// Sets the verdict of each step of each operation of `headers`. Adds to `report` how much was
// explored, and which scenarios do not hold under xc20. After an interrupt, undecided steps are
// `not_run`.
void answer_questions(const necessity_options&, const std::vector<holding_scenario>&,
                      std::vector<visited_header>& headers, result_store&, progress_line&,
                      necessity_report& report);

}  // namespace fencepost::cli
