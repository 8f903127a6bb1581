// --weaken: finds the place in the source that is meant. A label is looked up in the source that
// the program was built from.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fencepost/verify/orders.hpp"
#include "source/source_scan.hpp"

namespace fencepost::cli {

// Parses "chase_lev.hpp:193=relaxed", "chase_lev.hpp:193:15=relaxed",
// "chase_lev.hpp:steal.take=relaxed". Throws std::invalid_argument, which says what is wrong.
verify::order_change change_from(std::string_view text);

// Makes the change one of that operation, which is written with its label: "FILE:LABEL".
void name_place(verify::order_change&, const std::vector<source_operation>&, std::size_t operation,
                std::string_view label);

// True if the operation of the text is the one that was compiled.
bool is_same(const source_operation&, const verify::asked_for&);

// Returns the label of the operation at that place; its line if it has none, or if the source
// cannot be read.
std::string place_name(const source_location&);

// True if the operation is of that kind, whatever its order.
bool may_be(const source_operation&, verify::access);

// Throws usage_error if the file is not the one that the program was built from: the change would
// then be at another place. `as_written`: the scenario runs the orders of the source; a planted
// fault runs others at some places.
void require_same_source(const verify::order_change&, const verify::access_place&, bool as_written);

}  // namespace fencepost::cli
