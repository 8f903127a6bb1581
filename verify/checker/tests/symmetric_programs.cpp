#include "symmetric_programs.hpp"

#include <array>
#include <mutex>

#include "programs.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

// Thieves steal from an array of items, from which an owner takes at the other end.
void thieves(unsigned n) {
  integer front{0}, back{0};
  run_threads(n + 1, [&](unsigned i) {
    if (i == 0) {
      back.store(1, release);
      back.store(2, release);
      back.store(1, seq_cst);
      int seen = front.load(seq_cst);
      if (seen >= 1) front.compare_exchange_strong(seen, seen + 1, seq_cst, relaxed);
    } else {
      int seen = front.load(seq_cst);
      if (seen < back.load(seq_cst))
        front.compare_exchange_strong(seen, seen + 1, seq_cst, relaxed);
    }
  });
}

// Each thread pushes a node of its own, which another one may pop.
void treiber(unsigned n) {
  std::array<checked::plain<int>, 4> next{};
  integer top{0};
  run_threads(n, [&](unsigned i) {
    const int mine = static_cast<int>(i) + 1;
    int seen = top.load(relaxed);
    do {
      next[i].set(seen);
    } while (!top.compare_exchange_strong(seen, mine, release, relaxed));
    seen = top.load(acquire);
    while (seen != 0 && !top.compare_exchange_strong(
                            seen, next[static_cast<unsigned>(seen) - 1].get(), acq_rel, acquire)) {
    }
  });
}

std::vector<symmetric_program> simple_programs() {
  std::vector<symmetric_program> all;
  for (unsigned n = 2; n <= 4; ++n) {
    all.push_back({"increments",
                   {0, n},
                   [n] {
                     integer x{0};
                     run_threads(n, [&](unsigned) { x.fetch_add(1, relaxed); });
                   },
                   1});
    all.push_back({"stores",
                   {0, n},
                   [n] {
                     integer x{0};
                     run_threads(n, [&](unsigned) { x.store(1, relaxed); });
                   },
                   1});
    all.push_back({"mutex",
                   {0, n},
                   [n] {
                     checked::mutex m;
                     run_threads(n, [&](unsigned) { const std::lock_guard lock(m); });
                   },
                   1});
    all.push_back({"ticket lock",
                   {0, n},
                   [n] {
                     integer next{0}, serving{0};
                     run_threads(n, [&](unsigned) {
                       const int ticket = next.fetch_add(1, relaxed);
                       while (serving.load(acquire) != ticket) checked::spin_pause();
                       serving.store(ticket + 1, release);
                     });
                   },
                   1});
    // The classes differ in how many of the n readers have seen the store.
    all.push_back({"readers",
                   {1, n},
                   [n] {
                     integer x{0};
                     run_threads(n + 1, [&](unsigned i) {
                       if (i == 0) return x.store(1, relaxed);
                       static_cast<void>(x.load(relaxed));
                     });
                   },
                   n + 1});
    all.push_back({"readers, as the first threads",
                   {0, n},
                   [n] {
                     integer x{0};
                     run_threads(n + 1, [&](unsigned i) {
                       if (i == n) return x.store(1, relaxed);
                       static_cast<void>(x.load(relaxed));
                     });
                   },
                   n + 1});
  }
  all.push_back({"readers of two stores, twice",
                 {1, 2},
                 [] {
                   integer x{0};
                   run_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       x.store(1, relaxed);
                       x.store(2, relaxed);
                     } else {
                       static_cast<void>(x.load(relaxed));
                       static_cast<void>(x.load(relaxed));
                     }
                   });
                 },
                 21});  // 6 ways for one reader: 6 * 7 / 2 for two of them
  // Two threads do nothing but choose a number below 3.
  all.push_back({"choices",
                 {0, 2},
                 [] {
                   run_threads(2, [&](unsigned) {
                     engine::current()->choose(3, budget::none, source_location::current());
                   });
                 },
                 6});
  all.push_back({"compare-exchange ladder", {0, 3}, [] {
                   integer x{0};
                   run_threads(3, [&](unsigned) {
                     int seen = x.load(relaxed);
                     while (!x.compare_exchange_strong(seen, seen + 1, relaxed, relaxed)) {
                     }
                   });
                 }});
  all.push_back({"store buffering with fences", {0, 3}, [] {
                   integer x{0}, y{0};
                   run_threads(3, [&](unsigned) {
                     x.store(1, relaxed);
                     checked::fence(seq_cst);
                     if (y.load(relaxed) == 0) y.store(1, relaxed);
                   });
                 }});
  return all;
}

}  // namespace

std::vector<symmetric_program> programs_of_symmetric_threads() {
  std::vector<symmetric_program> all = simple_programs();
  all.push_back({"thieves, 2", {1, 2}, [] { thieves(2); }});
  all.push_back({"thieves, 3", {1, 3}, [] { thieves(3); }});
  all.push_back({"Treiber stack, 2", {0, 2}, [] { treiber(2); }});
  // A store that depends on one reader may be read by the other, and be older than what the first
  // read.
  all.push_back({"a store of the past that depends on a twin", {0, 2}, [] {
                   integer x{0}, y{0};
                   run_threads(4, [&](unsigned i) {
                     if (i < 2) {
                       static_cast<void>(x.load(relaxed));
                       y.store(1, relaxed);
                     } else if (i == 2) {
                       if (y.load(relaxed) == 1) x.store(2, relaxed);
                     } else {
                       x.store(3, relaxed);
                     }
                   });
                 }});
  all.push_back({"increments that depend on each other", {0, 2}, [] {
                   integer x{0}, y{0};
                   run_threads(4, [&](unsigned i) {
                     if (i < 2) {
                       x.fetch_add(1, relaxed);
                       y.fetch_add(1, relaxed);
                     } else if (i == 2) {
                       x.store(10 * y.load(relaxed), relaxed);
                     } else {
                       x.fetch_add(1, relaxed);
                     }
                   });
                 }});
  all.push_back({"weak compare-exchange",
                 {0, 3},
                 [] {
                   integer x{0};
                   run_threads(3, [&](unsigned) {
                     int seen = 0;
                     while (!x.compare_exchange_weak(seen, seen + 1, relaxed, relaxed)) {
                     }
                   });
                 },
                 0,
                 [] {
                   options o;
                   o.spurious_failures = 2;
                   return o;
                 }()});
  all.push_back({"weak compare-exchange, without a loop",
                 {0, 3},
                 [] {
                   integer x{0};
                   run_threads(3, [&](unsigned) {
                     int seen = 0;
                     x.compare_exchange_weak(seen, 1, relaxed, relaxed);
                   });
                 },
                 0,
                 [] {
                   options o;
                   o.spurious_failures = 2;
                   return o;
                 }()});
  all.push_back({"try_lock", {0, 3}, [] {
                   checked::mutex m;
                   run_threads(3, [&](unsigned) {
                     if (m.try_lock()) m.unlock();
                   });
                 }});
  all.push_back({"test-and-test-and-set lock",
                 {0, 3},
                 [] {
                   integer held{0};
                   run_threads(3, [&](unsigned) {
                     for (;;) {
                       while (held.load(relaxed) != 0) checked::spin_pause();
                       if (held.exchange(1, acquire) == 0) break;
                     }
                     held.store(0, release);
                   });
                 },
                 0,
                 {},
                 false});
  all.push_back({"waiters that spin", {1, 2}, [] {
                   integer ready{0}, done{0};
                   run_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       ready.store(1, release);
                       while (done.load(acquire) != 2) checked::spin_pause();
                     } else {
                       while (ready.load(acquire) == 0) checked::spin_pause();
                       done.fetch_add(1, release);
                     }
                   });
                 }});
  all.push_back({"barrier", {0, 3}, [] {
                   integer arrived{0}, turn{0};
                   run_threads(3, [&](unsigned) {
                     if (arrived.fetch_add(1, acq_rel) == 2) return turn.store(1, release);
                     while (turn.load(acquire) == 0) checked::spin_pause();
                   });
                 }});
  all.push_back({"futex", {1, 2}, [] {
                   checked::atomic<std::uint32_t> word{0};
                   run_threads(3, [&](unsigned i) {
                     if (i != 0) {
                       while (word.load(acquire) == 0) checked::futex_wait(word, 0);
                     } else {
                       word.store(1, release);
                       checked::futex_wake(word, 2);
                     }
                   });
                 }});
  all.push_back({"futex with time-outs", {1, 2}, [] {
                   checked::atomic<std::uint32_t> word{0};
                   run_threads(3, [&](unsigned i) {
                     if (i != 0) {
                       checked::futex_wait(word, 0, std::chrono::steady_clock::time_point{});
                     } else {
                       word.store(1, release);
                       checked::futex_wake(word, 1);
                     }
                   });
                 }});
  all.push_back({"condition variable", {1, 2}, [] {
                   checked::mutex m;
                   checked::condition_variable changed;
                   int ready = 0;
                   run_threads(3, [&](unsigned i) {
                     std::unique_lock lock(m);
                     if (i == 0) {
                       ready = 2;
                       changed.notify_all();
                     } else {
                       changed.wait(lock, [&] { return ready > 0; });
                       --ready;
                     }
                   });
                 }});
  all.push_back({"halves", {1, 2}, [] {
                   checked::halves word{0, 0};
                   run_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       word.store_low(1, relaxed);
                       static_cast<void>(word.load_high(relaxed));
                     } else {
                       std::uint64_t seen = word.load(relaxed);
                       word.compare_exchange_strong(seen, seen + 0x1'0000'0000, acq_rel, relaxed);
                     }
                   });
                 }});
  return all;
}

symmetric_exploration explored(const symmetric_program& p, options o) {
  symmetric_exploration e;
  o.name = p.name;
  o.symmetric = p.symmetric;
  o.on_graph = [&](std::uint64_t graph) { e.graphs.push_back(graph); };
  o.on_class = [&](std::uint64_t graph) { ++e.classes[graph]; };
  o.on_restart = [&] {
    e.graphs.clear();
    e.classes.clear();
  };
  e.result = check(o, p.body);
  std::sort(e.graphs.begin(), e.graphs.end());
  return e;
}

std::string wrong_classes(const symmetric_program& p, const options& o) {
  options without = o;
  without.symmetry = false;
  const symmetric_exploration all = explored(p, without);
  const symmetric_exploration one = explored(p, o);
  const std::string what = std::string(p.name) + ", " + std::to_string(p.symmetric.count) + ": ";
  const std::string numbers = std::to_string(one.graphs.size()) + " graphs of " +
                              std::to_string(one.classes.size()) + " classes, without " +
                              std::to_string(all.graphs.size()) + " of " +
                              std::to_string(all.classes.size());
  if (all.result.outcome != verdict::verified) return what + to_text(all.result);
  if (one.result.outcome != verdict::verified) return what + to_text(one.result);
  const unsigned asked = p.reduced ? p.symmetric.count : 0;
  if (all.result.symmetric != 0 || one.result.symmetric != asked) return what + "not as asked";
  if (std::adjacent_find(one.graphs.begin(), one.graphs.end()) != one.graphs.end())
    return what + "a graph is visited twice; " + numbers;
  if (!std::includes(all.graphs.begin(), all.graphs.end(), one.graphs.begin(), one.graphs.end()))
    return what + "a graph that there is not; " + numbers;
  if (one.classes.size() != all.classes.size()) return what + "classes are missed; " + numbers;
  if (!p.reduced) return "";
  if (p.classes != 0 && one.classes.size() != p.classes) return what + "as by hand: " + numbers;
  if (one.graphs.size() != one.classes.size()) return what + "a class is met twice; " + numbers;
  return "";
}

}  // namespace fencepost::verify::testing
