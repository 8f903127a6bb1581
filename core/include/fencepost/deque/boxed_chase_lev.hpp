// A growing work-stealing deque for items of any movable type, each in a box of its own.
//
// A Chase-Lev deque (chase_lev.hpp) of pointers: an item is moved into memory of its own when it is
// pushed, and the thread that obtains the item obtains that memory with it, as a std::unique_ptr. A
// thief copies a slot before it knows that it may have the item, so the slot can only hold a
// pointer.
//
// Threads: as for chase_lev. Owner: all but steal(); any other thread: steal().
//
// Claims (each a scenario, boxed_chase_lev/…): a box is obtained once, whole, and freed once, also
// when the deque grows or dies with items in it: boxes_are_freed_once, box_goes_to_one. What fails
// loses nothing: core/tests/boxed_chase_lev_test.cpp.
//
// Ordering: that of chase_lev: for any threads X and Y, what X did before it pushed a box is
// visible to Y when steal() has given it the box.
// Progress: that of chase_lev and of the allocator.
// Costs: those of chase_lev, and one allocation per item; a std::unique_ptr that the owner already
// has is pushed as it is.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/chase_lev.hpp"

namespace fencepost {

template <class T, class P = default_atomics>
class boxed_chase_lev {
 public:
  using box = std::unique_ptr<T>;

  // As for chase_lev.
  explicit boxed_chase_lev(std::size_t capacity = chase_lev<T*, P>::default_capacity,
                           std::size_t limit = chase_lev<T*, P>::greatest_capacity)
      : deque_{capacity, limit} {}
  // Destroys the remaining items.
  ~boxed_chase_lev() {
    while (pop() != nullptr) continue;
  }

  // Owner. Constructs an item in a box of its own and adds it. Throws what chase_lev::push() does,
  // std::bad_alloc, and what T's constructor does; nothing has changed then, and the arguments have
  // not been moved from unless it is T's constructor that threw.
  template <class... Arguments>
  void emplace(Arguments&&... arguments) {
    deque_.make_room();  // first: steps that may fail precede those that cannot be undone
    push_into_room(std::make_unique<T>(std::forward<Arguments>(arguments)...));
  }
  void push(const T& item) { emplace(item); }
  void push(T&& item) { emplace(std::move(item)); }
  // Owner. Adds the item in the box, which must not be null; if this throws, the caller still has
  // the box.
  void push(box&& item) {
    deque_.make_room();
    push_into_room(std::move(item));
  }

  // Owner. Takes the item that was pushed last; returns null if there is none.
  [[nodiscard]] box pop() noexcept { return box{deque_.pop().value_or(nullptr)}; }

  // The result of a steal; the box is null unless an item was stolen. unwatched: returned by value.
  struct theft {
    steal_outcome outcome;
    box item;
  };
  // Thief. Takes the oldest item; see chase_lev::steal().
  [[nodiscard]] theft steal() noexcept {
    const auto [outcome, item] = deque_.steal();
    return {outcome, box{item}};
  }

  // Owner. As for chase_lev.
  std::size_t size() const noexcept { return deque_.size(); }
  std::size_t capacity() const noexcept { return deque_.capacity(); }

 private:
  void push_into_room(box item) noexcept {
    deque_.push(item.get());  // there is room, so it does not throw
    static_cast<void>(item.release());
  }

  chase_lev<T*, P> deque_;
};

}  // namespace fencepost
