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
// The project writes no main(): fencepost_add_model_cli() generates one.
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
// To be constructed at namespace scope in a file of SCENARIOS, and so before main(), by one thread.
// Scenarios are listed in the order of the files, and of the lists within each. An invalid name
// (empty, with spaces, or that of another scenario) is reported by the program, with exit status 2.
// The cost is that of copying the description of each scenario.
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

// What the command line needs to know of the project; fencepost_add_model_cli() fills it in.
struct project {
  std::string name;                  // of the program
  std::string source_folder;         // its source tree
  std::string build_folder;          // where the compiler runs
  std::vector<std::string> headers;  // whose orders and labels are examined: absolute paths
};

// Runs the command line, with all registered scenarios. Returns the exit status. Called once, by
// main(); it starts processes and, for stress, threads, all of which have ended when it returns.
int run(int argc, const char* const* argv, const project&);

}  // namespace fencepost::cli
