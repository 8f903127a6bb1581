// Bodies whose verdicts are known. These return what is wrong, or "".
#pragma once

#include <string>

namespace fencepost::verify::testing {

// Bodies that are wrong in other ways than by what their threads do.
std::string wrong_verdict_of_a_body();
// Two threads that access one word, each in some way.
std::string wrong_race_of_two_accesses();
// Bodies that change memory which is not restored.
std::string unnoticed_change();
// Bodies with load buffering.
std::string wrong_load_buffering_of_bodies();

}  // namespace fencepost::verify::testing
