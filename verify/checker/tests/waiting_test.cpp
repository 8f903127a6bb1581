// Loops that wait: explored once, and reported if nothing can end them.
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using plain = checked::plain<int>;

TEST(spin_loop, is_explored_once) {
  const result r = check({}, [] {
    integer ready{0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          ready.store(1, release);
        },
        [&] {
          while (ready.load(acquire) == 0) checked::spin_pause();
          require(data.get() == 1);
        });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1U);
  EXPECT_LE(r.blocked, 1U);
}

TEST(spin_loop, that_needs_several_changes_goes_on_until_the_last) {
  const result r = check({}, [] {
    integer count{0};
    in_threads(4, [&](unsigned i) {
      if (i != 0) {
        count.fetch_add(1);
      } else {
        while (count.load() < 3) checked::spin_pause();
      }
    });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 6U);
}

TEST(spin_loop, on_two_locations) {
  const result r = check({}, [] {
    integer x{0}, y{0};
    concurrently([&] { x.store(1, release); }, [&] { y.store(1, release); },
                 [&] {
                   while (x.load(acquire) == 0 || y.load(acquire) == 0) checked::spin_pause();
                 });
  });
  EXPECT_EQ(r.outcome, verdict::verified) << to_text(r);
  EXPECT_EQ(r.executions, 1U);
}

TEST(spin_loop, that_nobody_ends) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              while (x.load() == 0) checked::spin_pause();
            }),
            violation::liveness);
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently([&] { x.store(1); },
                           [&] {
                             while (x.load() != 2) checked::spin_pause();
                           });
            }),
            violation::liveness);
}

TEST(spin_loop, whose_signal_is_overwritten) {
  // The waiter may come too late for the 1.
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently(
                  [&] {
                    x.store(1);
                    x.store(2);
                  },
                  [&] {
                    while (x.load() != 1) checked::spin_pause();
                  });
            }),
            violation::liveness);
}

TEST(spin_loop, that_waits_for_each_other) {
  EXPECT_EQ(found_in([] {
              integer x{0}, y{0};
              concurrently(
                  [&] {
                    while (x.load() == 0) checked::spin_pause();
                    y.store(1);
                  },
                  [&] {
                    while (y.load() == 0) checked::spin_pause();
                    x.store(1);
                  });
            }),
            violation::liveness);
}

// What is decided from an old value before the loop stays decided.
TEST(spin_loop, that_hangs_because_of_what_was_read_before_it) {
  EXPECT_EQ(found_in([] {
              integer mode{0}, ready{0};
              concurrently(
                  [&] {
                    mode.store(1, relaxed);
                    ready.store(1, relaxed);
                  },
                  [&] {
                    const int wanted = mode.load(relaxed) == 0 ? 2 : 1;
                    while (ready.load(relaxed) != wanted) checked::spin_pause();
                  });
            }),
            violation::liveness);
}

TEST(spin_loop, whose_old_read_is_in_the_loop_gets_on) {
  // Each turn reads both: an old x beside the last y does not stay.
  EXPECT_EQ(found_in([] {
              integer x{0}, y{0};
              concurrently(
                  [&] {
                    x.store(1, relaxed);
                    y.store(1, relaxed);
                  },
                  [&] {
                    for (;;) {
                      const int a = x.load(relaxed);
                      const int b = y.load(relaxed);
                      if (a == 1 && b == 1) break;
                      checked::spin_pause();
                    }
                  });
            }),
            violation::none);
}

TEST(spin_loop, whose_turns_write) {
  // The first thread raises a flag in each turn and waits for an answer.
  const auto body = [](bool answered) {
    integer flag{0}, answer{0};
    concurrently(
        [&] {
          for (;;) {
            flag.store(1, release);
            if (answer.load(acquire) == 1) break;
            checked::spin_pause();
          }
        },
        [&] {
          while (flag.load(acquire) == 0) checked::spin_pause();
          if (answered) answer.store(1, release);
        });
  };
  // Each turn adds a write: there is no end to them.
  options o;
  o.max_events = 40;
  for (const bool answered : {true, false}) {
    const result r = check(o, [&] { body(answered); });
    EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
    EXPECT_NE(r.limit.find("waiting_test.cpp:"), std::string::npos) << r.limit;
  }
}

TEST(spin_loop, whose_turns_write_what_is_not_there_yet) {
  const auto body = [](bool answered) {
    integer flag{0}, answer{0};
    concurrently(
        [&] {
          do {
            if (flag.load(relaxed) == 0) flag.store(1, release);
          } while (answer.load(acquire) == 0);
        },
        [&] {
          while (flag.load(acquire) == 0) checked::spin_pause();
          if (answered) answer.store(1, release);
        });
  };
  EXPECT_EQ(found_in([&] { body(true); }), violation::none);
  EXPECT_EQ(found_in([&] { body(false); }), violation::liveness);
}

TEST(spin_loop, whose_second_turn_is_what_the_other_waits_for) {
  EXPECT_EQ(found_in([] {
              integer flag{0}, answer{0};
              concurrently(
                  [&] {
                    do {
                      if (flag.load(relaxed) == 0) flag.store(1, release);
                    } while (answer.load(acquire) == 0);
                  },
                  [&] {
                    while (flag.load(acquire) == 0) checked::spin_pause();
                    flag.store(0, relaxed);
                    while (flag.load(acquire) == 0) checked::spin_pause();
                    answer.store(1, release);
                  });
            }),
            violation::none)
      << "the first thread raises its flag again and again";
}

TEST(spin_loop, whose_turns_count) {
  // A turn changes only a local variable: the loop ends by itself after its third turn.
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently([&] { static_cast<void>(x.load()); },
                           [&] {
                             for (int turn = 0; turn < 3 && x.load() == 0; ++turn)
                               checked::spin_pause();
                           });
            }),
            violation::none);
}

TEST(spin_loop, of_read_modify_writes) {
  EXPECT_EQ(found_in([] {
              integer held{0};
              plain inside{0};
              in_threads(2, [&](unsigned) {
                while (held.exchange(1, acquire) == 1) checked::spin_pause();
                inside.set(inside.get() + 1);
                held.store(0, release);
              });
              require(inside.get() == 2);
            }),
            violation::none);
  EXPECT_EQ(found_in([] {
              integer held{0};
              in_threads(2, [&](unsigned) {
                while (held.exchange(1, acquire) == 1) checked::spin_pause();
              });
            }),
            violation::liveness)
      << "never unlocked";
}

TEST(spin_loop, of_compare_exchanges) {
  for (const bool weak : {false, true}) {
    EXPECT_EQ(found_in([weak] {
                integer held{0};
                plain inside{0};
                in_threads(3, [&](unsigned) {
                  for (int expected = 0;
                       !(weak ? held.compare_exchange_weak(expected, 1, acquire, relaxed)
                              : held.compare_exchange_strong(expected, 1, acquire, relaxed));
                       expected = 0)
                    checked::spin_pause();
                  inside.set(inside.get() + 1);
                  held.store(0, release);
                });
                require(inside.get() == 3);
              }),
              violation::none)
        << weak;
  }
}

TEST(spin_loop, of_a_test_and_test_and_set_lock) {
  const auto body = [](std::memory_order unlock) {
    integer held{0};
    plain inside{0};
    in_threads(3, [&](unsigned) {
      for (;;) {
        while (held.load(relaxed) == 1) checked::spin_pause();
        if (held.exchange(1, acquire) == 0) break;
      }
      inside.set(inside.get() + 1);
      held.store(0, unlock);
    });
    require(inside.get() == 3);
  };
  EXPECT_EQ(found_in([&] { body(release); }), violation::none);
  EXPECT_EQ(found_in([&] { body(relaxed); }), violation::data_race);
}

TEST(spin_loop, of_petersons_lock_needs_sequential_consistency) {
  const auto body = [](std::memory_order store, std::memory_order load) {
    integer wants[2];
    integer turn{0};
    plain inside{0};
    in_threads(2, [&](unsigned i) {
      const int other = 1 - static_cast<int>(i);
      wants[i].store(1, store);
      turn.store(other, store);
      while (wants[other].load(load) == 1 && turn.load(load) == other) checked::spin_pause();
      inside.set(inside.get() + 1);
      wants[i].store(0, store == relaxed ? release : store);
    });
  };
  EXPECT_EQ(found_in([&] { body(seq_cst, seq_cst); }), violation::none);
  EXPECT_EQ(found_in([&] { body(release, acquire); }), violation::data_race);
}

TEST(spin_loop, of_a_barrier_used_twice) {
  EXPECT_EQ(found_in([] {
              integer arrived{0}, phase{0};
              plain data[2];
              const auto barrier = [&](int next) {
                if (arrived.fetch_add(1, acq_rel) == 1) {
                  arrived.store(0, relaxed);
                  phase.store(next, release);
                }
                while (phase.load(acquire) < next) checked::spin_pause();
              };
              in_threads(2, [&](unsigned i) {
                data[i].set(1);
                barrier(1);
                require(data[1 - i].get() == 1, "what the other one wrote");
                barrier(2);
                data[i].set(2);
              });
            }),
            violation::none);
}

TEST(spin_loop, inside_a_loop) {
  // Three messages through a mailbox of one.
  EXPECT_EQ(found_in([] {
              integer full{0};
              plain mail{0};
              concurrently(
                  [&] {
                    for (int i = 1; i <= 3; ++i) {
                      while (full.load(acquire) == 1) checked::spin_pause();
                      mail.set(i);
                      full.store(1, release);
                    }
                  },
                  [&] {
                    for (int i = 1; i <= 3; ++i) {
                      while (full.load(acquire) == 0) checked::spin_pause();
                      require(mail.get() == i, "in order");
                      full.store(0, release);
                    }
                  });
            }),
            violation::none);
}

TEST(spin_loop, that_reads_nothing_cannot_be_ended) {
  const result r = check({}, [] {
    for (;;) checked::spin_pause();
  });
  ASSERT_EQ(found(r), violation::no_progress) << to_text(r);
  EXPECT_NE(r.violation->message.find("spin_pause"), std::string::npos) << r.violation->message;
}

TEST(spin_loop, a_violation_beside_a_waiting_thread_is_found) {
  // The assertion fails in executions in which the waiter is not released.
  EXPECT_EQ(found_in([] {
              integer x{0}, go{0};
              concurrently(
                  [&] {
                    if (x.load(relaxed) == 1) require(false, "seen");
                    go.store(1, relaxed);
                  },
                  [&] { x.store(1, relaxed); },
                  [&] {
                    while (go.load(relaxed) == 0) checked::spin_pause();
                  });
            }),
            violation::assertion);
}

TEST(spin_loop, names_the_thread_and_the_place) {
  const result r = check({}, [] {
    integer x{0};
    checked::thread waiter([&] {
      while (x.load() == 0) checked::spin_pause();
    });
    waiter.join();
  });
  ASSERT_EQ(found(r), violation::liveness);
  EXPECT_EQ(r.violation->thread, 1U);
  EXPECT_EQ(r.violation->where.line, static_cast<unsigned>(__LINE__ - 6));
  EXPECT_NE(r.violation->message.find("thread 1"), std::string::npos) << r.violation->message;
  EXPECT_FALSE(r.violation->steps.empty());
}

}  // namespace
}  // namespace fencepost::verify::testing
