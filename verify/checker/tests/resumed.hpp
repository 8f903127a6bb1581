// Explorations whose runs resume from resume points, against those whose runs begin at the
// beginning.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fencepost/verify/check.hpp"
#include "known_counts.hpp"
#include "known_programs.hpp"
#include "programs.hpp"
#include "result_differences.hpp"

namespace fencepost::verify::testing {

struct seen {
  result found;
  std::uint64_t in_order = 0;  // the graphs, and the order in which they were explored
};

inline seen explored(options o, const std::function<void()>& body, bool resume_points,
                     bool keep_going) {
  seen s;
  o.resume_points = resume_points;
  o.digest = true;
  o.keep_going = keep_going;
  o.on_graph = [&s](std::uint64_t graph) { s.in_order = s.in_order * 31 + graph; };
  o.on_restart = [&s] { s.in_order = 0; };
  s.found = check(o, body);
  return s;
}

// Returns what differs between the explorations with resume points and without, or "".
inline std::string difference(const std::string& name, const options& o,
                              const std::function<void()>& body, bool keep_going = true) {
  const seen with = explored(o, body, true, keep_going);
  const seen without = explored(o, body, false, keep_going);
  const result &a = with.found, &b = without.found;
  differences found("from the beginning");
  found.compare("verdict", static_cast<int>(a.outcome), static_cast<int>(b.outcome));
  found.compare(a, b);
  found.compare("violations", a.violations, b.violations);
  found.compare("order", with.in_order, without.in_order);
  found.compare("atomics", a.atomics, b.atomics);
  found.compare("plain", a.plain, b.plain);
  found.compare("limit", a.limit, b.limit);
  if (a.violation && b.violation && to_text(*a.violation) != to_text(*b.violation))
    found.add("another counterexample");
  if (a.violation && !b.violation) found.add(to_text(*a.violation));
  if (!a.from_beginning.empty()) found.add("not resumed: " + a.from_beginning);
  return found.of(name);
}

inline std::string difference(const known_program& p) {
  return difference(p.name, p.bounds, p.body);
}

// The same, but the explorations end after so many executions, complete and blocked ones.
inline std::string difference_within(known_program p, std::uint64_t executions) {
  p.bounds.max_executions = executions;
  return difference(p);
}

// Returns what is read, or 0 if that is no multiple of three. However it is compiled, it leaves
// nothing else in the registers and in the caller's frame: so a loop that calls it until the result
// is not 0 has idle turns.
[[gnu::noinline]] inline int multiple_of_three(const checked::atomic<int>& x, std::memory_order o) {
  const int seen = x.load(o);
  return seen % 3 == 0 ? seen : 0;
}

// Every third of the values that a loop may see ends it. The turns of one thread have one load,
// those of the other one two. Returns the last value that the thread with one load has seen.
inline int wait_for_some_of_many_values() {
  checked::atomic<int> x{0}, y{0};
  int last = 0;
  in_threads(3, [&](unsigned i) {
    int seen = 0;
    if (i == 0) {
      for (int value = 1; value <= 15; ++value) x.store(value, release);
    } else if (i == 1) {
      while (seen == 0) seen = multiple_of_three(x, acquire);
      outcome(seen);
      last = seen;
    } else {
      while (seen == 0) seen = multiple_of_three(y, relaxed) + multiple_of_three(x, acquire);
      y.store(1, relaxed);
    }
  });
  return last;
}

// Returns what differs where a violation is found and a shorter counterexample sought, or "".
inline std::string difference_once_violated() {
  options o;
  std::string wrong;
  for (o.shorten = 1; o.shorten < 40 && wrong.empty(); ++o.shorten)
    wrong = difference(
        "waits for one of many values", o, [] { require(wait_for_some_of_many_values() != 9); },
        false);
  return wrong;
}

// Returns how many runs are judged. An object's life ends in one thread, unordered with its use in
// another, and a third one spins on old values.
inline std::uint64_t runs_judged(bool resume_points) {
  std::uint64_t runs = 0;
  options o;
  o.resume_points = resume_points;
  o.judge_run = [&runs](const explored_graph&, const ended_run&) {
    ++runs;
    return run_judgement{};
  };
  check(o, [] {
    checked::atomic<int> x{0}, ended{0};
    auto object = std::make_unique<checked::atomic<int>>(0);
    in_threads(3, [&](unsigned i) {
      if (i == 0) {
        object.reset();
        ended.store(1, relaxed);
        for (int value = 1; value <= 6; ++value) x.store(value, release);
      } else if (i == 1) {
        if (ended.load(relaxed) == 0) object->load(relaxed);
      } else {
        while (multiple_of_three(x, acquire) == 0) {
        }
      }
    });
  });
  return runs;
}

// The doubts about a run are not restored, so a run that is judged must not resume.
inline std::string difference_where_judged() {
  const std::uint64_t with = runs_judged(true), without = runs_judged(false);
  if (without < 50) return "too few runs are judged: " + std::to_string(without);
  return with == without ? ""
                         : std::to_string(with) + " runs are judged with resume points, without " +
                               std::to_string(without);
}

// Returns the sum of what is read, or 0 if the second value is 0. Like multiple_of_three(), it
// leaves nothing else behind.
[[gnu::noinline]] inline int sum_of_both(const checked::atomic<int>& x,
                                         const checked::atomic<int>& y) {
  const int first = x.load(relaxed);
  const int second = y.load(relaxed);
  return second == 0 ? 0 : first + second;
}

// A turn that comes before every choice is taken back, with a resume point that was kept in the
// middle of it: copying the program costs as much as running so many events that no point is kept
// at the turn's first load, nor when the turn is repeated and the first load reads another value.
inline std::string difference_where_a_turn_is_taken_back() {
  options o;
  o.priorities = {0};  // the reads come first
  std::string wrong;
  for (std::size_t size = 0; size < 128 && wrong.empty(); ++size)
    wrong = difference("waits with " + std::to_string(size) + " KiB", o, [size] {
      const auto memory = std::make_unique<char[]>(size * 1024 + 1);
      checked::atomic<int> x{0}, y{0}, z{0};
      in_threads(2, [&](unsigned i) {
        if (i == 0) {
          int sum = 0;
          while (sum == 0) sum = sum_of_both(x, y);
          outcome(sum, z.load(relaxed));
        } else {
          x.store(10, relaxed);
          const auto more = std::make_unique<char[]>(16'384);
          x.store(20, relaxed);
          y.store(1, relaxed);
          for (int value = 1; value <= 4; ++value) z.store(value, relaxed);
        }
      });
    });
  return wrong;
}

// Programs each of which keeps something else that has to be restored.
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
  // A waiter is about to look at a list that is empty at that point, but not when the run ends.
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
  // The same, but runs end while threads sleep: a turn of the waker's loop has read the old value.
  all.push_back({"sleeps until the run ends", 0, [] {
                   checked::atomic<std::uint32_t> word{0};
                   checked::atomic<int> begun{0}, other{0}, none{0};
                   in_threads(4, [&](unsigned i) {
                     if (i < 2) {
                       other.fetch_add(1, relaxed);
                       checked::futex_wait(word, 0);
                     } else if (i == 2) {
                       begun.store(1, relaxed);
                     } else {
                       while (none.load(relaxed) + begun.load(relaxed) == 0) checked::spin_pause();
                       word.store(1, release);
                       checked::futex_wake(word, 2);
                     }
                   });
                 }});
  // Loops in whose turns the thread changes memory of its own.
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
  // The first read of all is part of a turn that is taken back. Turns have two loads: an idle turn
  // of a single load gets no run of its own.
  all.push_back({"waits for several changes", 0, [] {
                   checked::atomic<int> none{0}, count{0};
                   in_threads(5, [&](unsigned i) {
                     if (i != 0)
                       count.fetch_add(1);
                     else
                       while (static_cast<void>(none.load(relaxed)), count.load() < 4) {
                       }
                   });
                 }});
  all.push_back({"waits for some of many values", 0, [] { wait_for_some_of_many_values(); }});
  // Loops that depend on what is on a stack below the frames that are restored.
  loops_in_deep_frames(all);
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
