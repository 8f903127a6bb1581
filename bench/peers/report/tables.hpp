// The tables of docs/benchmarks.md, in Markdown.
#pragma once

#include <ostream>

#include "measurements.hpp"
#include "subjects.hpp"

namespace fencepost::bench::peers {

// Every subject that something was measured of. `images`: a plot stands above each.
void write_tables(std::ostream& out, const measurements& from, bool images);

// In which a duration has one to three digits before the point.
struct unit {
  const char* name;
  double nanoseconds;
};
unit unit_of(double nanoseconds);

// A duration in nanoseconds, with three digits that count: "1.23 µs".
std::string duration(double nanoseconds);

}  // namespace fencepost::bench::peers
