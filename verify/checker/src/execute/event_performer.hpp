// Performs the events of threads, by following the graph or by extending it.
#pragma once

#include "execute/fibers.hpp"
#include "execute/graph_follower.hpp"
#include "execute/lifetimes.hpp"
#include "execute/model_threads.hpp"
#include "execute/order_table.hpp"
#include "execute/resuming.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_ending.hpp"
#include "execute/run_limits.hpp"
#include "execute/scheduler.hpp"
#include "execute/spin_loops.hpp"
#include "execute/symmetric_threads.hpp"
#include "execute/trace_recorder.hpp"
#include "explore/exploration.hpp"
#include "explore/loop_sites.hpp"
#include "explore/sampler.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

class event_performer {
 public:
  struct parts {
    graph& all;
    const consistency& model;
    exploration& search;
    sampler& samples;
    const loop_sites& sites;
    fibers& stacks;
    model_threads& threads;
    lifetimes& objects;
    spin_loops& loops;
    scheduler& schedule;
    graph_follower& follower;
    symmetric_threads& symmetric;
    resuming& resumption;
    run_ending& ending;
    run_limits& limits;
    run_comparison& comparison;
    trace_recorder& trace;
    const order_table* orders;  // null if no orders are changed or listed
    const options& asked;
  };
  explicit event_performer(const parts& p)
      : graph_(p.all),
        consistency_(p.model),
        exploration_(p.search),
        sampler_(p.samples),
        sites_(p.sites),
        fibers_(p.stacks),
        threads_(p.threads),
        objects_(p.objects),
        loops_(p.loops),
        scheduler_(p.schedule),
        follower_(p.follower),
        symmetric_threads_(p.symmetric),
        resuming_(p.resumption),
        ending_(p.ending),
        limits_(p.limits),
        comparison_(p.comparison),
        trace_(p.trace),
        orders_(p.orders),
        options_(p.asked) {}

  // Performs the running thread's event on its second stack; returns once it is in the graph.
  const event& perform(const event& e, source_location where);

 private:
  const event* repeat(const event&, source_location);
  void wait_for_turn(const event&, bool may_come_round, bool removable, source_location);
  void leave_unless_cleared(source_location);
  void follow(const event&, bool may_come_round, source_location);
  void extend(const event&, bool may_come_round, source_location);
  bool add(const event&, source_location);
  bool races(event_id, event_id& other) const;
  void yield_for_resume_point(const event&, std::size_t trail_index, source_location);
  [[nodiscard]] lifetimes::point here() const noexcept {
    return {fibers_.running(), threads_[fibers_.running()].position};
  }

  graph& graph_;
  const consistency& consistency_;
  exploration& exploration_;
  sampler& sampler_;
  const loop_sites& sites_;
  fibers& fibers_;
  model_threads& threads_;
  lifetimes& objects_;
  spin_loops& loops_;
  scheduler& scheduler_;
  graph_follower& follower_;
  symmetric_threads& symmetric_threads_;
  resuming& resuming_;
  run_ending& ending_;
  run_limits& limits_;
  run_comparison& comparison_;
  trace_recorder& trace_;
  const order_table* orders_;
  const options& options_;
};

}  // namespace fencepost::verify
