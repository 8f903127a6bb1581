#include "tried_waits.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "known_counts.hpp"
#include "known_programs.hpp"
#include "polling_loops.hpp"
#include "programs.hpp"
#include "ways_to_wait.hpp"

namespace fencepost::verify::testing {
namespace {

using integer = checked::atomic<int>;

constexpr int last = 7;

// One thread writes, and ends with a value that ends every wait; the others wait for values that
// depend on what they have read before.
template <class By>
void drawn_waits(unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&](unsigned n) { return static_cast<int>(random() % n); };
  struct step {
    int kind, at, value;
    std::memory_order read, write;
  };
  const auto draw = [&](unsigned least, unsigned most) {
    std::vector<step> steps(least + random() % (most - least + 1));
    for (step& s : steps) {
      const int order = number(4);
      s = {number(6), number(2), number(3),
           order == 0   ? seq_cst
           : order == 1 ? acquire
                        : relaxed,
           order == 0   ? seq_cst
           : order == 1 ? release
                        : relaxed};
    }
    return steps;
  };
  const std::vector<step> written = draw(2, 4), first = draw(1, 3), second = draw(1, 2);
  integer x[2] = {{0}, {0}}, own[2] = {{0}, {0}};
  int seen[2] = {};
  const auto waits = [&](int thread, const std::vector<step>& steps) {
    int& saw = seen[thread];
    for (const step& s : steps) {
      int got = 0;
      if (s.kind == 0) {
        own[thread].store(s.value + 1, s.write);
      } else if (s.kind == 1) {
        got = own[1 - thread].load(s.read);
      } else if (s.kind == 2) {
        got = x[s.at].load(s.read);
      } else {
        const int wanted = (s.value + saw) % 3;
        got = By::wait(x[s.at], s.read, [=](int v) { return v == wanted || v == last; });
      }
      saw = saw * 10 + got + 1;
    }
  };
  concurrently(
      [&] {
        for (const step& s : written) x[s.at].store(s.value, s.write);
        x[0].store(last, relaxed);
        x[1].store(last, release);
      },
      [&] { waits(0, first); }, [&] { waits(1, second); });
  outcome(seen[0], seen[1]);
}

// A turn may continue although its first load reads again what did not end the turn before.
template <class By>
void two_in_a_turn() {
  integer x{0}, y{0}, begun{0};
  int seen[2] = {};
  concurrently(
      [&] {
        if (begun.load(acquire) == 0) engine::current()->give_up();
        x.store(1, relaxed);
        y.store(1, relaxed);
        x.store(2, relaxed);
      },
      [&] {
        int left = 3;  // first turns, which no other thread notices
        By::until([&] {
          seen[0] = x.load(relaxed);
          seen[1] = y.load(relaxed);
          if (left > 0 && --left == 0) begun.store(1, release);
          return seen[0] == 2 || seen[1] == 1;
        });
      });
  outcome(seen[0], seen[1]);
}

// The value that ends the second loop did not end the first one.
template <class By>
void one_after_the_other() {
  integer x{0}, y{0};
  int seen = 0;
  concurrently(
      [&] {
        x.store(1, relaxed);
        x.store(0, relaxed);
        x.store(last, relaxed);
        y.store(1, relaxed);
      },
      [&] {
        for (const int wanted : {1, 0})
          By::wait(x, relaxed, [=](int v) { return v == wanted || v == last; });
        seen = y.load(relaxed);
      });
  outcome(seen);
}

// The value that the thread waits for may come too early for the order of seq_cst.
template <class By>
void store_buffering() {
  integer x{0}, y{0};
  int seen[2] = {};
  concurrently(
      [&] {
        x.store(1, seq_cst);
        seen[0] = y.load(seq_cst);
        x.store(last, seq_cst);
      },
      [&] {
        y.store(1, seq_cst);
        seen[1] = By::wait(x, seq_cst, [](int v) { return v != 1; });
      });
  outcome(seen[0], seen[1]);
}

// The thread is in the same state only after two turns.
template <class By>
void every_other_turn() {
  integer x{0};
  int seen = 0;
  bool odd = false;
  concurrently(
      [&] {
        for (const int i : {1, 2, 3, last}) x.store(i, relaxed);
      },
      [&] {
        By::until([&] {
          odd = !odd;
          const int now = x.load(relaxed);
          const bool ends = now == last || (now == 2 && odd);
          if (ends) seen = now;
          return ends;
        });
      });
  outcome(seen);
}

// A turn ends at the place in the source where it began, but with a load of another location.
template <class By>
void one_of_two() {
  integer x[2] = {{0}, {0}};
  int found = 0;
  concurrently(
      [&] {
        for (const int i : {1, 2, 3}) {
          x[0].store(i, relaxed);
          x[1].store(i, relaxed);
        }
        x[1].store(last, relaxed);
      },
      [&] {
        By::until([&] {
          for (int i = 0; i < 2 && found == 0; ++i)
            if (const int seen = x[i].load(relaxed); seen == 2 + i || seen == last)
              found = 10 * seen + i;
          return found != 0;
        });
      });
  outcome(found);
}

std::string wrong_against(const std::string& name, const options& o,
                          const std::function<void()>& body, const std::function<void()>& other,
                          bool counted) {
  const result is = check(o, body), expected = check(o, other);
  if (is.outcome != expected.outcome) return name + ": " + to_text(is);
  if (outcomes_of(is) != outcomes_of(expected)) return name + ": other outcomes";
  if (counted && is.executions != expected.executions)
    return name + ": " + std::to_string(is.executions) + " executions, not " +
           std::to_string(expected.executions);
  return "";
}

// Returns what is wrong in some orders of the threads, with resume points or without, or "".
template <class Wrong>
std::string in_some_orders(Wrong wrong) {
  for (const std::vector<unsigned>& first :
       {std::vector<unsigned>{0, 1, 2, 3}, {0, 3, 2, 1}, {0, 2, 1, 3}})
    for (const bool resumes : {false, true}) {
      options o;
      o.priorities = first;
      o.resume_points = resumes;
      if (std::string said = wrong(o); !said.empty()) return said;
    }
  return "";
}

}  // namespace

std::string wrong_drawn_waits(unsigned first, unsigned programs) {
  for (unsigned seed = first; seed < first + programs; ++seed) {
    std::string wrong = in_some_orders([&](const options& o) {
      return wrong_against(
          "waits drawn from " + std::to_string(seed), o, [=] { drawn_waits<by_spinning>(seed); },
          [=] { drawn_waits<by_giving_up>(seed); }, true);
    });
    if (!wrong.empty()) return wrong;
  }
  return "";
}

std::string wrong_dead_ends() {
  if (std::string wrong = wrong_drawn_waits(1, 60); !wrong.empty()) return wrong;
  return in_some_orders([](const options& o) {
    std::string wrong = wrong_against("two loads in a turn", o, two_in_a_turn<by_polling>,
                                      two_in_a_turn<in_turns<6>>, false);
    if (wrong.empty())
      wrong = wrong_against("one loop after the other", o, one_after_the_other<by_spinning>,
                            one_after_the_other<by_giving_up>, true);
    if (wrong.empty())
      wrong = wrong_against("every other turn", o, every_other_turn<by_polling>,
                            every_other_turn<in_turns<5>>, false);
    if (wrong.empty())
      wrong =
          wrong_against("one of two", o, one_of_two<by_polling>, one_of_two<in_turns<4>>, false);
    if (wrong.empty())
      wrong = wrong_against("store buffering", o, store_buffering<by_spinning>,
                            store_buffering<by_giving_up>, true);
    if (!wrong.empty()) return wrong;
    std::vector<known_program> known;
    locks(known);
    for (const known_program& p : known) {
      if (p.name.rfind("ticket lock", 0) != 0) continue;
      options all = o;
      all.priorities.clear();
      if (const result r = check(all, p.body); r.blocked != 0 || r.executions != p.executions)
        return p.name + ": " + to_text(r);
    }
    return std::string();
  });
}

}  // namespace fencepost::verify::testing
