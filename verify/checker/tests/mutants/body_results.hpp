// Bodies whose verdicts are known. What is wrong, or "".
#pragma once

#include <string>

namespace fencepost::verify::testing {

// Of bodies that are wrong besides what their threads do.
std::string wrong_verdict_of_a_body();
// Of two threads that access one word, each in some way.
std::string wrong_race_of_two_accesses();
// Of bodies that change memory which is not put back.
std::string unnoticed_change();
// Of bodies with load buffering.
std::string wrong_load_buffering_of_bodies();

}  // namespace fencepost::verify::testing
