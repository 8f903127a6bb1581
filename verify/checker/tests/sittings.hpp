// An exploration that ends after so many runs, and continues from its checkpoint.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "fencepost/verify/check.hpp"
#include "known_programs.hpp"
#include "result_differences.hpp"

namespace fencepost::verify::testing {

struct sitting {
  result found;
  std::string left;
};

inline sitting sit(options o, const std::function<void()>& body, const std::string& resume) {
  sitting s;
  o.digest = true;
  o.resume = resume;
  o.on_checkpoint = [&](const std::string& text) { s.left = text; };
  s.found = check(o, body);
  return s;
}

// Returns what differs between the two, or "".
inline std::string difference(const known_program& p, const result& whole, const result& r) {
  differences found("not");
  found.compare("verdict", static_cast<int>(r.outcome), static_cast<int>(whole.outcome));
  found.compare(r, whole);
  found.compare("limit", r.limit, whole.limit);
  if (r.violation && whole.violation)
    found.compare("violated at", r.violation->path, whole.violation->path);
  return found.of(p.name);
}

inline result in_one_piece(const known_program& p) {
  options o = p.bounds;
  o.digest = true;
  return check(o, p.body);
}

// Stops after every few runs, and continues from the checkpoint.
inline result in_sittings(const known_program& p, std::uint64_t runs) {
  constexpr int most = 1'000;
  options o = p.bounds;
  std::string left;
  o.max_executions = runs;
  for (int i = 1; i <= most; ++i) {
    sitting s = sit(o, p.body, left);
    if (s.found.limit != "max_executions") return s.found;
    left = std::move(s.left);
  }
  result endless;
  endless.limit = "the sittings come to no end";
  return endless;
}

// Returns what differs between one exploration and sittings of so many runs each that use resume
// points, or "".
inline std::string difference_in_sittings(known_program p, std::uint64_t runs) {
  const result whole = in_one_piece(p);
  p.bounds.resume_points = true;
  return difference(p, whole, in_sittings(p, runs));
}

}  // namespace fencepost::verify::testing
