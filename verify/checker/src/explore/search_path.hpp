// The way to one execution, from a program that was never run: what a counterexample is found by.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "explore/contention.hpp"
#include "explore/part.hpp"

namespace fencepost::verify {

// Something about the program that changes how it is explored; then the search begins again.
struct lesson {
  choice_path at;  // the run that teaches how a loop waits, or that threads are not symmetric
  std::vector<location_name> contended;  // or, if there are any, these are

  friend bool operator==(const lesson&, const lesson&) = default;
};

struct search_path {
  std::vector<lesson> lessons;
  choice_path choices;

  friend bool operator==(const search_path&, const search_path&) = default;
};

// "0*12.1.0/@1.3+1.4/2": numbers, with how often they are repeated; lessons end in a slash,
// contended locations are named by a thread and a number.
std::string to_text(const search_path&);
std::optional<search_path> search_path_from(std::string_view text);

// A place between runs, whose zeros at the end count: "0*12.1.0", and "end" for the empty path.
std::string place_to_text(const choice_path&);
std::optional<choice_path> place_from(std::string_view text);

}  // namespace fencepost::verify
