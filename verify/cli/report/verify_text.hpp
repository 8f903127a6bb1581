// What verify prints: a heading, a line for each scenario as it finishes, one counterexample, and a
// summary.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/screen.hpp"
#include "run/command_options.hpp"
#include "run/finished_job.hpp"
#include "run/run_totals.hpp"

namespace fencepost::cli {

class verify_text {
 public:
  // The arguments must outlive this object. `share`: which part of the scenarios is run, in words.
  verify_text(screen& out, const common_options& common, const limit_options& limits,
              std::string share, const std::vector<const entry*>& selected,
              const std::string& program);

  void begin() const;
  void line(const scenario& about, const finished_job& done) const;
  // Shows the unexpected violation with the fewest steps.
  void counterexample(const std::vector<finished_job>& done) const;
  void end(const run_totals& t, const std::vector<finished_job>& done, double seconds) const;
  void left_out(std::size_t scenarios) const;

 private:
  // Says how much of each scenario is explored; "" for all of it.
  std::string part() const;
  // Says in a few lines what is wrong; the steps are shown at the end, for one scenario only.
  std::string details(const scenario& about, const finished_job& done) const;
  std::string again(const scenario& about) const;
  std::string bounds(const run_totals& t) const;
  // Says whether the verified scenarios hold with load buffering as well, or names some for which
  // that is not known.
  std::string load_buffering(const run_totals& t, const std::vector<finished_job>& done) const;
  std::string paragraph(std::string_view words, std::size_t indent = 0) const;

  screen& out_;
  const common_options& common_;
  const limit_options& limits_;
  const std::string share_;
  const std::vector<const entry*>& selected_;
  const std::string& program_;
  std::size_t name_ = 8;
};

}  // namespace fencepost::cli
