// An execution graph as a picture: a lane for each thread, a box for each step, and the relations
// between them.
//
// The picture shows synchronizes-with, and reads-from unless happens-before orders the two anyway;
// modification order and from-read if they run against the order in which the steps are listed; and
// what is not ordered although it should be. For all other reads, the box names the source.
#pragma once

#include <cstddef>
#include <map>
#include <string>

#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

struct drawing_style {  // How a picture of an execution is drawn.
  std::string title;
  std::size_t max_steps = 80;  // beyond it, the middle and the set-up are left out; 0: all
  bool own_data = true;        // show accesses to plain data that no other thread accesses
  // SVG: with a style sheet of its own, light and dark; false: the surrounding page has one.
  bool style_sheet = true;
};

// In Graphviz's language.
std::string to_dot(const counterexample&, const drawing_style&);
// One graph for each execution; its key follows the style's title.
std::string to_dot(const std::map<std::string, execution>&, const drawing_style&);

// A stand-alone document, laid out here in lanes. Each step is a group of class "step" with the
// attribute data-step, its number from 1; each edge is one of class "edge" with data-from and
// data-to.
std::string to_svg(const counterexample&, const drawing_style&);
// One picture below the other.
std::string to_svg(const std::map<std::string, execution>&, const drawing_style&);

// The style sheet of these pictures.
std::string svg_style_sheet();

}  // namespace fencepost::verify
