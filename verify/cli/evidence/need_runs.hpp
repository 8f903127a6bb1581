// How scenarios are explored to find out which orders are needed.
#pragma once

#include <chrono>
#include <string>

#include "base/screen.hpp"
#include "evidence/necessity.hpp"
#include "run/workers.hpp"

namespace fencepost::cli {

verify::options how_to_explore(const entry&, const necessity_options&, verify::memory_model);
worker_limits limits_of(const necessity_options&);

bool holds(const verify::result&);

// True if the weaker order explains the violation. A violation without steps was not found by the
// explorer: the process was killed. Nondeterminism and a lack of memory show nothing.
bool shows_need(const verify::result&);

// The live line of the screen, drawn at most ten times a second.
class progress_line {
 public:
  explicit progress_line(screen& out) : out_(out) {}
  void draw(const std::string& text);

 private:
  screen& out_;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace fencepost::cli
