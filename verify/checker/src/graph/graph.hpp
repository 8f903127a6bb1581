// Execution graphs: events in program order, reads-from, and a modification order per location.
//
// A graph grows by appending events to threads, and shrinks by cutting off the youngest entries of
// its trail, or by a revisit, which deletes what was added after a read and is undone by restore().
// Threads are only ever cut to prefixes, so an event's name stays valid as long as the event
// exists, and its clocks, which depend only on its po ∪ rf-predecessors, never have to be
// recomputed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph/event.hpp"

namespace fencepost::verify {

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
  std::uint32_t reads = 0;  // how many of the thread's accesses there, up to this one, read
};

// The accesses to a location.
struct location_history {
  std::vector<event_id> mo{initial_write};
  std::vector<event_id> readers;
  // By thread, in program order; kept only if there are many, to avoid scanning all of them.
  std::vector<std::vector<access_by>> accesses;
  bool has_many = false;
  // The event here that is plain, in this execution or an earlier one; initial_write: there is
  // none.
  event_id plain_access = initial_write;
  bool more_plain = false;  // it is not the only one
  bool hidden = false;      // see engine::declare_hidden
  lock_kind lock = lock_kind::none;
  value initial = 0;
  unsigned owner = 0;  // its name: the location `ordinal` of thread `owner`
  unsigned ordinal = 0;

  void note_plain(event_id id) noexcept {
    if (plain_access == initial_write) plain_access = id;
    if (plain_access != id) more_plain = true;
  }
};

// Nondeterministic outcomes whose number in an execution is bounded.
struct spent_budgets {
  unsigned spurious = 0, wakeups = 0, timeouts = 0, addresses = 0;
};

class graph {
 public:
  struct log {
    std::vector<event> events{1};  // index 0 is the thread's beginning
    std::vector<views> view{1};
    std::vector<source_location> where{1};
    std::vector<location> locations;  // of the thread, in order of construction
    // The indices of the sequentially consistent fences, and of the accesses that may be
    // sequentially consistent.
    std::vector<unsigned> fences, accesses;

    [[nodiscard]] unsigned length() const noexcept {
      return static_cast<unsigned>(events.size()) - 1;
    }
  };
  // What a revisit has deleted or changed.
  class deletion;

  // Reading.
  [[nodiscard]] const log& thread(unsigned t) const noexcept { return logs_[t]; }
  [[nodiscard]] unsigned threads() const noexcept { return threads_; }  // numbers given out
  [[nodiscard]] const event& at(event_id id) const noexcept {
    return logs_[thread_of(id)].events[index_of(id)];
  }
  [[nodiscard]] const views& view(event_id id) const noexcept {
    return logs_[thread_of(id)].view[index_of(id)];
  }
  // What the thread knew just before the event.
  [[nodiscard]] const views& before(event_id id) const noexcept {
    return logs_[thread_of(id)].view[index_of(id) - 1];
  }
  [[nodiscard]] source_location where(event_id id) const noexcept {
    return logs_[thread_of(id)].where[index_of(id)];
  }
  [[nodiscard]] const location_history& history(location l) const noexcept { return histories_[l]; }
  [[nodiscard]] location locations() const noexcept {
    return static_cast<location>(histories_.size());
  }
  // In the order in which events were added.
  [[nodiscard]] const std::vector<entry>& trail() const noexcept { return trail_; }
  [[nodiscard]] const spent_budgets& spent() const noexcept { return spent_; }
  [[nodiscard]] unsigned seq_cst_events() const noexcept { return seq_cst_; }
  // The threads that have sequentially consistent fences, a bit each.
  [[nodiscard]] std::uint64_t fencing() const noexcept { return fencing_; }
  [[nodiscard]] std::size_t size() const noexcept {
    std::size_t n = 0;
    for (unsigned t = 0; t < threads_; ++t) n += logs_[t].length();
    return n;
  }
  [[nodiscard]] std::uint64_t fingerprint() const;

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
    if (write == initial_write) return histories_[l].initial;
    const event& e = at(write);
    if (e.loc[1] == no_location) return e.written;
    return e.loc[0] == l ? e.written & 0xffffffff : e.written >> 32;
  }
  // The successful read-modify-write that reads `write` here, other than `except`; 0: none.
  [[nodiscard]] event_id rmw_after(event_id write, location l, event_id except) const noexcept;
  // True if this write may be placed right after `position`: not between a read-modify-write and
  // its source.
  [[nodiscard]] bool may_follow(event_id id, unsigned field, std::int32_t position) const noexcept {
    const location l = at(id).loc[field];
    const auto& mo = histories_[l].mo;
    return rmw_after(mo[static_cast<std::size_t>(position)], l, 0) == 0;
  }
  // True if this field reads a write that is the last one wherever it writes.
  [[nodiscard]] bool reads_latest(event_id id, unsigned field) const noexcept {
    const event& e = at(id);
    if (e.rf[field] != histories_[e.loc[field]].mo.back()) return false;
    if (e.rf[field] == initial_write) return true;
    const event& source = at(e.rf[field]);
    for (unsigned k = 0; k < source.fields(); ++k)
      if (histories_[source.loc[k]].mo.back() != e.rf[field]) return false;
    return true;
  }

  // True if the location has so many accesses that they are indexed by thread.
  [[nodiscard]] bool has_many(location l) {
    constexpr std::size_t many = 64, few = 32;
    location_history& h = histories_[l];
    const std::size_t accesses = h.mo.size() + h.readers.size();
    if (h.has_many ? accesses < few : accesses > many) [[unlikely]]
      count_accesses(l, !h.has_many);
    return h.has_many;
  }
  // The thread's last access to such a location among its first `events` events, or 0. A thread's
  // accesses to a location go up its modification order, so the last has seen the most.
  [[nodiscard]] event_id last_access(location, unsigned thread, unsigned events) const noexcept;
  // The number of the thread's reads of the location after its first `events` events.
  [[nodiscard]] unsigned reads_after(location, unsigned thread, unsigned events) const noexcept;
  // How far up the modification order of a location an event, which accesses it, has seen.
  [[nodiscard]] unsigned seen_by(event_id, location) const noexcept;

  // Threads and locations.
  void count_thread(unsigned thread) noexcept { threads_ = thread + 1; }
  // `child` is one of the threads that the event creates.
  void begin_thread(unsigned child, event_id creator);
  void name_children(event_id creator) noexcept { change(creator).named = true; }
  location new_location(unsigned owner, unsigned ordinal);
  // The n-th location of a thread, which is new unless an earlier run has constructed it.
  location nth_location(unsigned thread, unsigned n) {
    log& l = logs_[thread];
    if (n == l.locations.size()) [[unlikely]]
      l.locations.push_back(new_location(thread, n));
    return l.locations[n];
  }
  void set_initial(location l, value v) noexcept { histories_[l].initial = v; }
  void set_hidden(location l, bool hidden) noexcept { histories_[l].hidden = hidden; }
  void set_lock(location l, lock_kind how) noexcept { histories_[l].lock = how; }

  // Growing and shrinking.
  event_id append(unsigned thread, const event&, source_location);
  void push_entry(event_id, unsigned part);
  void cut(std::size_t trail_length);
  // Deletes what comes after trail()[target] and is not a predecessor of the writer; the read and
  // the writer may then be changed until restore().
  void delete_after_revisit(std::size_t target, event_id writer, deletion&);
  // The same, and also deletes trail()[target], a read whose write has no entry of its own.
  void delete_with_reader(std::size_t target, event_id writer, deletion&);
  void restore(deletion&);

  // The choices of an event: its sources, and the position of its write.
  void set_source(event_id id, unsigned field, event_id write) noexcept {
    change(id).rf[field] = write;
  }
  void set_torn(event_id id, bool torn) noexcept { change(id).torn = torn; }
  void set_wanted(event_id id, const std::vector<value>& in_order) noexcept {
    change(id).wanted = &in_order;
  }
  void set_displaces(event_id id) noexcept { change(id).displaces = true; }
  void set_spurious(event_id id, bool spurious) noexcept {
    event& e = change(id);
    if (e.spurious == spurious) return;
    spent_.spurious += spurious ? 1U : ~0U;
    e.spurious = spurious;
  }
  void set_alternative(event_id, value) noexcept;
  void link_read(event_id, unsigned field);
  void link_write(event_id, unsigned field, unsigned position);  // inserts it at `position`
  void unlink_write(event_id);
  // A read-modify-write's write comes right after what it reads.
  void link_rmw(event_id id) {
    const event& e = at(id);
    for (unsigned k = 0; k < e.fields(); ++k)
      link_write(id, k, mo_position(e.rf[k], e.loc[k]) + 1u);
  }

  // What the consistency model derives from the choices of an event: its values and its clocks.
  struct derived {
    event& values;
    views& clocks;
  };
  [[nodiscard]] derived derive(event_id id) noexcept { return {change(id), change_view(id)}; }
  // Makes the event depend on the other one as well, for symmetry.
  void add_dependency(event_id id, event_id on) { change_view(id).porf.join(view(on).porf); }

 private:
  [[nodiscard]] event& change(event_id id) noexcept {
    return logs_[thread_of(id)].events[index_of(id)];
  }
  [[nodiscard]] views& change_view(event_id id) noexcept {
    return logs_[thread_of(id)].view[index_of(id)];
  }
  void unlink_read(event_id, unsigned field);
  void renumber(location);
  void count_accesses(location, bool many);
  void count_access(location, unsigned thread, unsigned index);
  void add_last(unsigned thread, const event&, source_location);
  void remove_last(unsigned thread);
  void add_seq_cst(unsigned thread);
  void remove_seq_cst(unsigned thread) noexcept;
  void save_unneeded(std::size_t from, event_id writer, deletion&) const;
  void delete_unneeded(event_id writer, deletion&);
  void spend(const event&, unsigned sign) noexcept;

  std::array<log, max_threads> logs_;
  unsigned threads_ = 1;
  std::vector<location_history> histories_;
  std::vector<entry> trail_;
  spent_budgets spent_;
  unsigned seq_cst_ = 0;
  std::uint64_t fencing_ = 0;
};

// Reused by later revisits, to keep its memory.
class graph::deletion {
  friend class graph;
  struct saved_event {
    event_id id;
    event data;
    views view;
    source_location where;
  };
  struct saved_location {
    location at;
    std::vector<event_id> mo, readers;
    value initial = 0;  // follows from what its thread has read, which a revisit may change
  };

  void save_event(const graph&, event_id);
  void save_location(const graph&, location);

  std::size_t kept_trail_ = 0;  // prefix of the trail that stays as it is
  std::size_t base_trail_ = 0;  // length of the trail right after the deletion
  std::vector<entry> trail_;    // the rest of the trail
  std::vector<saved_event> events_;
  std::size_t changed_ = 0;  // those from here on still exist, changed
  std::vector<saved_location> locations_;
  std::size_t locations_used_ = 0;
  spent_budgets spent_;
};

}  // namespace fencepost::verify
