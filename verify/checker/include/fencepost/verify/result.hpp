// What the checker is asked, and what it answers.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/orders.hpp"

namespace fencepost::verify {

// Which reading of the C++ memory model is explored; all but xc20 forbid cycles of program order
// and reads-from. See docs/guide/memory-model.md.
enum class memory_model : std::uint8_t {
  rc20,   // RC11's psc, C++20's release sequences: the weakest, so what holds here holds everywhere
  rc11,   // RC11 as published: C++11's release sequences
  cpp20,  // the letter of C++20: one total order S
  xc20,   // rc20, and load buffering: see options::reexecutions
};

constexpr std::string_view to_string(memory_model m) noexcept {
  switch (m) {
    case memory_model::rc20: return "rc20";
    case memory_model::rc11: return "rc11";
    case memory_model::cpp20: return "c++20";
    case memory_model::xc20: return "xc20";
  }
  return "?";
}

// How many executions there are, by probes: see options::estimate.
struct estimated {
  std::size_t probes = 0;
  double executions = 0;             // complete ones: the mean of the probes
  double at_least = 0, at_most = 0;  // nine of ten hold the number; the others are mostly too low
};

// A look at a running exploration.
struct progress {
  std::uint64_t executions = 0;
  std::uint64_t blocked = 0;
  double fraction = 0;  // of the part that is done, 0 … 1: of samples, or by `whole`; 0: not known
  double seconds = 0;
  std::optional<estimated> whole = {};  // of options::estimate, after a while
};

struct explored_graph;
struct explored_name;

// Of a run that has ended, from whoever knows better than the explorer.
struct run_judgement {
  bool counts = true;
  std::string data_race;  // it does, and has one; or "". The later access:
  unsigned thread = 0;
  source_location where;
};

struct options {              // How to explore, and when to give up.
  std::string name = "test";  // in messages
  memory_model model = memory_model::rc20;

  // Bounds that a verdict names: how often, in one execution, what may happen by itself does.
  unsigned spurious_failures = 1;  // of weak compare-exchanges
  unsigned spurious_wakeups = 1;   // of condition variables and futexes
  // A freed address comes back, the last one first, to the thread that released it when it
  // allocates as much; and, once in an execution, it does not. Across threads: to whichever thread
  // allocates as much next, and, once in an execution, another of those that were released, or
  // none. What came before the release happens before.
  bool reuse_addresses = false;
  bool reuse_across_threads = false;
  // Memory stays what it was: an atomic whose life was ended, in memory from operator new, may be
  // loaded, and compared by a compare-exchange that fails. The next atomic at its address begins
  // with a relaxed store to it. So do allocators behave whose free lists keep the type, such as
  // Linux's SLAB_TYPESAFE_BY_RCU. Any other access is a use after free, as without.
  bool typed_memory = false;
  unsigned timeouts = 1;  // of timed waits; 0: they never time out
  bool check_leaks = true;

  // Of the threads that the body creates at once (run_threads), those that are symmetric:
  // executions that differ only by which of them is which are one (see scenario::symmetric).
  thread_range symmetric;
  bool symmetry = true;  // false: all of them are explored

  // Run the first execution, and a sample of later ones, again: a program that does something else
  // then depends on more than it reads (nondeterminism). False for front ends that cannot.
  bool repeat = true;

  // A run goes on from where it first differs from the last one: what happened before is put back,
  // not run again. The executions are the same, if the body changes no memory that outlives it: no
  // variable that it captures, no member of a fixture, nothing static. Most such changes are
  // noticed (result::from_beginning), those in heap blocks from outside the body are not. Not set:
  // scenarios do, whose state the checker creates itself, and bodies do not.
  std::optional<bool> resume_points;

  // What outcome() may record; if there are any, an execution with another or a forbidden one is a
  // violation (assertion).
  std::span<const known_outcome> outcomes;
  std::size_t examples = 0;  // keep the graph of an execution of each outcome, of at most so many

  // A race between accesses of order::plain is an outcome (result::race), not a violation.
  bool races_are_outcomes = false;

  // Limits: reaching one makes the result incomplete.
  std::uint64_t max_executions = 0;      // complete and blocked ones; 0: none
  std::chrono::milliseconds timeout{0};  // 0: none

  // Limits of one execution. Reaching one makes the result incomplete as well: result::limit says
  // which, and where. (A stack that is used up is a violation: recursion seldom is meant to end.)
  std::size_t max_events = 50'000;                  // of one thread; at most 65,533
  std::size_t stack_size = std::size_t{256} << 10;  // of one thread, bytes
  std::size_t memory_size = std::size_t{64} << 20;  // of one thread, bytes

  // Other orders than those that stand in the program, each at one place. A strong compare-exchange
  // that is made weak may fail at least once, whatever spurious_failures says.
  std::vector<order_change> changes{};
  bool list_places = false;  // fill result::places, also without changes

  // So many processes explore together; counts, verdict and counterexample are those of one. 0: as
  // many as the environment variable FENCEPOST_JOBS says, otherwise one. One, too, where a function
  // below is to be called with each execution, for samples, and with keep_going.
  unsigned jobs = 0;
  const std::atomic<unsigned>* jobs_now = nullptr;  // for front ends: instead, and it may change

  // An exploration in several sittings, or on several machines, see checkpoint.hpp. Not where one
  // process is used. The limits are those of a sitting, but max_executions counts all.
  std::string resume;  // a checkpoint of the same program and options: go on with it; "": begin
  // Called with a checkpoint about every ten seconds, and at the end.
  std::function<void(const std::string&)> on_checkpoint;
  // Not 0: stop, as soon as what is left is in so many parts, or in up to twice as many. What shows
  // how the program waits makes all begin again, so it is not divided before it was explored for
  // some processor time.
  std::size_t parts = 0;
  std::chrono::milliseconds before_parts{1000};

  // Estimate how many executions there are, for progress and for a result that is incomplete
  // because of timeout, max_executions or parts: a process is forked, after 0.3 seconds or at the
  // end, that searches the tree with most branches left out at random, for about a twentieth of the
  // processor time of the exploration. The exploration does not depend on it. Not where one process
  // is used (see jobs), and not under xc20.
  bool estimate = false;
  // Not 0: explore nothing; estimate from so many probes, in this process (result::whole). The same
  // number gives the same estimate.
  std::size_t probes = 0;

  bool keep_going = false;  // explore on after a violation; the first one is reported
  // After a violation, look for a shorter one of the same kind (fewer steps, then fewer changes of
  // thread): so many runs further, and as many again with each order of up to four threads.
  std::uint64_t shorten = 0;

  // Model threads in the order in which the explorer prefers them; any order gives the same set of
  // executions. Threads that are not named follow in order of creation.
  std::vector<unsigned> priorities;

  // Make only this run (counterexample::path), and show it to a debugger, see replay.hpp. "":
  // explore everything.
  std::string replay;

  // Under xc20: what comes from a load-buffering race when the reading thread runs again, with the
  // value of a write that comes after the read; at most so many such reads, one upon the other. In
  // one process, and neither for samples nor with a bound on preemptions.
  unsigned reexecutions = 2;

  // For what is too large. Neither is ever called verified because of what it did not explore.
  //
  // Not 0: run so many executions with random choices instead of exploring. The same seed draws the
  // same executions. See docs/guide/large-spaces.md for what can be drawn, and with which odds.
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  // Explore the executions with at most so many preemptions, see preemptions.hpp. Others may come
  // along; if none was left out, the exploration was exhaustive.
  std::optional<unsigned> preemptions{};

  // Called about every 100 ms from the exploring thread.
  std::function<void(const progress&)> on_progress;
  // Set to stop the exploration: the result is then incomplete.
  const std::atomic<bool>* stop = nullptr;
  // For front ends: called after each complete execution, with whether it has a race that is an
  // outcome.
  std::function<void(bool race)> on_execution;
  // Called when the exploration restarts because it learned how a waiting loop works: discard what
  // the two functions reported before.
  std::function<void()> on_restart;
  // Judge each complete execution graph by the axioms of the model as well, which share no code
  // with the explorer (result::recheck); costs several times the exploration.
  bool recheck = false;
  bool digest = false;  // fill result::digest
  // Called with each complete execution graph, for whoever wants to judge it by other means.
  std::function<void(const explored_graph&)> on_complete_graph;
  // Called with each load-buffering race: the graph up to the write, the read and the write.
  std::function<void(const explored_graph&, explored_name read, explored_name write)>
      on_load_buffering_race{};
  // Called with the graph of each run that is complete or violated, and what is wrong with it.
  std::function<run_judgement(const explored_graph&, std::optional<violation>)> judge_run{};
  // For tests of the checker: called with a fingerprint of each complete execution graph, and with
  // the preemptions that it takes.
  std::function<void(std::uint64_t)> on_graph;
  std::function<void(std::uint64_t, unsigned)> on_preemptions;
  // The same with a fingerprint that graphs share which differ only by which symmetric thread is
  // which.
  std::function<void(std::uint64_t)> on_class;
};

enum class verdict : std::uint8_t {
  verified,    // every execution within the bounds was explored; none is wrong
  violated,    // see the counterexample
  incomplete,  // a limit was hit first: nothing is known of the rest
};

constexpr std::string_view to_string(verdict v) noexcept {
  switch (v) {
    case verdict::verified: return "verified";
    case verdict::violated: return "violated";
    case verdict::incomplete: return "incomplete";
  }
  return "?";
}

enum class step_kind : std::uint8_t {
  load,
  store,
  read_modify_write,
  failed_compare_exchange,
  fence,
  plain_read,
  plain_write,
  allocate,
  release,
  create_thread,
  join_thread,
  finish,
  wait,
  choose,
  violation,
  note,
};

// One line of a counterexample, in an order in which the steps can have happened: every read comes
// after the write it reads from, every thread's steps in program order. By load buffering (xc20) a
// read may come before that write.
struct step {
  unsigned thread = 0;  // 0 is the main thread
  step_kind kind = step_kind::note;
  std::string text;                       // "store release head = 1"
  std::optional<std::size_t> reads_from;  // index of the step whose value is read; none: initial
  std::string location;  // what is accessed: a name such as "0x7f… +8 (atomic)", or ""
  std::uint64_t value_read = 0;
  std::uint64_t value_written = 0;
  source_location where;
  std::string order = {};  // the memory order that it has: "acq_rel"; "": none
};

enum class relation : std::uint8_t {
  reads_from,
  modification_order,  // to the next write to the location
  from_read,           // from a read to the write that comes next after what it reads
  // Happens-before from one thread to another, as far as it does not follow from other edges: a
  // release and what acquires it, the creation of a thread, its end and the join.
  synchronizes_with,
};

// Between two steps, by their index.
struct edge {
  relation kind = relation::reads_from;
  std::size_t from = 0;
  std::size_t to = 0;
  std::string location = {};  // of all but synchronizes_with: step::location, or a half of it
};

// An execution graph. Program order is that of the steps of each thread.
struct execution {
  std::vector<step> steps;
  std::vector<edge> edges;
  std::size_t threads = 0;  // how many there are, the main thread included
};

struct counterexample : execution {  // An execution in which something is wrong.
  violation kind = violation::none;
  std::string message;    // one line: what is wrong
  unsigned thread = 0;    // the thread at which it showed
  source_location where;  // the place at which it showed
  // How to come to it again: with these options::priorities, options::replay is this.
  std::string path;
  std::vector<unsigned> priorities;
  std::uint64_t samples = 0, seed = 0;  // likewise options::samples and seed, …
  std::optional<unsigned> preemptions;  // … and options::preemptions
};

// What options::samples has drawn, and what that says about the rest. The estimates take the draws
// to be independent and of one distribution, which they are.
struct sampled {
  std::uint64_t seed = 0;
  std::uint64_t draws = 0;   // blocked ones included
  std::uint64_t graphs = 0;  // different complete ones among them
  std::uint64_t once = 0;    // … that were drawn once
  std::uint64_t twice = 0;   // … that were drawn twice

  // Good and Turing: the probability that the next draw is a graph that none was before.
  [[nodiscard]] double unseen() const noexcept {
    return draws == 0 ? 1 : static_cast<double>(once) / static_cast<double>(draws);
  }
  // Chao: how many graphs there are at the least. An estimate of a lower bound, not a bound.
  [[nodiscard]] double least() const noexcept {
    const auto f1 = static_cast<double>(once);
    return static_cast<double>(graphs) + f1 * (f1 - 1) / (2 * (static_cast<double>(twice) + 1));
  }
};

// What the axioms say of the graphs explored. One that they reject is a fault of the checker.
struct rechecked {
  std::uint64_t graphs = 0;
  std::uint64_t confirmed = 0;
  std::uint64_t rejected = 0;
  std::map<std::string, std::uint64_t> not_held;  // by what the axioms have no room for
  std::string why;                                // of the first one rejected, …
  std::string graph;                              // … and what it is, a line an event
};

// An access, and how many runs differ from the one before by what it reads, by where its write is
// in modification order, or by which earlier read reads from it.
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

// What was explored under xc20 besides the executions of rc20.
struct reexecuted {
  unsigned limit = 0;            // options::reexecutions
  std::uint64_t races = 0;       // so many beginnings: a load-buffering race, and what leads to it
  std::uint64_t executions = 0;  // different ones with a cycle of program order and reads-from
  bool exhaustive = true;        // without the limit there would be no others
  // Races of which something was not explored, by the places of the read and the write, and why.
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
  std::uint64_t blocked = 0;     // runs given up: a thread waits for what another execution brings
  double seconds = 0;
  // What was explored of all there is: 1 when complete; by `whole`, or what sample says; 0:
  // unknown.
  double fraction = 0;
  std::optional<estimated> whole;       // incomplete: of options::estimate
  std::string limit;                    // incomplete: which limit was hit
  std::optional<sampled> sample;        // of options::samples
  std::optional<unsigned> preemptions;  // options::preemptions
  std::uint64_t cut = 0;                // runs given up because they take more of them
  std::optional<counterexample> violation;
  std::uint64_t violations = 0;                   // runs that are wrong, of those explored
  std::map<std::string, std::uint64_t> outcomes;  // outcome() records, with how often
  std::vector<access_place> places;               // see list_places; as they stand in the program
  std::vector<known_outcome> known_outcomes;      // options::outcomes
  // An execution of each outcome; under "" one that records none. See options::examples.
  std::map<std::string, execution> examples;
  std::optional<rechecked> recheck;  // of options::recheck
  // Of options::digest: the sum of a hash of each complete execution, in whatever order they were
  // explored.
  std::uint64_t digest = 0;
  bool race = false;       // see races_are_outcomes
  unsigned threads = 0;    // largest number of threads in an execution
  unsigned symmetric = 0;  // threads of which no two executions differ only by which is which; or 0
  std::size_t events = 0;  // largest number of events in an execution
  // Largest number of objects in an execution that the checker watched: atomics, mutexes and
  // condition variables (a word of halves is two); and plain data.
  std::size_t atomics = 0, plain = 0;
  // Why each run began at the beginning of the body, if that is the program's doing: it changes
  // memory that is not its own. See options::resume_points.
  std::string from_beginning;
  // Of the executions that were explored; see holds_with_load_buffering().
  std::vector<load_buffering_race> load_buffering;
  std::optional<reexecuted> reexecutions;  // under xc20
  // Where the runs come from; the first run of an exploration, and of each part of it that another
  // process takes, from nowhere.
  std::vector<changed_place> changed;
  std::size_t memory = 0;  // bytes held by the explorer at its largest

  explicit operator bool() const noexcept { return outcome == verdict::verified; }
};

// Does what was verified hold where cycles of program order and reads-from are allowed as well, as
// C++ and ARM allow them? No execution has a race from which such a cycle could come, or all that
// come from one were explored. False: it is not known.
[[nodiscard]] inline bool holds_with_load_buffering(const result& r) noexcept {
  const bool all = r.reexecutions && r.reexecutions->exhaustive && r.reexecutions->open.empty();
  return r.outcome == verdict::verified && (r.load_buffering.empty() || all);
}

// The counterexample as text: what, where, and a table with one column a thread.
std::string to_text(const counterexample&);
// The verdict in one or a few lines; a violation comes with its counterexample.
std::string to_text(const result&);

}  // namespace fencepost::verify
