// What the command line works on: a table of scenarios and how each is checked. It may come from
// anywhere; registry.cpp makes the kit's own.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::stress {
struct subject;
}

namespace fencepost::cli {

struct entry {
  scenario about;
  std::function<verify::result(const verify::options&)> run;
  // The header of models that it comes from, without its ending: "worker_sleep/claims",
  // "known_bugs/parlaylib_54".
  std::string_view model = {};
  // The digest of all code that a run depends on: equal digests mean equal results. "": unknown.
  std::string digest = {};
  // The same scenario on real threads, which lives as long as the program; null: there is none.
  const stress::subject* on_threads = nullptr;
};

// Adds a scenario of the kit, from the source of its model. Not inline, since there are hundreds of
// them.
void append(std::vector<entry>&, const scenario& about,
            verify::result (*run)(const verify::options&), std::string_view model);

// The scenarios of the kit, in the order in which they are listed.
std::vector<entry> registry();

}  // namespace fencepost::cli
