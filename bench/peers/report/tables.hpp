// The tables of docs/benchmarks.md, in Markdown.
#pragma once

#include <ostream>

#include "measurements.hpp"
#include "subjects.hpp"

namespace fencepost::bench::peers {

// Writes every subject with measurements. With `images`, each has a plot above its table.
void write_tables(std::ostream& out, const measurements& from, bool images);

// The unit in which a duration has one to three digits before the point.
struct unit {
  const char* name;
  double nanoseconds;
};
unit unit_of(double nanoseconds);

// Formats a duration with three significant digits: "1.23 µs".
std::string duration(double nanoseconds);

}  // namespace fencepost::bench::peers
