// Explores the program from one batch of beginnings after the other.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>
#include <utility>

#include "fencepost/verify/options.hpp"
#include "fencepost/verify/result.hpp"
#include "reexecute/batches.hpp"
#include "reexecute/execution_judge.hpp"
#include "reexecute/open_races.hpp"
#include "reexecute/promising_engine.hpp"
#include "reexecute/race_beginnings.hpp"
#include "reexecute/shared_limits.hpp"

namespace fencepost::verify {

class batch_explorer {
 public:
  struct parts {
    const options& asked;
    const std::function<void()>& body;
    race_beginnings& beginnings;
    open_races& open;
    shared_limits& limits;
  };
  explicit batch_explorer(const parts& p)
      : options_(p.asked),
        body_(p.body),
        beginnings_(p.beginnings),
        open_(p.open),
        limits_(p.limits) {}

  // Explores from there, and adds to the result what is found.
  void explore(const batch&, result&);
  // From now on, makes only that run.
  void replay(std::string run) { only_run_ = std::move(run); }

  // The different executions that were found.
  [[nodiscard]] std::uint64_t executions() const noexcept { return executions_.size(); }
  // The start that is repeated by the last run that was judged, or null.
  [[nodiscard]] const start* repeated() const noexcept { return repeated_; }

 private:
  [[nodiscard]] options options_of_runs(const result& so_far) const;
  result run_from(const options&, promising_engine&) const;
  void count(const execution_judge&, result&);
  void add(result found, result& to);
  void leave_open(const batch&, std::string why);

  const options& options_;
  const std::function<void()>& body_;
  race_beginnings& beginnings_;
  open_races& open_;
  shared_limits& limits_;
  std::unordered_set<std::uint64_t> executions_;  // fingerprints
  const start* repeated_ = nullptr;
  std::string only_run_;
};

}  // namespace fencepost::verify
