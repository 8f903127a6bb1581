// Events of an execution graph, and the clocks that are kept of each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/clock.hpp"

namespace fencepost::verify {

enum class event_kind : std::uint8_t { none, load, store, rmw, fence, create, join, choose };

struct event {
  value read = 0;     // what a load, a read-modify-write or a choice got
  value written = 0;  // what a store or a successful read-modify-write leaves behind
  value operand =
      0;  // store: the value; compare-exchange: desired; create: -; choose: alternatives
  value expected = 0;  // compare-exchange, await
  value (*custom)(value, value) = nullptr;
  // The values with which the thread of a read can continue, sorted. Null: it can with any value.
  const std::vector<value>* wanted = nullptr;
  event_id rf[2] = {0, 0};  // source of each field
  location loc[2] = {no_location, no_location};
  std::uint64_t stamp[2] = {0, 0};  // when each read part was added
  std::uint32_t mo[2] = {0, 0};     // position in the modification order of each field
  std::uint16_t release_fence = 0;  // index of the last release fence of the thread up to here
  std::uint16_t release_write = 0;  // index of its last write with release order before this event
  std::uint64_t partners = 0;       // create, join: the other threads, a bit each
  event_kind kind = event_kind::none;
  order success = order::relaxed;  // the order, unless a compare-exchange fails
  order failure = order::relaxed;
  operation op = operation::exchange;
  std::uint8_t size = 8;
  wait_for waits = wait_for::nothing;
  budget charge = budget::none;
  look_for looks = look_for::nothing;
  bool compares = false;  // compare-exchange
  bool weak = false;
  bool awaits = false;     // blocks the thread unless it reads `expected`
  bool spurious = false;   // a weak compare-exchange that failed although it was equal
  bool displaces = false;  // took the place of a lock() that was added earlier, and is now deleted
  bool named = false;      // create: the partners are known
  bool torn = false;       // no second field goes with the first one yet: the thread is blocked
  bool read_linked[2] = {false, false};
  bool write_linked = false;

  [[nodiscard]] unsigned fields() const noexcept {
    return loc[0] == no_location ? 0 : loc[1] == no_location ? 1 : 2;
  }
  [[nodiscard]] unsigned field_at(location l) const noexcept { return loc[0] == l ? 0 : 1; }
  [[nodiscard]] bool touches(location l) const noexcept { return loc[0] == l || loc[1] == l; }
  // create, join: whether this thread is one of the others.
  [[nodiscard]] bool concerns(unsigned thread) const noexcept {
    return (partners >> thread & 1U) != 0;
  }
  [[nodiscard]] bool reads() const noexcept {
    return kind == event_kind::load || kind == event_kind::rmw;
  }
  [[nodiscard]] bool succeeds() const noexcept {
    return kind == event_kind::rmw && !torn && !spurious && (!compares || read == expected);
  }
  [[nodiscard]] bool writes() const noexcept { return kind == event_kind::store || succeeds(); }
  [[nodiscard]] bool may_be_sc() const noexcept {
    return success == order::seq_cst || failure == order::seq_cst;
  }
  [[nodiscard]] order effective() const noexcept {
    return kind == event_kind::rmw && !succeeds() ? failure : success;
  }
  // True if the thread is known to be unable to continue with the value that it has read.
  [[nodiscard]] bool in_vain() const noexcept {
    return (awaits && read != expected) ||
           (wanted != nullptr && !std::binary_search(wanted->begin(), wanted->end(), read));
  }
  [[nodiscard]] bool waits_on() const noexcept { return awaits && (torn || read != expected); }
};

// The clocks of an event.
struct views {
  clock hb;       // happens-before, the event included
  clock porf;     // po ∪ rf, the event included
  clock pending;  // what the writes that the thread has read without acquiring released
  clock release;  // a write: what a reader that acquires it synchronizes with
};

[[nodiscard]] inline bool share_location(const event& a, const event& b) noexcept {
  for (unsigned k = 0; k < a.fields(); ++k)
    if (b.touches(a.loc[k])) return true;
  return false;
}

// Whether two events are the same request; their results are not compared.
[[nodiscard]] inline bool same_request(const event& a, const event& b) noexcept {
  return a.kind == b.kind && a.loc[0] == b.loc[0] && a.loc[1] == b.loc[1] &&
         a.success == b.success && a.failure == b.failure && a.operand == b.operand &&
         a.expected == b.expected && a.op == b.op && a.weak == b.weak && a.awaits == b.awaits &&
         a.looks == b.looks && (a.kind != event_kind::join || a.partners == b.partners);
}

}  // namespace fencepost::verify
