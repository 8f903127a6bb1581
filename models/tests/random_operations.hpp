// Random programs of operations on components whose histories are recorded, for any way to run
// them: under the checker, or on real threads.
#pragma once

#include <rapidcheck.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/models/boxed_chase_lev/claims.hpp"
#include "fencepost/models/chase_lev/chase_lev_history.hpp"
#include "fencepost/models/external_slots/claims.hpp"
#include "fencepost/models/injector/claims.hpp"
#include "fencepost/models/private_deque/claims.hpp"
#include "fencepost/models/slab_queue/claims.hpp"
#include "fencepost/models/tail_split/split_deque_history.hpp"
#include "fencepost/models/ticket_queue/claims.hpp"

namespace fencepost::models::random_operations {

constexpr unsigned threads = 3;

// An operation is a number, whose meaning the component defines.
using operations = std::vector<unsigned>;

struct program {
  operations before;
  std::array<operations, threads> by_thread;

  std::size_t size() const {
    std::size_t n = before.size();
    for (const operations& o : by_thread) n += o.size();
    return n;
  }
};

// ---- components: what an operation means to which thread, and how many it has at most ----

// `before` runs before the threads, with the operations of thread 0. Items are distinguished by the
// thread that has pushed them.
class item_numbers {
 public:
  unsigned next(unsigned thread) { return 10 * thread + ++count_.at(thread); }

 private:
  std::array<unsigned, threads + 1> count_{};
};
constexpr unsigned before = threads;

template <class Deque>
struct stolen_from {
  static constexpr int most(unsigned) { return 3; }
  static constexpr std::array<std::string_view, 3> owner = {"push", "pop", "size"};
  static constexpr std::array<std::string_view, 1> thief = {"steal"};
  static std::string_view name(unsigned thread, unsigned o) {
    return thread == 0 || thread == before ? owner.at(o) : thief.at(o);
  }
  static unsigned kinds(unsigned thread) {
    return thread == before ? 2 : thread == 0 ? owner.size() : thief.size();
  }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? deque.main : thread;
    if (thread != 0 && thread != before) return deque.steal(thread);
    if (o == 0) return deque.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(deque.pop(lane));
    deque.size();
  }
  void after() { deque.is_explained(); }

  chase_lev_scenarios::recorded_deque<Deque> deque{1, threads};
  item_numbers items;
};

template <class P, template <class> class Word>
struct split {
  static constexpr int most(unsigned) { return 3; }
  static constexpr std::array<std::string_view, 3> owner = {"push", "pop", "share_all"};
  static std::string_view name(unsigned thread, unsigned o) {
    return thread == 0 || thread == before ? owner.at(o) : "steal";
  }
  static unsigned kinds(unsigned thread) { return thread == 0 || thread == before ? 3 : 1; }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? deque.main : thread;
    if (thread != 0 && thread != before) return deque.steal(thread);
    if (o == 0) return deque.push(items.next(thread), lane);
    if (o == 1) return deque.pop(lane);
    deque.share_all();
  }
  void after() { deque.is_explained(); }

  tail_split_scenarios::recorded_deque<P, Word, threads, 3> deque;
  item_numbers items;
};

// A queue with one consumer, which may push as well.
template <class Queue>
struct queue_of_one_consumer {
  static constexpr int most(unsigned thread) { return thread == 0 ? 3 : thread == before ? 2 : 1; }
  static constexpr std::array<std::string_view, 4> consumer = {"push", "pop", "is_empty",
                                                               "is_ready"};
  static constexpr bool has_is_ready = requires(Queue q) { q.is_ready(0); };
  static std::string_view name(unsigned, unsigned o) { return consumer.at(o); }
  static unsigned kinds(unsigned thread) {
    return thread != 0 && thread != before ? 1 : has_is_ready ? 4 : 3;
  }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? queue.main : thread;
    if (o == 0) return queue.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(queue.pop(lane));
    if (o == 2) return queue.is_empty(lane);
    if constexpr (has_is_ready) queue.is_ready(lane);
  }
  void after() { queue.is_explained(); }

  Queue queue;
  item_numbers items;
};
template <class P, slab_shape Shape>
using slabs = queue_of_one_consumer<slab_queue_scenarios::recorded_queue<P, Shape, threads>>;
template <class P, std::uint32_t Slots>
using tickets = queue_of_one_consumer<ticket_queue_scenarios::recorded_queue<P, Slots, threads>>;

template <class P, bool EmptyIsOneStep>
struct injected {
  static constexpr int most(unsigned) { return 2; }
  static constexpr std::array<std::string_view, 5> all = {"push", "pop", "is_empty", "try_pop",
                                                          "take_all"};
  static std::string_view name(unsigned, unsigned o) { return all.at(o); }
  static unsigned kinds(unsigned) { return all.size(); }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? queue.main : thread;
    if (o == 0) return queue.push(items.next(thread), lane);
    if (o == 1) return static_cast<void>(queue.pop(lane));
    if (o == 2) return queue.is_empty(lane);
    if (o == 3) return queue.try_pop(lane);
    queue.take_all(lane);
  }
  void after() { queue.is_explained(); }

  injector_scenarios::recorded_queue<P, threads, EmptyIsOneStep> queue;
  item_numbers items;
};

template <class P>
struct table {
  static constexpr int most(unsigned) { return 2; }
  static constexpr std::array<std::string_view, 3> all = {"submit", "take", "any"};
  static std::string_view name(unsigned, unsigned o) { return all.at(o); }
  static unsigned kinds(unsigned) { return all.size(); }
  void perform(unsigned thread, unsigned o) {
    const unsigned lane = thread == before ? slots.main : thread;
    if (o == 0) return slots.submit(10 * thread + count.at(thread)++, lane);
    if (o == 1) return static_cast<void>(slots.take(lane, thread));
    slots.any(lane);
  }
  void after() { slots.is_explained(); }

  external_slots_scenarios::recorded_table<P, threads, 2> slots;
  std::array<unsigned, threads + 1> count{};
};

// ---- programs ----

template <class Component>
std::string text(const program& p) {
  std::string all;
  const auto add = [&all](const std::string& who, unsigned thread, const operations& done) {
    if (done.empty()) return;
    all += (all.empty() ? "" : "; ") + who;
    for (const unsigned o : done) all += " " + std::string(Component::name(thread, o));
  };
  add("before:", before, p.before);
  for (unsigned t = 0; t < threads; ++t)
    add("thread " + std::to_string(t) + ":", t, p.by_thread.at(t));
  return all;
}

template <class Component>
program any_program() {
  // With the full size: a small one would also make a range small.
  const auto some = [](unsigned thread) {
    const auto one =
        rc::gen::resize(rc::kNominalSize, rc::gen::inRange(0U, Component::kinds(thread)));
    return *rc::gen::resize(Component::most(thread), rc::gen::container<operations>(one));
  };
  program p;
  p.before = some(before);
  for (unsigned t = 0; t < threads; ++t) p.by_thread.at(t) = some(t);
  return p;
}

}  // namespace fencepost::models::random_operations
