// Judges a candidate execution: finds its modification orders, and counts those that each model
// allows.
#pragma once

#include <string>
#include <vector>

#include "axioms/axioms.hpp"
#include "candidate_graph.hpp"
#include "fencepost/litmus/outcome.hpp"
#include "fencepost/verify/result.hpp"

namespace fencepost::litmus {

class candidate_judge {
 public:
  candidate_judge(const program&, std::vector<verify::memory_model>, const candidate_graph&);

  // Judges the graph, in which each thread has ended at its node.
  void judge(const std::vector<unfolding::node*>& ends);

  // Why the results mean nothing: a thread uses an address that is not a location's. "" if none
  // does.
  [[nodiscard]] const std::string& limit() const noexcept { return limit_; }
  // The results, by model.
  [[nodiscard]] std::vector<outcome_counter>& counters() noexcept { return counters_; }

 private:
  using base_relations = axioms::base_relations<1>;
  using ordered_cell = axioms::ordered_cell<1>;
  using relation = axioms::relation<1>;

  struct judged;

  void judge_under(const judged&);
  void order_writes(const judged&, axioms::cell_id, std::vector<std::size_t>& order,
                    std::vector<std::size_t>& rest, std::vector<ordered_cell>& possible) const;
  void choose(const judged&, const std::vector<std::vector<ordered_cell>>& possible,
              std::vector<const ordered_cell*>& chosen);
  void count(const judged&, const std::vector<const ordered_cell*>& chosen);
  final_state end(const judged&, const std::vector<const ordered_cell*>& chosen) const;

  const candidate_graph& graph_;
  std::vector<verify::memory_model> models_;
  std::vector<outcome_counter> counters_;
  std::string limit_;
};

}  // namespace fencepost::litmus
