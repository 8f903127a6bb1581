// What runs teach about the program that changes how it is explored; the exploration then restarts.
#pragma once

#include <utility>
#include <vector>

#include "execute/resuming.hpp"
#include "execute/run_ending.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/sampler.hpp"
#include "explore/search_path.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class learning {
 public:
  struct parts {
    exploration& search;
    sampler& samples;
    contention& contended;
    resuming& resumption;
    run_ending& ending;
    const options& asked;
  };
  explicit learning(const parts& p)
      : exploration_(p.search),
        sampler_(p.samples),
        contention_(p.contended),
        resuming_(p.resumption),
        ending_(p.ending),
        options_(p.asked) {}

  // After a run: restarts the exploration if that is wanted.
  void restart_if_wanted() {
    if (ending_.wants_restart()) [[unlikely]]
      restart();
  }
  void restart();
  // True if the exploration was restarted since the last call: what was counted before is void.
  [[nodiscard]] bool take_restarted() noexcept { return std::exchange(restarted_, false); }
  [[nodiscard]] bool restarted() const noexcept { return restarted_; }

  // Takes over a lesson from elsewhere: which locations are contended.
  void know_contended(const lesson&);
  // All lessons that were learned, in this order.
  [[nodiscard]] const std::vector<lesson>& lessons() const noexcept { return lessons_; }

 private:
  exploration& exploration_;
  sampler& sampler_;
  contention& contention_;
  resuming& resuming_;
  run_ending& ending_;
  const options& options_;
  bool restarted_ = false;
  std::vector<lesson> lessons_;
};

}  // namespace fencepost::verify
