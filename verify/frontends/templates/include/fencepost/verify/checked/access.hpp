// The first steps of every access of the checker's policy: find the engine, determine the order of
// the access, and report orders that the access cannot have.
#pragma once

#include <atomic>

#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify::detail {

// Returns the engine of the running check. If there is none, ends the program with a message.
engine& here();

constexpr order to_order(std::memory_order o) noexcept {
  switch (o) {
    case std::memory_order_relaxed: return order::relaxed;
    case std::memory_order_consume:
    case std::memory_order_acquire: return order::acquire;
    case std::memory_order_release: return order::release;
    case std::memory_order_acq_rel: return order::acq_rel;
    case std::memory_order_seq_cst: break;
  }
  return order::seq_cst;
}

// Returns the order that an access of the program gets, which options::changes may have changed.
inline order ordered(access what, std::memory_order o, const source_location& where) {
  return here().done_instead({.what = what, .success = to_order(o)}, where).success;
}

inline asked_for exchange_orders(bool weak, std::memory_order success, std::memory_order failure,
                                 const source_location& where) {
  return here().done_instead({access::compare_exchange, to_order(success), to_order(failure), weak},
                             where);
}

[[noreturn]] void report_load_order(source_location);
[[noreturn]] void report_store_order(source_location);

inline void require_load_order(std::memory_order o, const source_location& where) {
  if (o == std::memory_order_release || o == std::memory_order_acq_rel) report_load_order(where);
}
inline void require_store_order(std::memory_order o, const source_location& where) {
  if (o == std::memory_order_acquire || o == std::memory_order_acq_rel ||
      o == std::memory_order_consume)
    report_store_order(where);
}

}  // namespace fencepost::verify::detail
