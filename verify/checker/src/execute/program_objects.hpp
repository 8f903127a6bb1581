// What the program does with objects: constructs and destroys them, and accesses plain data. Called
// from inside a model thread.
#pragma once

#include <cstdint>

#include "execute/event_requests.hpp"
#include "execute/fibers.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_limits.hpp"
#include "execute/spin_loops.hpp"
#include "execute/trace_recorder.hpp"
#include "execute/wait_lists.hpp"
#include "explore/loop_sites.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

class program_objects {
 public:
  struct parts {
    graph& events;
    const consistency& model;
    const loop_sites& sites;
    const arena& memory;
    lifetimes& objects;
    wait_lists& waiting;
    fibers& stacks;
    model_threads& threads;
    spin_loops& loops;
    trace_recorder& trace;
    run_limits& limits;
    run_comparison& comparison;
    event_requests& requests;
    const options& asked;
  };
  explicit program_objects(const parts& p)
      : graph_(p.events),
        consistency_(p.model),
        sites_(p.sites),
        arena_(p.memory),
        lifetimes_(p.objects),
        wait_lists_(p.waiting),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        trace_(p.trace),
        limits_(p.limits),
        comparison_(p.comparison),
        requests_(p.requests),
        options_(p.asked) {}

  // See engine.
  location declare(const void* address, std::size_t size, value initial, source_location where);
  location declare_unknown(const void* address, std::size_t size, source_location where);
  void begins_with(location, value initial);
  location declare_plain(const void* address, std::size_t size, bool scalar, source_location where);
  void begins_without_value(location);
  location declare_hidden(source_location where);
  void retire(location, source_location where);
  void use(location, bool may_outlast, source_location where);
  value known(location) const;
  // Records an access to plain data where races are judged elsewhere, when the run is over. True if
  // the access is unordered, as far as is known. It is discarded with its turn.
  bool accesses_unordered(location, bool writes);
  [[nodiscard]] bool has_value(location l) const noexcept { return !lifetimes_[l].without_value; }
  void renew_plain(location, source_location where);
  wait_list& waiters_at(const void* address);
  [[nodiscard]] bool replaced(event_id look) const;
  void plain_read(location, const char* file, const char* function, std::uint64_t place);
  void plain_write(location, const char* file, const char* function, std::uint64_t place);

  // Ends a lifetime. `what`: how it ends; `typed`: the memory keeps its type.
  void end_of_life(location, const source_location& where, const char* what, bool typed);

 private:
  // Returns the location of the object that the running thread constructs now, with this value.
  location next_location(value initial, source_location where);
  void begin_lifetime(location, const void* address, std::size_t size, source_location where);
  [[nodiscard]] bool is_accessed(location) const;
  void read(location, const source_location&);
  void write(location, const source_location&);
  [[nodiscard]] model_thread& running() noexcept { return threads_[fibers_.running()]; }
  [[nodiscard]] lifetimes::point here() const noexcept {
    return {fibers_.running(), threads_[fibers_.running()].position};
  }
  [[nodiscard]] const clock& hb() const noexcept {
    return graph_.thread(here().thread).view[here().position].hb;
  }
  // Returns the thread's last place for a destructor, which does not know where it is called from.
  [[nodiscard]] const source_location& or_last(const source_location& where) const noexcept {
    return where.line != 0 ? where : threads_[fibers_.running()].where;
  }

  graph& graph_;
  const consistency& consistency_;
  const loop_sites& sites_;
  const arena& arena_;
  lifetimes& lifetimes_;
  wait_lists& wait_lists_;
  fibers& fibers_;
  model_threads& threads_;
  spin_loops& loops_;
  trace_recorder& trace_;
  run_limits& limits_;
  run_comparison& comparison_;
  event_requests& requests_;
  const options& options_;
};

}  // namespace fencepost::verify
