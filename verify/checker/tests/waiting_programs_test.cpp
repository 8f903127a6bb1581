// Programs with waiting loops whose verdict is known: what decides is what a turn does, not how the
// loop is written.
#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;
using word = checked::atomic<std::uint32_t>;
using plain = checked::plain<int>;

constexpr auto none = violation::none;
constexpr auto liveness = violation::liveness;
constexpr auto assertion = violation::assertion;
constexpr auto race = violation::data_race;

// ---- where the pause stands ----

template <class Loop>
violation message_through(Loop loop, std::memory_order publish = release) {
  return found_in([=] {
    integer ready{0};
    plain data{0};
    concurrently(
        [&] {
          data.set(1);
          ready.store(1, publish);
        },
        [&] {
          loop(ready);
          require(data.get() == 1);
        });
  });
}

constexpr auto pause_last = [](integer& x) {
  while (x.load(acquire) == 0) checked::spin_pause();
};
constexpr auto pause_first = [](integer& x) {
  do checked::spin_pause();
  while (x.load(acquire) == 0);
};
constexpr auto no_pause = [](integer& x) {
  while (x.load(acquire) == 0) {
  }
};
constexpr auto read_before = [](integer& x) {
  int c = x.load(acquire);
  while (c == 0) {
    checked::spin_pause();
    c = x.load(acquire);
  }
};
constexpr auto backs_off = [](integer& x) {
  for (checked::back_off turn; x.load(acquire) == 0; turn()) {
  }
};
constexpr auto exchanges = [](integer& x) {
  for (int expected = 1; !x.compare_exchange_strong(expected, 2, acq_rel, acquire);) expected = 1;
};
constexpr auto adds_nothing = [](integer& x) {
  while (x.fetch_add(0, acq_rel) == 0) {
  }
};
constexpr auto with_a_fence = [](integer& x) {
  while (x.load(relaxed) == 0) checked::fence(acquire);
  checked::fence(acquire);
};
[[gnu::noinline]] bool is_set(integer& x, int deep) {
  volatile int frame[8] = {deep};
  if (deep > 0) return is_set(x, deep - 1) && frame[0] == deep;
  return x.load(acquire) != 0;
}
constexpr auto in_a_called_function = [](integer& x) {
  while (!is_set(x, 3)) checked::spin_pause();
};
constexpr auto in_turns_of_two = [](integer& x) {
  for ([[maybe_unused]] int turn = 0; x.load(acquire) == 0; turn ^= 1) checked::spin_pause();
};

template <class Test>
void for_each_loop(Test test) {
  test("pause_last", pause_last);
  test("pause_first", pause_first);
  test("no_pause", no_pause);
  test("read_before", read_before);
  test("backs_off", backs_off);
  test("exchanges", exchanges);
  test("adds_nothing", adds_nothing);
  test("with_a_fence", with_a_fence);
  test("in_a_called_function", in_a_called_function);
  test("in_turns_of_two", in_turns_of_two);
}

TEST(a_message, arrives_however_the_loop_is_written) {
  for_each_loop(
      [](const char* name, auto loop) { EXPECT_EQ(message_through(loop), none) << name; });
}

TEST(a_message, that_is_not_published_races_however_the_loop_is_written) {
  for_each_loop(
      [](const char* name, auto loop) { EXPECT_EQ(message_through(loop, relaxed), race) << name; });
}

template <class Loop>
violation nobody_ends(Loop loop) {
  return found_in([=] {
    integer x{0}, y{0};
    concurrently([&] { y.store(1); }, [&] { loop(x); });
  });
}

TEST(a_message, that_never_comes_is_waited_for_in_vain) {
  for_each_loop(
      [](const char* name, auto loop) { EXPECT_EQ(nobody_ends(loop), liveness) << name; });
}

// ---- loops that end by themselves ----

TEST(a_bounded_spin, before_a_wait_that_nobody_notifies) {
  for (const int turns : {0, 1, 2, 3}) {
    EXPECT_EQ(found_in([turns] {
                integer x{0};
                concurrently([&] { x.store(1); },
                             [&] {
                               for (int i = 0; i < turns; ++i) {
                                 if (x.load() == 1) return;
                                 checked::spin_pause();
                               }
                               x.wait(0);
                             });
              }),
              liveness)
        << turns;
  }
}

TEST(a_bounded_spin, before_a_wait_that_is_notified) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently(
                  [&] {
                    x.store(1);
                    x.notify_one();
                  },
                  [&] {
                    for (int i = 0; i < 3; ++i) {
                      if (x.load() == 1) return;
                      checked::spin_pause();
                    }
                    x.wait(0);
                    require(x.load() == 1);
                  });
            }),
            none);
}

TEST(a_bounded_spin, is_explored_turn_by_turn) {
  const auto r = outcomes_of(options{}, [] {
    integer x{0};
    int turns = 0;
    concurrently([&] { x.store(1, relaxed); },
                 [&] {
                   for (; turns < 4 && x.load(relaxed) == 0; ++turns) checked::spin_pause();
                 });
    outcome(turns);
  });
  EXPECT_EQ(r, (std::set<std::string>{"0", "1", "2", "3", "4"}));
}

TEST(a_bounded_spin, may_count_where_it_is_not_seen_at_once) {
  // The turns count in a local variable of another thread, on the heap, in plain data.
  const auto with = [](auto count) {
    return outcomes_of(options{}, [count] {
      integer x{0};
      int of_main = 0;
      const auto on_heap = std::make_unique<int>(0);
      plain watched{0};
      concurrently([&] { x.store(1, relaxed); },
                   [&] {
                     while (x.load(relaxed) == 0 && count(of_main, *on_heap, watched) < 3)
                       checked::spin_pause();
                   });
      outcome(of_main + *on_heap + watched.get());
    });
  };
  const std::set<std::string> all{"0", "1", "2", "3"};
  EXPECT_EQ(with([](int& m, int&, plain&) { return ++m; }), all);
  EXPECT_EQ(with([](int&, int& h, plain&) { return ++h; }), all);
  EXPECT_EQ(with([](int&, int&, plain& p) { return ++p.write(); }), all);
}

// ---- what was before the loop is no turn ----

TEST(what_comes_before_a_loop, is_no_turn_of_it) {
  const auto body = [](auto loop) {
    return found_in([loop] {
      integer x{0}, own{0};
      concurrently([&] { x.store(1); },
                   [&] {
                     int c = x.load();
                     const bool waited = c == 0;
                     own.store(1);
                     own.load();
                     loop(x, c);
                     require(!waited, "it has waited");
                   });
    });
  };
  EXPECT_EQ(body([](integer& x, int c) {
              while (c == 0) {
                checked::spin_pause();
                c = x.load();
              }
            }),
            assertion);
  EXPECT_EQ(body([](integer& x, int c) {
              while (c == 0) {
                c = x.load();
                checked::spin_pause();
              }
            }),
            assertion);
  EXPECT_EQ(body([](integer& x, int c) {
              while (c == 0) c = x.load();
            }),
            assertion);
}

TEST(what_comes_before_a_loop, may_be_handed_into_it) {
  // What was read before distinguishes the first turn from the others.
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently([&] { x.store(1); },
                           [&] {
                             bool first = x.load() == 0;
                             bool second = false;
                             while (x.load() == 0) {
                               second = !first;
                               first = false;
                               checked::spin_pause();
                             }
                             require(!second, "two turns");
                           });
            }),
            assertion);
}

TEST(what_a_turn_changes, shows_after_the_loop) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              concurrently([&] { x.store(1); },
                           [&] {
                             bool waited = false;
                             while (x.load() == 0) waited = true;
                             require(!waited, "it has waited");
                           });
            }),
            assertion);
  EXPECT_EQ(found_in([] {
              integer x{0};
              int last = 0;
              concurrently(
                  [&] {
                    x.store(1);
                    x.store(2);
                    x.store(3);
                  },
                  [&] {
                    for (int now = 0; (now = x.load()) != 3;) last = now;
                  });
              require(last != 2, "the last but one");
            }),
            assertion);
}

// ---- more than one read ----

TEST(a_turn_of_two_reads, need_not_see_both_at_once) {
  EXPECT_EQ(found_in([] {
              integer x{0}, y{0};
              concurrently(
                  [&] {
                    x.store(1, relaxed);
                    y.store(1, relaxed);
                  },
                  [&] {
                    while (x.load(relaxed) == y.load(relaxed)) {
                      if (x.load(relaxed) == 1) return;
                    }
                  });
            }),
            none);
}

TEST(a_turn_of_two_reads, may_end_on_either) {
  const auto r = outcomes_of(options{}, [] {
    integer x{0}, y{0};
    int which = 0;
    concurrently([&] { x.store(1, relaxed); }, [&] { y.store(1, relaxed); },
                 [&] {
                   for (;;) {
                     if (x.load(relaxed) != 0) return void(which = 1);
                     if (y.load(relaxed) != 0) return void(which = 2);
                   }
                 });
    outcome(which);
  });
  EXPECT_EQ(r, (std::set<std::string>{"1", "2"}));
}

TEST(a_turn_of_two_reads, that_look_for_one_of_three_by_turns) {
  const auto scan = [](int which) {
    return found_in([which] {
      integer slots[3];
      concurrently([&] { slots[which].store(1); },
                   [&] {
                     for (int i = 0; slots[i].load() == 0; i = (i + 1) % 2) checked::spin_pause();
                   });
    });
  };
  EXPECT_EQ(scan(0), none);
  EXPECT_EQ(scan(1), none);
  EXPECT_EQ(scan(2), liveness);
}

// ---- locks ----

template <class Lock, class Unlock>
violation counting_under(unsigned threads, Lock lock, Unlock unlock) {
  return found_in([=] {
    integer held{0}, serving{0};
    plain inside{0};
    in_threads(threads, [&](unsigned) {
      const int ticket = lock(held, serving);
      inside.set(inside.get() + 1);
      unlock(held, serving, ticket);
    });
    require(inside.get() == static_cast<int>(threads));
  });
}

TEST(a_lock, of_any_kind_excludes) {
  const auto open = [](integer& held, integer&, int) { held.store(0, release); };
  EXPECT_EQ(counting_under(
                3,
                [](integer& held, integer&) {
                  while (held.exchange(1, acquire) == 1) {
                  }
                  return 0;
                },
                open),
            none);
  EXPECT_EQ(counting_under(
                3,
                [](integer& held, integer&) {
                  while (held.load(relaxed) == 1 || held.exchange(1, acquire) == 1) {
                  }
                  return 0;
                },
                open),
            none);
  EXPECT_EQ(counting_under(
                3,
                [](integer& held, integer&) {
                  for (int free = 0; !held.compare_exchange_weak(free, 1, acquire, relaxed);
                       free = 0)
                    while (held.load(relaxed) == 1) checked::spin_pause();
                  return 0;
                },
                open),
            none);
  EXPECT_EQ(counting_under(
                3,
                [](integer& next, integer& serving) {
                  const int mine = next.fetch_add(1, relaxed);
                  while (serving.load(acquire) != mine) {
                  }
                  return mine;
                },
                [](integer&, integer& serving, int mine) { serving.store(mine + 1, release); }),
            none);
}

TEST(a_lock, that_is_not_released_in_order_races) {
  const auto open = [](integer& held, integer&, int) { held.store(0, relaxed); };
  EXPECT_EQ(counting_under(
                2,
                [](integer& held, integer&) {
                  while (held.exchange(1, acquire) == 1) {
                  }
                  return 0;
                },
                open),
            race);
}

TEST(a_lock, that_is_never_released) {
  EXPECT_EQ(counting_under(
                3,
                [](integer& held, integer&) {
                  while (held.load(relaxed) == 1 || held.exchange(1, acquire) == 1) {
                  }
                  return 0;
                },
                [](integer&, integer&, int) {}),
            liveness);
}

// A sequence lock: the reader tries again until it has a whole pair.
TEST(a_sequence_lock, gives_whole_pairs) {
  const auto body = [](std::memory_order publish) {
    return found_in([publish] {
      integer sequence{0}, a{0}, b{0};
      concurrently(
          [&] {
            sequence.store(1, relaxed);
            checked::fence(publish);
            a.store(1, relaxed);
            b.store(1, relaxed);
            sequence.store(2, release);
          },
          [&] {
            int first = 0, x = 0, y = 0;
            for (;;) {
              first = sequence.load(acquire);
              if (first % 2 == 1) continue;
              x = a.load(relaxed);
              y = b.load(relaxed);
              checked::fence(acquire);
              if (sequence.load(relaxed) == first) break;
            }
            require(x == y);
          });
    });
  };
  EXPECT_EQ(body(release), none);
  EXPECT_EQ(body(relaxed), assertion);
}

// ---- loops in loops ----

TEST(a_loop_in_a_loop, waits_for_each_of_two) {
  const auto body = [](int answers) {
    return found_in([answers] {
      integer ball{0};
      concurrently(
          [&] {
            for (int i = 0; i < 2; ++i) {
              while (ball.load(acquire) != 2 * i) checked::spin_pause();
              ball.store(2 * i + 1, release);
            }
          },
          [&] {
            for (int i = 0; i < answers; ++i) {
              while (ball.load(acquire) != 2 * i + 1) checked::spin_pause();
              ball.store(2 * i + 2, release);
            }
          });
    });
  };
  EXPECT_EQ(body(2), none);
  EXPECT_EQ(body(0), liveness);
}

// ---- what a turn accesses ----

TEST(a_turn_that_reads_data, races_with_their_writer) {
  const auto body = [](bool in_the_loop) {
    return found_in([in_the_loop] {
      integer ready{0};
      plain data{0};
      concurrently(
          [&] {
            data.set(1);
            ready.store(1, release);
          },
          [&] {
            while (ready.load(acquire) == 0)
              if (in_the_loop) static_cast<void>(data.get());
            static_cast<void>(data.get());
          });
    });
  };
  EXPECT_EQ(body(true), race);
  EXPECT_EQ(body(false), none);
}

TEST(a_turn_that_reads_data, races_with_a_writer_that_comes_after_the_loop) {
  EXPECT_EQ(found_in([] {
              integer x{0}, over{0};
              plain data{0};
              concurrently(
                  [&] {
                    x.store(1, relaxed);
                    if (over.load(relaxed) == 1) data.set(1);
                  },
                  [&] {
                    while (x.load(relaxed) == 0) static_cast<void>(data.get());
                    over.store(1, relaxed);
                  });
            }),
            race);
}

TEST(a_turn_that_reads_data, of_its_own_is_idle) {
  EXPECT_EQ(found_in([] {
              integer x{0};
              plain own{7};
              concurrently([&] { x.store(1, relaxed); },
                           [&] {
                             while (x.load(relaxed) == 0) require(own.get() == 7);
                           });
            }),
            none);
}

TEST(a_turn_that_reads_an_atomic, must_be_over_when_that_is_destroyed) {
  EXPECT_EQ(found_in([] {
              integer x{0}, over{0};
              auto other = std::make_unique<integer>(0);
              concurrently(
                  [&] {
                    x.store(1, relaxed);
                    if (over.load(relaxed) == 1) other.reset();
                  },
                  [&] {
                    while (x.load(relaxed) == 0) static_cast<void>(other->load(relaxed));
                    over.store(1, relaxed);
                  });
            }),
            violation::use_after_free);
}

// ---- parking ----

TEST(a_loop_around_a_wait, ends_when_it_is_notified) {
  const auto body = [](bool notifies) {
    return found_in([notifies] {
      word x{0};
      concurrently(
          [&] {
            x.store(1, release);
            if (notifies) checked::futex_wake(x, 1);
          },
          [&] {
            while (x.load(acquire) == 0) checked::futex_wait(x, 0);
          });
    });
  };
  EXPECT_EQ(body(true), none);
  EXPECT_EQ(body(false), liveness);
}

// ---- no end ----

TEST(a_loop_that_counts_without_end, is_a_limit_and_is_named) {
  options o;
  o.max_events = 200;
  const result r = check(o, [] {
    integer x{0};
    concurrently([&] { x.store(1); },
                 [&] {
                   for (unsigned n = 0; x.load() == 0; ++n) asm volatile("" : "+r"(n));
                 });
  });
  // The last store is read in the end, but after any number of turns.
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(r.limit.find("waiting_programs_test.cpp:"), std::string::npos) << r.limit;
}

// The old pointer stays in the frame of the loop, and the next turn has another one.
TEST(a_loop_that_allocates, is_a_limit_that_says_so) {
  options o;
  o.max_events = 200;
  const result r = check(o, [] {
    integer x{0};
    concurrently([&] { x.store(1); },
                 [&] {
                   while (x.load() == 0) {
                     int* volatile last = new int{1};
                     delete last;
                   }
                 });
  });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
  EXPECT_NE(r.limit.find("allocates"), std::string::npos) << r.limit;
}

TEST(a_long_program, is_no_violation) {
  options o;
  o.max_events = 100;
  const result r = check(o, [] {
    integer x{0};
    for (int i = 0; i < 200; ++i) x.fetch_add(1);
  });
  EXPECT_EQ(r.outcome, verdict::incomplete) << to_text(r);
}

}  // namespace
}  // namespace fencepost::verify::testing
