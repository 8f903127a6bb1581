#include <vector>

#include "../known_programs.hpp"
#include "../programs.hpp"
#include "axioms/recheck.hpp"
#include "fencepost/litmus/explore.hpp"
#include "fencepost/litmus/parse.hpp"
#include "known_results.hpp"
#include "litmus_results.hpp"

namespace fencepost::verify::testing {

std::string anything_rejected() {
  std::string wrong;
  for (known_program p : programs_of_every_kind()) {
    for (const memory_model m : all_models) {
      p.bounds.model = m;
      p.bounds.recheck = true;
      p.bounds.max_executions = 10'000;
      p.bounds.samples = 0;
      for (const std::vector<unsigned>& first : {std::vector<unsigned>{}, {0}}) {
        p.bounds.priorities = first;  // reads are postponed, or not
        const result r = check(p.bounds, p.body);
        if (r.recheck->rejected != 0) return p.name + ": " + r.recheck->why;
      }
      p.bounds.samples = 300;
      const result drawn = check(p.bounds, p.body);
      if (drawn.recheck->rejected != 0) return p.name + ", drawn: " + drawn.recheck->why;
    }
  }
  options judged;
  judged.recheck = true;
  judged.priorities = {0};  // reads are not postponed
  const result through_threads = check(judged, [] {
    checked::atomic<int> x{0}, y{0}, flag{0};
    x.store(1, relaxed);
    checked::thread writer([&] {
      static_cast<void>(x.load(relaxed));
      y.store(1, relaxed);
      flag.store(1, release);
    });
    checked::thread reader([&] { static_cast<void>(flag.load(acquire)); });
    reader.join();
    static_cast<void>(y.load(relaxed));
    writer.join();
  });
  if (through_threads.recheck->rejected != 0) return through_threads.recheck->why;
  const result failing_by_chance = check(judged, [] {
    checked::atomic<int> x{0}, y{0};
    checked::thread reader([&] {
      static_cast<void>(x.load(relaxed));
      int seen = 0;
      y.compare_exchange_weak(seen, 1, relaxed, relaxed);
    });
    checked::thread writer([&] { x.store(1, relaxed); });
    reader.join();
    writer.join();
  });
  if (failing_by_chance.recheck->rejected != 0) return failing_by_chance.recheck->why;
  for (const expectation& e : known_states()) {
    const litmus::program p = litmus::parse_file(e.file);
    litmus::explore_options o;
    o.model = e.model;
    o.max_executions = 100 + 100 * e.executions;
    o.on_complete_graph = [&](const explored_graph& g) {
      const axioms::opinion said = axioms::judge(g);
      if (said.what == axioms::opinion::kind::rejected && wrong.empty())
        wrong = p.name + ": " + said.why;
    };
    litmus::explore(p, o);
    if (!wrong.empty()) return wrong;
  }
  return "";
}

}  // namespace fencepost::verify::testing
