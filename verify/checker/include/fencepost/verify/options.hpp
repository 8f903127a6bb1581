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

// A run that has ended, for options::judge_run, which knows better than the explorer.
struct ended_run {
  std::optional<violation> wrong;  // the violation that was found in it
  bool complete = false;           // otherwise threads are blocked, unless something is wrong
  bool again = false;              // it was judged before, and is run once more for its steps
};
// What options::judge_run says about the run.
struct run_judgement {
  bool counts = true;
  std::string data_race;  // if it counts and has one; or "". The later access:
  unsigned thread = 0;
  source_location where;
  // Whether the race is with the beginning or the end of an object's lifetime.
  enum class life : std::uint8_t { none, begins, ends };
  life of = life::none;
  std::uint32_t object = 0;  // its location
};

struct options {              // How to explore, and when to give up.
  std::string name = "test";  // in messages
  memory_model model = memory_model::rc20;

  // Bounds that a verdict names: how often, in one execution, what may happen by itself happens.
  unsigned spurious_failures = 1;  // of weak compare-exchanges
  unsigned spurious_wakeups = 1;   // of condition variables and futexes
  // A freed address is reused, the last one first, by the thread that released it when it allocates
  // the same size; and, once in an execution, it is not. Across threads: by whichever thread
  // allocates that size next; and, once in an execution, another of the released addresses is used,
  // or none. What came before the release happens before the reuse.
  bool reuse_addresses = false;
  bool reuse_across_threads = false;
  // Memory keeps its type: an atomic whose lifetime has ended, in memory from operator new, may be
  // loaded, and compared by a compare-exchange that fails. The next atomic at its address begins
  // with a relaxed store to it. Allocators whose free lists keep the type behave like this, such as
  // Linux's SLAB_TYPESAFE_BY_RCU. Any other access is a use after free, as without this option.
  bool typed_memory = false;
  unsigned timeouts = 1;  // of timed waits; 0: they never time out
  bool check_leaks = true;

  // Which of the threads that the body creates at once (run_threads) are symmetric: executions that
  // differ only by which of them is which count as one (see scenario::symmetric).
  thread_range symmetric;
  bool symmetry = true;  // false: all of them are explored

  // Run the first execution, and a sample of later ones, again: a program that then does something
  // else depends on more than it reads (nondeterminism). False for front ends that cannot.
  bool repeat = true;

  // A run continues from where it first differs from the last one: what happened before is
  // restored, not run again. The executions are the same if the body changes no memory that
  // outlives it: no variable that it captures, no member of a fixture, nothing static. Most such
  // changes are noticed (result::from_beginning); those in heap blocks from outside the body are
  // not. Not set: true for scenarios, whose state the checker creates itself, and false for bodies.
  std::optional<bool> resume_points;

  // The outcomes that outcome() may record. If there are any, an execution with another outcome, or
  // with a forbidden one, is a violation (assertion).
  std::span<const known_outcome> outcomes;
  std::size_t examples = 0;  // keep the graph of an execution of each outcome, of at most so many

  // A race between accesses of order::plain is an outcome (result::race), not a violation.
  bool races_are_outcomes = false;

  // Limits: reaching one makes the result incomplete.
  std::uint64_t max_executions = 0;      // complete and blocked ones; 0: none
  std::chrono::milliseconds timeout{0};  // 0: none

  // Limits of one execution. Reaching one makes the result incomplete as well: result::limit says
  // which, and where. (A stack that is used up is a violation: such recursion is seldom meant to
  // end.)
  //
  // max_events is that of one thread, at most 65,533. 0: 50,000 until an execution is complete, and
  // then twice as many as its longest thread has, and 2,000 more, since the executions of a loop
  // that counts its rounds become longer and longer.
  std::size_t max_events = 0;
  std::size_t stack_size = std::size_t{256} << 10;  // of one thread, bytes
  std::size_t memory_size = std::size_t{64} << 20;  // of one thread, bytes

  // Orders other than those in the program, each at one place. A strong compare-exchange that is
  // made weak may fail at least once, whatever spurious_failures says.
  std::vector<order_change> changes{};
  bool list_places = false;  // fill result::places, also without changes

  // The number of processes that explore together; counts, verdict and counterexample are the same
  // as with one. 0: the number that the environment variable FENCEPOST_JOBS says, otherwise one.
  // Always one where a function below is to be called with each execution, for samples, and with
  // keep_going.
  unsigned jobs = 0;
  const std::atomic<unsigned>* jobs_now = nullptr;  // for front ends: used instead, and may change

  // An exploration in several sittings, or on several machines, see checkpoint.hpp. Not available
  // where always one process is used. The limits are those of a sitting; the counts of the result
  // are those of all sittings.
  std::string resume;  // a checkpoint of the same program and options, to continue; "": begin
  // Called with a checkpoint about every ten seconds, and at the end.
  std::function<void(const std::string&)> on_checkpoint;
  // Not 0: stop as soon as what is left is in so many parts, or in up to twice as many. Learning
  // how the program waits restarts the exploration, so nothing is divided before it has been
  // explored for some processor time.
  std::size_t parts = 0;
  std::chrono::milliseconds before_parts{1000};

  // Estimate how many executions there are, for progress and for a result that is incomplete
  // because of timeout, max_executions or parts: a process is forked, after 0.3 seconds or at the
  // end, that searches the tree with most branches left out at random, for about a twentieth of the
  // processor time of the exploration. The exploration does not depend on it. Not available where
  // always one process is used (see jobs), nor under xc20.
  bool estimate = false;
  // Not 0: explore nothing; estimate from so many probes, in this process (result::whole). The same
  // number gives the same estimate.
  std::size_t probes = 0;

  bool keep_going = false;  // continue after a violation; the first one is reported
  // After a violation, look for a shorter one of the same kind (fewer steps, then fewer changes of
  // thread): in so many more runs, and as many again with each order of up to four threads.
  std::uint64_t shorten = 0;
  // Not 0: also for at most so long, and as long again for all other orders together.
  std::chrono::milliseconds shorten_within{0};

  // Model threads in the order in which the explorer prefers them; any order gives the same set of
  // executions. Threads that are not named follow in order of creation. Empty: in order of
  // creation, but first those whose next event does not read.
  std::vector<unsigned> priorities;

  // Make only this run (counterexample::path), and show it to a debugger, see replay.hpp. "":
  // explore everything.
  std::string replay;

  // Under xc20: explore what follows from a load-buffering race if the reading thread runs again,
  // with the value of a write that comes after the read; at most so many such reads, one upon the
  // other. Uses one process; not for samples, nor with a bound on preemptions.
  unsigned reexecutions = 2;

  // For what is too large. As long as something was not explored, neither is called verified.
  //
  // Not 0: run so many executions with random choices instead of exploring. The same seed draws the
  // same executions. See docs/guide/large-spaces.md for what can be drawn, and with which odds.
  std::uint64_t samples = 0;
  std::uint64_t seed = 1;
  // Explore the executions with at most so many preemptions, see preemptions.hpp. Others may be
  // explored as well; if none was left out, the exploration was exhaustive.
  std::optional<unsigned> preemptions{};

  // Called about every 100 ms from the exploring thread.
  std::function<void(const progress&)> on_progress;
  // Set to stop the exploration: the result is then incomplete.
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
  // recheck and on_complete_graph take one graph of so many, starting with the first; 0: all.
  std::uint64_t graphs_apart = 1;
  // Called with each load-buffering race: the graph up to the write, the read and the write.
  std::function<void(const explored_graph&, explored_name read, explored_name write)>
      on_load_buffering_race{};
  // Called with the graph of each run that is complete or violated, or in which the lifetime of an
  // object and its use may be unordered. Each run then begins at the beginning of the body.
  std::function<run_judgement(const explored_graph&, const ended_run&)> judge_run{};
  // For front ends: what the program calls the object at the address; "" where it is not known.
  std::function<std::string(const void*)> name_of{};
  // For tests of the checker: called with a fingerprint of each complete execution graph, and with
  // the number of preemptions that it takes.
  std::function<void(std::uint64_t)> on_graph;
  std::function<void(std::uint64_t, unsigned)> on_preemptions;
  // The same with a fingerprint that is equal for graphs that differ only by which symmetric thread
  // is which.
  std::function<void(std::uint64_t)> on_class;
};

}  // namespace fencepost::verify
