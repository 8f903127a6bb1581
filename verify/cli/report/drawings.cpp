#include "report/drawings.hpp"

#include "base/json.hpp"

namespace fencepost::cli {

void write_drawings(output_files& files, const verify::result& r,
                    const verify::drawing_style& style) {
  if (files.wanted("--dot"))
    files.write("--dot",
                valid_text(r.violation ? to_dot(*r.violation, style) : to_dot(r.examples, style)));
  if (files.wanted("--svg"))
    files.write("--svg",
                valid_text(r.violation ? to_svg(*r.violation, style) : to_svg(r.examples, style)));
}

}  // namespace fencepost::cli
