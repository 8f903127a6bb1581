// May this order be weakened so? Each weaker order is asked of the scenarios that come to its
// place.
#pragma once

#include <vector>

#include "evidence/need_runs.hpp"
#include "evidence/visited_headers.hpp"
#include "run/result_store.hpp"

namespace fencepost::cli {

// Sets the verdict of each step of each operation of `headers`, and adds to `report` how much was
// explored, and which scenarios do not hold under xc20. After an interrupt what is open is
// `not_run`.
void answer_questions(const necessity_options&, const std::vector<holding_scenario>&,
                      std::vector<visited_header>& headers, result_store&, progress_line&,
                      necessity_report& report);

}  // namespace fencepost::cli
