// The way to one execution of a program that has not been run yet: how a counterexample is found
// again.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/contention.hpp"
#include "explore/part.hpp"

namespace fencepost::verify {

// Something that a run teaches about the program, and that changes how it is explored: the search
// then restarts.
struct lesson {
  choice_path at;  // the run that shows how a loop waits, or that threads are not symmetric
  std::vector<location_name> contended;  // if not empty: these are, instead

  friend bool operator==(const lesson&, const lesson&) = default;
};

struct search_path {
  std::vector<lesson> lessons;
  choice_path choices;

  friend bool operator==(const search_path&, const search_path&) = default;
};

// "0*12.1.0/@1.3+1.4/2": numbers, with a count where one is repeated; each lesson ends in a slash,
// and a contended location is named by a thread and a number.
std::string to_text(const search_path&);
std::optional<search_path> search_path_from(std::string_view text);

// A place between two runs, where zeros at the end count: "0*12.1.0", or "end" for the empty path.
std::string place_to_text(const choice_path&);
std::optional<choice_path> place_from(std::string_view text);

}  // namespace fencepost::verify
