// The same deque written on std::atomic and plain data directly, without a policy: what
// component.cpp is allowed to cost. The headers of the deque have the comments.
#include <atomic>
#include <cstdint>

#include "fencepost/deque/split_word.hpp"  // for split_point, plain arithmetic

namespace codegen {

using fencepost::split_point;
constexpr auto relaxed = std::memory_order_relaxed;

struct alignas(64) slot {
  long task;
  alignas(8) std::atomic<std::uintptr_t> state;
};

struct iso_word {
  std::atomic<std::uint64_t> bits;

  static std::uint64_t difference(std::uint32_t from, std::uint32_t to) {
    return std::uint64_t{to - from} << 32;
  }
  split_point load() const { return split_point::unpack(bits.load(relaxed)); }
  void rebase(split_point to) { bits.store(to.pack(), relaxed); }
  void raise(std::uint32_t from, std::uint32_t to) {
    bits.fetch_add(difference(from, to), relaxed);
  }
  std::uint32_t lower(std::uint32_t from, std::uint32_t to) {
    return split_point::unpack(bits.fetch_add(difference(from, to), relaxed)).tail;
  }
  bool take(split_point seen) {
    std::uint64_t expected = seen.pack();
    return bits.compare_exchange_weak(expected, seen.stolen().pack(), std::memory_order_acquire,
                                      relaxed);
  }
};

enum class result : std::uint8_t { stolen, stolen_last, busy, no_work };
struct theft {
  result what;
  slot* task = nullptr;
};

struct nobody_is_told {
  void operator()(int) const {}
};

template <class Task>  // a template, so that it is linked like one
struct deque_of {
  alignas(64) std::atomic<bool> movesplit;

  alignas(64) iso_word word;
  std::atomic<bool> allstolen;

  // The slots, all created at the beginning.
  slot* first;
  std::uint32_t capacity;
  slot* last_made() const { return first + capacity; }

  slot* slots;

  struct owner_side {
    bool all_stolen() const { return limit == slots; }
    slot* head;
    slot* limit;
    slot* split;
    slot* slots;
    slot* bottom;
  };
  alignas(64) owner_side own;

  std::uint32_t index(const slot* s) const { return static_cast<std::uint32_t>(s - own.slots); }

  void all_is_stolen(bool is) {
    own.limit = is ? own.slots : last_made();
    allstolen.store(is, relaxed);
  }
  void begin_anew(slot* at) {
    if (movesplit.load(relaxed)) movesplit.store(false, relaxed);
    word.rebase(split_point::rebased(index(at)));
    own.split = at + 1;
    all_is_stolen(false);
  }
  bool grow(slot* end) {
    const std::uint32_t from = index(own.split);
    const std::uint32_t to = split_point{0, from}.grown(index(end)).split;
    if (to == from) return false;
    word.raise(from, to);
    own.split = own.slots + to;
    movesplit.store(false, relaxed);
    return true;
  }
  bool push(Task task) {
    slot* const at = own.head;
    const bool plain = at < own.limit;
    if (!plain && !make_room()) [[unlikely]]
      return false;
    at->task = task;
    std::atomic_thread_fence(std::memory_order_release);
    own.head = at + 1;
    if (!plain || movesplit.load(relaxed)) [[unlikely]]
      return push_slow(at, nobody_is_told{});
    return true;
  }
  bool make_room();
  template <class OnMove>
  bool push_slow(slot* at, OnMove on_move);

  bool shrink() {
    const split_point before = word.load();
    if (before.stealable()) {
      std::uint32_t split = before.shrunk().split;
      const std::uint32_t tail = word.lower(before.split, split);
      if (tail != before.split) {
        if (split_point::before(split, tail)) {
          const std::uint32_t again = split_point{tail, before.split}.shrunk().split;
          word.raise(split, again);
          split = again;
        }
        own.split = own.slots + split;
        return false;
      }
    }
    all_is_stolen(true);
    return true;
  }
  slot* pop() {
    slot* const last = own.head - 1;
    if (movesplit.load(relaxed) || own.split > last) [[unlikely]] {
      if (!pop_slow(last, nobody_is_told{})) return nullptr;
    }
    return own.head = last;
  }
  template <class OnMove>
  bool pop_slow(slot* last, OnMove on_move);

  theft steal(void* thief) {
    if (allstolen.load(relaxed)) return {result::no_work};
    const split_point seen = word.load();
    if (!seen.stealable()) {
      if (!movesplit.load(relaxed)) movesplit.store(true, relaxed);
      return {result::no_work};
    }
    if (!word.take(seen)) return {result::busy};
    slot& s = slots[seen.tail];
    s.state.store(reinterpret_cast<std::uintptr_t>(thief), relaxed);
    return {seen.stolen().stealable() ? result::stolen : result::stolen_last, &s};
  }
};

template <class Task>
[[gnu::noinline]] bool deque_of<Task>::make_room() {
  if (own.head != last_made()) return true;
  return false;  // no more can be created
}

template <class Task>
template <class OnMove>
[[gnu::noinline]] bool deque_of<Task>::push_slow(slot* at, OnMove on_move) {
  if (own.all_stolen()) {
    begin_anew(at);
  } else if (movesplit.load(relaxed) && grow(at + 1)) {
    on_move(0);
  }
  return true;
}

template <class Task>
template <class OnMove>
[[gnu::noinline]] bool deque_of<Task>::pop_slow(slot* last, OnMove on_move) {
  if (own.all_stolen()) return false;
  if (own.split > last) {
    if (shrink()) return false;
    on_move(0);
  }
  if (movesplit.load(relaxed) && grow(last)) on_move(0);
  return true;
}

using deque = deque_of<long>;

inline bool push(deque& d, long task) { return d.push(task); }
inline slot* pop(deque& d) { return d.pop(); }
inline int steal(deque& d, void* thief, long& task) {
  const theft t = d.steal(thief);
  if (t.task != nullptr) task = t.task->task;
  return static_cast<int>(t.what);
}

inline void complete(slot& s, long result) {
  s.task = result;
  s.state.store(1, std::memory_order_release);
}
inline bool completed(const slot& s, long& result) {
  if (s.state.load(relaxed) != 1) return false;
  std::atomic_thread_fence(std::memory_order_acquire);
  result = s.task;
  return true;
}

// Lace's word, on the compiler's builtins.
struct word {
  alignas(8) std::uint64_t bits;
};
using half = std::uint32_t __attribute__((may_alias));

inline std::uint64_t load(const word& w) { return __atomic_load_n(&w.bits, __ATOMIC_RELAXED); }
inline bool take(word& w, std::uint64_t seen) {
  const std::uint64_t stolen = split_point::unpack(seen).stolen().pack();
  return __atomic_compare_exchange_n(&w.bits, &seen, stolen, true, __ATOMIC_SEQ_CST,
                                     __ATOMIC_RELAXED);
}
inline void raise(word& w, std::uint32_t to) {
  __atomic_store_n(reinterpret_cast<half*>(&w.bits) + 1, to, __ATOMIC_RELAXED);
}
inline std::uint32_t lower(word& w, std::uint32_t to) {
  __atomic_store_n(reinterpret_cast<half*>(&w.bits) + 1, to, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return __atomic_load_n(reinterpret_cast<half*>(&w.bits), __ATOMIC_RELAXED);
}

}  // namespace codegen

#include "operations.hpp"
