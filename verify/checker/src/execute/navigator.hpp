// Leads the exploration to a place in the search tree: the next run is the one with given choices.
#pragma once

#include <string>

#include "execute/execution_runner.hpp"
#include "execute/learning.hpp"
#include "execute/resuming.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/part.hpp"
#include "explore/sampler.hpp"
#include "explore/search_path.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class navigator {
 public:
  struct parts {
    exploration& search;
    sampler& samples;
    contention& contended;
    resuming& resumption;
    learning& learned;
    execution_runner& runner;
    const options& asked;
  };
  explicit navigator(const parts& p)
      : exploration_(p.search),
        sampler_(p.samples),
        contention_(p.contended),
        resuming_(p.resumption),
        learning_(p.learned),
        runner_(p.runner),
        options_(p.asked) {}

  // These return false if the program does not have the choices that lead there.
  bool go_to(const part&);
  bool go_to_run(choice_path);
  // Goes to the run of options::replay.
  bool go_to_replayed();

  // Makes this run, and counts nothing.
  void make_run(const choice_path&);
  // Takes over a lesson learned in a part. Returns false if its run teaches nothing here.
  bool take_lesson(const lesson&);

 private:
  bool approach(const part&);
  bool go_to_draw(const std::string& number);

  exploration& exploration_;
  sampler& sampler_;
  contention& contention_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  const options& options_;
};

}  // namespace fencepost::verify
