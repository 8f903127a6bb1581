// Programs of known count that access atomics: one location or two, whole words and halves.
#include "known_programs.hpp"

#include <array>

#include "known_counts.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;

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
    // Thread i raises i to i + 1. Thread 0 always succeeds. If thread j is the first to fail, it
    // reads one of j old values, and each later thread reads one of j + 1.
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
  // Three of the four pairs of modification orders are possible, whatever the read sees. A write to
  // x that is added last revisits the read while it is placed first in modification order.
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
  // Several fences between the two accesses act as one.
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
  // Of eight combinations of old and new, one has a cycle: x.load comes before the fence, which
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
  // Two executions in which it succeeds, two in which it reads 1, and one in which it fails
  // spuriously: then it is seq_cst, and the other thread's load must see 1.
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
  // Accessed whole, the words are one location; accessed by halves, they are two.
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

// Coherence at a location with so many earlier accesses that the explorer records them by thread.
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
  add(
      "load and store in both threads, after many accesses", 4,
      [=](integer& x) {
        load(x);
        x.store(1, relaxed);
      },
      [=](integer& x) {
        load(x);
        x.store(2, relaxed);
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
  loops_in_deep_frames(all);
  many_accesses(all);
  return all;
}

}  // namespace fencepost::verify::testing
