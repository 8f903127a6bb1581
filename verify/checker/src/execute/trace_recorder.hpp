// What happened in an execution, in words: the steps of a counterexample.
#pragma once

#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/wide_values.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

class trace_recorder {
 public:
  // on_a_stack: does the pointer point into the stack of a model thread?
  trace_recorder(const graph& g, const lifetimes& o, const wide_values& w, const arena& a,
                 std::function<bool(const void*)> on_a_stack)
      : graph_(g), objects_(o), wide_(w), memory_(a), on_a_stack_(std::move(on_a_stack)) {}

  [[nodiscard]] bool on() const noexcept { return on_; }
  void record_runs(bool on) noexcept { on_ = on; }
  void clear();

  void add(unsigned thread, step_kind, std::string_view text, source_location, event_id = 0);
  void record(event_id);
  // Letters, in the order in which locations are met.
  std::string name(location);
  // The object whose lifetime a violation ended; none: no_location.
  void set_ended(location l) noexcept { ended_ = l; }

  // A thread takes back what it did after this.
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
  void shrink(std::size_t size) { steps_.resize(size); }

  // Adds the steps and the relations between them.
  void write_down(execution&, unsigned threads);

 private:
  struct recorded {
    step s;
    event_id id = 0;
    event_id reads_from = 0;
    bool has_source = false;
  };
  std::string shown(value);
  void add_edges(execution&);

  const graph& graph_;
  const lifetimes& objects_;
  const wide_values& wide_;
  const arena& memory_;
  std::function<bool(const void*)> on_a_stack_;
  bool on_ = false;
  location ended_ = no_location;
  std::vector<recorded> steps_;
  std::unordered_map<location, std::size_t> names_;
  std::vector<value> addresses_;  // that are not those of locations
};

}  // namespace fencepost::verify
