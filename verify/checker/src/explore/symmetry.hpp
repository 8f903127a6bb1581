// Symmetric threads: of the graphs that differ only by which of them is which, one is explored.
//
// After SPORE (Kokologiannakis, Marmanis, Vafeiadis: "SPORE: Combining Symmetry and Partial Order
// Reduction", PLDI 2024). Symmetric threads are in step as long as they have done the same, read
// from the same writes, and written nothing. The next events of two threads that are in step are
// twins if they are the same request. The earlier thread's twin is added first, and the later one
// depends on it as it depends on what it reads: no write that follows the later one may revisit the
// earlier one. That is a causal order like any other, so the explorer is unchanged and reaches each
// graph that the order admits once. Also left out is a choice with which a twin would come before
// its neighbour's (out_of_order). docs/checker.md says why no class of graphs is lost.
#pragma once

#include <array>
#include <vector>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class symmetry {
 public:
  // Of two symmetric threads, the preferred one is the earlier.
  symmetry(graph&, const options&, const std::vector<unsigned>& preferred);

  // The main thread has created these threads; those in the declared range are symmetric.
  void created(const unsigned* ids, unsigned count);
  void begin_run() noexcept {
    for (const unsigned t : grouped_) groups_[t].clear();
    grouped_.clear();
  }
  // The symmetric threads that this run has created.
  struct saved {
    std::vector<unsigned> grouped;
    std::vector<std::vector<unsigned>> groups;
  };
  void save(saved& s) const {
    s.grouped = grouped_;
    s.groups.resize(grouped_.size());
    for (std::size_t i = 0; i < grouped_.size(); ++i) s.groups[i] = groups_[grouped_[i]];
  }
  void put_back(const saved& s) {
    begin_run();
    grouped_ = s.grouped;
    for (std::size_t i = 0; i < grouped_.size(); ++i) groups_[grouped_[i]] = s.groups[i];
  }
  // Explores without the reduction from now on.
  void give_up() noexcept {
    reduces_ = false;
    used_ = 0;
  }

  // The number of threads whose symmetry is used; 0: none.
  [[nodiscard]] unsigned used() const noexcept { return used_; }
  // The threads that are symmetric to this one, itself included, by rank; empty if there are none.
  [[nodiscard]] const std::vector<unsigned>& group(unsigned thread) const noexcept {
    return groups_[thread];
  }

  // To be called for each event whose views were updated: makes it depend on its earlier twins.
  void depend(event_id id) {
    if (reduces_ && !groups_[thread_of(id)].empty()) depend_on_twins(id);
  }
  // True if, with this source or position, the graph in which the event's thread and its neighbour
  // are exchanged is explored instead.
  [[nodiscard]] bool out_of_order(event_id id) const {
    return reduces_ && !groups_[thread_of(id)].empty() && before_neighbour(id);
  }

  // What a thread is about to add, as seen from a thread that is symmetric to it.
  enum class standing : std::uint8_t {
    fine,
    unlike,     // in step with the thread, the other one did something else, or nothing
    overtaken,  // the other one's twin should come first, and is not there
  };
  // `wanted`: what the other thread is about to add, if known; `ended`: the other thread adds
  // nothing more.
  [[nodiscard]] standing compare(unsigned thread, const event&, const source_location&,
                                 unsigned other, const event* wanted, bool ended) const;
  // The same for a thread that ends: false if the other one, in step with it, has done more.
  [[nodiscard]] bool ends_like(unsigned thread, unsigned other) const;

  // Equal for all graphs of a class, and different for others: for tests.
  [[nodiscard]] std::uint64_t class_fingerprint() const;

 private:
  void depend_on_twins(event_id);
  [[nodiscard]] bool before_neighbour(event_id) const;
  [[nodiscard]] event_id twin(unsigned other, event_id) const;
  [[nodiscard]] bool in_step(unsigned a, unsigned b, unsigned events) const;

  graph& graph_;
  thread_range alike_;
  bool reduces_;
  unsigned used_ = 0;
  std::array<unsigned, max_threads> rank_{};
  std::array<std::vector<unsigned>, max_threads> groups_;
  std::vector<unsigned> grouped_;  // threads whose group is not empty
};

}  // namespace fencepost::verify
