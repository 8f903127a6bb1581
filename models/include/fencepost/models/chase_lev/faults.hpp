// The Chase-Lev deque with each of its orders in turn one step weaker: scenarios that must be
// violated.
#pragma once

#include "fencepost/deque/chase_lev.hpp"
#include "fencepost/models/chase_lev/claims.hpp"
#include "fencepost/models/faulty_policies.hpp"
#include "fencepost/models/orders/order_fault.hpp"
#include "fencepost/scenario/scenario.hpp"
#include "fencepost/scenario/scenario_list.hpp"

namespace fencepost::models {

namespace chase_lev_faults {

using chase_lev_scenarios::counted;

// Tests push's load of front, and the release half of steal's exchange. With atomic slots, only
// load buffering can overwrite a slot before its thief has read it, and load buffering is not
// explored; so the slots here are plain. The owner pops nothing: a thief whose exchange fails would
// race.
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

// Not claimed: that size() returns a size that the deque had at some moment. The owner's push and
// its load of front form store buffering with a thief that reads a new front and an old back.
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

// Requires only that some order explains the results.
template <class P>
struct two_thieves_recorded : chase_lev_scenarios::two_thieves_recorded<chase_lev<unsigned, P>> {
  static constexpr auto about = scenario{.name = {}, .threads = 3};
};

}  // namespace chase_lev_faults

using chase_lev_faults_list = scenario_list<
    order_fault<"chase_lev/relaxed_push", chase_lev_scenarios::published_by_pop,
                "chase_lev.hpp:put=relaxed", violation::data_race,
                "with a relaxed store of back in push, a thief reads an unpublished item">::on,
    order_fault<"chase_lev/relaxed_pop", chase_lev_scenarios::published_by_pop,
                "chase_lev.hpp:pop.back=relaxed", violation::data_race,
                "with a relaxed store of back in pop, a thief that reads it has a data race">::on,
    order_fault<"chase_lev/release_pop", chase_lev_scenarios::pop_against_two_thieves,
                "chase_lev.hpp:pop.back=release", violation::assertion,
                "with a release store of back in pop, an owner and a thief take the same item">::on,
    order_fault<
        "chase_lev/relaxed_pop_against_one_thief", chase_lev_scenarios::steal_against_pop,
        "chase_lev.hpp:pop.back=relaxed", violation::assertion,
        "with a relaxed store of back in pop, an owner and one thief take the same item">::on,
    order_fault<
        "chase_lev/relaxed_pop_exchange", chase_lev_scenarios::steal_against_pop,
        "chase_lev.hpp:take_last=relaxed", violation::assertion,
        "with a relaxed exchange in pop, a thief reads a current front and a stale back">::on,
    order_fault<"chase_lev/acq_rel_steal_exchange", chase_lev_scenarios::pop_against_two_thieves,
                "chase_lev.hpp:steal.take=acq_rel", violation::assertion,
                "with an exchange in steal that is not seq_cst, an owner and a thief take the same "
                "item">::on,
    order_fault<"chase_lev/relaxed_growth", chase_lev_scenarios::new_buffer_old_back,
                "chase_lev.hpp:grow=relaxed", violation::data_race,
                "with a relaxed store of the buffer, a thief reads it before it is filled">::on,
    order_fault<"chase_lev/relaxed_buffer_load", chase_lev_scenarios::new_buffer_old_back,
                "chase_lev.hpp:steal.buffer=relaxed", violation::data_race,
                "with a relaxed load of the buffer, a thief reads it before it is filled">::on,
    order_fault<
        "chase_lev/acquire_pop_front", chase_lev_scenarios::pop_against_two_thieves,
        "chase_lev.hpp:pop.front=acquire", violation::assertion,
        "with an acquire load of front in pop, an owner and a thief take the same item">::on,
    order_fault<
        "chase_lev/acquire_steal_front", chase_lev_scenarios::pop_against_two_thieves,
        "chase_lev.hpp:steal.front=acquire", violation::assertion,
        "with an acquire load of front in steal, an owner and a thief take the same item">::on,
    order_fault<
        "chase_lev/acquire_steal_back", chase_lev_scenarios::pop_against_two_thieves,
        "chase_lev.hpp:steal.back=acquire", violation::assertion,
        "with an acquire load of back in steal, an owner and a thief take the same item">::on,
    chase_lev_faults::slot_is_read_before_it_is_written,
    order_fault<
        "chase_lev/relaxed_push_front", chase_lev_faults::slot_is_read_before_it_is_written,
        "chase_lev.hpp:full=relaxed", violation::data_race,
        "with a relaxed load of front in push, a slot is written while a thief reads it">::on,
    order_fault<"chase_lev/acquire_steal_exchange",
                chase_lev_faults::slot_is_read_before_it_is_written,
                "chase_lev.hpp:steal.take=acquire", violation::data_race,
                "with an exchange in steal that does not release, a slot is written while a thief "
                "reads it">::on,
    chase_lev_faults::size_of_no_moment,
    order_fault<"chase_lev/release_pop_is_not_linearizable", chase_lev_faults::two_thieves_recorded,
                "chase_lev.hpp:pop.back=release", violation::assertion,
                "with a release store of back in pop, the results are not linearizable">::on,
    order_fault<"chase_lev/relaxed_pop_exchange_is_not_linearizable",
                chase_lev_scenarios::linearizable, "chase_lev.hpp:take_last=relaxed",
                violation::assertion,
                "with a relaxed exchange in pop, the results are not linearizable">::on>;

}  // namespace fencepost::models
