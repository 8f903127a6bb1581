// The result of a check.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/counterexample.hpp"
#include "fencepost/verify/memory_model.hpp"
#include "fencepost/verify/options.hpp"
#include "fencepost/verify/orders.hpp"
#include "fencepost/verify/progress.hpp"

namespace fencepost::verify {

enum class verdict : std::uint8_t {
  verified,    // every execution within the bounds was explored; none is wrong
  violated,    // see the counterexample
  incomplete,  // a limit was hit first: nothing is known about the rest
};

constexpr std::string_view to_string(verdict v) noexcept {
  switch (v) {
    case verdict::verified: return "verified";
    case verdict::violated: return "violated";
    case verdict::incomplete: return "incomplete";
  }
  return "?";
}

// The graphs drawn for options::samples, and estimates of those that were not drawn. The estimates
// assume that the draws are independent and of one distribution, which they are.
struct sampled {
  std::uint64_t seed = 0;
  std::uint64_t draws = 0;   // blocked ones included
  std::uint64_t graphs = 0;  // different complete ones among them
  std::uint64_t once = 0;    // … that were drawn once
  std::uint64_t twice = 0;   // … that were drawn twice

  // Good-Turing: the probability that the next draw is a graph that was not drawn before.
  [[nodiscard]] double unseen() const noexcept {
    return draws == 0 ? 1 : static_cast<double>(once) / static_cast<double>(draws);
  }
  // Chao: how many graphs there are at least. An estimate of a lower bound, not a bound.
  [[nodiscard]] double least() const noexcept {
    const auto f1 = static_cast<double>(once);
    return static_cast<double>(graphs) + f1 * (f1 - 1) / (2 * (static_cast<double>(twice) + 1));
  }
};

// The judgement of the axioms on the graphs explored. A graph that they reject shows a fault of the
// checker.
struct rechecked {
  std::uint64_t graphs = 0;
  std::uint64_t confirmed = 0;
  std::uint64_t rejected = 0;
  std::map<std::string, std::uint64_t> not_held;  // too large for the axioms, by reason
  std::string why;                                // the first one was rejected, …
  std::string graph;                              // … and that graph, one line per event
};

// An access, and how many runs differ from the run before in the write that it reads from, in the
// position of its write in modification order, or in the earlier read that reads from it.
struct changed_place {
  source_location where;
  std::uint64_t runs = 0;
};

// A read from which program order and reads-from lead to a write of the same location, by way of a
// store of the reading thread that nothing keeps behind the read. C++ and ARM let the store be seen
// first, and the read take its value from that write: executions that are not explored.
struct load_buffering_race {
  source_location read, write, store;

  friend constexpr bool operator==(const load_buffering_race&,
                                   const load_buffering_race&) = default;
};

// The executions explored under xc20 besides those of rc20.
struct reexecuted {
  unsigned limit = 0;            // options::reexecutions
  std::uint64_t races = 0;       // beginnings: a load-buffering race each, and the events before it
  std::uint64_t executions = 0;  // different ones with a cycle of program order and reads-from
  bool exhaustive = true;        // without the limit there would be no others
  // Races that were not explored in full, by the places of the read and the write, and why.
  struct open_race {
    source_location read, write;
    std::string why;
  };
  std::vector<open_race> open;
};

struct result {
  std::string name;  // of the check: options::name
  verdict outcome = verdict::incomplete;
  memory_model model = memory_model::rc20;
  std::uint64_t executions = 0;  // complete, consistent, pairwise different
  std::uint64_t blocked = 0;     // abandoned: a thread waits for an event of another execution
  double seconds = 0;
  // The share that was explored: 1 when complete; otherwise an estimate, from `sample` or `whole`;
  // 0: unknown.
  double fraction = 0;
  std::optional<estimated> whole;       // incomplete: of options::estimate
  std::string limit;                    // incomplete: which limit was hit
  std::optional<sampled> sample;        // of options::samples
  std::optional<unsigned> preemptions;  // options::preemptions
  std::uint64_t cut = 0;                // runs abandoned because they take more preemptions
  std::optional<counterexample> violation;
  std::uint64_t violations = 0;                   // runs that are wrong, of those explored
  std::map<std::string, std::uint64_t> outcomes;  // outcome() records, with how often
  std::vector<access_place> places;               // see list_places; as written in the program
  std::vector<known_outcome> known_outcomes;      // options::outcomes
  // An execution of each outcome; under "" one that records none. See options::examples.
  std::map<std::string, execution> examples;
  std::optional<rechecked> recheck;  // of options::recheck
  // If options::digest is set: the sum of a hash of each complete execution, in whatever order they
  // were explored.
  std::uint64_t digest = 0;
  bool race = false;       // see races_are_outcomes
  unsigned threads = 0;    // largest number of threads in an execution
  unsigned symmetric = 0;  // threads of which no two executions differ only by which is which; or 0
  std::size_t events = 0;  // largest number of events in an execution
  // Largest number of objects in an execution that the checker watched: atomics, mutexes and
  // condition variables (a word of halves is two); and plain data.
  std::size_t atomics = 0, plain = 0;
  // Why each run began at the beginning of the body, if the program is the cause: it changes memory
  // that is not its own. See options::resume_points.
  std::string from_beginning;
  // The races of the executions that were explored; see holds_with_load_buffering().
  std::vector<load_buffering_race> load_buffering;
  std::optional<reexecuted> reexecutions;  // under xc20
  // The accesses whose choices the runs come from. The first run of an exploration, and of each
  // part of it that another process takes, comes from none.
  std::vector<changed_place> changed;
  std::size_t memory = 0;  // bytes held by the explorer at its largest

  explicit operator bool() const noexcept { return outcome == verdict::verified; }
};

// True if the verdict is *verified*, and also holds where cycles of program order and reads-from
// are allowed, as C++ and ARM allow them: no execution has a race from which such a cycle could
// come, or all executions that come from one were explored. False: it is not known.
[[nodiscard]] inline bool holds_with_load_buffering(const result& r) noexcept {
  const bool all = r.reexecutions && r.reexecutions->exhaustive && r.reexecutions->open.empty();
  return r.outcome == verdict::verified && (r.load_buffering.empty() || all);
}

// The counterexample as text: the violation, its place, and a table with one column per thread.
std::string to_text(const counterexample&);
// The verdict in one or a few lines; a violation comes with its counterexample.
std::string to_text(const result&);

}  // namespace fencepost::verify
