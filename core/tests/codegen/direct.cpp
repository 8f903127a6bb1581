// The same deque written on std::atomic and plain data directly, without a policy: what
// component.cpp must cost. Comments are in the headers of the deque.
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

template <class Task>  // a template, to be linked as one
struct deque_of {
  alignas(64) iso_word word;
  std::atomic<bool> allstolen;
  slot* slots;

  alignas(64) std::atomic<bool> movesplit;

  struct alignas(64) {
    slot* slots;
    std::uint32_t capacity;
    std::uint32_t head;
    std::uint32_t split;
    bool allstolen;
  } own;

  void begin_anew(std::uint32_t at) {
    const split_point anew = split_point::rebased(at);
    if (movesplit.load(relaxed)) movesplit.store(false, relaxed);
    word.rebase(anew);
    own.split = anew.split;
    own.allstolen = false;
    allstolen.store(false, relaxed);
  }
  void grow(std::uint32_t end) {
    const std::uint32_t split = split_point{0, own.split}.grown(end).split;
    if (split != own.split) {
      word.raise(own.split, split);
      own.split = split;
    }
    movesplit.store(false, relaxed);
  }
  bool push(Task task) {
    const std::uint32_t head = own.head;
    if (head == own.capacity) [[unlikely]]
      return false;
    slot& s = own.slots[head];
    s.task = task;
    s.state.store(1, relaxed);
    std::atomic_thread_fence(std::memory_order_release);
    own.head = head + 1;
    if (own.allstolen || movesplit.load(relaxed)) [[unlikely]]
      return push_slow(head);
    return true;
  }
  bool push_slow(std::uint32_t at);

  slot* take_back(std::uint32_t last) {
    own.head = last;
    slot& s = own.slots[last];
    s.state.store(0, relaxed);
    return &s;
  }
  void set_allstolen() {
    own.allstolen = true;
    allstolen.store(true, relaxed);
  }
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
        own.split = split;
        return false;
      }
    }
    set_allstolen();
    return true;
  }
  slot* pop() {
    const std::uint32_t last = own.head - 1;
    if (movesplit.load(relaxed) || own.split > last) [[unlikely]]
      return pop_slow(last);
    return take_back(last);
  }
  slot* pop_slow(std::uint32_t last);

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
[[gnu::noinline]] bool deque_of<Task>::push_slow(std::uint32_t at) {
  if (own.allstolen) {
    begin_anew(at);
  } else {
    grow(at + 1);
  }
  return true;
}

template <class Task>
[[gnu::noinline]] slot* deque_of<Task>::pop_slow(std::uint32_t last) {
  if (own.allstolen || (own.split > last && shrink())) return nullptr;
  if (movesplit.load(relaxed)) grow(last);
  return take_back(last);
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
  s.state.store(2, std::memory_order_release);
}
inline bool completed(const slot& s, long& result) {
  if (s.state.load(relaxed) != 2) return false;
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
