// Scenarios of another project, for a command line that lists, verifies and explains them, weakens
// the orders of the project's headers, certifies them, and runs the scenarios on real threads.
//
//   // letterbox_scenarios.cpp
//   template <class P> struct letter_arrives { … };  // see fencepost/scenario/scenario.hpp
//
//   using letterbox_scenarios = fencepost::models::scenario_list<letter_arrives>;
//   const fencepost::cli::scenarios registered(letterbox_scenarios{});
//
//   # CMakeLists.txt
//   find_package(Fencepost REQUIRED COMPONENTS cli)
//   fencepost_add_model_cli(letterbox_model SCENARIOS letterbox_scenarios.cpp
//                           HEADERS letterbox.hpp)
//
// The program has no main() of the project's: fencepost_add_model_cli() writes one.
#pragma once

#include <string>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/stress/stress_atomics.hpp"
#include "fencepost/stress/subject.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"

namespace fencepost::cli {

// Registers a list of scenarios, each on the policy of the checker and on that of real threads.
//
// To be constructed at namespace scope of a file of SCENARIOS: the order of the files, and of the
// lists within each, is the one in which they are listed. Before main(), by one thread. What is
// wrong with a scenario's name (none, spaces, or that of another) is a message of the program, with
// exit status 2. Takes as long as copying what each scenario says about itself.
class [[maybe_unused]] scenarios {
 public:
  template <class List>  // models::scenario_list, or models::lists of them
  explicit scenarios(List list, source_location where = source_location::current()) {
    models::visit<checked_atomics>(
        list, [&]<class S>() { add(S::about, &verify::check_scenario<S>, where.file); });
    models::visit<stress::stress_atomics>(list, [&]<class S>() { add(stress::subject_of<S>()); });
  }

 private:
  using check = verify::result (*)(const verify::options&);
  static void add(const scenario& about, check run, const char* file);
  static void add(const stress::subject&);  // of a scenario that was added before
};

// What the command line says of the project and looks for in it; fencepost_add_model_cli() knows.
struct project {
  std::string name;                  // of the program
  std::string source_folder;         // its tree
  std::string build_folder;          // where the compiler runs
  std::vector<std::string> headers;  // whose orders and labels are looked at: absolute paths
};

// The command line, with all scenarios that are registered. Returns the exit status. Called once,
// by main(); it starts processes and, for stress, threads, and has ended them when it returns.
int run(int argc, const char* const* argv, const project&);

}  // namespace fencepost::cli
