// The memory of the program under test, cut into cells: ranges of bytes that each access touches
// whole or not at all. Every cell is a location of the checker.
//
// Cells are discovered by running the program: an access to bytes that no cell has, or to a part of
// a cell, changes the cells, and the exploration restarts. So an object is one location in all
// executions, and its value before the first access is known.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "fencepost/verify/engine.hpp"
#include "graph/clock.hpp"

namespace fencepost::programs {

// The state of a cell at the current point of an execution.
struct cell_state {
  verify::location at = verify::no_location;
  mutable bool touched = false;  // watched, and accessed in this lifetime
  // In this lifetime only its owner has accessed it, with plain accesses: memory has its value.
  mutable bool is_own = false;
  // It is an atomic object whose location is declared, but whose initial value is not known yet.
  mutable bool is_open = false;
  // Known since before this execution: it is a location from the beginning of its lifetime.
  bool known = false;
};
static_assert(sizeof(cell_state) == 8);  // all of it is copied at once, without padding

struct cell : cell_state {
  cell() = default;
  cell(std::uintptr_t at_address, std::size_t bytes, bool is_atomic = false) noexcept
      : begin(at_address), size(bytes), atomic(is_atomic) {}

  std::uintptr_t begin = 0;
  std::size_t size = 0;
  bool atomic = false;  // if any access to it is: plain ones are then events as well
  // owner: the thread on whose stack it is, or whose thread_local variable. shared: another thread
  // has accessed it in some execution. watched: it was shared before this execution, or is an
  // atomic object on a stack.
  enum : std::uint8_t { nobody = 0xfe, not_asked = 0xff };
  static_assert(verify::max_threads < nobody);
  mutable std::uint8_t owner = not_asked;
  mutable bool shared = false;
  bool watched = false;

  [[nodiscard]] std::uintptr_t end() const noexcept { return begin + size; }
};

// The value that memory has for a cell of at most sixteen bytes. More than eight bytes are
// represented by the engine's number for them.
[[nodiscard]] verify::value bytes_of(const cell&);
// The same, with these bytes from memory and the rest from another value.
verify::value bytes_of(const cell&, verify::value rest, std::uintptr_t begin, std::size_t size);
// Writes these bytes of a value to memory.
void put_bytes(const cell&, verify::value, std::uintptr_t begin, std::size_t size);

class cells {
 public:
  // Returns the cell of an atomic access. Null if it was not known, which it is afterwards.
  const cell* atomic(std::uintptr_t begin, std::size_t size);
  // True if an atomic cell has some of these bytes, but does not consist of exactly these.
  [[nodiscard]] bool is_mixed(std::uintptr_t begin, std::size_t size) const;
  // Adds and splits cells to cover the bytes of a plain access. False if any cell changed.
  bool cover(std::uintptr_t begin, std::size_t size);
  // Objects of different sizes may follow each other at one place of a stack. Each begins with a
  // plain write of its size, made by the code at this address.
  void add_beginning(const void* code, std::uintptr_t begin, std::size_t size);
  [[nodiscard]] bool is_beginning(const void* code, std::uintptr_t begin, std::size_t size) const {
    return !beginnings_.empty() && beginnings_.contains({code, begin, size});
  }
  // Replaces the cells that have these bytes by the object's, until the end of the execution.
  // Returns the range of all new cells. It is empty if plain cells had to be split instead.
  std::pair<std::uintptr_t, std::uintptr_t> begin_object(std::uintptr_t begin, std::size_t size);
  void begin_execution();
  // The cells that have any of these bytes, in order of their addresses.
  template <class F>
  void for_each(std::uintptr_t begin, std::size_t size, F&& f) const {
    for (auto i = first(begin); i != all_.end() && i->first < begin + size; ++i) f(i->second);
  }
  template <class F>
  void change_each(std::uintptr_t begin, std::size_t size, F&& f) {
    for_each(begin, size, [&](const cell& c) { f(const_cast<cell&>(c)); });
  }
  // The same for the cell that has this byte, if there is one.
  template <class F>
  void change_at(std::uintptr_t address, F&& f) {
    const cell* const recent = recent_[slot(address)];
    if (recent != nullptr && recent->begin == address)
      f(const_cast<cell&>(*recent));
    else
      change_each(address, 1, f);
  }
  // Notes that a thread other than its owner has accessed the cell: the exploration restarts.
  void share(const cell& c) noexcept {
    c.shared = true;
    change();
  }
  // Returns the cell that has exactly these bytes, or null. What is in the cache depends on earlier
  // executions, so it must not make any other difference.
  const cell* exact(std::uintptr_t begin, std::size_t size) noexcept {
    const cell* const c = recent_[slot(begin)];
    return c != nullptr && c->begin == begin && c->size == size ? c : find(begin, size);
  }

  // For resume points: the state of each cell.
  using states = std::vector<cell_state>;
  void save(states& s) {
    const std::vector<cell*>& all = in_order();
    s.resize(all.size());
    cell_state* to = s.data();
    for (const cell* const c : all) *to++ = static_cast<const cell_state&>(*c);
  }
  void put_back(const states& s) {
    const cell_state* from = s.data();
    for (cell* const c : in_order()) static_cast<cell_state&>(*c) = *from++;
  }

  template <class F>
  void for_all(F&& f) {
    for (auto& [begin, c] : all_) f(c);
  }
  [[nodiscard]] bool empty() const noexcept { return all_.empty(); }
  // True if anything has changed since the exploration began.
  [[nodiscard]] bool changed() const noexcept { return changed_; }
  void begin_exploration() noexcept { changed_ = false; }

 private:
  using map = std::map<std::uintptr_t, cell>;
  static std::size_t slot(std::uintptr_t begin) noexcept { return begin / 4 % recents; }
  const cell* find(std::uintptr_t begin, std::size_t size) noexcept;
  // The first cell that ends after the address.
  [[nodiscard]] map::const_iterator first(std::uintptr_t begin) const;
  void split(std::uintptr_t at);
  void change() noexcept;
  void forget_places() noexcept {
    recent_.fill(nullptr);
    in_order_.clear();
  }
  const std::vector<cell*>& in_order();
  struct place_of_object {
    std::uintptr_t begin, end, first, last;  // of the object, and of the cells that it replaces
    auto operator<=>(const place_of_object&) const = default;
  };
  struct replaced {
    place_of_object by;
    map cells;
  };

  map take(std::uintptr_t begin, std::uintptr_t end);
  void save(const place_of_object&);
  void save_replaced_by(const place_of_object&);
  [[nodiscard]] bool is_cut(std::uintptr_t at) const;

  static constexpr std::size_t recents = 4096;
  map all_;
  // Caches of the cells that were looked up recently, and of all cells. Empty until they are used.
  std::array<const cell*, recents> recent_{};
  std::vector<cell*> in_order_;
  bool changed_ = false;
  std::set<std::tuple<const void*, std::uintptr_t, std::size_t>> beginnings_;
  bool may_begin_ = true;
  std::map<place_of_object, map> of_objects_;  // what is known of their cells
  std::vector<replaced> replaced_;             // in this execution
};

}  // namespace fencepost::programs
