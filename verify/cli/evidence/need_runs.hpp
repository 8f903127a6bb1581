// How the scenarios are run that tell which orders are needed.
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

// A violation that the weaker order explains. One without steps is not the explorer's: the process
// was killed. What cannot be run twice alike says nothing.
bool shows_need(const verify::result&);

// The live line of the screen, drawn ten times a second at most.
class progress_line {
 public:
  explicit progress_line(screen& out) : out_(out) {}
  void draw(const std::string& text);

 private:
  screen& out_;
  std::chrono::steady_clock::time_point drawn_{};
};

}  // namespace fencepost::cli
