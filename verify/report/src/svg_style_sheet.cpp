// How pictures in SVG look.
#include <string>
#include <string_view>

#include "fencepost/verify/drawing.hpp"

namespace fencepost::verify {
namespace {

constexpr std::string_view shapes = R"(
.fp-graph { font: 12px ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
.fp-graph text { white-space: pre; }
.fp-graph .heading { font-weight: bold; font-size: 13px; }
.fp-graph .faint { font-size: 11px; }
.fp-graph .step.wrong rect { stroke-width: 2; }
.fp-graph .edge path { fill: none; stroke-width: 1.5; }
.fp-graph .edge .tip { stroke-width: 0; }
.fp-graph .edge text { font-size: 11px; text-anchor: middle; paint-order: stroke; stroke-width: 4px; }
.fp-graph .thread path { stroke-dasharray: 2 3; }
.fp-graph .below path { stroke-width: 2.2; }
.fp-graph .unordered path { stroke-dasharray: 6 4; stroke-width: 2.2; }
)";

// Some renderers do not support variables, so each palette is written out.
constexpr std::string_view coloured = R"(
.fp-graph .ground { fill: $ground; }
.fp-graph text { fill: $text; }
.fp-graph .faint { fill: $faint; }
.fp-graph .step rect { fill: $box; stroke: $line; }
.fp-graph .step.wrong rect { fill: $alarm; stroke: $wrong; }
.fp-graph .edge text { stroke: $ground; }
)";

struct colour {
  std::string_view name, light, dark;
};
constexpr colour palette[] = {
    {"$ground", "#ffffff", "#14171b"}, {"$text", "#1c2024", "#e4e7eb"},
    {"$faint", "#59616a", "#9aa3ad"},  {"$box", "#f6f7f9", "#1f242a"},
    {"$line", "#b4bbc3", "#57606a"},   {"$alarm", "#fdecec", "#3a1c1e"},
    {"$wrong", "#c62828", "#ff7b72"},
};
constexpr colour line_colours[] = {
    {"po", "#b4bbc3", "#57606a"},        {"thread", "#b4bbc3", "#57606a"},
    {"rf", "#1a7f37", "#57c173"},        {"sw", "#0b5cad", "#6cb2f5"},
    {"mo", "#7a5c00", "#d3b24a"},        {"fr", "#b35900", "#f0954a"},
    {"unordered", "#c62828", "#ff7b72"}, {"below", "#c62828", "#ff7b72"},
};

std::string colours(bool dark) {
  std::string text(coloured);
  for (const colour& c : palette) {
    for (std::size_t at; (at = text.find(c.name)) != std::string::npos;) {
      text.replace(at, c.name.size(), dark ? c.dark : c.light);
    }
  }
  for (const colour& c : line_colours) {
    const std::string value(dark ? c.dark : c.light);
    const std::string of = ".fp-graph ." + std::string(c.name);
    text += of + " path { stroke: " + value + "; }\n";
    text += of + " .tip, " + of + " text { fill: " + value + "; }\n";
  }
  return text;
}

}  // namespace

std::string svg_style_sheet() {
  return std::string(shapes) + colours(false) + "@media (prefers-color-scheme: dark) {" +
         colours(true) + "}\n";
}

}  // namespace fencepost::verify
