#include "execute/allocations.hpp"

#include <cstdlib>

namespace fencepost::verify {

void* allocations::allocate(std::size_t size, std::size_t alignment) {
  limits_.check_stack();
  const source_location where = running().where;
  if (histories_.is_aside()) {
    if (void* p = arena_.allocate_aside(size, alignment)) return p;
    run_.reach_limit("a history does not fit into memory_size", where);
  }
  limits_.count_silent_step(where);
  if (reuses()) loops_.end_turn();  // see arena::go_back
  arena::block* const again = reused(size, alignment, where);
  const engine_scope scope;
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::allocate, .number = size, .where = where});
  void* p = again != nullptr ? again + 1 : arena_.allocate(fibers_.running(), size, alignment);
  if (p == nullptr)
    run_.reach_limit(
        message(
            "an allocation of %zu bytes does not fit: a thread may have %zu MiB in one execution "
            "(memory_size)",
            size, arena_.bytes_per_thread() >> 20U),
        where);
  if (again == nullptr)
    arena::header(p).objects = static_cast<std::uint32_t>(lifetimes_.constructed().size());
  if (trace_.on() && !unshown)
    trace_.add_allocation(fibers_.running(), p, message("allocate %zu bytes", size), where);
  return p;
}

void allocations::release(void* pointer) {
  const bool was_in_body = fibers_.in_body();
  const engine_scope scope(fibers_.in_body());
  if (!was_in_body) return;  // the engine releases what a run that is over has allocated
  if (arena_.is_aside(pointer)) return;
  const source_location where = running().where;
  if (reuses()) loops_.end_turn();  // see arena::go_back
  if (!arena_.contains(pointer)) return release_elsewhere(pointer, where);
  arena::block& b = block_to_free(pointer, where);
  if (comparison_.on()) [[unlikely]]
    comparison_.note({.what = tape::act::release, .number = b.size, .where = where});
  if (trace_.on() && !unshown && pointer != running().argument)
    trace_.add(fibers_.running(), step_kind::release, message("free %zu bytes", b.size), where);
  const auto begin = reinterpret_cast<std::uintptr_t>(pointer);
  const std::size_t all = lifetimes_.constructed().size();
  const std::size_t end = arena_.objects_while_newest(b, all);
  lifetimes_.for_each_in_block(b.objects, end, [&](location l, const object& o) {
    if (reinterpret_cast<std::uintptr_t>(o.address) - begin < b.size && o.alive && !o.typed)
      objects_.end_of_life(l, where, "freed", options_.typed_memory);
  });
  arena_.release(&b);
  fibers_.in_body() = was_in_body;
  keep_for_reuse(b, where);
}

bool allocations::has_block(const void* p, std::size_t size) const noexcept {
  const arena::block* const b = arena_.around(p);
  if (b == nullptr || b->state != arena::live) return false;
  const auto begin = reinterpret_cast<std::uintptr_t>(b + 1);
  return reinterpret_cast<std::uintptr_t>(p) + size <= begin + b->size;
}

// Releases memory that is not the arena's: it was allocated before the exploration began.
void allocations::release_elsewhere(void* pointer, source_location where) {
  for (unsigned t = 0; t < threads_.created(); ++t)
    if (fibers_.stack(t).contains(pointer))
      run_.report(violation::invalid_free, "free of an object on a thread's stack", where);
  std::free(pointer);
}

arena::block& allocations::block_to_free(void* pointer, source_location where) {
  arena::block* const b = arena_.find(pointer);
  if (b == nullptr)
    run_.report(violation::invalid_free, "free of a pointer that no allocation has returned",
                where);
  if (b->state == arena::freed)
    run_.report(violation::double_free,
                message("free of a block of %zu bytes that was freed before", b->size), where);
  return *b;
}

location allocations::lock(std::size_t size, source_location where) {
  const location l = objects_.waiters_at(reinterpret_cast<const void*>(size)).lock;
  requests_.await_exchange(l, 0, 1, order::relaxed, wait_for::mutex, where);
  return l;
}

void allocations::unlock(location l, source_location where) {
  requests_.exchange(word(l), 0, order::relaxed, where);
}

void allocations::keep_for_reuse(arena::block& b, source_location where) {
  if (!options_.reuse_across_threads) {
    if (options_.reuse_addresses) arena_.keep(fibers_.running(), &b);
    return;
  }
  const location over = objects_.declare(nullptr, sizeof(int), 0, where);
  const location l = lock(b.size, where);
  requests_.store(word(over), 1, order::release, where);
  b.handed_over = over;
  arena_.keep(arena::of_all, &b);
  unlock(l, where);
}

arena::block* allocations::reused(std::size_t size, std::size_t alignment, source_location where) {
  if (options_.reuse_across_threads) return reused_by_all(size, alignment, where);
  if (!options_.reuse_addresses || arena_.count(fibers_.running(), size, alignment) == 0)
    return nullptr;
  if (requests_.choose(2, budget::address, where) == 1) return nullptr;
  return &arena_.take(fibers_.running(), 0, fibers_.running(), size, alignment);
}

arena::block* allocations::reused_by_all(std::size_t size, std::size_t alignment,
                                         source_location where) {
  const location l = lock(size, where);
  const unsigned there = arena_.count(arena::of_all, size, alignment);
  const unsigned which = there == 0 ? 0 : requests_.choose(there + 1, budget::address, where);
  arena::block* const b =
      which == there ? nullptr
                     : &arena_.take(arena::of_all, which, fibers_.running(), size, alignment);
  unlock(l, where);
  if (b != nullptr) requests_.await(b->handed_over, 1, order::acquire, wait_for::nothing, where);
  return b;
}

}  // namespace fencepost::verify
