// The events that front ends request, from inside a model thread.
//
// A place in the source is passed in registers, as in engine.
#pragma once

#include <cstdint>

#include "execute/event_performer.hpp"
#include "execute/fibers.hpp"
#include "execute/graph_follower.hpp"
#include "execute/model_threads.hpp"
#include "execute/run_control.hpp"
#include "execute/scheduler.hpp"
#include "execute/thread_runner.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/loop_sites.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/engine.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// Gives access to the protected types in which engine passes on an event.
class event_shapes : public engine {
 public:
  using engine::at;
  using engine::change_of;
  using engine::orders_of;
  using engine::place_of;

 protected:
  ~event_shapes() = default;
};

class event_requests {
 public:
  using change_of = event_shapes::change_of;
  using orders_of = event_shapes::orders_of;

  struct parts {
    graph& all;
    symmetry& symmetric;
    const loop_sites& sites;
    fibers& stacks;
    model_threads& threads;
    scheduler& schedule;
    graph_follower& follower;
    event_performer& performer;
    thread_runner& runner;
    trace_recorder& trace;
    run_control& run;
  };
  explicit event_requests(const parts& p)
      : graph_(p.all),
        symmetry_(p.symmetric),
        sites_(p.sites),
        fibers_(p.stacks),
        threads_(p.threads),
        scheduler_(p.schedule),
        follower_(p.follower),
        performer_(p.performer),
        thread_runner_(p.runner),
        trace_(p.trace),
        run_(p.run) {}

  value load(word, order, const char* file, const char* function, std::uint64_t place);
  void store(word, value, order, const char* file, const char* function, std::uint64_t place);
  value read_modify_write(word, change_of, value operand, const char* file, const char* function,
                          std::uint64_t place, value (*custom)(value, value));
  exchanged compare_exchange(word, value expected, value desired, orders_of, const char* file,
                             const char* function, std::uint64_t place);
  void fence(order, const char* file, const char* function, std::uint64_t place);

  // The same for callers inside the engine.
  void store(word w, value v, order o, const source_location& where) {
    store(w, v, o, where.file, where.function, event_shapes::place_of(where));
  }
  void exchange(word w, value v, order o, const source_location& where) {
    read_modify_write(w, {operation::exchange, sizeof(int), o}, v, where.file, where.function,
                      event_shapes::place_of(where), nullptr);
  }

  value look(location, look_for, source_location where);
  void await(location, value expected, order, wait_for, source_location where);
  void await_exchange(location, value expected, value desired, order, wait_for,
                      source_location where);
  void give_up();
  unsigned choose(unsigned alternatives, budget, source_location where);

  void create(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
              source_location where);
  void join(const unsigned* ids, unsigned count, source_location where);

 private:
  void create_threads(void (*entry)(void*), void* const* arguments, unsigned* ids, unsigned count,
                      source_location where);

  graph& graph_;
  symmetry& symmetry_;
  const loop_sites& sites_;
  fibers& fibers_;
  model_threads& threads_;
  scheduler& scheduler_;
  graph_follower& follower_;
  event_performer& performer_;
  thread_runner& thread_runner_;
  trace_recorder& trace_;
  run_control& run_;
};

}  // namespace fencepost::verify
