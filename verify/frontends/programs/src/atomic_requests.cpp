#include "atomic_requests.hpp"

#include <cstdint>

#include "fencepost/verify/checked/access.hpp"

namespace fencepost::programs {

using verify::access;
using verify::engine;
using verify::value;
using verify::word;

namespace {
const void* as_address(value v) noexcept {
  return reinterpret_cast<const void*>(static_cast<std::uintptr_t>(v));
}

// Lives during the one event for which the program has made a call. If the thread waits in a loop,
// its state is compared as it was at the call, without the runtime's own frames.
class compared_call {
 public:
  explicit compared_call(session& s) : engine_(s.checker()) { engine_.compare_from(s.registers()); }
  ~compared_call() { engine_.compare_from(nullptr); }
  compared_call(const compared_call&) = delete;
  compared_call& operator=(const compared_call&) = delete;

 private:
  engine& engine_;
};
}  // namespace

std::memory_order order_of(int number) {
  switch (number & 0xffff) {
    case 0: return std::memory_order_relaxed;
    case 1: return std::memory_order_consume;
    case 2: return std::memory_order_acquire;
    case 3: return std::memory_order_release;
    case 4: return std::memory_order_acq_rel;
    default: return std::memory_order_seq_cst;
  }
}

namespace {
// What options::changes make of the order.
verify::order ordered(session& s, access what, int order, const source_location& where) {
  return s.checker()
      .done_instead({.what = what, .success = verify::detail::to_order(order_of(order))}, where)
      .success;
}
}  // namespace

value load(session& s, const volatile void* a, std::size_t size, int order,
           const source_location& where) {
  verify::detail::require_load_order(order_of(order), where);
  const word w(s.atomic(a, size, where));
  const verify::order how = ordered(s, access::load, order, where);
  const value read = [&] {
    const compared_call here(s);
    return s.checker().load(w, how, where);
  }();
  s.require_written(a, size, read, where);
  return read;
}

void store(session& s, volatile void* a, std::size_t size, value v, int order,
           const source_location& where) {
  verify::detail::require_store_order(order_of(order), where);
  const word w(s.atomic(a, size, where));
  s.checker().store(w, v, ordered(s, access::store, order, where), where);
}

value modify(session& s, volatile void* a, std::size_t size, const modification& m, int order,
             const source_location& where) {
  const word w(s.atomic(a, size, where));
  const verify::order how = ordered(s, access::read_modify_write, order, where);
  const value old = [&] {
    const compared_call here(s);
    return s.checker().read_modify_write(w, m.op, m.operand, m.size, how, where, m.compute);
  }();
  s.require_written(a, size, old, where);
  return old;
}

verify::exchanged exchange_if(session& s, volatile void* a, std::size_t size, value expected,
                              value desired, bool weak, int success, int failure,
                              const source_location& where) {
  verify::detail::require_load_order(order_of(failure), where);
  const word w(s.atomic(a, size, where));
  if (size == sizeof(void*) && s.is_on_heap(as_address(expected))) s.note_compared_address();
  const verify::asked_for how = s.checker().done_instead(
      {access::compare_exchange, verify::detail::to_order(order_of(success)),
       verify::detail::to_order(order_of(failure)), weak},
      where);
  const verify::exchanged done = [&] {
    const compared_call here(s);
    return s.checker().compare_exchange(w, expected, desired, how.weak, how.success, how.failure,
                                        where);
  }();
  s.require_written(a, size, done.old, where);
  return done;
}

}  // namespace fencepost::programs
