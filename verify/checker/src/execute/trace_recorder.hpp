// Records what happened in an execution, in words: the steps of a counterexample.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "execute/call_stack.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/order_table.hpp"
#include "execute/wide_values.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// Returns a permanent copy of the name of a file, whose text may not last.
const char* kept_name(std::string_view file);
bool is_of_the_standard_library(const source_location&) noexcept;

class trace_recorder {
 public:
  // on_a_stack: whether the pointer is to the stack of a model thread. name_of: options::name_of.
  trace_recorder(const graph& g, const lifetimes& o, const wide_values& w, const arena& a,
                 std::function<bool(const void*)> on_a_stack,
                 std::function<std::string(const void*)> name_of)
      : graph_(g),
        objects_(o),
        wide_(w),
        memory_(a),
        on_a_stack_(std::move(on_a_stack)),
        name_of_(std::move(name_of)) {}

  [[nodiscard]] bool on() const noexcept { return on_; }
  void record_runs(bool on) noexcept { on_ = on; }
  void clear();

  void add(unsigned thread, step_kind, std::string_view text, source_location, event_id = 0);
  // Records the event. `orders`, unless null, has what its place in the source asks for.
  void record(event_id, const order_table* orders);
  // Hides an event that is not the program's own (xc20).
  void hide(event_id);
  // Records a read of what is still to be written, named as the program counts. The read is no
  // event of the graph, or only its write is one.
  void record_promised(explored_name, const explored_event&, event_id write, const order_table*);
  // Sets what that read has read from, once it is known.
  void set_source(explored_name promised, event_id write);
  void add_allocation(unsigned thread, const void* block, std::string_view text, source_location);
  // Hides the allocation of a block that is not the program's own: the closure of a thread.
  void forget_allocation(const void* block);
  // Records an access that is no event. It belongs to the next step of its thread, and is shown
  // only if there is none.
  void begin_use(unsigned thread, location, source_location where);
  // The events that follow are this operation: see engine::begin_operation.
  void begin_operation(unsigned thread, const char* what, location object, source_location);
  // The name of the location: letters, in the order in which locations are met.
  std::string name(location);
  // Sets the object whose lifetime a violation ended, or no_location.
  void set_ended(location l) noexcept { ended_ = l; }

  // Returns the place of what the thread was about to do; its caller's, if that is in the standard
  // library.
  [[nodiscard]] source_location place_of(unsigned thread, source_location where) const;

  // For turns that are taken back: the number of steps, and the removal of all after that many.
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }
  void shrink(std::size_t size) {
    steps_.resize(size);
    for (operation_of_thread& o : requests_)
      if (o.use > size) o.use = 0;
  }

  // Adds the steps and the relations between them.
  void write_down(execution&, unsigned threads);

 private:
  struct recorded {
    step s;
    event_id id = 0;
    event_id reads_from = 0;
    bool has_source = false;
    explored_name promised = {};         // see record_promised
    const void* block = nullptr;         // allocated
    std::shared_ptr<call_stack> caller;  // of a place in the standard library
    // If this is not shown: the event whose step it is a part of.
    event_id part_of = 0;
    bool is_shown = true;
  };
  // An operation by which a thread blocks, is woken or wakes others: several events on hidden
  // locations, one of which is shown, in the program's words.
  struct operation_of_thread {
    const char* what = nullptr;
    location object = no_location;
    source_location where = {};
    std::shared_ptr<call_stack> caller = {};
    std::size_t step = 0;         // the index of the one that is shown
    location lock = no_location;  // hidden: of the queue, while it is held
    std::size_t use = 0;          // one more than the step of begin_use(), until there is another
  };
  std::string shown(value);
  static std::string letters(std::size_t n);
  recorded& push(unsigned thread, step_kind, std::string_view text, source_location, event_id);
  recorded& add_event(unsigned thread, event_id, const event&, source_location, const order_table*);
  void put_into_words(recorded&, const event&);
  [[nodiscard]] std::vector<std::size_t> numbered() const;
  void add_edges(execution&, const std::vector<std::size_t>& shown_as);
  void add_names(execution&);

  const graph& graph_;
  const lifetimes& objects_;
  const wide_values& wide_;
  const arena& memory_;
  std::function<bool(const void*)> on_a_stack_;
  std::function<std::string(const void*)> name_of_;
  bool on_ = false;
  location ended_ = no_location;
  std::vector<recorded> steps_;
  std::unordered_map<location, std::size_t> names_;
  std::vector<value> addresses_;  // that were met, without those of locations
  std::array<operation_of_thread, max_threads> requests_;
};

}  // namespace fencepost::verify
