// What the Chase-Lev deque would be with each of its orders one step weaker: scenarios that must be
// violated. Each is a scenario of chase_lev.hpp on a policy with one fault, or on a variant of the
// deque.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <type_traits>

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/models/chase_lev/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace chase_lev_faults {

using chase_lev_scenarios::counted;
using chase_lev_scenarios::counted_items;
using chase_lev_scenarios::new_buffer_old_back;
using chase_lev_scenarios::steal_against_pop;
using chase_lev_scenarios::two_pushes_a_pop_and_a_thief;
using chase_lev_scenarios::two_thieves_and_a_pop;
using faults::operation;
using faults::weaker;

// Front and back are integers, the buffer is a pointer.
template <class P, operation Which, std::memory_order From, std::memory_order To>
using weaker_index = weaker<P, Which, From, To, std::is_integral>;
template <class P, operation Which, std::memory_order From, std::memory_order To>
using weaker_buffer = weaker<P, Which, From, To, std::is_pointer>;

// push: the store of back.
template <class P>
struct relaxed_push
    : two_pushes_a_pop_and_a_thief<
          chase_lev<unsigned, weaker_index<P, operation::store, std::memory_order_release,
                                           std::memory_order_relaxed>>,
          P> {
  static constexpr auto about =
      scenario{.name = "chase_lev/relaxed_push",
               .threads = 2,
               .claim = "with a relaxed store of back in push, a thief reads an unpublished item",
               .expected = violation::data_race};
};

// pop: the store of back, as a release.
template <class P>
struct relaxed_pop
    : two_pushes_a_pop_and_a_thief<
          chase_lev<unsigned, weaker_index<P, operation::store, std::memory_order_seq_cst,
                                           std::memory_order_relaxed>>,
          P> {
  static constexpr auto about = scenario{
      .name = "chase_lev/relaxed_pop",
      .threads = 2,
      .claim = "with a relaxed store of back in pop, a thief that reads it has a data race",
      .expected = violation::data_race};
};

// pop: the store of back, as one of the single order.
template <class P>
struct release_pop
    : two_thieves_and_a_pop<
          chase_lev<unsigned, weaker_index<P, operation::store, std::memory_order_seq_cst,
                                           std::memory_order_release>>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/release_pop",
      .threads = 3,
      .claim = "with a release store of back in pop, an owner and a thief take the same item",
      .expected = violation::assertion,
      .symmetric = {.first = 1, .count = 2}};
};

// pop: the store of back, for real machines of two processors: one thief, and three items, so that
// there are several moments at which a late store of back doubles one. Relaxed, for AArch64 keeps a
// release store (stlr) and a sequentially consistent load (ldar) in order.
template <class P>
struct relaxed_pop_against_one_thief
    : steal_against_pop<
          weaker_index<P, operation::store, std::memory_order_seq_cst, std::memory_order_relaxed>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/relaxed_pop_against_one_thief",
      .threads = 2,
      .claim = "with a relaxed store of back in pop, an owner and one thief take the same item",
      .expected = violation::assertion};
};

// pop: the exchange for the last item.
template <class P>
struct relaxed_pop_exchange
    : steal_against_pop<weaker_index<P, operation::compare_exchange, std::memory_order_release,
                                     std::memory_order_relaxed>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/relaxed_pop_exchange",
      .threads = 2,
      .claim = "with a relaxed exchange in pop, a thief reads a current front and a stale back",
      .expected = violation::assertion};
};

// steal: the exchange.
template <class P>
struct acq_rel_steal_exchange
    : two_thieves_and_a_pop<
          chase_lev<unsigned, weaker_index<P, operation::compare_exchange,
                                           std::memory_order_seq_cst, std::memory_order_acq_rel>>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/acq_rel_steal_exchange",
      .threads = 3,
      .claim =
          "with an exchange in steal that is not seq_cst, an owner and a thief take the same item",
      .expected = violation::assertion,
      .symmetric = {.first = 1, .count = 2}};
};

// grow: the store of the buffer; steal: the load of the buffer.
template <class P>
struct relaxed_growth
    : new_buffer_old_back<weaker_buffer<P, operation::store, std::memory_order_release,
                                        std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/relaxed_growth",
               .threads = 2,
               .claim = "with a relaxed store of the buffer, a thief reads it before it is filled",
               .expected = violation::data_race};
};
template <class P>
struct relaxed_buffer_load
    : new_buffer_old_back<
          weaker_buffer<P, operation::load, std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/relaxed_buffer_load",
               .threads = 2,
               .claim = "with a relaxed load of the buffer, a thief reads it before it is filled",
               .expected = violation::data_race};
};

// The three loads that are sequentially consistent, one at a time: the steps of pop and steal
// without buffers.
template <class P, std::memory_order PopFront, std::memory_order StealFront,
          std::memory_order StealBack>
class bare_chase_lev {
 public:
  explicit bare_chase_lev(unsigned) {}

  void push(unsigned item) {
    slots_[static_cast<unsigned>(bottom_)].store(item, std::memory_order_relaxed);
    back_.store(++bottom_, std::memory_order_release);
  }
  std::optional<unsigned> pop() {
    const int last = bottom_ - 1;
    back_.store(last, std::memory_order_seq_cst);
    int front = front_.load(PopFront);
    if (front < last) {
      bottom_ = last;
      return slots_[static_cast<unsigned>(last)].load(std::memory_order_relaxed);
    }
    const bool mine =
        front == last && front_.compare_exchange_strong(front, last + 1, std::memory_order_release,
                                                        std::memory_order_relaxed);
    back_.store(last + 1, std::memory_order_relaxed);
    if (!mine) return std::nullopt;
    return slots_[static_cast<unsigned>(last)].load(std::memory_order_relaxed);
  }

  struct theft {
    steal_outcome outcome;
    unsigned item = 0;
  };
  theft steal() {
    int front = front_.load(StealFront);
    const int back = back_.load(StealBack);
    if (front >= back) return {steal_outcome::no_work};
    const unsigned item = slots_[static_cast<unsigned>(front)].load(std::memory_order_relaxed);
    if (!front_.compare_exchange_strong(front, front + 1, std::memory_order_seq_cst,
                                        std::memory_order_relaxed)) {
      return {steal_outcome::retry};
    }
    return {steal_outcome::stolen, item};
  }

 private:
  typename P::template atomic<int> front_{0}, back_{0};
  std::array<typename P::template atomic<unsigned>, 2> slots_{};
  int bottom_ = 0;
};

inline constexpr auto acquire = std::memory_order_acquire, seq_cst = std::memory_order_seq_cst;

template <class P>
struct bare : two_thieves_and_a_pop<bare_chase_lev<P, seq_cst, seq_cst, seq_cst>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/bare_steps",
               .threads = 3,
               .claim = "the steps of pop and steal are correct by themselves, without buffers",
               .symmetric = {.first = 1, .count = 2}};
};
template <class P>
struct acquire_pop_front : two_thieves_and_a_pop<bare_chase_lev<P, acquire, seq_cst, seq_cst>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/acquire_pop_front",
      .threads = 3,
      .claim = "with an acquire load of front in pop, an owner and a thief take the same item",
      .expected = violation::assertion,
      .symmetric = {.first = 1, .count = 2}};
};
template <class P>
struct acquire_steal_front : two_thieves_and_a_pop<bare_chase_lev<P, seq_cst, acquire, seq_cst>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/acquire_steal_front",
      .threads = 3,
      .claim = "with an acquire load of front in steal, an owner and a thief take the same item",
      .expected = violation::assertion,
      .symmetric = {.first = 1, .count = 2}};
};
template <class P>
struct acquire_steal_back : two_thieves_and_a_pop<bare_chase_lev<P, seq_cst, seq_cst, acquire>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/acquire_steal_back",
      .threads = 3,
      .claim = "with an acquire load of back in steal, an owner and a thief take the same item",
      .expected = violation::assertion,
      .symmetric = {.first = 1, .count = 2}};
};

// push: the load of front, and steal: the release half of the exchange. That a slot is written only
// after its thief has read it is a matter of load buffering when slots are atomic, and load
// buffering is not explored; so here they are plain. The owner pops nothing: a thief whose exchange
// fails would race.
template <class P>
struct steal_then_push {
  counted<P, 2, 2> deque{1};
  void before() { deque.push(0); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.try_push(1);  // there is room once item 0 is stolen
    } else {
      deque.steal(index);
    }
  }
};

template <class P>
struct slot_is_read_before_it_is_written : steal_then_push<faults::plain_atomics<P, unsigned>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/slot_is_read_before_it_is_written",
               .threads = 2,
               .claim = "a slot is overwritten only after the thief has read its first item"};
};
template <class P>
struct relaxed_push_front
    : steal_then_push<weaker_index<faults::plain_atomics<P, unsigned>, operation::load,
                                   std::memory_order_acquire, std::memory_order_relaxed>> {
  static constexpr auto about = scenario{
      .name = "chase_lev/relaxed_push_front",
      .threads = 2,
      .claim = "with a relaxed load of front in push, a slot is written while a thief reads it",
      .expected = violation::data_race};
};
template <class P>
struct acquire_steal_exchange
    : steal_then_push<weaker_index<faults::plain_atomics<P, unsigned>, operation::compare_exchange,
                                   std::memory_order_seq_cst, std::memory_order_acquire>> {
  static constexpr auto about = scenario{.name = "chase_lev/acquire_steal_exchange",
                                         .threads = 2,
                                         .claim =
                                             "with an exchange in steal that does not release, a "
                                             "slot is written while a thief reads it",
                                         .expected = violation::data_race};
};

// What is not claimed: a size that is true of some moment. The owner's push and its look at front
// are store buffering with a thief that reads a new front and an old back.
template <class P>
struct size_of_no_moment {
  static constexpr auto about =
      scenario{.name = "chase_lev/size_of_no_moment",
               .threads = 3,
               .claim = "the size that the owner reads is one that the deque had at some moment",
               .expected = violation::assertion};
  using recorded = chase_lev_scenarios::recorded_deque<chase_lev<unsigned, P>>;
  recorded deque{2, 3};
  void before() { deque.push(1, deque.main); }
  void thread(unsigned index) {
    if (index == 0) {
      deque.push(2);
      deque.size(recorded::action::exact_size);
    } else {
      deque.steal(index);
    }
  }
  void after() { deque.is_explained(); }
};

// Faults from above by the specification alone: nothing is required but some order.
template <class P>
struct release_pop_is_not_linearizable
    : chase_lev_scenarios::two_thieves_recorded<
          chase_lev<unsigned, weaker_index<P, operation::store, std::memory_order_seq_cst,
                                           std::memory_order_release>>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/release_pop_is_not_linearizable",
               .threads = 3,
               .claim = "with a release store of back in pop, the results are not linearizable",
               .expected = violation::assertion};
};
template <class P>
struct relaxed_pop_exchange_is_not_linearizable
    : chase_lev_scenarios::owner_and_thief_recorded<
          chase_lev<unsigned, weaker_index<P, operation::compare_exchange,
                                           std::memory_order_release, std::memory_order_relaxed>>> {
  static constexpr auto about =
      scenario{.name = "chase_lev/relaxed_pop_exchange_is_not_linearizable",
               .threads = 2,
               .claim = "with a relaxed exchange in pop, the results are not linearizable",
               .expected = violation::assertion};
};

}  // namespace chase_lev_faults

using chase_lev_faults_list = scenario_list<
    chase_lev_faults::relaxed_push, chase_lev_faults::relaxed_pop, chase_lev_faults::release_pop,
    chase_lev_faults::relaxed_pop_against_one_thief, chase_lev_faults::relaxed_pop_exchange,
    chase_lev_faults::acq_rel_steal_exchange, chase_lev_faults::relaxed_growth,
    chase_lev_faults::relaxed_buffer_load, chase_lev_faults::bare,
    chase_lev_faults::acquire_pop_front, chase_lev_faults::acquire_steal_front,
    chase_lev_faults::acquire_steal_back, chase_lev_faults::slot_is_read_before_it_is_written,
    chase_lev_faults::relaxed_push_front, chase_lev_faults::acquire_steal_exchange,
    chase_lev_faults::size_of_no_moment, chase_lev_faults::release_pop_is_not_linearizable,
    chase_lev_faults::relaxed_pop_exchange_is_not_linearizable>;

}  // namespace fencepost::models
