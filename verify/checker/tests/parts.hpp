// An exploration in parts, each explored by an explorer that has explored nothing else.
#pragma once

#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "divide/kept_exploration.hpp"
#include "divide/ledger.hpp"
#include "execute/explorer.hpp"
#include "fencepost/verify/check.hpp"
#include "fencepost/verify/report.hpp"
#include "known_programs.hpp"
#include "programs.hpp"
#include "result_differences.hpp"
#include "symmetric_programs.hpp"

namespace fencepost::verify::testing {

// Gives parts away and stops at random, each once in `one_in` times.
class restless final : public part_control {
 public:
  restless(std::mt19937& random, unsigned one_in, ledger& l, const ledger::beginning& mine)
      : random_(random), one_in_(one_in), ledger_(l), mine_(mine) {}

  bool is_over(const result&) override { return random_() % one_in_ == 0; }
  bool wants_a_part() override { return random_() % one_in_ == 0; }
  void give(const part& p) override { wrong = wrong || !ledger_.divide(mine_, p); }

  bool wrong = false;

 private:
  std::mt19937& random_;
  unsigned one_in_;
  ledger& ledger_;
  const ledger::beginning& mine_;
};

struct divided {
  part_result all;
  std::vector<lesson> lessons;
  std::string wrong;
};

// As if on another machine: the result of the part is read from text. Returns what is wrong, or "".
inline std::string explore_elsewhere(explorer& e, const part& p, const std::vector<lesson>& lessons,
                                     std::mt19937& random, unsigned one_in, ledger& l) {
  ledger mine(p);
  while (const std::optional<part> some = mine.take()) {
    restless control(random, one_in, mine, some->after);
    part_result r = e.explore(*some, control);
    const bool learned = r.how == part_result::ending::learned;
    mine.close(some->after, std::move(r));
    if (learned || random() % 3 == 0) break;  // the explorer knows more now, or its time is over
  }
  l.reopen(p.after);
  try {
    l.put(kept_exploration_from(to_text(kept_exploration{lessons, mine, 0, {}})).parts);
  } catch (const std::invalid_argument& wrong) {
    return wrong.what();
  }
  return "";
}

inline divided explore_in_parts(const options& o, const std::function<void()>& body,
                                unsigned one_in, unsigned seed) {
  constexpr std::size_t most = 100'000;
  std::mt19937 random(seed);
  divided d;
  std::size_t parts = 0;
  for (;;) {
    ledger l;
    while (const std::optional<part> p = l.take()) {
      if (l.complete()) d.wrong = "complete with a part that is not explored";
      explorer e(o, body);
      for (const lesson& known : d.lessons)
        if (!e.learn(known)) d.wrong = "a lesson teaches nothing";
      if (random() % 2 == 0) {
        d.wrong = explore_elsewhere(e, *p, d.lessons, random, one_in, l);
        if (++parts > most) d.wrong = "more parts than there are runs";
        if (!d.wrong.empty()) return d;
        continue;
      }
      restless control(random, one_in, l, p->after);
      if (!l.close(p->after, e.explore(*p, control))) d.wrong = "a part that was explored is none";
      if (control.wrong) d.wrong = "what was given away is no end of the part";
      if (++parts > most) d.wrong = "more parts than there are runs";
      if (!d.wrong.empty()) return d;
    }
    if (!l.complete()) d.wrong = "not complete, with nothing to explore";
    d.all = l.total();
    const std::optional<lesson> learned = l.learned();
    if (!d.wrong.empty() || !learned) return d;
    d.lessons.push_back(*learned);
  }
}

inline known_program as_known(const symmetric_program& p) {
  known_program k{p.name, 0, p.body, p.bounds};
  k.bounds.symmetric = p.symmetric;
  return k;
}

// Returns what differs from an exploration in one piece, or "".
inline std::string wrong_in_parts(known_program p, unsigned one_in, unsigned seed) {
  p.bounds.digest = true;
  const result whole = check(p.bounds, p.body);
  const divided d = explore_in_parts(p.bounds, p.body, one_in, seed);
  const result& sum = d.all.found;
  differences found("not");
  if (!d.wrong.empty()) found.add(d.wrong);
  found.compare(sum, whole);
  found.compare("threads", sum.threads, whole.threads);
  if (whole.outcome == verdict::violated) {
    found.compare("violated at", to_text(search_path{d.lessons, d.all.at}), whole.violation->path);
  } else if (d.all.how != part_result::ending::exhausted) {
    found.add("it ends: " + d.all.text);
  }
  return found.of(p.name + ", in parts");
}

// The same with runs that resume from resume points, which the first runs of an explorer do not.
// Among them are runs that look for the next source of a load, and find none, before the part ends.
inline std::string wrong_in_parts_resumed(known_program p, unsigned seed) {
  p.bounds.resume_points = true;
  return wrong_in_parts(std::move(p), 50, seed);
}

// Returns what differs between the examples of outcomes and those of an exploration in one piece,
// or "": where all of them are kept, and where there may not be as many.
inline std::string wrong_examples_in_parts(unsigned one_in, unsigned seed) {
  const auto body = [] {
    checked::atomic<int> x{0};
    int seen[4] = {};
    in_threads(4, [&](unsigned i) { seen[i] = x.fetch_add(1, relaxed); });
    outcome(seen[3], seen[1]);
  };
  for (const std::size_t most : {7U, 20U}) {
    options o;
    o.examples = most;
    const result whole = check(o, body);
    std::map<std::string, execution> kept;
    for (const outcome_example& e : explore_in_parts(o, body, one_in, seed).all.examples)
      if (kept.size() < most) kept[e.outcome] = e.shown;
    if (kept.size() != whole.examples.size()) return "another number of examples";
    for (const auto& [seen, shown] : whole.examples) {
      if (!kept.contains(seen)) return "no example of the outcome " + seen;
      if (to_text(kept.at(seen), {}) != to_text(shown, {}))
        return "another example of the outcome " + seen;
    }
  }
  return "";
}

}  // namespace fencepost::verify::testing
