// Explorations whose runs go on from resume points, against those whose runs begin at the
// beginning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fencepost/verify/check.hpp"
#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

struct seen {
  result found;
  std::uint64_t in_order = 0;  // the graphs, and the order in which they were explored
};

inline seen explored(options o, const std::function<void()>& body, bool resume_points) {
  seen s;
  o.resume_points = resume_points;
  o.digest = true;
  o.keep_going = true;
  o.on_graph = [&s](std::uint64_t graph) { s.in_order = s.in_order * 31 + graph; };
  o.on_restart = [&s] { s.in_order = 0; };
  s.found = check(o, body);
  return s;
}

// What differs between the explorations with resume points and without, or "".
inline std::string difference(const std::string& name, const options& o,
                              const std::function<void()>& body) {
  const seen with = explored(o, body, true);
  const seen without = explored(o, body, false);
  const result &a = with.found, &b = without.found;
  std::string why;
  const auto differ = [&](const char* what, auto one, auto other) {
    if (one != other)
      why += std::string(what) + " " + std::to_string(one) + ", from the beginning " +
             std::to_string(other) + "; ";
  };
  differ("verdict", static_cast<int>(a.outcome), static_cast<int>(b.outcome));
  differ("executions", a.executions, b.executions);
  differ("blocked", a.blocked, b.blocked);
  differ("violations", a.violations, b.violations);
  differ("cut", a.cut, b.cut);
  differ("digest", a.digest, b.digest);
  differ("order", with.in_order, without.in_order);
  differ("events", a.events, b.events);
  differ("atomics", a.atomics, b.atomics);
  differ("plain", a.plain, b.plain);
  if (a.outcomes != b.outcomes) why += "other outcomes; ";
  if (a.limit != b.limit) why += "limit " + a.limit + ", from the beginning " + b.limit + "; ";
  if (a.violation && b.violation && to_text(*a.violation) != to_text(*b.violation))
    why += "another counterexample; ";
  if (a.violation && !b.violation) why += to_text(*a.violation);
  if (!a.from_beginning.empty()) why += "not resumed: " + a.from_beginning;
  return why.empty() ? "" : name + ": " + why;
}

inline std::string difference(const known_program& p) {
  return difference(p.name, p.bounds, p.body);
}

// Programs of which each keeps something else that has to be put back.
inline std::vector<known_program> programs_to_resume() {
  std::vector<known_program> all;
  all.push_back({"records, allocates and constructs", 0, [] {
                   auto x = std::make_unique<checked::atomic<int>>(0);
                   checked::plain<int> data{0};
                   in_threads(3, [&](unsigned t) {
                     const auto mine = std::make_unique<checked::atomic<unsigned>>(t);
                     const int before = x->fetch_add(1, acq_rel);
                     outcome(t, before);
                     std::string text(static_cast<std::size_t>(before) + 20, 'x');
                     if (x->load(relaxed) == 3) text += "last";
                     if (before == 2) data.set(data.get() + 1);
                     require(mine->load(relaxed) == t);
                     outcome(text.size());
                   });
                   require(data.get() == 1);
                 }});
  // A waiter is about to look at a list that was empty then, and is not when the run ends.
  all.push_back({"sleeps", 0, [] {
                   checked::atomic<std::uint32_t> word{0};
                   checked::atomic<int> sleepers{0};
                   in_threads(3, [&](unsigned i) {
                     if (i == 0) {
                       word.store(1, release);
                       checked::fence(seq_cst);
                       if (sleepers.load(relaxed) != 0) checked::futex_wake(word, 2);
                     } else {
                       sleepers.fetch_add(1, relaxed);
                       checked::fence(seq_cst);
                       checked::futex_wait(word, 0);
                       sleepers.fetch_sub(1, relaxed);
                     }
                   });
                 }});
  // The same, where runs end while others sleep: a turn of the waker's loop has read the old value.
  all.push_back({"sleeps until the run ends", 0, [] {
                   checked::atomic<std::uint32_t> word{0};
                   checked::atomic<int> begun{0}, other{0};
                   in_threads(4, [&](unsigned i) {
                     if (i < 2) {
                       other.fetch_add(1, relaxed);
                       checked::futex_wait(word, 0);
                     } else if (i == 2) {
                       begun.store(1, relaxed);
                     } else {
                       while (begun.load(relaxed) == 0) checked::spin_pause();
                       word.store(1, release);
                       checked::futex_wake(word, 2);
                     }
                   });
                 }});
  // Turns of loops in which the thread changes memory of its own.
  all.push_back({"waits, and changes memory in its turns", 0, [] {
                   checked::atomic<int> x{0}, y{0};
                   in_threads(4, [&](unsigned i) {
                     if (i < 2) {
                       x.fetch_add(1, release);
                       y.fetch_add(1, release);
                     } else {
                       const auto seen = std::make_unique<int>(0);
                       do {
                         *seen = x.load(acquire);
                         *seen += y.load(acquire);
                       } while (*seen < static_cast<int>(i));
                     }
                   });
                 }});
  // The first read of all is one of a turn that is taken back.
  all.push_back({"waits for several changes", 0, [] {
                   checked::atomic<int> count{0};
                   in_threads(5, [&](unsigned i) {
                     if (i != 0)
                       count.fetch_add(1);
                     else
                       while (count.load() < 4) {
                       }
                   });
                 }});
  // Exchanges that are tried again.
  all.push_back({"tries again", 0, [] {
                   checked::atomic<int> x{0};
                   in_threads(3, [&](unsigned i) {
                     int seen = x.load(relaxed);
                     while (!x.compare_exchange_weak(seen, seen + static_cast<int>(i) + 1, acq_rel,
                                                     relaxed)) {
                     }
                   });
                 }});
  return all;
}

}  // namespace fencepost::verify::testing
