// Mixed-size words under the checker.
#pragma once

#include <atomic>
#include <cstdint>

#include "fencepost/verify/checked/handle.hpp"
#include "fencepost/verify/checked/policy.hpp"

namespace fencepost {

// A 64-bit word of two 32-bit halves that can be accessed separately and together.
class checked_atomics::halves {
 public:
  halves(std::uint32_t low, std::uint32_t high, source_location where = source_location::current())
      : low_(engine().declare(this, 4, low, where)),
        high_(engine().declare(reinterpret_cast<const char*>(this) + 4, 4, high, where)) {}
  halves(const halves&) = delete;
  halves& operator=(const halves&) = delete;

  std::uint64_t load(std::memory_order o,
                     source_location where = source_location::current()) const {
    verify::detail::require_load_order(o, where);
    return engine().load(whole(where), verify::detail::ordered(verify::access::load, o, where),
                         where);
  }
  void store(std::uint64_t v, std::memory_order o,
             source_location where = source_location::current()) {
    verify::detail::require_store_order(o, where);
    engine().store(whole(where), v, verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t desired,
                               std::memory_order success, std::memory_order failure,
                               source_location where = source_location::current()) {
    return compare_exchange(expected, desired, false, success, failure, where);
  }
  bool compare_exchange_weak(std::uint64_t& expected, std::uint64_t desired,
                             std::memory_order success, std::memory_order failure,
                             source_location where = source_location::current()) {
    return compare_exchange(expected, desired, true, success, failure, where);
  }
  std::uint32_t load_low(std::memory_order o,
                         source_location where = source_location::current()) const {
    return load_half(low_.get(where), o, where);
  }
  std::uint32_t load_high(std::memory_order o,
                          source_location where = source_location::current()) const {
    return load_half(high_.get(where), o, where);
  }
  void store_low(std::uint32_t v, std::memory_order o,
                 source_location where = source_location::current()) {
    store_half(low_.get(where), v, o, where);
  }
  void store_high(std::uint32_t v, std::memory_order o,
                  source_location where = source_location::current()) {
    store_half(high_.get(where), v, o, where);
  }

 private:
  static verify::engine& engine() { return verify::detail::here(); }
  verify::word whole(source_location where) const { return {low_.get(where), high_.get(where)}; }

  std::uint32_t load_half(verify::location at, std::memory_order o, source_location where) const {
    verify::detail::require_load_order(o, where);
    return static_cast<std::uint32_t>(engine().load(
        verify::word(at), verify::detail::ordered(verify::access::load, o, where), where));
  }
  void store_half(verify::location at, std::uint32_t v, std::memory_order o,
                  source_location where) {
    verify::detail::require_store_order(o, where);
    engine().store(verify::word(at), v, verify::detail::ordered(verify::access::store, o, where),
                   where);
  }
  bool compare_exchange(std::uint64_t& expected, std::uint64_t desired, bool weak,
                        std::memory_order success, std::memory_order failure,
                        source_location where) {
    verify::detail::require_load_order(failure, where);
    const verify::asked_for how = verify::detail::exchange_orders(weak, success, failure, where);
    const verify::exchanged done = engine().compare_exchange(
        whole(where), expected, desired, how.weak, how.success, how.failure, where);
    if (!done.success) expected = done.old;
    return done.success;
  }

  verify::detail::handle low_;
  verify::detail::handle high_;
};

}  // namespace fencepost
