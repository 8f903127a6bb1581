// Execution graphs: events in program order, reads-from, and a modification order per location.
//
// The graph is changed in three ways only: an event is appended to its thread; the youngest
// entries are cut off; a revisit deletes what came after a read (explorer). Threads are only ever
// cut to prefixes, so an event's name stays right as long as the event exists, and the clocks of
// an event, which depend on its po ∪ rf-predecessors alone, never have to be computed again.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "clock.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::verify {

enum class event_kind : std::uint8_t { none, load, store, rmw, fence, create, join, choose };

struct event {
  value read = 0;     // what a load, a read-modify-write or a choice got
  value written = 0;  // what a store or a successful read-modify-write leaves behind
  value operand =
      0;  // store: the value; compare-exchange: desired; create: -; choose: alternatives
  value expected = 0;  // compare-exchange, await
  value (*custom)(value, value) = nullptr;
  event_id rf[2] = {0, 0};  // source of each field
  location loc[2] = {no_location, no_location};
  std::uint64_t stamp[2] = {0, 0};  // when each read part was added
  std::uint32_t mo[2] = {0, 0};     // place in the modification order of each field
  std::uint16_t release_fence = 0;  // index of the last release fence of the thread up to here
  std::uint16_t release_write = 0;  // index of its last write with release order before this event
  unsigned node = ~0U;              // number in the check of the sequentially consistent order
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
  bool awaits = false;    // blocks the thread unless it reads `expected`
  bool spurious = false;  // a weak compare-exchange that failed although it was equal
  bool named = false;     // create: the partners are known
  bool torn = false;      // no second field goes with the first, so far: the thread is blocked
  bool read_linked[2] = {false, false};
  bool write_linked = false;

  [[nodiscard]] unsigned fields() const noexcept {
    return loc[0] == no_location ? 0 : loc[1] == no_location ? 1 : 2;
  }
  [[nodiscard]] unsigned field_at(location l) const noexcept { return loc[0] == l ? 0 : 1; }
  [[nodiscard]] bool touches(location l) const noexcept { return loc[0] == l || loc[1] == l; }
  // create, join: is this thread one of the others?
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
  [[nodiscard]] bool waits_on() const noexcept { return awaits && (torn || read != expected); }
};

// What an event knows and hands on.
struct views {
  clock hb;       // happens-before, the event included
  clock porf;     // po ∪ rf, the event included
  clock pending;  // released at what the thread has read without acquiring it
  clock release;  // a write: what a reader that acquires it synchronizes with
};

// An element of the trail. Part 1: the second field of a whole-word read. Part 2: the write of a
// read-modify-write whose read was revisited.
struct entry {
  event_id id = 0;
  std::uint32_t part = 0;
  std::uint64_t stamp = 0;
};

// An access of a thread to a location.
struct access_by {
  std::uint16_t index = 0;
  std::uint32_t reads = 0;  // of the thread's accesses there, up to this one
};

struct place {
  std::vector<event_id> mo{initial_write};
  std::vector<event_id> readers;
  // Of each thread, in program order; only if there have been many, lest all be looked through.
  std::vector<std::vector<access_by>> accesses;
  bool has_many = false;
  value initial = 0;
  bool plain_access = false;  // some event here is not atomic
  // Over all executions, a bit for each thread: it accessed this in idle turns that were left out;
  // and another one wrote it, or ended its lifetime, neither before the thread began nor after its
  // end. Where both is so, what was left out may race.
  std::uint64_t left_out = 0;
  std::uint64_t meanwhile = 0;
  [[nodiscard]] bool contended() const noexcept { return (left_out & meanwhile) != 0; }

  // The object, as of this run.
  const void* address = nullptr;
  std::size_t size = 0;
  event_id born = 0;  // thread and epoch of the construction
  bool alive = false;
  bool plain = false;
  bool scalar = false;  // plain: the value can be compared
  // Last access of each thread; other than plain: only reads, those that are no events (use).
  clock written_at, read_at;
  source_location where;  // construction, or the end of the lifetime

  unsigned owner = 0;  // name: n-th location of this thread
  unsigned ordinal = 0;
  bool hidden = false;  // see engine::declare_hidden
  bool typed = false;   // its life is over, and it may be read: options::typed_memory
  event_id reborn = 0;  // the store with which the next object began here
};

class graph {
 public:
  struct log {
    std::vector<event> events{1};  // index 0 is the thread's beginning
    std::vector<views> view{1};
    std::vector<source_location> where{1};
    std::vector<location> places;  // its locations in order of construction

    [[nodiscard]] unsigned length() const noexcept {
      return static_cast<unsigned>(events.size()) - 1;
    }
  };

  std::array<log, max_threads> logs;
  unsigned threads = 1;  // that there have been: those with a number below
  std::vector<place> places;
  std::vector<entry> trail;  // in the order in which events were added
  unsigned spurious = 0, wakeups = 0, timeouts = 0, addresses = 0;  // spent
  unsigned sc = 0;  // sequentially consistent events

  event& at(event_id id) noexcept { return logs[thread_of(id)].events[index_of(id)]; }
  const event& at(event_id id) const noexcept { return logs[thread_of(id)].events[index_of(id)]; }
  views& view(event_id id) noexcept { return logs[thread_of(id)].view[index_of(id)]; }
  const views& view(event_id id) const noexcept { return logs[thread_of(id)].view[index_of(id)]; }
  // What the thread knew just before the event.
  const views& before(event_id id) const noexcept {
    return logs[thread_of(id)].view[index_of(id) - 1];
  }

  [[nodiscard]] unsigned mo_position(event_id write, location l) const noexcept {
    if (write == initial_write) return 0;
    const event& e = at(write);
    return e.mo[e.field_at(l)];
  }
  [[nodiscard]] std::uint64_t stamp(event_id write) const noexcept {
    return write == initial_write ? 0 : at(write).stamp[0];
  }
  // The value that a write leaves in one of its locations.
  [[nodiscard]] value written(event_id write, location l) const noexcept {
    if (write == initial_write) return places[l].initial;
    const event& e = at(write);
    if (e.loc[1] == no_location) return e.written;
    return e.loc[0] == l ? e.written & 0xffffffff : e.written >> 32;
  }
  // The successful read-modify-write that reads `write` here, `except` aside; 0: none.
  [[nodiscard]] event_id rmw_after(event_id write, location l, event_id except) const noexcept;

  // Have there been so many accesses to the location that it keeps account of them by thread?
  bool has_many(location l) {
    constexpr std::size_t many = 64, few = 32;
    place& p = places[l];
    const std::size_t accesses = p.mo.size() + p.readers.size();
    if (p.has_many ? accesses < few : accesses > many) [[unlikely]]
      count_accesses(l, !p.has_many);
    return p.has_many;
  }
  // The thread's last access to such a location among its first `events` ones, or 0. A thread's
  // accesses to a location go up its modification order, so the last has seen most.
  [[nodiscard]] event_id last_access(location, unsigned thread, unsigned events) const noexcept;
  // Its reads of the location behind these.
  [[nodiscard]] unsigned reads_after(location, unsigned thread, unsigned events) const noexcept;
  // How far up the modification order of a location that it accesses an event has seen.
  [[nodiscard]] unsigned seen_by(event_id, location) const noexcept;

  location new_place(unsigned owner);

  event_id append(unsigned thread, const event&, source_location);
  // Puts back what remove_last() took.
  void restore_last(unsigned thread, const event&, const views&, source_location);
  void push_entry(event_id, unsigned part);
  void link_read(event_id, unsigned field);
  void unlink_read(event_id, unsigned field);
  void link_write(event_id, unsigned field, unsigned position);  // to stand at `position`
  void unlink_write(event_id);
  // A read-modify-write's write stands right behind what it reads.
  void link_rmw(event_id id) {
    const event& e = at(id);
    for (unsigned k = 0; k < e.fields(); ++k)
      link_write(id, k, mo_position(e.rf[k], e.loc[k]) + 1u);
  }
  void cut(std::size_t trail_length);

  // Takes out and puts back what a revisit deletes.
  void remove_last(unsigned thread);
  void renumber(location);

  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t n = 0;
    for (unsigned t = 0; t < threads; ++t) n += logs[t].length();
    return n;
  }
  [[nodiscard]] std::uint64_t fingerprint() const;

 private:
  void count_accesses(location, bool many);
  void count_access(location, unsigned thread, unsigned index);
  void add_last(unsigned thread, const event&, source_location);
  void spend(const event&, unsigned sign) noexcept;
  friend class explorer;
};

}  // namespace fencepost::verify
