// The search: one execution after the other, up to a violation or to the end.
#pragma once

#include <string>
#include <string_view>

#include "execute/counterexample_writer.hpp"
#include "execute/counting_runner.hpp"
#include "execute/execution_runner.hpp"
#include "execute/learning.hpp"
#include "execute/navigator.hpp"
#include "execute/order_table.hpp"
#include "execute/part_result.hpp"
#include "execute/prober.hpp"
#include "execute/resuming.hpp"
#include "execute/run_ending.hpp"
#include "execute/search_progress.hpp"
#include "explore/contention.hpp"
#include "explore/exploration.hpp"
#include "explore/sampler.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::verify {

class search {
 public:
  struct parts {
    exploration& tree;
    sampler& samples;
    const symmetry& symmetric;
    contention& contended;
    run_ending& ending;
    resuming& resumption;
    learning& learned;
    execution_runner& runner;
    counting_runner& counting;
    navigator& navigation;
    prober& probes;
    counterexample_writer& writer;
    const order_table* orders;  // null: the places that were met are not reported
    const options& asked;
  };
  explicit search(const parts& p)
      : exploration_(p.tree),
        sampler_(p.samples),
        symmetry_(p.symmetric),
        contention_(p.contended),
        ending_(p.ending),
        resuming_(p.resumption),
        learning_(p.learned),
        runner_(p.runner),
        counting_runner_(p.counting),
        navigator_(p.navigation),
        prober_(p.probes),
        writer_(p.writer),
        orders_(p.orders),
        options_(p.asked) {}

  result explore();
  // Continues from a run that went wrong when a part was explored. so_far: the result of all that
  // lies before it.
  result explore_from(const choice_path&, std::string_view wrong, result so_far);
  // Makes options::probes and nothing else.
  result estimate();
  // Makes one run, that of options::replay, and shows it to a debugger.
  result replay();
  // Explores a part of the tree, up to the first violation, with what was known about the program
  // when the part was named.
  part_result explore(const part&, part_control&);

  [[nodiscard]] result nothing_found() const;
  // Sets the verdict: what was counted is everything, unless there is a limit.
  void judge(result&) const;

 private:
  class part_search;

  bool goes_on(search_progress&, run_end);
  std::string limit_of_time(search_progress&);
  void conclude(search_progress&);
  // Adds what is known of the exploration, other than counts.
  void add_knowledge(search_progress&);
  bool next_run() { return sampler_.on() ? sampler_.next() : exploration_.backtrack(); }
  [[nodiscard]] double part_done() const { return sampler_.on() ? sampler_.fraction() : 0; }

  exploration& exploration_;
  sampler& sampler_;
  const symmetry& symmetry_;
  contention& contention_;
  run_ending& ending_;
  resuming& resuming_;
  learning& learning_;
  execution_runner& runner_;
  counting_runner& counting_runner_;
  navigator& navigator_;
  prober& prober_;
  counterexample_writer& writer_;
  const order_table* orders_;
  const options& options_;
};

}  // namespace fencepost::verify
