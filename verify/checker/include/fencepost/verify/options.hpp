// How to check, and within which bounds.
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fencepost/scenario/scenario.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/memory_model.hpp"
#include "fencepost/verify/orders.hpp"
#include "fencepost/verify/progress.hpp"

namespace fencepost::verify {

struct explored_graph;
struct explored_name;

// A run that has ended, for options::judge_run to judge in place of the explorer.
struct ended_run {
  std::optional<violation> wrong;  // the violation that was found in it
  bool complete = false;           // otherwise threads are blocked, unless something is wrong
  bool again = false;              // it was judged before, and is run once more for its steps
};
// The judgement of options::judge_run on a run.
struct run_judgement {
  bool counts = true;
  std::string data_race;  // the message if the run counts and has a race, or ""
  unsigned thread = 0;    // of the later access
  source_location where;
  // Whether the race is with the beginning or the end of an object's lifetime.
  enum class life : std::uint8_t { none, begins, ends };
  life of = life::none;
  std::uint32_t object = 0;  // its location
};

struct options {
  std::string name = "test";  // in messages
  memory_model model = memory_model::rc20;

  // Bounds that a verdict names: at most so many spontaneous events in one execution.
  unsigned spurious_failures = 1;  // of weak compare-exchanges
  unsigned spurious_wakeups = 1;   // of condition variables and futexes
  // Also reuse freed addresses. A thread that allocates a size reuses the address of that size that
  // it has released last; once in an execution, it may get a new address instead. Across threads,
  // the next thread that allocates the size reuses the address; once in an execution, it may get
  // another released address, or a new one. Everything before the release happens before the reuse.
  bool reuse_addresses = false;
  bool reuse_across_threads = false;
  // Memory keeps its type: an atomic whose lifetime has ended, in memory from operator new, may be
  // loaded, and compared by a compare-exchange that fails. The next atomic at its address begins
  // with a relaxed store to it. Allocators whose free lists keep the type behave like this, such as
  // Linux's SLAB_TYPESAFE_BY_RCU. Any other access is a use after free, as without this option.
  bool typed_memory = false;
  unsigned timeouts = 1;  // of timed waits; 0: they never time out
  bool check_leaks = true;

  // The symmetric threads among those that the body creates at once (run_threads): executions that
  // differ only by a permutation of these threads count as one (see scenario::symmetric).
  thread_range symmetric;
  bool symmetry = true;  // false: explore all permutations

  // Run the first execution, and a sample of later ones, again, to detect nondeterminism: a program
  // that then behaves differently depends on more than what it reads. False for front ends that
  // cannot repeat a run.
  bool repeat = true;

  // Start each run where it first differs from the last one, with the state restored instead of
  // computed again. The executions are the same if the body changes no memory that outlives it: no
  // captured variable, no member of a fixture, no static variable. Most such changes are noticed
  // (result::from_beginning); changes of heap blocks from outside the body are not. Default: true
  // for scenarios, whose state the checker creates itself, and false for bodies.
  std::optional<bool> resume_points;

  // The outcomes that outcome() may record. If there are any, an execution with another outcome, or
  // with a forbidden one, is a violation (assertion).
  std::span<const known_outcome> outcomes;
  // The number of outcomes of which the graph of one execution each is kept.
  std::size_t examples = 0;

  // A race between accesses of order::plain is an outcome (result::race), not a violation.
  bool races_are_outcomes = false;

  // Limits. Reaching one makes the result incomplete.
  std::uint64_t max_executions = 0;      // including blocked ones; 0: no limit
  std::chrono::milliseconds timeout{0};  // 0: no limit

  // Limits of one execution. Reaching one makes the result incomplete as well: result::limit says
  // which, and where. (A stack that is used up is a violation: such recursion is seldom meant to
  // end.)
  //
  // max_events is the limit of one thread, at most 65,533. With 0 it is 50,000 until an execution
  // is complete, and then twice the number of events of its longest thread plus 2,000: a loop that
  // counts its turns has longer and longer executions.
  std::size_t max_events = 0;
  std::size_t stack_size = std::size_t{256} << 10;  // of one thread, bytes
  std::size_t memory_size = std::size_t{64} << 20;  // of one thread, bytes

  // Replacements for orders in the program, each at one place. A strong compare-exchange that is
  // made weak may fail at least once, whatever spurious_failures is.
  std::vector<order_change> changes{};
  bool list_places = false;  // fill result::places even without changes

  // The number of processes that explore together. Counts, verdict and counterexample are the same
  // as with one process. 0: the value of the environment variable FENCEPOST_JOBS, or else one. One
  // process is always used if a function below is to be called for each execution, for samples, and
  // with keep_going.
  unsigned jobs = 0;
  const std::atomic<unsigned>* jobs_now = nullptr;  // for front ends: replaces jobs, may change

  // An exploration in several sittings, or on several machines, see checkpoint.hpp. Not available
  // if only one process can be used. The limits are those of one sitting; the counts of the result
  // include all sittings.
  std::string resume;  // the checkpoint to continue, of the same program and options; "": begin
  // Called with a checkpoint about every ten seconds, and at the end.
  std::function<void(const std::string&)> on_checkpoint;
  // If not 0: stop once the unexplored rest is divided into at least this number of parts, and at
  // most twice as many. Learning how the program waits restarts the exploration, so the exploration
  // first runs for some processor time before it is divided.
  std::size_t parts = 0;
  std::chrono::milliseconds before_parts{1000};

  // Estimate the number of executions, for progress and for a result that is incomplete because of
  // timeout, max_executions or parts. A forked process, started after 0.3 seconds or at the end,
  // searches the tree with most branches omitted at random; it takes about a twentieth of the
  // processor time of the exploration, which does not depend on it. Not available if only one
  // process can be used (see jobs), nor under xc20.
  bool estimate = false;
  // If not 0: explore nothing, and estimate from this number of probes, in this process
  // (result::whole). The same number gives the same estimate.
  std::size_t probes = 0;

  bool keep_going = false;  // continue after a violation; the first one is reported
  // After a violation, look for a shorter one of the same kind (fewer steps, then fewer changes of
  // thread), in this number of runs, and in as many again with each order of up to four threads.
  std::uint64_t shorten = 0;
  // If not 0: a time limit for that, and the same limit again for all other orders together.
  std::chrono::milliseconds shorten_within{0};

  // The model threads in the order in which the explorer prefers them; any order gives the same set
  // of executions. Threads that are not listed follow in order of creation. Empty: the order of
  // creation, but first the threads whose next event does not read.
  std::vector<unsigned> priorities;

  // Perform only this run (counterexample::path), for a debugger, see replay.hpp. "": explore
  // everything.
  std::string replay;

  // Under xc20, a load-buffering race is explored by running the reading thread again, with the
  // value of a write that comes after the read. This is repeated for the races of these executions,
  // up to this number of such reads in one execution. Uses one process; not available for samples,
  // nor with a bound on preemptions.
  unsigned reexecutions = 2;

  // Partial explorations of large spaces, which are not verified as long as something was not
  // explored.
  //
  // If not 0: run this number of executions with random choices instead of exploring. The same seed
  // draws the same executions. docs/guide/large-spaces.md says which executions can be drawn, and
  // with which odds.
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  // Explore the executions with at most this number of preemptions, see preemptions.hpp. Others may
  // be explored as well; if no execution was omitted, the exploration was exhaustive.
  std::optional<unsigned> preemptions{};

  // Called about every 100 ms from the exploring thread.
  std::function<void(const progress&)> on_progress;
  // If this becomes true, the exploration stops; the result is then incomplete.
  const std::atomic<bool>* stop = nullptr;
  // For front ends: called after each complete execution, with whether it has a race that is an
  // outcome.
  std::function<void(bool race)> on_execution;
  // Called when the exploration restarts, for example because it learned how a waiting loop works:
  // discard what was reported before.
  std::function<void()> on_restart;
  // Judge each complete execution graph by the axioms of the model as well, which share no code
  // with the explorer (result::recheck); takes several times as long as the exploration.
  bool recheck = false;
  bool digest = false;  // fill result::digest
  // Called with each complete execution graph, to judge it by other means.
  std::function<void(const explored_graph&)> on_complete_graph;
  // With N, recheck and on_complete_graph take every N-th graph, starting with the first; 0: all.
  std::uint64_t graphs_apart = 1;
  // Called with each load-buffering race: the graph up to the write, the read and the write.
  std::function<void(const explored_graph&, explored_name read, explored_name write)>
      on_load_buffering_race{};
  // Called with the graph of each run that is complete or violated, or in which the lifetime of an
  // object and its use may be unordered. Each run then begins at the beginning of the body.
  std::function<run_judgement(const explored_graph&, const ended_run&)> judge_run{};
  // For front ends: returns the program's name of the object at the address; "" if it is not known.
  std::function<std::string(const void*)> name_of{};
  // For tests of the checker: called with a fingerprint of each complete execution graph, and with
  // the number of preemptions that it takes.
  std::function<void(std::uint64_t)> on_graph;
  std::function<void(std::uint64_t, unsigned)> on_preemptions;
  // Called with a fingerprint that is equal for graphs that differ only by a permutation of
  // symmetric threads.
  std::function<void(std::uint64_t)> on_class;
};

}  // namespace fencepost::verify
