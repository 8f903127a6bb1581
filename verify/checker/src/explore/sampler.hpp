// Executions with random choices: which thread runs next, what a read reads, where a write is
// placed.
//
// An execution is only built forward: there is nothing to revisit. That reaches every consistent
// graph. Take its events in an order that extends program order and reads-from, which have no
// cycle: each prefix is closed under both, so it is itself a consistent graph, in which the next
// event has the source or the position that it has in the end. No choice gets stuck either: reading
// and writing last in modification order is consistent.
//
// The odds are far from equal: a graph is reached in as many ways as its events can be ordered, and
// uniform choices at each step hardly ever make a long run of one thread, or of latest values. So
// how much an execution prefers these is drawn first.
#pragma once

#include <array>
#include <optional>

#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

class sampler {
 public:
  sampler(graph& g, consistency& c, const options& o) : graph_(g), consistency_(c), options_(o) {}

  [[nodiscard]] bool on() const noexcept { return options_.samples != 0; }
  // The number of the current execution, from 1 on.
  [[nodiscard]] std::uint64_t drawn() const noexcept { return drawn_; }
  [[nodiscard]] double fraction() const noexcept {
    return static_cast<double>(drawn_) / static_cast<double>(options_.samples);
  }

  // Discards the graph and draws again, from the first execution on.
  void restart();
  // Returns false if all have been drawn.
  bool next();
  // Begins the current execution; it depends on the seed and its number alone.
  void begin();

  // Begins a run of the program, along the graph and then beyond it.
  void begin_run() noexcept {
    sources_ = {};
    reads_latest_ = false;
  }
  // Draws the thread that runs next, by the odds of each; `last` is the one that ran last. Nothing:
  // all odds are 0.
  std::optional<unsigned> pick(const std::array<unsigned, max_threads>& odds, unsigned last);
  // Whether the next turn reads the latest values, since no other thread can continue.
  void read_latest(bool latest) noexcept { reads_latest_ = latest; }
  // True if the waiting read can have its value; its source is then drawn, and is used when it is
  // added.
  bool draw_source(unsigned thread, const event&, source_location);

  // Completes an event that has been appended.
  void add(event_id);

 private:
  std::uint64_t random(std::uint64_t below);
  bool draw_sources(event_id);
  bool take_sources(event_id, unsigned low, unsigned high, bool spurious);
  bool take_failure(event_id);
  void draw_positions(event_id);
  void draw_alternative(event_id);

  graph& graph_;
  consistency& consistency_;
  const options& options_;
  std::uint64_t drawn_ = 1;
  std::uint64_t random_ = 0;
  unsigned prefers_same_ = 0;    // eighths: to stay with the thread
  unsigned prefers_latest_ = 0;  // eighths: to read and write last
  bool reads_latest_ = false;
  std::array<std::optional<event_id>, max_threads> sources_;  // by thread, see draw_source()
};

}  // namespace fencepost::verify
