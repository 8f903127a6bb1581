#include "fencepost/litmus/enumerate.hpp"

#include <algorithm>
#include <utility>

#include "candidate_graph.hpp"
#include "candidate_judge.hpp"

namespace fencepost::litmus {

namespace {

using axioms::candidate;
using axioms::cell_id;
using verify::memory_model;

// Builds every candidate execution. Events are added one by one, a read after the write that it
// reads from: so po ∪ rf is acyclic, and every acyclic graph can be built. Each is built once, in
// the order that always adds an event of the first thread that can continue: an event that could
// have been added before one of a later thread is refused.
class enumeration {
 public:
  enumeration(const program& p, std::vector<memory_model> models, const enumerate_options& options)
      : options_(options), graph_(p), judge_(p, std::move(models), graph_) {
    for (unsigned t = 0; t < p.threads.size(); ++t) {
      unfoldings_.emplace_back(p, t);
      nodes_.push_back(unfoldings_.back().root());
    }
    done_.assign(p.threads.size(), 0);
    last_.assign(p.threads.size(), 0);
  }

  std::vector<outcome_set> run() {
    extend();
    std::vector<outcome_set> results;
    for (outcome_counter& c : judge_.counters()) {
      if (!limit_.empty()) c.stopped(limit_);
      results.push_back(c.result());
    }
    return results;
  }

 private:
  void extend() {
    if (!limit_.empty()) return;
    bool ended = true;
    for (unsigned t = 0; t < nodes_.size(); ++t) {
      unfolding::node* const node = nodes_[t];
      if (done_[t] < node->events.size()) {
        ended = false;
        add(t, node->events[done_[t]], {});
      } else if (node->next) {
        ended = false;
        answer_question(t, *node->next, {});
      }
    }
    if (ended) judge();
  }

  // Chooses the write that a read sees, for each cell in turn.
  void answer_question(unsigned t, const question& q, std::vector<std::size_t> sources) {
    const std::vector<cell_id> cells = graph_.cells_of(q.location, q.part);
    if (sources.size() < cells.size()) {
      // By index, since the list grows and shrinks again while the candidate is extended.
      const std::vector<std::size_t>& writers = graph_.writers(cells[sources.size()]);
      for (std::size_t i = 0, n = writers.size(); i < n; ++i) {
        std::vector<std::size_t> more = sources;
        more.push_back(writers[i]);
        answer_question(t, q, std::move(more));
      }
      return;
    }
    const auto seen_in = [&](std::size_t i) { return graph_.written(sources[i], cells[i]); };
    const value seen = sources.size() == 1 ? seen_in(0) : join_halves(seen_in(0), seen_in(1));
    continue_with(t, {seen, false}, sources);
    if (q.may_fail_at == seen && spurious_ < options_.spurious_failures) {
      ++spurious_;
      continue_with(t, {seen, true}, sources);
      --spurious_;
    }
  }

  void continue_with(unsigned t, const answer& a, const std::vector<std::size_t>& sources) {
    unfolding::node* const before = nodes_[t];
    nodes_[t] = unfoldings_[t].after(before, a);
    add(t, nodes_[t]->events[done_[t]], sources);
    nodes_[t] = before;
  }

  void add(unsigned t, const event& e, const std::vector<std::size_t>& sources) {
    std::size_t possible_since = last_[t];  // the first index that the event could have had
    for (const std::size_t w : sources) possible_since = std::max(possible_since, w + 1);
    for (std::size_t i = possible_since; i < graph_.size(); ++i) {
      const unsigned other = graph_.thread(i);
      if (other != candidate::no_thread && other > t) return;
    }
    if (e.reads && e.writes && graph_.read_by_another_update(e, sources)) return;
    if (graph_.size() == candidate_graph::max_events) {
      limit_ =
          "an execution has more than " + std::to_string(candidate_graph::max_events) + " events";
      return;
    }
    const std::size_t before = last_[t];
    graph_.push(e, t, sources);
    last_[t] = graph_.size();
    ++done_[t];
    extend();
    --done_[t];
    last_[t] = before;
    graph_.pop();
  }

  void judge() {
    ++candidates_;
    if (options_.max_candidates != 0 && candidates_ > options_.max_candidates) {
      limit_ = "more than " + std::to_string(options_.max_candidates) + " candidate executions";
      return;
    }
    judge_.judge(nodes_);
    limit_ = judge_.limit();
  }

  enumerate_options options_;
  candidate_graph graph_;
  candidate_judge judge_;
  std::string limit_;
  std::uint64_t candidates_ = 0;

  std::vector<unfolding> unfoldings_;    // by thread
  std::vector<unfolding::node*> nodes_;  // by thread: the node for what its reads got so far
  std::vector<std::size_t> done_;        // by thread: how many events are in the candidate
  std::vector<std::size_t> last_;        // by thread: the index after its last event
  unsigned spurious_ = 0;
};

}  // namespace

outcome_set enumerate(const program& p, memory_model model, const enumerate_options& options) {
  return enumeration(p, {model}, options).run().front();
}

std::array<outcome_set, all_models.size()> enumerate_all(const program& p,
                                                         const enumerate_options& options) {
  std::vector<outcome_set> all =
      enumeration(p, {all_models.begin(), all_models.end()}, options).run();
  std::array<outcome_set, all_models.size()> results;
  std::move(all.begin(), all.end(), results.begin());
  return results;
}

}  // namespace fencepost::litmus
