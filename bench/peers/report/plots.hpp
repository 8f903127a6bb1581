// The plots of docs/benchmarks.md, as gnuplot scripts that contain their data.
#pragma once

#include <functional>
#include <string>

#include "measurements.hpp"

namespace fencepost::bench::peers {

// Passes each script with its name to `give`: <family> for bars of the times, "speedup" for the
// speed-up of the fork-join programs. A script writes to standard output.
void write_plots(
    const measurements& from,
    const std::function<void(const std::string& name, const std::string& script)>& give);

}  // namespace fencepost::bench::peers
