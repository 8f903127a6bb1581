// Programs that between them use every kind of choice that the explorer has.
#include <array>
#include <chrono>
#include <mutex>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

namespace {

using integer = checked::atomic<int>;

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
  // One of the two compare-exchanges succeeds, with the first half from a store that may be added
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
  // With a source for its second half that is not the last, the compare-exchange may acquire what
  // forbids the source of its first half.
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

}  // namespace fencepost::verify::testing
