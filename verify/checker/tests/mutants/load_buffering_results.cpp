#include <algorithm>

#include "../load_buffering_bodies.hpp"
#include "../load_buffering_histories.hpp"
#include "../load_buffering_lifetimes.hpp"
#include "../load_buffering_waits.hpp"
#include "../programs.hpp"
#include "body_results.hpp"
#include "fencepost/verify/check.hpp"

namespace fencepost::verify::testing {

namespace {

bool leaves_open(const result& r, std::string_view why) {
  const auto& open = r.reexecutions->open;
  return std::any_of(open.begin(), open.end(),
                     [&](const auto& race) { return race.why.starts_with(why); });
}

std::string wrong_load_buffering_of_bodies(options o) {
  const result asserts = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        require(a.load(relaxed) == 0);
        b.store(1, relaxed);
      } else if (b.load(relaxed) == 1) {
        a.store(1, relaxed);
      }
    });
  });
  if (!asserts) return "an assertion keeps nothing behind it";
  if (check(o, [] { read_a_whole_word(std::memory_order_relaxed); }))
    return "no half of a whole word comes from the future";
  if (!check(o, [] { read_a_whole_word(std::memory_order_release); }))
    return "a half of a whole word comes from the future in spite of a release";
  if (!leaves_open(check(o, [] { read_by_way_of_a_word(std::memory_order_release); }),
                   "operations may be ordered"))
    return "what a half releases is taken for known";
  if (check(o, [] { exchange_in_a_cycle<checked_atomics::halves>(0U, 0U); }))
    return "exchanges of a whole word are in no conflict";
  // A race if the load reads 1; if it reads 2, the first load happens before the last store.
  const result ordered_at_times = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    int first = 0, second = 0;
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        first = a.load(relaxed);
        b.store(1, relaxed);
        b.store(2, release);
      } else {
        second = b.load(acquire);
        a.store(1, relaxed);
      }
    });
    require(first == 0 || second != 2);
  });
  if (!ordered_at_times) return "a load reads from a store that it happens before";
  if (!check(o, acquire_from_the_future)) return "who acquires what is promised does not find it";
  if (!check(o, acquire_from_the_future_again))
    return "who acquires what is promised and was read before does not find it";
  for (const std::memory_order wait : {relaxed, acquire})
    if (!check(o, [&] { look_again_while_waiting(wait, acquire); }))
      return "turns that are left out leave something behind";
  if (!check(o, read_data_before_it_is_released))
    return "data is read in a turn that is left out, and when the loop is over";
  if (check(o, read_from_the_future_in_the_last_turn))
    return "the last turn of a loop repeats one that is left out";
  if (check(o, read_data_while_waiting)) return "data that a turn reads is missed with the turn";
  if (!check(o, [] { end_by_way_of_another_thread(std::memory_order_release); }))
    return "who acquires by way of another thread ends what is used";
  if (check(o, end_a_mutex_by_way_of_another_thread).outcome != verdict::incomplete)
    return "who acquires by way of another thread ends a mutex that is held";
  if (check(o, [] { use_by_way_of_another_thread(std::memory_order_relaxed); }))
    return "what is made is used by another thread that does not know of it";
  for (const unsigned reader : {0U, 1U})
    for (const auto requires_it : {asserts_that, crashes_unless})
      if (check(o, [&] { require_what_races(reader, requires_it); }))
        return "what is required of data that races is a matter of who comes first";
  for (const bool uses_first : {true, false}) {
    options ordered = o;
    ordered.priorities =
        uses_first ? std::vector<unsigned>{1, 2, 3, 4} : std::vector<unsigned>{1, 2, 4, 3};
    for (const bystander does : {bystander::stores, bystander::notifies})
      for (const bool gives_up : {false, true}) {
        const result ends =
            check(ordered, [&] { end_what_is_used(does, std::memory_order_release, gives_up); });
        if (ends.outcome != verdict::violated) return "what a bystander uses may end";
        if (!ends.violation->came_again) return "what a bystander uses does not end again";
      }
  }
  if (check(o, [] { read_by_way_of_another_thread(std::memory_order_release); }).outcome !=
      verdict::incomplete)
    return "operations are linearizable whose order is not known";
  if (check(o, [] { see_no_data(std::memory_order_release, std::memory_order_release); }))
    return "a release fence acquires from the future";
  if (check(o, [] { see_no_data(std::memory_order_relaxed, std::memory_order_acquire); }))
    return "a relaxed store synchronizes with a load that reads it from the future";
  if (check(o, [] { read_what_nobody_wrote(std::memory_order_relaxed, false); }))
    return "data without a value is read by load buffering alone, and that is right";
  if (!check(o, [] { read_what_nobody_wrote(std::memory_order_relaxed, true); }))
    return "data has no value that was written";
  if (check(o, read_a_word_that_comes_by_halves))
    return "no word is read whole whose halves come one by one";
  if (check(o, [] { read_what_is_stored_last(fails::where_it_is_told); }))
    return "what only seems to be wrong stops the others";
  if (check(o, [] { read_what_is_stored_last(fails::as_a_test_framework); }))
    return "what only seems to be wrong in a test framework's eyes stops the others";
  if (check(o, [] { read_what_is_stored_last(fails::by_abort); }).outcome != verdict::violated)
    return "what only seems to be a crash stops the others";
  if (check(o, [] { read_what_is_stored_last(fails::by_misuse); }))
    return "what others do after a misuse that is not believed is taken for explored";
  if (check(o, see_what_was_added_to_the_future)) return "what is added to the future is not seen";
  if (check(o, look_twice_at_what_the_main_thread_wrote).blocked != 3)
    return "what was known is read after the future";
  if (check(o, [] { look_at_half_of_a_word(1); }))
    return "no half of a word is read from the future";
  if (check(o, [] { look_at_half_of_a_word(2); })) return "one half is read where the other is";
  o.max_events = 100;
  const result waits_for_a_value = check(o, [] {
    checked::atomic<int> a{0}, b{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        a.load(relaxed);
        b.store(1, relaxed);
        while (a.load(relaxed) != 2) checked::spin_pause();
      } else {
        b.load(relaxed);
        a.store(1, relaxed);
        a.store(2, relaxed);
      }
    });
  });
  if (!waits_for_a_value) return "a thread that reads a promise again and again is not at an end";
  const result shown = check(o, [] { drop_last_reference(std::memory_order_relaxed); });
  if (!shown.violation || shown.violation->steps.size() != 10 ||
      shown.violation->steps[1].reads_from != 6)
    return "a counterexample shows something else";
  const bool holds = holds_with_load_buffering(check({}, take_a_mutex));
  return holds ? "" : "who waits for a mutex reads its future";
}

}  // namespace

std::string wrong_load_buffering_of_bodies() {
  options o;
  o.model = memory_model::xc20;
  std::string wrong = wrong_load_buffering_of_bodies(o);
  if (!wrong.empty()) return wrong;
  o.priorities = {0};  // reads are not postponed
  return wrong_load_buffering_of_bodies(o);
}

}  // namespace fencepost::verify::testing
