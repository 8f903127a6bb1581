// What follows the threads of a litmus file: locations, filter, exists.
#pragma once

#include "fencepost/litmus/program.hpp"
#include "lexer.hpp"

namespace fencepost::litmus {

// Reads up to the end of the file. The program must already have its threads.
void parse_final_state(lexer&, program&);

}  // namespace fencepost::litmus
