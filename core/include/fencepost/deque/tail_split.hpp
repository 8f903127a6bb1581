// A work-stealing deque of tasks whose owner pays almost nothing: Lace's split deque.
//
//        tail            split            head
//   ------+----------------+----------------+------------
//         |     shared     |    private     |   free        slots, oldest task first
//   ------+----------------+----------------+------------
//       thieves take here               the owner pushes and pops here
//
// Only the shared part can be stolen, so the owner works on the private part without any
// synchronisation. A thief that finds nothing raises a flag (movesplit); the owner answers by
// sharing half of what is private. When the private part is used up, the owner takes half of what
// is shared back. A stolen task keeps its slot until its thief has completed it: the result comes
// back in place. When all is stolen (allstolen) thieves need not ask, and the next push begins
// anew above the stolen tasks, with one shared task.
//
// Who may call: one thread, the owner, calls everything but steal(); any thread that is not at
// that moment the owner calls steal(). Construction and destruction happen before and after all.
//
// Claims (each under iso_split_word as tail_split/…, under lace_split_word as tail_split_lace/…):
//   every task is obtained exactly once, by the owner or a thief    steal_against_pop
//   ... also the last one, which all want                           last_task_contended
//   ... while the owner shares more                                 grow_against_steal
//   ... while the owner takes tasks back                            shrink_against_steal,
//                                                                   shrink_against_two_thieves
//   ... with two thieves                                            two_thieves
//   ... when a slot and a value of the word come back               word_comes_back
//   ... above stolen tasks and after them                           push_above_stolen
//   a push on a full deque changes nothing                          full_deque_loses_nothing
//   a thief sees the whole task; the owner sees the whole result    result_reaches_owner
//   the owner finds the thief of a stolen task, and can help        owner_finds_thief, leapfrog
//   a thief that asks is answered                                   request_is_answered
//
// Progress: push and pop are wait-free (pop reports a stolen task, it does not wait for it);
// steal is lock-free and never loops.
// Costs: push, one release fence (no instruction on x86), and one locked instruction only when it
// answers a thief (none with lace_split_word); pop, no fence and no locked instruction while the
// task is private, one to three when it takes slots back or answers; steal, one exchange.
// Construction writes to every slot. Nothing is allocated afterwards.
// Source: T. van Dijk and J. van de Pol, "Lace: non-blocking split deque for work-stealing"
// (2014), as of Lace 1.6, with its two flags made atomic.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>

#include "fencepost/atomics/std_atomics.hpp"
#include "fencepost/deque/split_word.hpp"
#include "fencepost/deque/task_slot.hpp"

namespace fencepost {

enum class steal_result : std::uint8_t {
  stolen,       // and the victim shares more
  stolen_last,  // and it was the last that the victim shared
  busy,         // another thread changed the word first: try again
  no_work,      // nothing is shared; the owner has been asked
};

// Task: trivially copyable, at most 56 bytes: a function pointer and 48 bytes of arguments.
template <class Task, class P = std_atomics, template <class> class Word = iso_split_word>
class tail_split {
 public:
  using slot = task_slot<Task, P>;

  static constexpr std::uint32_t max_capacity = 0x7fff'fffe;

  // Room for `capacity` tasks, stolen ones that are not yet retired included.
  // Throws std::length_error beyond max_capacity, and std::bad_alloc.
  explicit tail_split(std::uint32_t capacity)
      : slots_{std::make_unique<slot[]>(checked(capacity))}, owner_{slots_.get(), capacity} {}

  tail_split(const tail_split&) = delete;
  tail_split& operator=(const tail_split&) = delete;

  // Owner. Adds a task; false, and nothing has changed, when the deque is full: run the task
  // instead. `fill` is called with a Task& to write to, in place.
  [[nodiscard]] bool try_push(const Task& task);
  template <class Fill>
  [[nodiscard]] bool try_emplace(Fill&& fill);
  // The same; a full deque throws std::length_error, and nothing has changed.
  void push(const Task& task);

  // Owner; the deque is not empty. Takes back the task that was pushed last: its slot, which is
  // the caller's until the next push. Null if it was stolen: then it stays on top until retire().
  [[nodiscard]] slot* pop() noexcept;
  // Owner; the deque is not empty. The slot of the task that was pushed last.
  slot& top() noexcept { return owner_.slots[owner_.head - 1]; }
  // Owner. Removes the top task, which pop() has called stolen and top().completed() done.
  // Tasks pushed since then have been popped again.
  void retire() noexcept;

  // Owner. Answers a thief that has asked, for owners that neither push nor pop for a while.
  void answer() noexcept;
  // Owner. Shares all that is private.
  void share_all() noexcept;

  // Owner. Tasks that are not popped or retired, stolen ones included.
  std::uint32_t size() const noexcept { return owner_.head; }
  bool empty() const noexcept { return owner_.head == 0; }
  std::uint32_t capacity() const noexcept { return owner_.capacity; }

  // What a thief came back with. The task is set when it was stolen: run it, write the result to
  // it, and call complete().
  struct theft {
    steal_result result;
    slot* task = nullptr;
  };
  // Thief. Takes the oldest shared task. `thief`, an object's address, is the name that the owner
  // finds in the slot; see task_slot::thief().
  [[nodiscard]] theft steal(void* thief) noexcept;

 private:
  static std::uint32_t checked(std::uint32_t capacity);
  [[noreturn]] static void overflow(std::uint32_t capacity);

  // Out of line, so that the fast paths of push and pop are all that is inlined.
  [[gnu::noinline]] bool push_slow(std::uint32_t at) noexcept;
  [[gnu::noinline]] slot* pop_slow(std::uint32_t last) noexcept;
  void begin_anew(std::uint32_t at) noexcept;
  void grow(std::uint32_t end) noexcept;
  bool shrink() noexcept;
  slot* take_back(std::uint32_t last) noexcept;
  void set_allstolen() noexcept;

  static constexpr std::size_t cache_line = 64;

  // What thieves read, and the owner writes now and then. Both flags are hints, relaxed: a thief
  // that reads an old value comes back with no_work or asks once too often.
  alignas(cache_line) Word<P> word_;
  typename P::template atomic<bool> allstolen_{true};
  const std::unique_ptr<slot[]> slots_;

  // What thieves write, and the owner reads at each push and pop.
  alignas(cache_line) typename P::template atomic<bool> movesplit_{false};

  // The owner's alone.
  struct alignas(cache_line) owner_side {
    slot* slots;  // slots_, on a line that thieves do not touch
    std::uint32_t capacity;
    std::uint32_t head = 0;   // one past the task that was pushed last
    std::uint32_t split = 0;  // the word's, which no one else moves; <= head unless all is stolen
    bool allstolen = true;    // every task is stolen; the public flag's twin
  };
  owner_side owner_;
};

template <class Task, class P, template <class> class Word>
template <class Fill>
bool tail_split<Task, P, Word>::try_emplace(Fill&& fill) {
  const std::uint32_t head = owner_.head;
  if (head == owner_.capacity) [[unlikely]] {
    return false;
  }
  slot& s = owner_.slots[head];
  fill(s.task.write());
  s.offer();
  // Release: pairs with the acquire in Word::take(). A fence, not a release store of the word:
  // it covers whichever later store moves the split over this task, those of pop() included.
  P::fence(std::memory_order_release);
  owner_.head = head + 1;
  if (owner_.allstolen || movesplit_.load(std::memory_order_relaxed)) [[unlikely]] {
    return push_slow(head);
  }
  return true;
}

template <class Task, class P, template <class> class Word>
bool tail_split<Task, P, Word>::try_push(const Task& task) {
  return try_emplace([&task](Task& in_place) { in_place = task; });
}

template <class Task, class P, template <class> class Word>
void tail_split<Task, P, Word>::push(const Task& task) {
  if (!try_push(task)) [[unlikely]] {
    overflow(owner_.capacity);
  }
}

// The task in slot `at` is new, and thieves have a claim to it. True, for the sake of a tail call.
template <class Task, class P, template <class> class Word>
bool tail_split<Task, P, Word>::push_slow(std::uint32_t at) noexcept {
  if (owner_.allstolen) {
    begin_anew(at);
  } else {
    grow(at + 1);
  }
  return true;
}

// Below the new task, in slot `at`, all is stolen: no thief takes anything until the word is
// stored.
template <class Task, class P, template <class> class Word>
inline void tail_split<Task, P, Word>::begin_anew(std::uint32_t at) noexcept {
  const split_point anew = split_point::rebased(at);
  if (movesplit_.load(std::memory_order_relaxed)) {
    movesplit_.store(false, std::memory_order_relaxed);  // answered by what follows
  }
  word_.rebase(anew);
  owner_.split = anew.split;
  owner_.allstolen = false;
  allstolen_.store(false, std::memory_order_relaxed);
}

// Shares half of the private tasks, which end before `end`.
template <class Task, class P, template <class> class Word>
inline void tail_split<Task, P, Word>::grow(std::uint32_t end) noexcept {
  const std::uint32_t split = split_point{0, owner_.split}.grown(end).split;
  if (split != owner_.split) {
    word_.raise(owner_.split, split);
    owner_.split = split;
  }
  // A request that this overwrites was made by a thief that can see it answered when it asks again.
  movesplit_.store(false, std::memory_order_relaxed);
}

template <class Task, class P, template <class> class Word>
inline auto tail_split<Task, P, Word>::pop() noexcept -> slot* {
  assert(!empty());
  const std::uint32_t last = owner_.head - 1;
  if (movesplit_.load(std::memory_order_relaxed) || owner_.split > last) [[unlikely]] {
    return pop_slow(last);
  }
  return take_back(last);
}

template <class Task, class P, template <class> class Word>
auto tail_split<Task, P, Word>::pop_slow(std::uint32_t last) noexcept -> slot* {
  if (owner_.allstolen || (owner_.split > last && shrink())) return nullptr;
  if (movesplit_.load(std::memory_order_relaxed)) grow(last);
  return take_back(last);
}

// Lowers the split half way to the tail; true if it came too late, and all is stolen.
template <class Task, class P, template <class> class Word>
inline bool tail_split<Task, P, Word>::shrink() noexcept {
  const split_point before = word_.load();
  if (before.stealable()) {
    std::uint32_t split = before.shrunk().split;
    const std::uint32_t tail = word_.lower(before.split, split);
    if (tail != before.split) {
      // Thieves were faster than this, but not all the way: share anew half of what they left.
      if (split_point::before(split, tail)) {
        const std::uint32_t again = split_point{tail, before.split}.shrunk().split;
        word_.raise(split, again);
        split = again;
      }
      owner_.split = split;
      return false;
    }
  }
  set_allstolen();
  return true;
}

template <class Task, class P, template <class> class Word>
inline auto tail_split<Task, P, Word>::take_back(std::uint32_t last) noexcept -> slot* {
  owner_.head = last;
  slot& s = owner_.slots[last];
  s.clear();
  return &s;
}

template <class Task, class P, template <class> class Word>
void tail_split<Task, P, Word>::retire() noexcept {
  assert(!empty());
  take_back(owner_.head - 1);
  // Tasks pushed above this one and popped again have left tail == split == the old head.
  if (!owner_.allstolen) set_allstolen();
}

template <class Task, class P, template <class> class Word>
inline void tail_split<Task, P, Word>::set_allstolen() noexcept {
  owner_.allstolen = true;
  allstolen_.store(true, std::memory_order_relaxed);
}

template <class Task, class P, template <class> class Word>
void tail_split<Task, P, Word>::answer() noexcept {
  if (!owner_.allstolen && movesplit_.load(std::memory_order_relaxed)) grow(owner_.head);
}

template <class Task, class P, template <class> class Word>
void tail_split<Task, P, Word>::share_all() noexcept {
  if (owner_.allstolen || owner_.split == owner_.head) return;
  word_.raise(owner_.split, owner_.head);
  owner_.split = owner_.head;
}

template <class Task, class P, template <class> class Word>
inline auto tail_split<Task, P, Word>::steal(void* thief) noexcept -> theft {
  if (allstolen_.load(std::memory_order_relaxed)) return {steal_result::no_work};
  const split_point seen = word_.load();
  if (!seen.stealable()) {
    // Written only when it must be, so that asking thieves do not fight for the line.
    if (!movesplit_.load(std::memory_order_relaxed)) {
      movesplit_.store(true, std::memory_order_relaxed);
    }
    return {steal_result::no_work};
  }
  if (!word_.take(seen)) return {steal_result::busy};
  slot& s = slots_[seen.tail];  // only now: before the exchange it may be another's
  s.name_thief(thief);
  return {seen.stolen().stealable() ? steal_result::stolen : steal_result::stolen_last, &s};
}

template <class Task, class P, template <class> class Word>
std::uint32_t tail_split<Task, P, Word>::checked(std::uint32_t capacity) {
  if (capacity <= max_capacity) return capacity;
  throw std::length_error("tail_split: a capacity of " + std::to_string(capacity) +
                          " tasks is too large; at most " + std::to_string(max_capacity));
}

template <class Task, class P, template <class> class Word>
void tail_split<Task, P, Word>::overflow(std::uint32_t capacity) {
  throw std::length_error("tail_split: full, all " + std::to_string(capacity) +
                          " slots are in use; construct it with a larger capacity, or run the "
                          "task when try_push() refuses it");
}

}  // namespace fencepost
