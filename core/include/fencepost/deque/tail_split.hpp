// A work-stealing deque of tasks whose owner pays almost nothing: Lace's split deque.
//
//        tail            split            head
//   ------+----------------+----------------+------------
//         |     shared     |    private     |   free        slots, oldest task first
//   ------+----------------+----------------+------------
//       thieves take here               the owner pushes and pops here
//
// Only the shared part can be stolen, so the owner works on the private part without any
// synchronization. A thief that finds nothing raises a flag (movesplit); the owner answers by
// sharing half of its private tasks. When the private part is used up, the owner takes half of the
// shared tasks back. A stolen task keeps its slot until its thief has completed it: the result is
// returned in place. When every task is stolen (allstolen) thieves need not ask, and the next push
// restarts above the stolen tasks, with one shared task. A frame hides the current tasks, so that
// all workers can do something else meanwhile.
//
// Threads: one thread, the owner, calls everything but steal() and ask(), which are for threads
// that are not the owner then; any thread calls shared(). Construction and destruction happen
// before and after all.
//
// Claims (each under iso_split_word as tail_split/…, under lace_split_word as tail_split_lace/…):
//   every task is obtained exactly once, by the owner or a thief    steal_against_pop
//   ... also the last one, contended by all                         last_task_contended
//   ... while the owner shares more                                 grow_against_steal
//   ... while the owner takes tasks back                            shrink_against_steal,
//                                                                   shrink_against_two_thieves
//   ... with two thieves                                            two_thieves
//   ... when a slot is reused and a value of the word recurs        word_comes_back
//   ... above stolen tasks and after them                           push_above_stolen
//   a push on a full deque changes nothing                          full_deque_loses_nothing
//   a thief sees the whole task; the owner sees the whole result    result_reaches_owner,
//                                                                   slot_is_used_again
//   the owner finds the thief of a stolen task, and can help        owner_finds_thief, leapfrog
//   a request is answered                                           request_is_answered,
//                                                                   request_waits_for_work
//   slots may be constructed as they are needed                     slots_made_late,
//                                                                   made_above_stolen
//   hidden tasks are not taken, and return when the frame ends      frame_hides_and_gives_back
//   the operations are linearizable                                 linearizable,
//                                                                   linearizable_with_two_thieves
//
// Ordering: for any threads X and Y: everything sequenced before a try_emplace() of X, the owner,
// happens before the return of Y's steal() of that task; everything before Y's complete() happens
// before a top().completed() of X that returns true. A push does not order a store of X before a
// later load of X.
// Progress: push and pop are wait-free (pop reports a stolen task, it does not wait for it);
// steal is lock-free and never loops.
// Costs: push, one release fence (no instruction on x86), and one locked instruction only when it
// answers a thief (none with lace_split_word); pop, no fence and no locked instruction while the
// task is private, one to three when it takes slots back or answers; steal, one exchange.
// After construction nothing is allocated except by Slots (slot_storage.hpp).
// Source: T. van Dijk and J. van de Pol, "Lace: non-blocking split deque for work-stealing"
// (2014), as of Lace 1.6, with its two flags made atomic.
#pragma once

#include <atomic>
#include <cassert>
#include <cstdint>
#include <string>

#include "fencepost/atomics/default_atomics.hpp"
#include "fencepost/deque/slot_storage.hpp"
#include "fencepost/deque/split_move.hpp"
#include "fencepost/deque/split_word.hpp"
#include "fencepost/deque/steal_outcome.hpp"
#include "fencepost/deque/task_slot.hpp"
#include "fencepost/exceptions.hpp"

namespace fencepost {

struct nobody_is_told {  // The default callback: does nothing. See pop() and steal().
  void operator()() const noexcept {}
  void operator()(split_move) const noexcept {}
};

// Task: trivially copyable, at most 56 bytes: a function pointer and 48 bytes of arguments.
template <class Task, class P = default_atomics, template <class> class Word = iso_split_word,
          template <class> class Slots = heap_slots>
class tail_split {
 public:
  using slot = task_slot<Task, P>;

  static constexpr std::uint32_t max_capacity = 0x7fff'fffe;

  // Room for `capacity` tasks, stolen ones that are not yet retired included.
  // Throws std::length_error beyond max_capacity, and what Slots throws.
  explicit tail_split(std::uint32_t capacity)
      : storage_{checked(capacity)}, slots_{storage_.first()} {
    owner_.begin(slots_);
  }

  tail_split(const tail_split&) = delete;
  tail_split& operator=(const tail_split&) = delete;

  // Owner. Adds a task; returns false when the deque is full, and then nothing has changed: run the
  // task instead. `fill` is called with a Task& to write to, in place.
  [[nodiscard]] bool try_push(const Task& task);
  template <class Fill, class OnMove = nobody_is_told>
  [[nodiscard]] bool try_emplace(Fill&& fill, OnMove on_move = {});
  // The same; throws std::length_error when the deque is full, and then nothing has changed.
  void push(const Task& task);

  // Owner; the deque is not empty. Takes back the newest task; returns its slot, which is the
  // caller's until the next push, or null if the task was stolen: then it stays on top until
  // retire(). `on_move`, here and in the other functions that take it, is called after the split
  // has moved: if more tasks are shared now, wake sleeping thieves.
  template <class OnMove = nobody_is_told>
  [[nodiscard]] slot* pop(OnMove on_move = {}) noexcept {
    return pop_below(owner_.head, on_move);
  }
  // The same for an owner that has head() at hand, which need not wait until it is loaded.
  template <class OnMove = nobody_is_told>
  [[nodiscard]] slot* pop_below(const slot* head, OnMove on_move = {}) noexcept;
  // Owner; the deque is not empty. The slot of the newest task.
  slot& top() noexcept { return owner_.head[-1]; }
  // Owner. Removes the top task, which pop() has reported as stolen and top().completed() as done.
  // Tasks pushed since then must have been popped again.
  void retire() noexcept;

  // Owner. Answers a thief's request, for owners that neither push nor pop for a while.
  template <class OnMove = nobody_is_told>
  void answer(OnMove on_move = {}) noexcept;
  // Owner. Shares every private task.
  template <class OnMove = nobody_is_told>
  void share_all(OnMove on_move = {}) noexcept;

  // Owner. Whether there is no task that a thief could take, now or after an answer. Tasks may be
  // stolen at any moment: false is a guess.
  bool drained() const noexcept {
    return owner_.all_stolen() || (owner_.split == owner_.head && !word_.load().stealable());
  }

  // Any thread. How many tasks a thief could take, as of some moment.
  std::uint32_t shared() const noexcept {
    const split_point seen = word_.load();
    return seen.stealable() ? seen.split - seen.tail : 0;
  }

  // Owner. The number of tasks not popped or retired, stolen ones included, in this frame.
  std::uint32_t size() const noexcept {
    return static_cast<std::uint32_t>(owner_.head - owner_.bottom);
  }
  bool empty() const noexcept { return owner_.head == owner_.bottom; }
  // Owner. The slot of the next task, which identifies that task for as long as the task is there.
  const slot* head() const noexcept { return owner_.head; }
  std::uint32_t capacity() const noexcept { return storage_.capacity(); }

  // The state before a frame. unwatched: the owner's.
  class outer {
    friend class tail_split;
    slot* bottom_;
    slot* limit_;
    slot* split_;
    split_point shared_;
  };
  // Owner. No thief may be active between this worker's call and those of all others: use a barrier
  // before and after each call. The deque appears empty until leave_frame(), and must be empty
  // again then.
  [[nodiscard]] outer enter_frame() noexcept;
  void leave_frame(const outer& hidden) noexcept;

  // The result of a steal. The task is set if one was stolen: run it, write the result to it, and
  // call complete(). unwatched: returned by value.
  struct theft {
    steal_outcome outcome;
    slot* task = nullptr;
  };
  // Thief. Takes the oldest shared task. `thief`, an object's address, is the name that the owner
  // finds in the slot; see task_slot::thief(). `on_ask` is called if this thief was the first to
  // ask for more.
  template <class OnAsk = nobody_is_told>
  [[nodiscard]] theft steal(void* thief, OnAsk on_ask = {}) noexcept;
  // Thief. Asks the owner to share more, on behalf of other thieves, as a steal() that finds
  // nothing shared does. Returns false if there is a request already.
  bool ask() noexcept;

 private:
  static std::uint32_t checked(std::uint32_t capacity);
  [[noreturn]] static void overflow(std::uint32_t capacity);

  // Out of line, so that only the fast paths of push and pop are inlined.
  FENCEPOST_NOINLINE bool make_room() noexcept;
  template <class OnMove>
  FENCEPOST_NOINLINE bool push_slow(slot* at, OnMove on_move) noexcept;
  template <class OnMove>
  FENCEPOST_NOINLINE bool pop_slow(slot* last, OnMove on_move) noexcept;
  void begin_anew(slot* at) noexcept;
  bool grow(slot* end) noexcept;
  bool shrink() noexcept;
  void all_is_stolen(bool is) noexcept;

  std::uint32_t index(const slot* s) const noexcept {
    return static_cast<std::uint32_t>(s - owner_.slots);
  }

  static constexpr std::size_t cache_line = 64;

  // Written by thieves, and read by the owner at each push and pop.
  alignas(cache_line) typename P::template atomic<bool> movesplit_{false};

  // Read by thieves, and written by the owner now and then. Both flags are hints, relaxed: a thief
  // that reads an old value returns no_work or asks once too often.
  alignas(cache_line) Word<P> word_;
  typename P::template atomic<bool> allstolen_{true};

  Slots<slot> storage_;
  slot* const slots_;  // unwatched: never changed.

  // unwatched: the owner's alone. push and pop access the first three. It is the last member, on a
  // line that thieves do not touch and that has room for more of the owner's data.
  struct owner_side {
    void begin(slot* first) noexcept { head = limit = split = slots = bottom = first; }
    bool all_stolen() const noexcept { return limit == slots; }
    slot* head;    // one past the task that was pushed last
    slot* limit;   // push takes its fast path below this: the end of the slots that are made, or
                   // their beginning if all is stolen, as allstolen_ says
    slot* split;   // the word's, which no other thread moves; <= head unless all is stolen
    slot* slots;   // slots_, on a line that thieves do not touch
    slot* bottom;  // where the frame begins
  };
  alignas(cache_line) owner_side owner_;
};

template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class Fill, class OnMove>
bool tail_split<Task, P, Word, Slots>::try_emplace(Fill&& fill, OnMove on_move) {
  slot* const at = owner_.head;
  const bool plain = at < owner_.limit;
  if (!plain && !make_room()) [[unlikely]]
    return false;
  fill(at->task.write());
  // [push.fence] release, with [split_word.hpp/iso.take], [split_word.hpp/lace.take]: the thief
  // then observes the task. A fence, not a release store of the word: it covers whichever later
  // store moves the split over this task, those of pop() included.
  P::fence(std::memory_order_release);
  owner_.head = at + 1;
  // [push.asked] relaxed, with [steal.ask]: a hint.
  if (!plain || movesplit_.load(std::memory_order_relaxed)) [[unlikely]] {
    return push_slow(at, on_move);
  }
  return true;
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
bool tail_split<Task, P, Word, Slots>::try_push(const Task& task) {
  return try_emplace([&task](Task& in_place) { in_place = task; });
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
void tail_split<Task, P, Word, Slots>::push(const Task& task) {
  if (!try_push(task)) [[unlikely]] {
    overflow(capacity());
  }
}

// Makes a slot for another task if there is none; returns false if that is impossible.
template <class Task, class P, template <class> class Word, template <class> class Slots>
bool tail_split<Task, P, Word, Slots>::make_room() noexcept {
  if (owner_.head != storage_.last_made()) return true;
  if (!storage_.extend()) return false;
  if (!owner_.all_stolen()) owner_.limit = storage_.last_made();
  return true;
}

// The slow path of a push to slot `at`: shares the task if thieves need it. Returns true, for a
// tail call.
template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnMove>
bool tail_split<Task, P, Word, Slots>::push_slow(slot* at, OnMove on_move) noexcept {
  if (owner_.all_stolen()) {
    begin_anew(at);
    on_move(split_move::begun);
    // [push.asked_still] relaxed, with [steal.ask]: a hint.
  } else if (movesplit_.load(std::memory_order_relaxed) && grow(at + 1)) {
    on_move(split_move::raised);
  }
  return true;
}

// Starts again with the new task, in slot `at`, as the only shared one. All tasks below it are
// stolen: no thief takes anything until the word is stored.
template <class Task, class P, template <class> class Word, template <class> class Slots>
inline void tail_split<Task, P, Word, Slots>::begin_anew(slot* at) noexcept {
  // [begin_anew.asked] relaxed, with [steal.ask]: a hint.
  if (movesplit_.load(std::memory_order_relaxed)) {
    // [begin_anew.answer] relaxed, with [steal.asked]: what follows is the answer.
    movesplit_.store(false, std::memory_order_relaxed);
  }
  word_.rebase(split_point::rebased(index(at)));
  owner_.split = at + 1;
  all_is_stolen(false);
}

// Shares half of the private tasks, which end before `end`; returns false if there are none. Then
// the request stays: the thief that made it may sleep, and not ask again.
template <class Task, class P, template <class> class Word, template <class> class Slots>
inline bool tail_split<Task, P, Word, Slots>::grow(slot* end) noexcept {
  const std::uint32_t from = index(owner_.split);
  const std::uint32_t to = split_point{0, from}.grown(index(end)).split;
  if (to == from) return false;
  word_.raise(from, to);
  owner_.split = owner_.slots + to;
  // [grow.answer] relaxed, with [steal.asked]: a request that this overwrites was made by a thief
  // that can see it answered when it asks again.
  movesplit_.store(false, std::memory_order_relaxed);
  return true;
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnMove>
inline auto tail_split<Task, P, Word, Slots>::pop_below(const slot* head, OnMove on_move) noexcept
    -> slot* {
  assert(!empty() && head == owner_.head);
  slot* const last = const_cast<slot*>(head) - 1;
  // [pop.asked] relaxed, with [steal.ask]: a hint.
  if (movesplit_.load(std::memory_order_relaxed) || owner_.split > last) [[unlikely]] {
    if (!pop_slow(last, on_move)) return nullptr;
  }
  return owner_.head = last;
}

// The slow path of a pop: true if slot `last`, which may be shared, is the owner's. Answers a
// request.
template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnMove>
bool tail_split<Task, P, Word, Slots>::pop_slow(slot* last, OnMove on_move) noexcept {
  if (owner_.all_stolen()) return false;
  if (owner_.split > last) {
    if (shrink()) return false;
    on_move(split_move::lowered);
  }
  // [pop.asked_still] relaxed, with [steal.ask]: a hint.
  if (movesplit_.load(std::memory_order_relaxed) && grow(last)) on_move(split_move::raised);
  return true;
}

// Lowers the split half way to the tail; returns true if that came too late and all is stolen.
template <class Task, class P, template <class> class Word, template <class> class Slots>
inline bool tail_split<Task, P, Word, Slots>::shrink() noexcept {
  const split_point before = word_.load();
  if (before.stealable()) {
    std::uint32_t split = before.shrunk().split;
    const std::uint32_t tail = word_.lower(before.split, split);
    if (tail != before.split) {
      // Thieves have taken tasks above the new split, but not all: share half of what they left.
      if (split_point::before(split, tail)) {
        const std::uint32_t again = split_point{tail, before.split}.shrunk().split;
        word_.raise(split, again);
        split = again;
      }
      owner_.split = owner_.slots + split;
      return false;
    }
  }
  all_is_stolen(true);
  return true;
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
void tail_split<Task, P, Word, Slots>::retire() noexcept {
  assert(!empty());
  --owner_.head;
  owner_.head->retired();
  // Tasks pushed above this one and popped again have left tail == split == the old head.
  if (!owner_.all_stolen()) all_is_stolen(true);
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
inline void tail_split<Task, P, Word, Slots>::all_is_stolen(bool is) noexcept {
  owner_.limit = is ? owner_.slots : storage_.last_made();
  // [all_stolen] relaxed, with [steal.all_stolen]: a hint.
  allstolen_.store(is, std::memory_order_relaxed);
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnMove>
void tail_split<Task, P, Word, Slots>::answer(OnMove on_move) noexcept {
  // [answer.asked] relaxed, with [steal.ask]: a hint.
  if (owner_.all_stolen() || !movesplit_.load(std::memory_order_relaxed)) return;
  if (grow(owner_.head)) on_move(split_move::raised);
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnMove>
void tail_split<Task, P, Word, Slots>::share_all(OnMove on_move) noexcept {
  if (owner_.all_stolen() || owner_.split == owner_.head) return;
  word_.raise(index(owner_.split), index(owner_.head));
  owner_.split = owner_.head;
  on_move(split_move::raised);
}

// The word's loads and stores here and in leave_frame() are relaxed: the barriers order them.
template <class Task, class P, template <class> class Word, template <class> class Slots>
auto tail_split<Task, P, Word, Slots>::enter_frame() noexcept -> outer {
  outer hidden;
  hidden.bottom_ = owner_.bottom;
  hidden.limit_ = owner_.limit;
  hidden.split_ = owner_.split;
  hidden.shared_ = word_.load();
  owner_.bottom = owner_.split = owner_.head;
  word_.rebase({index(owner_.head), index(owner_.head)});
  all_is_stolen(true);
  return hidden;
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
void tail_split<Task, P, Word, Slots>::leave_frame(const outer& hidden) noexcept {
  assert(empty() && "tail_split: a frame ends with the tasks that were pushed in it");
  owner_.bottom = hidden.bottom_;
  owner_.split = hidden.split_;
  word_.rebase(hidden.shared_);
  all_is_stolen(hidden.limit_ == owner_.slots);
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
template <class OnAsk>
inline auto tail_split<Task, P, Word, Slots>::steal(void* thief, OnAsk on_ask) noexcept -> theft {
  // [steal.all_stolen] relaxed, with [all_stolen]: a hint.
  if (allstolen_.load(std::memory_order_relaxed)) return {steal_outcome::no_work};
  const split_point seen = word_.load();
  if (!seen.stealable()) {
    if (ask()) on_ask();
    return {steal_outcome::no_work};
  }
  if (!word_.take(seen)) return {steal_outcome::retry};
  slot& s = slots_[seen.tail];  // only now: before the exchange it may be another thief's
  s.name_thief(thief);
  return {seen.stolen().stealable() ? steal_outcome::stolen : steal_outcome::stolen_last, &s};
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
inline bool tail_split<Task, P, Word, Slots>::ask() noexcept {
  // Written only if necessary, so that thieves that ask do not contend for the line.
  // [steal.asked] relaxed, with [begin_anew.answer], [grow.answer]: a hint.
  if (movesplit_.load(std::memory_order_relaxed)) return false;
  // [steal.ask] relaxed, with [push.asked], [push.asked_still], [begin_anew.asked], [pop.asked],
  // [pop.asked_still], [answer.asked]: a hint.
  movesplit_.store(true, std::memory_order_relaxed);
  return true;
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
std::uint32_t tail_split<Task, P, Word, Slots>::checked(std::uint32_t capacity) {
  if (capacity <= max_capacity) return capacity;
  detail::raise<std::length_error>("tail_split: a capacity of " + std::to_string(capacity) +
                                   " tasks is too large; at most " + std::to_string(max_capacity));
}

template <class Task, class P, template <class> class Word, template <class> class Slots>
void tail_split<Task, P, Word, Slots>::overflow(std::uint32_t capacity) {
  detail::raise<std::length_error>(
      "tail_split: full, all " + std::to_string(capacity) +
      " slots are in use; construct it with a larger capacity, or run the "
      "task when try_push() refuses it");
}

}  // namespace fencepost
