// Objects: their lifetimes, and races between accesses to plain data.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "execute/run_control.hpp"
#include "fencepost/verify/explored_graph.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/clock.hpp"
#include "graph/graph.hpp"

namespace fencepost::verify {

// The name of the file without its folders, for a message.
const char* base_name(const char* file) noexcept;

// The object at a location, in this run.
struct object {
  const void* address = nullptr;
  std::size_t size = 0;
  event_id born = 0;  // thread and epoch of the construction
  bool alive = false;
  bool plain = false;
  bool scalar = false;         // plain: the value can be compared
  bool without_value = false;  // plain: nothing was written to it yet
  bool typed = false;          // its lifetime is over, and it may be read: options::typed_memory
  event_id reborn = 0;         // the store with which the next object began here
  // The last access of each thread. Of what is not plain data: only reads by use(), which are no
  // events.
  clock written_at, read_at;
  source_location where;  // construction, or the end of the lifetime
  // Identifies the last change of the object: copies with the same number are the same.
  std::uint64_t changed = 0;
};

class lifetimes {
 public:
  // The state before an access to plain data: the entry of its thread in the object's clock, and
  // whether nothing had been written.
  struct before_access {
    unsigned position = 0;
    bool without_value = false;
  };
  // A thread, and how many of its events come before this point.
  struct point {
    unsigned thread;
    unsigned position;
  };

  lifetimes(graph& g, run_control& r, const options& o) : graph_(g), run_(r), options_(o) {}

  void begin_run();
  [[nodiscard]] const object& operator[](location l) const noexcept { return objects_[l]; }
  // The locations of the objects constructed in this run.
  [[nodiscard]] const std::vector<location>& constructed() const noexcept { return constructed_; }
  // Notes that the object constructed last is in a block that is not the newest.
  void note_late_in_block() { late_in_block_.push_back(constructed_.size() - 1); }
  // Calls f, in order, for those that may be in a block: those from `begin` to `end`, while it was
  // the newest block, and those noted since. It must not construct any.
  template <class F>
  void for_each_in_block(std::size_t begin, std::size_t end, F&& f) const {
    const auto call = [&](std::size_t n) { f(constructed_[n], objects_[constructed_[n]]); };
    for (std::size_t n = begin; n < end; ++n) call(n);
    const auto late = std::lower_bound(late_in_block_.begin(), late_in_block_.end(), end);
    std::for_each(late, late_in_block_.end(), call);
  }
  [[nodiscard]] std::size_t atomics() const noexcept { return atomics_ + statics_.size(); }
  [[nodiscard]] std::size_t plain() const noexcept { return plain_; }
  // The object that begins at the address; if there are several, a live one, or the youngest.
  [[nodiscard]] location at(std::uintptr_t address) const noexcept;
  // The atomic that was at the address, if memory keeps its type.
  [[nodiscard]] location typed_at(const void* address, std::size_t size) const noexcept;

  void construct(point, location, const void* address, std::size_t size, source_location);
  void make_plain(point, location, bool scalar);
  // The next atomic begins, with this store, at a location whose memory keeps its type.
  void begin_again(location, source_location);
  void begun_again(location l, event_id store) { to_change(l).reborn = store; }
  // The location of an object that exists before the check.
  location static_at(const void* address, std::size_t size, value initial, source_location);
  // A location of the front end that exists in all executions.
  location hidden_static(std::uintptr_t name);

  void check_alive(point p, location l, const source_location& where) const {
    const object& o = objects_[l];
    if (o.alive && (thread_of(o.born) == p.thread || hb(p).covers(o.born))) [[likely]]
      return;
    report_access(l, where);
  }
  void check_typed(point, const event&, source_location) const;
  // Reports a violation unless every access comes before the end of the lifetime; `what`: how it
  // ends. Returns if that is only in doubt (run_control::report_unordered), as check_alive() does
  // if the order of the construction is.
  void check_end(point p, location l, const source_location& where, const char* what) const {
    const object& o = objects_[l];
    if (!o.plain) return check_atomic_end(p, l, where, what);
    if (o.written_at.exceeds(hb(p), p.thread) || o.read_at.exceeds(hb(p), p.thread))
      report_end(0, l, where, what);
  }
  void end(location l, const source_location& where) noexcept {
    object& o = to_change(l);
    o.alive = false;
    o.where = where;
  }
  // The same for an end after which the object may still be read: only writes must come before it.
  void check_typed_end(point, location, source_location, const char* what) const;
  void keep_typed(location, source_location);

  // Plain data that has just been constructed: a read before the first write is a misuse.
  static constexpr std::string_view read_without_value =
      "plain data is read that has no value yet: nothing was written to it, and it was "
      "constructed without one";
  void begin_without_value(location l) { to_change(l).without_value = true; }

  // Records an access that is no event.
  void use(point p, location l) { to_change(l).read_at.set(p.thread, p.position + 1); }
  void check_read(point p, location l, const source_location& where) const {
    if (objects_[l].written_at.exceeds(hb(p), p.thread)) race(p, l, "read", false, where);
    if (objects_[l].without_value) no_value(where);
  }
  void check_write(point p, location l, const source_location& where) const {
    if (objects_[l].written_at.exceeds(hb(p), p.thread)) race(p, l, "written", false, where);
    if (objects_[l].read_at.exceeds(hb(p), p.thread)) race(p, l, "written", true, where);
  }
  // True if such an access is unordered; reports nothing.
  [[nodiscard]] bool is_unordered(point p, location l, bool writes) const {
    const object& o = objects_[l];
    return o.written_at.exceeds(hb(p), p.thread) || (writes && o.read_at.exceeds(hb(p), p.thread));
  }
  before_access read(point p, location l) {
    note(p, l, silent_access::kind::read);
    return access(p, l, false);
  }
  before_access write(point p, location l) {
    note(p, l, silent_access::kind::write);
    return access(p, l, true);
  }
  // A read or a write, without a note.
  before_access access(point p, location l, bool writes) {
    object& o = to_change(l);
    clock& last = writes ? o.written_at : o.read_at;
    const before_access before{last[p.thread], o.without_value};
    if (writes) o.without_value = false;
    last.set(p.thread, p.position + 1);
    return before;
  }
  void undo_access(unsigned thread, location, bool write, before_access);

  // The objects of a run, as they are now.
  struct saved {
    std::vector<location> constructed;
    std::vector<object> objects;  // of these
    std::vector<std::size_t> late_in_block;
    std::vector<silent_access> notes;
    std::size_t atomics = 0, plain = 0;
  };
  void save(saved&) const;
  void put_back(const saved&);

  // Notes the access for options::on_complete_graph.
  void note(point p, location l, silent_access::kind what) {
    if (options_.on_complete_graph) [[unlikely]]
      write_down(p, l, what);
  }
  void forget_notes(point from);
  [[nodiscard]] const std::vector<silent_access>& notes() const noexcept { return notes_; }

 private:
  [[nodiscard]] const clock& hb(point p) const noexcept {
    return graph_.thread(p.thread).view[p.position].hb;
  }
  void write_down(point, location, silent_access::kind);
  void report_access(location, source_location) const;
  void check_atomic_end(point, location, const source_location&, const char* what) const;
  // `access`: the one that is not ordered before; 0 if it is not known.
  void report_end(event_id access, location, const source_location&, const char* what) const;
  location add_static(unsigned ordinal, value initial);
  object& to_change(location l) noexcept {
    object& o = objects_[l];
    o.changed = ++changes_;
    return o;
  }
  object& grown(location);
  // The message that this access, or any if it is 0, is not ordered before the end.
  [[nodiscard]] message not_before_the_end(event_id access, const char* what) const;
  void no_value(source_location) const;
  [[noreturn]] void race(point, location, const char* here, bool read, source_location) const;

  graph& graph_;
  run_control& run_;
  const options& options_;
  std::vector<object> objects_;  // by location
  std::uint64_t changes_ = 0;    // of all objects, in all runs
  std::vector<location> constructed_;
  std::vector<std::size_t> late_in_block_;  // indices in constructed_, see note_late_in_block()
  std::unordered_map<const void*, location> statics_;
  std::size_t atomics_ = 0, plain_ = 0;
  std::vector<silent_access> notes_;
};

}  // namespace fencepost::verify
