// Programs that fail by load buffering alone, each beside a right one (xc20).
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <string>

#include "common_limits.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/checked_atomics.hpp"
#include "load_buffering_bodies.hpp"
#include "load_buffering_histories.hpp"
#include "load_buffering_lifetimes.hpp"
#include "load_buffering_waits.hpp"

namespace fencepost::verify {
namespace {

using checked = checked_atomics;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

options with_load_buffering() {
  options o;
  o.model = memory_model::xc20;
  return o;
}

// Expects that the path of the violation alone leads to it again, step by step.
void expect_replayed(const result& r, const std::function<void()>& body) {
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->no_path, "");
  options o = with_load_buffering();
  o.replay = r.violation->path;
  const result again = check(o, body);
  ASSERT_EQ(again.outcome, verdict::violated) << o.replay << ": " << to_text(again);
  EXPECT_EQ(again.model, memory_model::xc20);
  EXPECT_EQ(again.violation->path, r.violation->path);
  EXPECT_EQ(again.violation->kind, r.violation->kind);
  EXPECT_EQ(again.violation->message, r.violation->message);
  ASSERT_EQ(again.violation->steps.size(), r.violation->steps.size());
  for (std::size_t i = 0; i < r.violation->steps.size(); ++i)
    EXPECT_EQ(again.violation->steps[i].text, r.violation->steps[i].text);
}

// Expects that the body holds where no cycle is explored, and goes wrong with one.
void expect_found(const std::function<void()>& body, violation kind) {
  EXPECT_TRUE(check({}, body)) << to_text(check({}, body));
  const result r = check(with_load_buffering(), body);
  ASSERT_EQ(r.outcome, verdict::violated) << to_text(r);
  EXPECT_EQ(r.violation->kind, kind) << to_text(r);
  EXPECT_NE(r.violation->message.find("load buffering"), std::string::npos) << to_text(r);
  EXPECT_TRUE(r.violation->path.starts_with("xc20:")) << r.violation->path;
  expect_replayed(r, body);
}

void expect_holds(const std::function<void()>& body) {
  const result r = check(with_load_buffering(), body);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  ASSERT_TRUE(r.reexecutions);
  EXPECT_TRUE(r.reexecutions->open.empty()) << to_text(r);
}

struct spin_lock {
  checked::atomic<int> taken{0};
  std::memory_order lock_order, unlock_order;

  spin_lock(std::memory_order l, std::memory_order u) : lock_order(l), unlock_order(u) {}
  void lock() {
    while (taken.exchange(1, lock_order) != 0) checked::spin_pause();
  }
  void unlock() { taken.store(0, unlock_order); }
};

// A thread that has seen the reader's mark under the lock comes after the reader, so the reader
// must not see what that thread then writes.
std::function<void()> reader_and_writer(std::memory_order lock, std::memory_order unlock) {
  return [=] {
    spin_lock guard(lock, unlock);
    checked::atomic<int> mark{0}, data{0};
    int read = 0, seen = 0;
    run_threads(2, [&](unsigned index) {
      guard.lock();
      if (index == 0) {
        mark.store(1, relaxed);
        read = data.load(relaxed);
      } else {
        seen = mark.load(relaxed);
        data.store(1, relaxed);
      }
      guard.unlock();
    });
    require(seen == 0 || read == 0, "the reader came first");
  };
}

// Relacy's issue 16.
TEST(reexecution, a_spin_lock_whose_accesses_are_all_relaxed_is_found) {
  expect_found(reader_and_writer(relaxed, relaxed), violation::assertion);
}

TEST(reexecution, a_critical_section_that_reads_is_not_over_before_an_unlock_that_releases) {
  expect_found(reader_and_writer(acquire, relaxed), violation::assertion);
  expect_holds(reader_and_writer(acquire, release));
}

TEST(reexecution, the_last_reference_is_dropped_with_release) {
  const auto body = [](std::memory_order drop) {
    return [=] { testing::drop_last_reference(drop); };
  };
  expect_found(body(relaxed), violation::assertion);
  expect_holds(body(std::memory_order_acq_rel));
  expect_holds(body(release));
}

TEST(reexecution, a_chain_of_flags_is_handed_on_with_release) {
  const auto body = [](std::memory_order done) {
    return [=] {
      checked::atomic<int> item{0}, free{0}, again{0};
      int read = 0;
      run_threads(3, [&](unsigned index) {
        if (index == 0) {
          read = item.load(relaxed);
          free.store(1, done);
        } else if (index == 1) {
          if (free.load(acquire) == 1) again.store(1, release);
        } else {
          if (again.load(acquire) == 1) item.store(1, relaxed);
        }
      });
      require(read == 0, "it was read before it was written again");
    };
  };
  expect_found(body(relaxed), violation::assertion);
  expect_holds(body(release));
}

// The fence that keeps the reader's second load of the number behind that of the data also keeps
// its announcement that it is done behind it.
TEST(reexecution, the_reader_of_a_seqlock_is_done_when_it_says_so) {
  const auto body = [](bool fenced) {
    return [=] {
      checked::atomic<int> number{0}, data{0}, done{0};
      int read = 0;
      bool valid = false;
      run_threads(2, [&](unsigned index) {
        if (index == 0) {
          const int before = number.load(acquire);
          read = data.load(relaxed);
          if (fenced) checked::fence(acquire);
          valid = number.load(relaxed) == before && before % 2 == 0;
          if (valid) done.store(1, relaxed);
        } else if (done.load(acquire) == 1) {
          number.store(1, relaxed);
          checked::fence(release);
          data.store(1, relaxed);
          number.store(2, release);
        }
      });
      require(!valid || read == 0, "it was read before it was written");
    };
  };
  expect_found(body(false), violation::assertion);
  expect_holds(body(true));
}

// The first thread accesses the data only if it has read from the future.
TEST(reexecution, a_data_race_is_one_where_only_load_buffering_leads_to_it) {
  const auto body = [](std::memory_order order) {
    return [=] {
      checked::plain<int> data{0};
      checked::atomic<int> a{0}, b{0};
      run_threads(2, [&](unsigned index) {
        if (index == 0) {
          const int read = a.load(relaxed);
          b.store(1, order);
          if (read == 1) data.set(1);
        } else {
          static_cast<void>(data.get());
          if (b.load(acquire) == 1) a.store(1, relaxed);
        }
      });
    };
  };
  expect_found(body(relaxed), violation::data_race);
  expect_holds(body(release));
}

TEST(reexecution, turns_that_are_left_out_leave_nothing_behind) {
  using testing::look_again_while_waiting;
  expect_holds([] { look_again_while_waiting(relaxed, acquire); });
  expect_holds([] { look_again_while_waiting(acquire, acquire); });
  expect_holds(testing::read_data_before_it_is_released);
  expect_found(testing::read_from_the_future_in_the_last_turn, violation::assertion);
}

TEST(reexecution, what_is_read_in_turns_that_are_left_out_is_missed_by_no_race) {
  expect_found(testing::read_data_while_waiting, violation::data_race);
}

TEST(reexecution, data_without_a_value_is_read_where_only_load_buffering_leads_to_it) {
  using testing::read_what_nobody_wrote;
  expect_found([] { read_what_nobody_wrote(relaxed, false); }, violation::misuse);
  expect_holds([] { read_what_nobody_wrote(relaxed, true); });
  expect_holds([] { read_what_nobody_wrote(release, false); });
}

// A thread that an assertion or a crash ends does not make the stores behind it.
TEST(reexecution, a_store_behind_an_assertion_or_a_crash_depends_on_what_led_there) {
  const auto body = [](void (*requires_it)(bool), bool before) {
    return [=] {
      checked::atomic<int> a{0}, b{0};
      run_threads(2, [&](unsigned index) {
        if (index == 0) {
          const int read = a.load(relaxed);
          if (before) requires_it(read == 0);
          b.store(1, relaxed);
          if (!before) requires_it(read == 0);
        } else if (b.load(relaxed) == 1) {
          a.store(1, relaxed);
        }
      });
    };
  };
  expect_holds(body(testing::asserts_that, true));
  expect_found(body(testing::asserts_that, false), violation::assertion);
  expect_holds(body(testing::crashes_unless, true));
  expect_found(body(testing::crashes_unless, false), violation::crash);
}

TEST(reexecution, what_is_added_to_the_future_is_seen) {
  expect_found(testing::see_what_was_added_to_the_future, violation::assertion);
}

TEST(reexecution, nothing_that_was_known_is_read_after_the_future) {
  const result r = check(with_load_buffering(), testing::look_twice_at_what_the_main_thread_wrote);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.blocked, 3U) << "those in which a promise is not kept";
}

// The value of the promised read is known, but not whether the exchange succeeds.
TEST(reexecution, a_weak_exchange_that_reads_from_the_future_may_fail) {
  const auto expect = [](int seen) {
    expect_found(
        [=] {
          checked::atomic<int> a{0}, b{0};
          int one = 1, done = 0, late = 0;
          run_threads(2, [&](unsigned index) {
            if (index == 0) {
              done = a.compare_exchange_weak(one, 2, relaxed, relaxed) ? 1 : 0;
              b.store(1, relaxed);
            } else {
              late = b.load(relaxed);
              a.store(1, relaxed);
            }
          });
          require(late == 0 || one != 1 || done != seen);
        },
        violation::assertion);
  };
  expect(0);
  expect(1);
}

TEST(reexecution, what_is_acquired_from_the_future_is_there) {
  expect_holds(testing::acquire_from_the_future);
}

TEST(reexecution, what_is_not_acquired_from_the_future_need_not_be_there) {
  using testing::see_no_data;
  expect_found([] { see_no_data(relaxed, acquire); }, violation::assertion);
  expect_found([] { see_no_data(release, release); }, violation::assertion);
  expect_holds([] { see_no_data(release, acquire); });
}

TEST(reexecution, a_wait_may_end_by_what_it_reads_from_the_future) {
  expect_found(
      [] {
        checked::atomic<int> a{0}, b{0};
        int seen = 0;
        run_threads(2, [&](unsigned index) {
          if (index == 0) {
            a.wait(0, relaxed);
            b.store(1, relaxed);
          } else {
            seen = b.load(relaxed);
            a.store(1, relaxed);
            a.notify_one();
          }
        });
        require(seen == 0);
      },
      violation::assertion);
}

TEST(reexecution, what_is_notified_first_after_a_promise_was_kept_is_there) {
  expect_holds([] {
    checked::atomic<int> a{0}, b{0}, others{0};
    run_threads(2, [&](unsigned index) {
      if (index == 0) {
        a.load(relaxed);
        b.store(1, relaxed);
      } else {
        b.load(relaxed);
        a.store(1, relaxed);
        others.notify_all();
      }
    });
  });
}

TEST(reexecution, a_race_that_is_not_resolved_is_named_and_nothing_is_verified) {
  const result r = check(with_load_buffering(), testing::end_a_mutex_by_way_of_another_thread);
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(to_text(r).find("incomplete under xc20: 1 load-buffering race is not resolved"),
            std::string::npos)
      << to_text(r);
  EXPECT_NE(to_text(r).find("The read at load_buffering_lifetimes.hpp:"), std::string::npos)
      << to_text(r);
  ASSERT_TRUE(r.reexecutions);
  EXPECT_EQ(r.reexecutions->open.size(), 1U);
}

TEST(reexecution, a_conflict_of_read_modify_writes_in_a_cycle_is_found) {
  expect_found([] { testing::exchange_in_a_cycle<checked::atomic<std::uint64_t>>(0U); },
               violation::assertion);
  expect_found([] { testing::exchange_in_a_cycle<checked::halves>(0U, 0U); }, violation::assertion);
}

TEST(reexecution, a_half_of_a_word_comes_from_the_future_and_the_other_from_elsewhere) {
  expect_found([] { testing::read_a_whole_word(relaxed); }, violation::assertion);
  expect_holds([] { testing::read_a_whole_word(release); });
}

TEST(reexecution, what_a_half_of_a_word_releases_is_not_taken_for_unordered) {
  const result r = check(with_load_buffering(), [] { testing::read_by_way_of_a_word(release); });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(to_text(r).find("operations may be ordered by a write"), std::string::npos)
      << to_text(r);
}

// The order of the operations is unknown if the synchronization that orders them is.
TEST(reexecution, operations_whose_order_is_not_known_are_not_taken_for_linearizable) {
  using testing::read_by_way_of_another_thread;
  const result unknown =
      check(with_load_buffering(), [] { read_by_way_of_another_thread(release); });
  EXPECT_EQ(unknown.outcome, verdict::incomplete) << to_text(unknown);
  EXPECT_NE(to_text(unknown).find("operations may be ordered by a write"), std::string::npos)
      << to_text(unknown);
  expect_holds([] { read_by_way_of_another_thread(relaxed); });
}

TEST(reexecution, operations_that_load_buffering_puts_in_no_order_are_not_linearizable) {
  using testing::read_two_cells;
  expect_found([] { read_two_cells(relaxed); }, violation::assertion);
  expect_holds([] { read_two_cells(release); });
}

// A thread that holds a mutex reads nothing that is written under the mutex later.
TEST(reexecution, what_a_mutex_guards_is_not_read_from_the_future) {
  const auto body = [](bool second_one_locks) {
    return [=] {
      checked::mutex guard;
      checked::atomic<int> a{0}, b{0};
      int read = 0;
      run_threads(2, [&](unsigned index) {
        const bool locks = index == 0 || second_one_locks;
        if (locks) guard.lock();
        if (index == 0) {
          read = a.load(relaxed);
          b.store(1, relaxed);
        } else if (b.load(relaxed) == 1) {
          a.store(1, relaxed);
        }
        if (locks) guard.unlock();
      });
      require(read == 0, "it was read before it was written");
    };
  };
  expect_found(body(false), violation::assertion);
  expect_holds(body(true));
}

// Recording the races changes nothing that the body could have changed.
TEST(reexecution, executions_go_on_from_resume_points) {
  const auto ring = [] {
    checked::atomic<int> a[3] = {0, 0, 0};
    run_threads(3, [&](unsigned index) {
      a[index].load(relaxed);
      a[(index + 1) % 3].store(1, relaxed);
    });
  };
  options o = with_load_buffering();
  o.resume_points = true;
  const result r = check(o, ring);
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_FALSE(r.load_buffering.empty());
  EXPECT_EQ(r.from_beginning, "");
}

TEST(reexecution, what_cannot_be_explored_is_refused) {
  const auto refused = [](options o) {
    o.model = memory_model::xc20;
    const result r = check(o, [] {
      checked::atomic<int> a{0};
      a.store(1);
    });
    EXPECT_EQ(r.outcome, verdict::incomplete);
    EXPECT_NE(r.limit.find("xc20"), std::string::npos) << r.limit;
  };
  options random;
  random.samples = 10;
  refused(random);
  options bounded;
  bounded.preemptions = 1;
  refused(bounded);
  options divided;
  divided.parts = 3;
  refused(divided);
}

TEST(reexecution, a_whole_word_may_be_read_before_the_future) {
  expect_found(testing::read_a_word_that_comes_by_halves, violation::assertion);
}

TEST(reexecution, what_only_seems_to_be_wrong_stops_no_other_thread) {
  using testing::fails;
  for (const fails how :
       {fails::where_it_is_read, fails::where_it_is_told, fails::as_a_test_framework})
    expect_found([how] { testing::read_what_is_stored_last(how); }, violation::assertion);
  expect_found([] { testing::read_what_is_stored_last(fails::by_abort); }, violation::crash);
}

// As above, but after what goes wrong no other thread can continue.
TEST(reexecution, what_ends_a_run_and_is_not_believed_leaves_the_rest_unexplored) {
  const result r = check(with_load_buffering(),
                         [] { testing::read_what_is_stored_last(testing::fails::by_misuse); });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(to_text(r).find("what the other threads would do is"), std::string::npos) << to_text(r);
}

// The preferred threads decide which events exist when something goes wrong, and nothing else.
TEST(reexecution, the_order_of_the_threads_makes_no_difference) {
  using testing::fails;
  options o = with_load_buffering();
  o.priorities = {1, 2, 3, 4};
  do {
    for (const fails how : {fails::where_it_is_read, fails::where_it_is_told}) {
      const result r = check(o, [how] { testing::read_what_is_stored_last(how); });
      EXPECT_EQ(r.outcome, verdict::violated) << to_text(r);
    }
    const result r = check(o, testing::read_a_word_that_comes_by_halves);
    EXPECT_EQ(r.outcome, verdict::violated) << to_text(r);
  } while (std::next_permutation(o.priorities.begin(), o.priorities.end()));
}

// The spin lock from above, with two writers.
TEST(reexecution, jobs_symmetric_threads_and_a_second_opinion_make_no_difference) {
  const auto body = [](std::memory_order unlock) {
    return [=] {
      spin_lock guard(acquire, unlock);
      checked::atomic<int> mark{0}, data{0};
      int read = 0, seen = 0;
      run_threads(3, [&](unsigned index) {
        guard.lock();
        if (index == 0) {
          mark.store(1, relaxed);
          read = data.load(relaxed);
        } else {
          seen += mark.load(relaxed);
          data.store(1, relaxed);
        }
        guard.unlock();
      });
      require(seen < 2 || read == 0, "the reader came first");
    };
  };
  options several = with_load_buffering();
  several.jobs = 2;
  options symmetric = with_load_buffering();
  symmetric.symmetric = {.first = 2, .count = 2};
  options rechecked = with_load_buffering();
  rechecked.recheck = true;
  for (const options& o : {with_load_buffering(), several, symmetric, rechecked}) {
    const result wrong = check(o, body(relaxed));
    EXPECT_EQ(wrong.outcome, verdict::violated) << to_text(wrong);
    const result right = check(o, body(release));
    EXPECT_EQ(right.outcome, verdict::verified) << to_text(right);
  }
}

// A user who sees no progress for a minute believes that the program hangs.
TEST(reexecution, progress_is_told_while_what_comes_from_a_race_is_explored) {
  const auto body = [](std::memory_order order) {
    return [=] {
      checked::atomic<int> a{0}, b{0}, other{0};
      run_threads(6, [&](unsigned index) {
        if (index > 1)
          for (unsigned i = 0; i < 1 + index / 2; ++i) other.store(1, relaxed);
        else if (index == 0) {
          a.load(relaxed);
          b.store(1, order);
        } else {
          b.load(relaxed);
          a.store(1, order);
        }
      });
    };
  };
  options o = with_load_buffering();
  const result without = check(o, body(release));
  std::uint64_t most = 0;
  o.on_progress = [&](const progress& p) { most = std::max(most, p.executions); };
  const result r = check(o, body(relaxed));
  EXPECT_TRUE(r) << to_text(r);
  EXPECT_EQ(r.executions, without.executions);
  EXPECT_GT(most, without.executions);
}

// The limit is one for all explorations together, not for each race.
TEST(reexecution, so_many_runs_are_enough_and_one_less_is_not) {
  const auto body = [] {
    checked::atomic<int> a{0}, b{0}, c{0};
    run_threads(3, [&](unsigned index) {
      checked::atomic<int>* const from[] = {&a, &b, &c};
      checked::atomic<int>* const to[] = {&b, &c, &a};
      from[index]->load(relaxed);
      to[index]->store(1, relaxed);
    });
  };
  options o = with_load_buffering();
  const result whole = check(o, body);
  ASSERT_TRUE(whole) << to_text(whole);
  ASSERT_GT(whole.reexecutions->races, 1U);
  std::uint64_t least = whole.executions + whole.blocked;
  const auto within = [&](std::uint64_t runs) {
    o.max_executions = runs;
    return check(o, body);
  };
  while (within(least).outcome == verdict::incomplete) ++least;
  EXPECT_GT(least, whole.executions + whole.blocked);  // executions that are found again count, too
  const result cut = within(least - 1);
  EXPECT_EQ(cut.limit, "max_executions") << to_text(cut);
  EXPECT_TRUE(within(least)) << to_text(within(least));
}

TEST(reexecution, the_limits_are_those_of_all_explorations_together) {
  EXPECT_EQ(testing::wrong_common_limits(), "");
}

// Two reads from the future that are independent of each other.
TEST(reexecution, the_verdict_names_how_deep_it_went) {
  const auto body = [] {
    checked::atomic<int> a{0}, b{0}, c{0}, d{0};
    run_threads(4, [&](unsigned index) {
      checked::atomic<int>* const from[] = {&a, &b, &c, &d};
      checked::atomic<int>* const to[] = {&b, &a, &d, &c};
      from[index]->load(relaxed);
      to[index]->store(1, relaxed);
    });
  };
  options o = with_load_buffering();
  o.reexecutions = 1;
  const result once = check(o, body);
  EXPECT_TRUE(once) << to_text(once);
  EXPECT_FALSE(holds_with_load_buffering(once));
  EXPECT_NE(to_text(once).find("within 1 re-execution"), std::string::npos) << to_text(once);
  const result twice = check(with_load_buffering(), body);
  EXPECT_TRUE(holds_with_load_buffering(twice)) << to_text(twice);
}

// True if in each of two pairs, both threads read what the other one writes afterwards.
bool two_cycles_at_once() {
  checked::atomic<int> a{0}, b{0}, c{0}, d{0};
  int read[4] = {};
  run_threads(4, [&](unsigned index) {
    checked::atomic<int>* const from[] = {&a, &b, &c, &d};
    checked::atomic<int>* const to[] = {&b, &a, &d, &c};
    read[index] = from[index]->load(relaxed);
    to[index]->store(1, relaxed);
  });
  return read[0] == 1 && read[1] == 1 && read[2] == 1 && read[3] == 1;
}

TEST(reexecution, what_takes_two_reads_from_the_future_is_come_to_again) {
  const auto body = [] { require(!two_cycles_at_once(), "two cycles at once"); };
  options once = with_load_buffering();
  once.reexecutions = 1;
  EXPECT_TRUE(check(once, body));
  const result r = check(with_load_buffering(), body);
  expect_replayed(r, body);
  once.replay = r.violation->path;  // which says how many re-executions it takes
  EXPECT_EQ(check(once, body).outcome, verdict::violated);
}

// The wrong execution uses up the time limit: no time is left to search for the path to it.
TEST(reexecution, how_a_violation_is_come_to_again_is_not_looked_for_beyond_the_limit_of_time) {
  options o = with_load_buffering();
  o.timeout = std::chrono::seconds(3);
  const auto end = std::chrono::steady_clock::now() + o.timeout;
  const result r = check(o, [&] {
    const bool wrong = two_cycles_at_once();
    while (wrong && std::chrono::steady_clock::now() < end) {
    }
    require(!wrong, "two cycles at once");
  });
  ASSERT_TRUE(r.violation) << to_text(r);
  EXPECT_EQ(r.violation->path, "");
  EXPECT_EQ(r.violation->no_path, "timeout");
  EXPECT_NE(to_text(r).find("to replay it was found"), std::string::npos) << to_text(r);
}

TEST(reexecution, what_another_thread_has_used_is_ended_where_its_release_is_acquired) {
  using testing::end_by_way_of_another_thread;
  expect_found([] { end_by_way_of_another_thread(relaxed); }, violation::use_after_free);
  expect_holds([] { end_by_way_of_another_thread(release); });
}

TEST(reexecution, what_another_thread_has_made_is_used_where_its_release_is_acquired) {
  expect_found([] { testing::use_by_way_of_another_thread(relaxed); }, violation::data_race);
}

TEST(reexecution, what_is_misused_where_the_order_is_not_known_is_not_believed) {
  const result r = check(with_load_buffering(), testing::end_a_mutex_by_way_of_another_thread);
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
}

// Whichever comes first in the run, the use or the end, and whether or not all threads finish.
TEST(reexecution, an_end_is_not_ordered_after_the_use_by_a_bystander) {
  using testing::bystander;
  const auto outcome = [](const options& o, bystander does, std::memory_order writes, bool stops) {
    const result r = check(o, [=] { testing::end_what_is_used(does, writes, stops); });
    EXPECT_TRUE(!r.violation || r.violation->came_again) << to_text(r);
    return r.outcome;
  };
  options o = with_load_buffering();
  o.priorities = {1, 2, 3, 4};
  do {
    for (const std::memory_order writes : {relaxed, release})
      for (const bool stops : {false, true}) {
        EXPECT_EQ(outcome(o, bystander::none, writes, stops), verdict::verified);
        EXPECT_EQ(outcome(o, bystander::stores, writes, stops), verdict::violated);
        EXPECT_EQ(outcome(o, bystander::notifies, writes, stops), verdict::violated);
      }
  } while (std::next_permutation(o.priorities.begin(), o.priorities.end()));
}

// A race on plain data makes a run go differently, but the run still ends; and what seems to be
// wrong before the data is written does not end its thread in each run. Wrong, and not verified
// whichever thread comes first.
TEST(reexecution, what_is_wrong_for_data_that_is_still_to_come_does_not_end_its_thread_unnoticed) {
  for (const auto requires_it : {testing::asserts_that, testing::crashes_unless}) {
    const auto body = [=](unsigned reader) {
      return [=] { testing::require_what_races(reader, requires_it); };
    };
    options o = with_load_buffering();
    o.priorities = {1, 2};
    do {
      for (const unsigned reader : {0U, 1U}) {
        const result r = check(o, body(reader));
        EXPECT_NE(r.outcome, verdict::verified) << to_text(r);
      }
    } while (std::next_permutation(o.priorities.begin(), o.priorities.end()));
    EXPECT_EQ(check(with_load_buffering(), body(0)).outcome, verdict::violated);
  }
}

TEST(reexecution, a_path_to_no_violation_leads_nowhere) {
  const auto body = reader_and_writer(acquire, relaxed);
  const result r = check(with_load_buffering(), body);
  ASSERT_TRUE(r.violation) << to_text(r);
  const std::string path = r.violation->path;
  const std::string run = path.substr(path.rfind(':'));
  for (const std::string& other :
       {"xc20:0-999999" + run, "xc20:1-1" + run, path + "9", path.substr(0, path.rfind(':')),
        "xc20:" + run, "xc20:0-1.1-1" + run, run.substr(1), std::string("xc20:0-1:x")}) {
    options o = with_load_buffering();
    o.replay = other;
    const result again = check(o, body);
    EXPECT_EQ(again.outcome, verdict::incomplete) << other << ": " << to_text(again);
    EXPECT_EQ(again.limit, "the run to be replayed has no violation") << other;
  }
}

}  // namespace
}  // namespace fencepost::verify
