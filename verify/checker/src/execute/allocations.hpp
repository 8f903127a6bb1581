// What the program allocates and frees.
//
// Addresses that come back: the last one first, and once an execution another one or none. Each
// thread has its own freed blocks; or all threads have them together, by sizes, under a hidden
// lock: then a release happens before the next allocation of the block, as the standard has it, and
// before no other one.
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
  // A freed block for an allocation; null: memory that was not used before.
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
