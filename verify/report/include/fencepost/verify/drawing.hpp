// An execution graph as a picture: a lane a thread, a box a step, and the relations between them.
//
// Drawn are synchronizes-with, and reads-from where happens-before does not order the two anyway;
// modification order and from-read where they run against the order in which the steps are listed;
// and what is not ordered although it should be. From where all else is read, the box says.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct drawing_style {  // How a picture of an execution is drawn.
  std::string title;
  std::size_t max_steps = 80;  // of more, the middle is left out, and so is the set-up; 0: all
  bool own_data = true;        // accesses to plain data that no other thread accesses
  // SVG: with a style sheet of its own, light and dark; false: the page that it is put into has
  // one.
  bool style_sheet = true;
};

// Graphviz's language.
std::string to_dot(const counterexample&, const drawing_style&);
// A graph each, by their titles, which stand behind that of the style.
std::string to_dot(const std::map<std::string, execution>&, const drawing_style&);

// A document of its own, in lanes that are laid out here. Each step is a group of class "step" with
// the attribute data-step, its number from 1; each edge one of class "edge" with data-from and
// data-to.
std::string to_svg(const counterexample&, const drawing_style&);
// One below the other.
std::string to_svg(const std::map<std::string, execution>&, const drawing_style&);

// The style sheet of these pictures.
std::string svg_style_sheet();

}  // namespace fencepost::verify
