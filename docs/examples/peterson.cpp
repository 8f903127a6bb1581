// Prints what the checker reports for a step of docs/guide/peterson.md.
//
//   peterson first|second|third|forgetful|fourth|exchange
//
// Exit status: 0; 2 wrong usage.
#include "peterson.hpp"

#include <cstdio>
#include <iostream>
#include <string_view>

#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"

namespace {

template <template <class> class Scenario>
int show() {
  std::cout << to_text(fencepost::verify::check_scenario<Scenario<fencepost::checked_atomics>>());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view step = argc == 2 ? argv[1] : "";
  if (step == "first") return show<peterson::first_excludes>();
  if (step == "second") return show<peterson::second_excludes>();
  if (step == "third") return show<peterson::third_excludes>();
  if (step == "forgetful") return show<peterson::who_forgets_to_leave>();
  if (step == "fourth") return show<peterson::fourth_excludes>();
  if (step == "exchange") return show<peterson::exchange_excludes>();
  std::fprintf(stderr,
               "peterson: which step is to be shown?\n"
               "usage: peterson first|second|third|forgetful|fourth|exchange\n");
  return 2;
}
