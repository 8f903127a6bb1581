#include "known_programs.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>
#include <set>

#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;

std::uint64_t factorial(std::uint64_t n) { return n < 2 ? 1 : n * factorial(n - 1); }

std::uint64_t power(std::uint64_t base, std::uint64_t n) {
  return n == 0 ? 1 : base * power(base, n - 1);
}

std::uint64_t choose(std::uint64_t n, std::uint64_t k) {
  return factorial(n) / factorial(k) / factorial(n - k);
}

std::string numbered(const char* what, std::uint64_t n) {
  return std::string(what) + ", " + std::to_string(n);
}

void counters(std::vector<known_program>& all) {
  for (unsigned n = 1; n <= 7; ++n) {
    all.push_back({numbered("fetch_add threads", n), factorial(n), [n] {
                     integer x{0};
                     in_threads(n, [&](unsigned) { x.fetch_add(1, relaxed); });
                     require(x.load(relaxed) == static_cast<int>(n), "no increment is lost");
                   }});
  }
  for (std::uint64_t times = 2; times <= 4; ++times) {
    all.push_back({numbered("two threads fetch_add, times", times),
                   factorial(2 * times) / power(factorial(times), 2), [times] {
                     integer x{0};
                     in_threads(2, [&](unsigned) {
                       for (std::uint64_t i = 0; i < times; ++i) x.fetch_add(1);
                     });
                   }});
  }
  for (unsigned n = 2; n <= 6; ++n) {
    // Thread i raises i to i + 1. Thread 0 always does; once thread j is the first to fail, for
    // which it has j old values, each later one reads one of j + 1 values.
    std::uint64_t executions = 1;
    for (unsigned j = 1; j < n; ++j) executions += j * power(j + 1, n - 1 - j);
    all.push_back({numbered("compare-exchange ladder, threads", n), executions, [n] {
                     integer x{0};
                     in_threads(n, [&](unsigned i) {
                       int expected = static_cast<int>(i);
                       x.compare_exchange_strong(expected, expected + 1, relaxed, relaxed);
                     });
                   }});
    all.push_back({numbered("compare-exchange from zero, threads", n), n, [n] {
                     integer x{0};
                     in_threads(n, [&](unsigned) {
                       int expected = 0;
                       x.compare_exchange_strong(expected, 1);
                     });
                   }});
    // One thread may fail spuriously, and then one of the others wins.
    all.push_back({numbered("weak compare-exchange from zero, threads", n), n + n * (n - 1), [n] {
                     integer x{0};
                     in_threads(n, [&](unsigned) {
                       int expected = 0;
                       x.compare_exchange_weak(expected, 1);
                     });
                   }});
  }
}

void loads_and_stores(std::vector<known_program>& all) {
  for (unsigned readers = 0; readers <= 3; ++readers) {
    for (unsigned writers = 1; writers <= 3; ++writers) {
      all.push_back({numbered("writers", writers) + numbered(", readers", readers),
                     factorial(writers) * power(writers + 1, readers), [=] {
                       integer x{0};
                       in_threads(writers + readers, [&](unsigned i) {
                         if (i < writers)
                           x.store(static_cast<int>(i) + 1, release);
                         else
                           static_cast<void>(x.load(acquire));
                       });
                     }});
    }
  }
  // A reader goes through the writes in modification order.
  for (unsigned reads = 1; reads <= 4; ++reads) {
    all.push_back({numbered("three writers, one reader that loads, times", reads),
                   factorial(3) * choose(3 + reads, reads), [reads] {
                     integer x{0};
                     in_threads(4, [&](unsigned i) {
                       if (i < 3) return x.store(static_cast<int>(i) + 1, relaxed);
                       for (unsigned k = 0; k < reads; ++k) static_cast<void>(x.load(relaxed));
                     });
                   }});
  }
  for (unsigned n = 2; n <= 6; ++n) {
    for (const bool ordered : {false, true}) {
      const auto order = ordered ? seq_cst : relaxed;
      all.push_back({numbered(ordered ? "store buffering ring, seq_cst, threads"
                                      : "store buffering ring, relaxed, threads",
                              n),
                     power(2, n) - (ordered ? 1 : 0), [n, order] {
                       std::array<integer, 6> x{};
                       in_threads(n, [&](unsigned i) {
                         x[i].store(1, order);
                         static_cast<void>(x[(i + 1) % n].load(order));
                       });
                     }});
    }
  }
  // Three of the four pairs of modification orders are possible, whatever the read sees. A write
  // that comes last to x revisits the read while it is placed first.
  all.push_back({"2+2W, seq_cst, beside a read", 9, [] {
                   integer x{0}, y{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 1) return static_cast<void>(x.load(relaxed));
                     (i == 0 ? x : y).store(1, seq_cst);
                     (i == 0 ? y : x).store(2, seq_cst);
                   });
                 }});
  all.push_back({"threads that share nothing", 1, [] {
                   in_threads(5, [&](unsigned) {
                     integer x{0};
                     x.store(1);
                     static_cast<void>(x.load());
                   });
                 }});
}

void fences(std::vector<known_program>& all) {
  all.push_back({"store buffering, three threads, fences, both others, rounds, 2", 5107, [] {
                   std::array<integer, 3> x{};
                   in_threads(3, [&](unsigned i) {
                     for (int round = 1; round <= 2; ++round) {
                       x[i].store(round, relaxed);
                       checked::fence(seq_cst);
                       static_cast<void>(x[(i + 1) % 3].load(relaxed));
                       static_cast<void>(x[(i + 2) % 3].load(relaxed));
                     }
                   });
                 }});
  // More than one fence between them is one fence.
  for (unsigned n = 2; n <= 3; ++n) {
    all.push_back(
        {numbered("store buffering ring, pairs of fences, threads", n), power(2, n) - 1, [n] {
           std::array<integer, 3> x{};
           in_threads(n, [&](unsigned i) {
             x[i].store(1, relaxed);
             checked::fence(seq_cst);
             checked::fence(seq_cst);
             static_cast<void>(x[(i + 1) % n].load(relaxed));
           });
         }});
  }
  // Of eight combinations of old and new one has a cycle: x.load comes before the fence, which
  // comes, through the message, before z.load, which comes before z.store.
  all.push_back({"a fence, and accesses behind a message", 7, [] {
                   integer x{0}, a{0}, z{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       x.store(1, relaxed);
                       checked::fence(seq_cst);
                       a.store(1, release);
                     } else if (i == 1) {
                       static_cast<void>(a.load(acquire));
                       static_cast<void>(z.load(seq_cst));
                     } else {
                       z.store(1, seq_cst);
                       static_cast<void>(x.load(seq_cst));
                     }
                   });
                 }});
  // Two where it succeeds, two where it reads 1, and one where it fails spuriously: then it is
  // seq_cst, and the other thread's load must see 1.
  all.push_back({"store buffering with a compare-exchange whose failure is seq_cst", 5, [] {
                   integer x{0}, y{0};
                   in_threads(2, [&](unsigned i) {
                     if (i == 1) {
                       x.store(1, seq_cst);
                       int expected = 0;
                       y.compare_exchange_weak(expected, 2, relaxed, seq_cst);
                     } else {
                       y.store(1, seq_cst);
                       static_cast<void>(x.load(seq_cst));
                     }
                   });
                 }});
}

void words_of_halves(std::vector<known_program>& all) {
  all.push_back({"a message from one half to the other, read whole", 3, [] {
                   checked::halves word{0, 0};
                   in_threads(2, [&](unsigned i) {
                     if (i == 1) return static_cast<void>(word.load(acquire));
                     word.store_high(1, relaxed);
                     word.store_low(1, release);
                   });
                 }});
  // Accessed whole they are one location; accessed by halves they are two.
  for (unsigned readers = 0; readers <= 2; ++readers) {
    for (unsigned writers = 1; writers <= 3; ++writers) {
      const std::uint64_t executions = factorial(writers) * power(writers + 1, readers);
      const std::string who = numbered("writers", writers) + numbered(", readers", readers);
      all.push_back({who + ", of a whole word of halves", executions, [=] {
                       checked::halves word{0, 0};
                       in_threads(writers + readers, [&](unsigned i) {
                         if (i < writers) return word.store((i + 1) * 0x1'0000'0001, relaxed);
                         const std::uint64_t seen = word.load(relaxed);
                         require(seen >> 32 == (seen & 0xffffffff), "not torn");
                       });
                     }});
      all.push_back({who + ", of each half", executions * executions, [=] {
                       checked::halves word{0, 0};
                       in_threads(writers + readers, [&](unsigned i) {
                         if (i < writers) {
                           word.store_low(i + 1, relaxed);
                           word.store_high(i + 1, relaxed);
                         } else {
                           static_cast<void>(word.load_high(relaxed));
                           static_cast<void>(word.load_low(relaxed));
                         }
                       });
                     }});
    }
  }
  for (unsigned n = 2; n <= 4; ++n) {
    all.push_back({numbered("compare-exchange of a whole word of halves, threads", n), n, [n] {
                     checked::halves word{1, 2};
                     in_threads(n, [&](unsigned) {
                       std::uint64_t expected = 0x2'0000'0001;
                       word.compare_exchange_strong(expected, 0x4'0000'0003, relaxed, relaxed);
                     });
                   }});
  }
}

void locks(std::vector<known_program>& all) {
  for (unsigned n = 2; n <= 5; ++n) {
    all.push_back({numbered("ticket lock, threads", n), factorial(n), [n] {
                     integer next{0}, serving{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const int ticket = next.fetch_add(1, relaxed);
                       while (serving.load(acquire) != ticket) checked::spin_pause();
                       inside.set(inside.get() + 1);
                       serving.store(ticket + 1, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
    all.push_back({numbered("mutex, threads", n), factorial(n), [n] {
                     checked::mutex m;
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       const std::lock_guard lock(m);
                       inside.set(inside.get() + 1);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
  for (unsigned n = 2; n <= 4; ++n) {
    // Each success of the exchange reads the unlock before it; what spins leaves no other trace.
    all.push_back({numbered("test-and-test-and-set lock, threads", n), 0, [n] {
                     integer held{0};
                     checked::plain<int> inside{0};
                     in_threads(n, [&](unsigned) {
                       for (;;) {
                         while (held.load(relaxed) != 0) checked::spin_pause();
                         if (held.exchange(1, acquire) == 0) break;
                       }
                       inside.set(inside.get() + 1);
                       held.store(0, release);
                     });
                     require(inside.get() == static_cast<int>(n), "exclusion");
                   }});
  }
}

// Loops that are left after three turns at the latest: none, one, two or three of them are in vain.
// And one that waits for ever where its first turn is not told from what comes before it.
void loops_that_count(std::vector<known_program>& all) {
  const auto add = [&](const char* name, auto count) {
    all.push_back({std::string("a loop that counts ") + name, 4, [count] {
                     integer x{0};
                     int of_main = 0;
                     const auto on_heap = std::make_unique<int>(0);
                     concurrently([&] { x.store(1, relaxed); },
                                  [&] {
                                    int in_register = 0;
                                    volatile int on_stack = 0;
                                    while (x.load(relaxed) == 0 &&
                                           count(in_register, on_stack, of_main, *on_heap) < 3) {
                                    }
                                  });
                   }});
  };
  add("in a register", [](int& i, volatile int&, int&, int&) { return ++i; });
  add("on its stack", [](int&, volatile int& i, int&, int&) {
    i = i + 1;
    return int{i};
  });
  add("on another stack", [](int&, volatile int&, int& i, int&) { return ++i; });
  add("on the heap", [](int&, volatile int&, int&, int& i) { return ++i; });
  all.push_back({"a loop behind a read", 2, [] {
                   integer x{0}, own{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  int c = x.load(relaxed);
                                  own.store(1, relaxed);
                                  while (c == 0) c = x.load(relaxed);
                                });
                 }});
  all.push_back({"a loop that takes turns", 1, [] {
                   integer x{0}, y{0};
                   concurrently([&] { x.store(1, relaxed); },
                                [&] {
                                  while (x.load(relaxed) == 0) {
                                  }
                                  y.store(1, relaxed);
                                },
                                [&] {
                                  while (y.load(relaxed) == 0) {
                                  }
                                });
                 }});
}

// Coherence at a location with so many accesses before that the explorer keeps account of them by
// thread.
void many_accesses(std::vector<known_program>& all) {
  const auto add = [&](const char* name, std::uint64_t executions,
                       const std::function<void(integer&)>& first,
                       const std::function<void(integer&)>& second) {
    all.push_back({name, executions, [first, second] {
                     integer x{0};
                     for (int i = 0; i < 70; ++i) x.store(0, relaxed);
                     for (int i = 0; i < 70; ++i) static_cast<void>(x.load(relaxed));
                     concurrently([&] { first(x); }, [&] { second(x); });
                   }});
  };
  const auto load = [](integer& x) { static_cast<void>(x.load(relaxed)); };
  add(
      "two loads, two stores, after many accesses", 6,
      [=](integer& x) {
        load(x);
        load(x);
      },
      [](integer& x) {
        x.store(1, relaxed);
        x.store(2, relaxed);
      });
  add(
      "store and load, store, after many accesses", 3,
      [=](integer& x) {
        x.store(1, relaxed);
        load(x);
      },
      [](integer& x) { x.store(2, relaxed); });
  add(
      "load and store, store, after many accesses", 3,
      [=](integer& x) {
        load(x);
        x.store(1, relaxed);
      },
      [](integer& x) { x.store(2, relaxed); });
}

// A stack of nodes that are named by number, so that values are the same in every exploration.
void treiber(unsigned n) {
  std::array<integer, 4> next{};
  integer top{0};
  in_threads(n, [&](unsigned i) {
    const int mine = static_cast<int>(i) + 1;
    int seen = top.load(relaxed);
    do {
      next[i].store(seen, relaxed);
    } while (!top.compare_exchange_strong(seen, mine, release, relaxed));
    seen = top.load(acquire);
    while (seen != 0 &&
           !top.compare_exchange_strong(seen, next[static_cast<unsigned>(seen) - 1].load(relaxed),
                                        acq_rel, acquire)) {
    }
  });
}

}  // namespace

std::vector<known_program> programs_of_known_count() {
  std::vector<known_program> all;
  counters(all);
  loads_and_stores(all);
  fences(all);
  words_of_halves(all);
  locks(all);
  loops_that_count(all);
  many_accesses(all);
  return all;
}

std::vector<known_program> programs_of_every_kind() {
  std::vector<known_program> all;
  all.push_back({"Treiber stack, threads, 2", 0, [] { treiber(2); }});
  all.push_back({"mutex", 6, [] {
                   checked::mutex m;
                   integer x{0};
                   in_threads(3, [&](unsigned i) {
                     const std::lock_guard lock(m);
                     x.store(static_cast<int>(i), relaxed);
                   });
                 }});
  all.push_back({"try_lock", 0, [] {
                   checked::mutex m;
                   in_threads(3, [&](unsigned) {
                     if (!m.try_lock()) return;
                     m.unlock();
                   });
                 }});
  all.push_back({"futex", 0, [] {
                   checked::atomic<std::uint32_t> word{0};
                   in_threads(3, [&](unsigned i) {
                     if (i != 0) {
                       while (word.load(acquire) == 0) checked::futex_wait(word, 0);
                     } else {
                       word.store(1, release);
                       checked::futex_wake(word, 2);
                     }
                   });
                 }});
  all.push_back({"futex with time-outs", 0, [] {
                   checked::atomic<std::uint32_t> word{0};
                   in_threads(2, [&](unsigned i) {
                     if (i == 0) {
                       checked::futex_wait(word, 0, std::chrono::steady_clock::time_point{});
                     } else {
                       word.store(1, release);
                       checked::futex_wake(word, 1);
                     }
                   });
                 }});
  all.push_back({"condition variable", 0, [] {
                   checked::mutex m;
                   checked::condition_variable changed;
                   bool ready = false;
                   in_threads(2, [&](unsigned i) {
                     std::unique_lock lock(m);
                     if (i == 0) {
                       changed.wait(lock, [&] { return ready; });
                     } else {
                       ready = true;
                       changed.notify_one();
                     }
                   });
                 }});
  all.push_back({"halves", 0, [] {
                   checked::halves word{0, 0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       word.store_low(1, relaxed);
                       static_cast<void>(word.load_high(relaxed));
                     } else if (i == 1) {
                       word.store_high(1, relaxed);
                       static_cast<void>(word.load(relaxed));
                     } else {
                       std::uint64_t seen = word.load(relaxed);
                       word.compare_exchange_strong(seen, 0x2'0000'0002, relaxed, relaxed);
                     }
                   });
                 }});
  // Of the two compare-exchanges one succeeds, with the first half from a store that may be added
  // after both.
  all.push_back({"halves, compare-exchanges of one source", 12, [] {
                   checked::halves word{0, 0};
                   in_threads(3, [&](unsigned i) {
                     if (i != 1) word.store_high(1, relaxed);
                     if (i == 2) return;
                     std::uint64_t seen = 0x1'0000'0000;
                     word.compare_exchange_strong(seen, 0x1'0000'0001, relaxed, relaxed);
                   });
                 }});
  // Another second half forbids what the compare-exchange does not acquire with the last one.
  all.push_back({"halves, a failure that acquires", 0, [] {
                   checked::halves word{0, 0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       std::uint64_t seen = 0;
                       word.compare_exchange_strong(seen, 0x2'0000'0002, relaxed, seq_cst);
                     } else if (i == 1) {
                       word.store_low(2, seq_cst);
                       word.store_high(2, seq_cst);
                       word.store_high(1, relaxed);
                     } else {
                       word.store_high(1, seq_cst);
                     }
                   });
                 }});
  // The half that comes last goes with one that the load has still to wait for.
  all.push_back({"halves, a load that is sequentially consistent", 0, [] {
                   checked::halves word{0, 0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       word.store_high(1, seq_cst);
                       word.store_low(1, seq_cst);
                     } else if (i == 1) {
                       static_cast<void>(word.load(seq_cst));
                     } else {
                       word.store_high(2, relaxed);
                     }
                   });
                 }});
  for (const bool success : {true, false}) {
    all.push_back(
        {success ? "halves, acquired by a success" : "halves, acquired by a failure", 4, [success] {
           checked::halves word{0, 0};
           in_threads(2, [&](unsigned i) {
             if (i == 0) {
               word.store_low(1, relaxed);
               word.store_high(1, release);
             } else {
               std::uint64_t seen = 0x1'0000'0000;
               word.compare_exchange_weak(seen, 0x2'0000'0002, success ? acquire : relaxed,
                                          success ? relaxed : acquire);
             }
           });
         }});
  }
  all.push_back({"halves, whole stores", 0, [] {
                   checked::halves word{0, 0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       word.store(0x1'0000'0001, relaxed);
                     } else if (i == 1) {
                       word.store(0x2'0000'0002, relaxed);
                       static_cast<void>(word.load_low(relaxed));
                     } else {
                       word.store_low(3, relaxed);
                       static_cast<void>(word.load_high(relaxed));
                     }
                   });
                 }});
  all.push_back({"halves with fences", 0, [] {
                   checked::halves word{0, 1};
                   in_threads(2, [&](unsigned i) {
                     if (i == 0) {
                       word.store_high(0, relaxed);
                       checked::fence(seq_cst);
                       static_cast<void>(word.load_low(relaxed));
                       word.store(0x1'0000'0000, relaxed);
                     } else {
                       std::uint64_t seen = 0x1'0000'0000;
                       word.compare_exchange_weak(seen, 0x1'0000'0001, seq_cst, relaxed);
                       static_cast<void>(word.load(relaxed));
                     }
                   });
                 }});
  all.push_back({"spin loops", 0, [] {
                   integer x{0}, y{0}, z{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       while (x.load(acquire) + y.load(acquire) < 2) checked::spin_pause();
                       z.store(1, release);
                     } else if (i == 1) {
                       x.store(1, relaxed);
                       x.store(2, release);
                       while (z.load(acquire) == 0) checked::spin_pause();
                     } else {
                       y.fetch_add(1, relaxed);
                       static_cast<void>(x.load(relaxed));
                     }
                   });
                 }});
  all.push_back({"weak compare-exchanges", 0,
                 [] {
                   integer x{0}, y{0};
                   in_threads(3, [&](unsigned i) {
                     int expected = 0;
                     if (i == 2) return x.store(2, relaxed);
                     while (!x.compare_exchange_weak(expected, 1, acq_rel, relaxed) &&
                            expected == 0) {
                     }
                     y.fetch_add(expected, relaxed);
                   });
                 },
                 [] {
                   options o;
                   o.spurious_failures = 2;
                   return o;
                 }()});
  all.push_back({"seq_cst accesses, fences and read-modify-writes", 0, [] {
                   integer x{0}, y{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       x.store(1, seq_cst);
                       static_cast<void>(y.load(seq_cst));
                       x.store(2, relaxed);
                     } else if (i == 1) {
                       y.exchange(1, acq_rel);
                       checked::fence(seq_cst);
                       static_cast<void>(x.load(relaxed));
                     } else {
                       y.fetch_add(2, seq_cst);
                       x.fetch_add(4, relaxed);
                       static_cast<void>(y.load(acquire));
                     }
                   });
                 }});
  all.push_back({"read-modify-writes and stores that contend", 0, [] {
                   integer x{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       x.store(10, relaxed);
                       x.fetch_add(1, relaxed);
                     } else if (i == 1) {
                       x.fetch_add(1, relaxed);
                       x.store(20, release);
                     } else {
                       int seen = x.load(relaxed);
                       x.compare_exchange_strong(seen, 30, relaxed, relaxed);
                     }
                   });
                 }});
  all.push_back({"threads that create threads", 0, [] {
                   integer x{0};
                   in_threads(2, [&](unsigned i) {
                     if (x.fetch_add(1, relaxed) == 0) {
                       checked::thread inner([&] { x.store(7, relaxed); });
                       static_cast<void>(x.load(relaxed));
                       inner.join();
                     } else {
                       checked::thread inner([&] { x.fetch_add(static_cast<int>(i), relaxed); });
                       inner.join();
                     }
                   });
                 }});
  return all;
}

known_program after_threads(const known_program& p, unsigned idle) {
  known_program later = p;
  later.name += ", after " + std::to_string(idle) + " threads";
  later.body = [body = p.body, idle] {
    in_threads(idle, [](unsigned) {});
    body();
  };
  return later;
}

std::string wrong_count(const known_program& p) {
  std::vector<std::uint64_t> graphs;
  options o = p.bounds;
  o.name = p.name;
  if (p.executions != 0) o.max_executions = 1000 + 100 * p.executions;
  o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
  o.on_restart = [&] { graphs.clear(); };
  const result r = check(o, p.body);
  if (r.outcome != verdict::verified) return p.name + ": " + to_text(r);
  if (p.executions != 0 && r.executions != p.executions)
    return p.name + ": " + std::to_string(r.executions) + " executions instead of " +
           std::to_string(p.executions);
  std::sort(graphs.begin(), graphs.end());
  if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
    return p.name + ": a graph is visited twice";
  return "";
}

std::string wrong_under_other_priorities(const known_program& p) {
  std::vector<std::uint64_t> first;
  std::vector<unsigned> priorities(4);
  std::iota(priorities.begin(), priorities.end(), 0U);
  do {
    std::vector<std::uint64_t> graphs;
    options o = p.bounds;
    o.name = p.name;
    o.priorities = priorities;
    o.max_executions = 1'000'000;
    o.on_graph = [&](std::uint64_t graph) { graphs.push_back(graph); };
    o.on_restart = [&] { graphs.clear(); };
    const result r = check(o, p.body);
    std::string which = p.name + ", priorities";
    for (const unsigned t : priorities) which += " " + std::to_string(t);
    if (r.outcome != verdict::verified) return which + ": " + to_text(r);
    std::sort(graphs.begin(), graphs.end());
    if (std::adjacent_find(graphs.begin(), graphs.end()) != graphs.end())
      return which + ": a graph is visited twice";
    if (first.empty()) first = graphs;
    if (graphs != first)
      return which + ": " + std::to_string(graphs.size()) + " graphs, in another order " +
             std::to_string(first.size()) + ", or other ones";
  } while (std::next_permutation(priorities.begin(), priorities.end()));
  return "";
}

std::string wrong_within_bounds(const known_program& p) {
  using counted = std::map<std::uint64_t, unsigned>;  // graphs, and the preemptions that each takes
  result r;
  bool twice = false;
  const auto explore = [&](std::optional<unsigned> bound, std::vector<unsigned> priorities) {
    counted all;
    options o = p.bounds;
    o.name = p.name;
    o.preemptions = bound;
    o.priorities = std::move(priorities);
    o.max_executions = 1'000'000;
    o.on_restart = [&] { all.clear(); };
    o.on_preemptions = [&](std::uint64_t g, unsigned n) {
      if (!all.emplace(g, n).second) twice = true;
    };
    r = check(o, p.body);
    return all;
  };
  const counted all = explore({}, {});
  if (r.outcome != verdict::verified) return p.name + ": " + to_text(r);
  unsigned most = 0;
  for (const auto& [graph, n] : all) most = std::max(most, n);
  for (unsigned bound = 0; bound <= most + 1; ++bound) {
    for (const std::vector<unsigned>& priorities :
         {std::vector<unsigned>{}, std::vector<unsigned>{3, 2, 1, 0}}) {
      const counted some = explore(bound, priorities);
      const std::string where = p.name + ", bound " + std::to_string(bound) +
                                (priorities.empty() ? "" : ", last thread first") + ": ";
      if (twice) return where + "a graph is visited twice";
      if (r.outcome != (r.cut == 0 ? verdict::verified : verdict::incomplete))
        return where + to_text(r);
      if (r.cut == 0 && some != all) return where + "not all graphs, and none was given up";
      if (bound > most && r.cut != 0) return where + "gives up what is within it";
      for (const auto& [graph, n] : all)
        if (n <= bound && !some.contains(graph)) return where + "a graph within it is left out";
      for (const auto& [graph, n] : some)
        if (!all.contains(graph) || all.at(graph) != n) return where + "a graph that there is not";
    }
  }
  return "";
}

std::string wrong_draws(const known_program& p) {
  constexpr std::uint64_t samples = 10'000;
  constexpr std::size_t not_much = 50;
  std::set<std::uint64_t> there;
  std::set<std::uint64_t> drawn;
  options o = p.bounds;
  o.name = p.name;
  o.on_restart = [&] { there.clear(); };
  o.on_graph = [&](std::uint64_t g) { there.insert(g); };
  if (const result r = check(o, p.body); r.outcome != verdict::verified)
    return p.name + ": " + to_text(r);
  o.samples = samples;
  o.on_restart = [&] { drawn.clear(); };
  o.on_graph = [&](std::uint64_t g) { drawn.insert(g); };
  const result r = check(o, p.body);
  if (r.outcome != verdict::incomplete) return p.name + ", drawn: " + to_text(r);
  if (r.executions != drawn.size() || r.sample->graphs != drawn.size())
    return p.name + ": graphs are counted twice";
  if (!std::includes(there.begin(), there.end(), drawn.begin(), drawn.end()))
    return p.name + ": a graph is drawn that there is not";
  if (there.size() <= not_much && drawn.size() != there.size())
    return p.name + ": " + std::to_string(drawn.size()) + " of " + std::to_string(there.size()) +
           " graphs are drawn";
  return "";
}

}  // namespace fencepost::verify::testing
