// The program's allocations and releases.
//
// A freed address may be reused. With options::reuse_addresses, a thread reuses the block that it
// freed last or, once in an execution, none. With options::reuse_across_threads, all threads share
// a list, with a hidden lock for each size: a thread reuses the block freed last or, once in an
// execution, an older one or none. A release then happens before the allocation that reuses its
// block, as the standard requires, and before no other allocation.
#pragma once

#include "execute/event_requests.hpp"
#include "execute/fibers.hpp"
#include "execute/histories.hpp"
#include "execute/lifetimes.hpp"
#include "execute/memory.hpp"
#include "execute/model_threads.hpp"
#include "execute/program_objects.hpp"
#include "execute/run_comparison.hpp"
#include "execute/run_control.hpp"
#include "execute/run_limits.hpp"
#include "execute/spin_loops.hpp"
#include "execute/trace_recorder.hpp"

namespace fencepost::verify {

class allocations final : public allocation_hook {
 public:
  struct parts {
    arena& memory;
    const lifetimes& objects;
    const fibers& stacks;
    const model_threads& threads;
    spin_loops& loops;
    const histories& recorded;
    trace_recorder& trace;
    run_limits& limits;
    run_comparison& comparison;
    event_requests& requests;
    program_objects& objects_of_program;
    run_control& run;
    const options& asked;
  };
  explicit allocations(const parts& p)
      : arena_(p.memory),
        lifetimes_(p.objects),
        fibers_(p.stacks),
        threads_(p.threads),
        loops_(p.loops),
        histories_(p.recorded),
        trace_(p.trace),
        limits_(p.limits),
        comparison_(p.comparison),
        requests_(p.requests),
        objects_(p.objects_of_program),
        run_(p.run),
        options_(p.asked) {}

  // allocation_hook
  void* allocate(std::size_t size, std::size_t alignment) override;
  void release(void*) override;
  bool owns(const void* p) const noexcept override { return arena_.contains(p); }
  bool has_block(const void* p, std::size_t size) const noexcept override;

 private:
  void release_elsewhere(void*, source_location);
  arena::block& block_to_free(void*, source_location);
  void keep_for_reuse(arena::block&, source_location);
  // Returns a freed block for an allocation, or null if it is to get unused memory.
  arena::block* reused(std::size_t size, std::size_t alignment, source_location);
  arena::block* reused_by_all(std::size_t size, std::size_t alignment, source_location);
  location lock(std::size_t size, source_location);
  void unlock(location lock, source_location);
  [[nodiscard]] bool reuses() const noexcept {
    return options_.reuse_addresses || options_.reuse_across_threads;
  }
  [[nodiscard]] const model_thread& running() const noexcept { return threads_[fibers_.running()]; }

  arena& arena_;
  const lifetimes& lifetimes_;
  const fibers& fibers_;
  const model_threads& threads_;
  spin_loops& loops_;
  const histories& histories_;
  trace_recorder& trace_;
  run_limits& limits_;
  run_comparison& comparison_;
  event_requests& requests_;
  program_objects& objects_;
  run_control& run_;
  const options& options_;
};

}  // namespace fencepost::verify
