// Writes the pictures of a result that a command was asked for: --svg, and --dot for Graphviz.
#pragma once

#include "base/output_file.hpp"
#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/report.hpp"

namespace fencepost::cli {

// Draws the violation, or the examples if there is none.
void write_drawings(output_files&, const verify::result&, const verify::drawing_style&);

}  // namespace fencepost::cli
