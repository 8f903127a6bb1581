// Programs with loops that look, under a mutex, whether to go on. Each is written twice: as it is,
// and with a number of turns after which the execution does not count.
#pragma once

#include <string>
#include <vector>

#include "known_programs.hpp"

namespace fencepost::verify::testing {

// The same programs in each; the turns of their loops are left out.
std::vector<known_program> polling_programs();
std::vector<known_program> polling_programs_of_two_turns();
std::vector<known_program> polling_programs_of_three_turns();

// A thread may notice that another one has polled: this is outcome 1.
struct noticed_polling {
  std::string name;
  std::function<void()> polls, of_some_turns;
  bool has_end = false;  // if false, it need not be verified
};
std::vector<noticed_polling> noticed_polling_programs();

// Returns what is wrong with these, or "".
std::string wrong_polling();

}  // namespace fencepost::verify::testing
