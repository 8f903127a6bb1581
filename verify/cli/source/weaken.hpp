// --weaken: which place of the source is meant. A label is looked up in the source that the program
// was built from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/orders.hpp"
#include "source/source_scan.hpp"

namespace fencepost::cli {

// "chase_lev.hpp:193=relaxed", "chase_lev.hpp:193:15=relaxed", "chase_lev.hpp:steal.take=relaxed".
// Throws std::invalid_argument, which says what is wrong.
verify::order_change change_from(std::string_view text);

// The change is of that operation, and is written with its label: "FILE:LABEL".
void name_place(verify::order_change&, const std::vector<source_operation>&, std::size_t operation,
                std::string_view label);

// Is this what was compiled?
bool is_same(const source_operation&, const verify::asked_for&);

// The label of the operation at that place, or its line where it has none or the source cannot be
// read.
std::string place_name(const source_location&);

// Is it such an operation, whatever its order?
bool may_be(const source_operation&, verify::access);

// Throws usage_error where the file is another one than the program was built from: the place that
// the change names would be another place. `as_written`: the scenario runs the orders of the
// source; a planted fault runs others at some of its places.
void require_same_source(const verify::order_change&, const verify::access_place&, bool as_written);

}  // namespace fencepost::cli
