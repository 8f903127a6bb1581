// Pictures in Graphviz's language. Lanes are clusters. Which box is above which depends on program
// order, the creation and the join of threads, reads-from (except for load buffering) and
// synchronizes-with; other lines have no influence.
#include <string>

#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/text.hpp"
#include "picture.hpp"

namespace fencepost::verify {
namespace {

constexpr std::size_t line_width = 44;

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

// Returns the text of the box, in left-aligned lines.
std::string label(const picture::box& b) {
  std::string text;
  const auto add = [&](const std::string& line) {
    const std::string one = in_quotes(line);
    text += one.substr(1, one.size() - 2) + "\\l";
  };
  for (const std::string& line :
       wrapped("#" + std::to_string(b.step + 1) + " " + b.text, line_width)) {
    add(line);
  }
  if (!b.place.empty()) add(shortened(b.place, line_width));
  if (!b.code.empty()) add(shortened(b.code, line_width));
  return "\"" + text + "\"";
}

std::string_view attributes(picture::line kind) {
  switch (kind) {
    case picture::line::program_order: return "color=gray50, weight=20";
    case picture::line::thread: return "color=gray70, style=dotted";
    case picture::line::reads: return "color=\"#1a7f37\", fontcolor=\"#1a7f37\"";
    case picture::line::reads_below:
      return "color=\"#c62828\", fontcolor=\"#c62828\", penwidth=2, constraint=false";
    case picture::line::synchronizes: return "color=\"#0b5cad\", fontcolor=\"#0b5cad\"";
    case picture::line::modification:
      return "color=\"#7a5c00\", fontcolor=\"#7a5c00\", constraint=false";
    case picture::line::from_read:
      return "color=\"#b35900\", fontcolor=\"#b35900\", constraint=false";
    case picture::line::unordered:
      return "color=\"#c62828\", fontcolor=\"#c62828\", style=dashed, penwidth=2, constraint=false";
  }
  return "";
}

std::string dot(const picture& p) {
  std::string out = "digraph " + in_quotes(p.title.empty() ? "execution" : p.title) + " {\n";
  out += "  label=" + in_quotes(p.title) + ";\n  labelloc=t;\n  newrank=true;\n";
  out += "  graph [fontname=\"sans-serif\"];\n";
  out += "  node [shape=box, fontname=\"monospace\", fontsize=10];\n";
  out += "  edge [fontname=\"monospace\", fontsize=10];\n";
  for (std::size_t lane = 0; lane < p.lanes.size(); ++lane) {
    out += "  subgraph cluster_" + std::to_string(lane) + " {\n";
    out += "    label=" + in_quotes(p.lanes[lane]) + ";\n    color=gray80;\n";
    for (const picture::box& b : p.boxes) {
      if (b.lane != lane) continue;
      out += "    s" + std::to_string(b.step + 1) + " [label=" + label(b);
      out += b.wrong ? ", color=\"#c62828\", penwidth=2];\n" : "];\n";
    }
    out += "  }\n";
  }
  for (const picture::link& l : p.links) {
    out += "  s" + std::to_string(p.boxes[l.from].step + 1) + " -> s" +
           std::to_string(p.boxes[l.to].step + 1) + " [";
    if (!l.label.empty()) out += "label=" + in_quotes(l.label) + ", ";
    out += std::string(attributes(l.kind)) + "];\n";
  }
  return out + "}";
}

}  // namespace

std::string to_dot(const counterexample& c, const drawing_style& style) {
  return dot(picture(c, &c, style));
}

std::string to_dot(const std::map<std::string, execution>& all, const drawing_style& style) {
  std::string out;
  for (const auto& [title, e] : all) {
    drawing_style one = style;
    if (!title.empty()) one.title += (one.title.empty() ? "" : ": ") + title;
    out += (out.empty() ? "" : "\n") + dot(picture(e, nullptr, one));
  }
  return out;
}

}  // namespace fencepost::verify
