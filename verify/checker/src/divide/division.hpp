// One exploration in several processes, which take parts of the search tree from each other.
//
// It begins in this process, which learns how the program's loops wait, and completes most programs
// before there is anything to divide. What is left then goes to processes forked from this one; a
// process that has explored its part gets a piece of another one's. The exploration ends with what
// would have ended it in one process: the first violation on the way, and nothing that lies behind
// it counts.
//
// It can be kept as text at any time and continued later, or one part of it elsewhere: then it ends
// where the part does.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "axioms/recheck.hpp"
#include "divide/division_state.hpp"
#include "divide/estimator.hpp"
#include "divide/ledger.hpp"
#include "divide/worker_process.hpp"
#include "execute/explorer.hpp"
#include "execute/shared_page.hpp"

namespace fencepost::verify {

class division {
 public:
  division(const options&, std::function<void()> body);
  result run();

  // False for options that need one process, such as those that call back with each execution, or
  // say which run to make.
  [[nodiscard]] static bool can_divide(const options&);
  // True if several processes, several sittings or an estimate are asked for.
  [[nodiscard]] static bool is_wanted(const options&);

 private:
  static constexpr double between_reports = 0.1;
  static constexpr double between_keepings = 10;

  using ending = part_result::ending;
  using clock = std::chrono::steady_clock;
  class here;
  class probe;

  [[nodiscard]] unsigned processes() const;
  [[nodiscard]] bool is_divided() const;
  [[nodiscard]] double alone() const;
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(clock::now() - began_).count();
  }
  [[nodiscard]] std::string limit_of(std::uint64_t runs) const;

  bool resume();
  void keep();
  bool renew();
  bool explore_all();
  bool learn();
  void begin_again();
  [[nodiscard]] bool is_whole() const { return !ledger_.from() && ledger_.end().empty(); }
  part_result explore(const part&, part_control&);
  void take(const part&, part_result);
  void explore_here();
  void divide_up();
  void look_into(const part&, bool divide);
  void explore_together();
  void hire();
  void hand_out();
  void wait();
  void listen();
  void heard_of_end(worker_process&);
  void stop_all();
  void look_at_limits();
  [[nodiscard]] bool ends_here(const choice_path& run);
  result conclude();
  [[nodiscard]] bool can_estimate() const { return options_.estimate && is_whole(); }
  void begin_to_estimate();
  void allow_estimate();
  void finish_estimate();
  [[nodiscard]] std::optional<estimated> best_estimate() const;
  [[nodiscard]] std::optional<estimated> whole(std::uint64_t executions) const;
  void tell_progress(std::uint64_t executions, std::uint64_t blocked) const;
  [[nodiscard]] result sum_so_far() const;

  options options_;
  axioms::second_opinion opinion_;  // of options::recheck, on the part that is explored
  std::function<void()> body_;
  std::optional<explorer> explorer_;
  std::vector<lesson> lessons_;  // known when what is in the ledger was explored
  shared_page<division_state> page_;
  ledger ledger_;
  std::vector<std::unique_ptr<worker_process>> workers_;
  std::optional<estimator> estimator_;
  std::optional<estimated> whole_;  // of earlier sittings
  unsigned ends_ = 0;               // processes that ended without being told to
  std::string limit_;
  double before_ = 0;              // seconds of earlier sittings
  std::uint64_t runs_before_ = 0;  // runs of earlier sittings; no limit counts them
  double next_report_ = between_reports;
  double next_keeping_;
  clock::time_point began_ = clock::now();
};

}  // namespace fencepost::verify
