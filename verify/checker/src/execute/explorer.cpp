#include "execute/explorer.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

bool looks_at_places(const options& o) { return o.list_places || !o.changes.empty(); }

}  // namespace

explorer::explorer(const options& o, std::function<void()> body)
    : options_(o),
      body_(std::move(body)),
      consistency_(graph_, o.model),
      priorities_(o),
      symmetry_(graph_, o, priorities_.all()),
      exploration_(graph_, consistency_, symmetry_, options_),
      sampler_(graph_, consistency_, options_),
      contention_(graph_),
      bound_(graph_, exploration_, sites_, priorities_.used(), options_),
      objects_(graph_, ending_, options_),
      table_(o.changes),
      fibers_(&thread_runner::program, &thread_runner_),
      trace_(graph_, objects_, wide_, arena_,
             [this](const void* p) { return fibers_.on_a_stack(p); }),
      threads_(graph_),
      ending_({fibers_, threads_, trace_}),
      comparison_({tape_, objects_, arena_, fibers_, threads_, ending_}),
      supervisor_({fibers_, threads_, ending_, options_}),
      limits_({graph_, fibers_, threads_, loops_, supervisor_, ending_, options_}),
      loops_({graph_, exploration_, sampler_, symmetry_, sites_, contention_, priorities_, arena_,
              objects_, trace_, tape_, fibers_, threads_, ending_, options_}),
      histories_({graph_, fibers_, threads_, loops_, outcomes_, comparison_, ending_}),
      symmetric_threads_({symmetry_, fibers_, threads_, loops_, trace_, ending_}),
      scheduler_(graph_, threads_, loops_, sampler_, sites_, priorities_),
      resume_points_({graph_, exploration_, symmetry_, arena_, objects_, wait_lists_, loops_,
                      outcomes_, fibers_, threads_}),
      resuming_({resume_points_, tape_, trace_, sampler_, bound_, sites_, ending_, options_},
                {reinterpret_cast<const char*>(this), sizeof *this}),
      follower_({graph_, fibers_, threads_, loops_, trace_, limits_, comparison_}),
      thread_runner_({graph_, priorities_, sites_, arena_, fibers_, threads_, loops_, tape_,
                      comparison_, symmetric_threads_, resuming_, ending_, trace_, options_}),
      events_({graph_, consistency_, exploration_, sampler_, sites_, fibers_, threads_, objects_,
               loops_, scheduler_, follower_, symmetric_threads_, resuming_, ending_, limits_,
               comparison_, trace_, looks_at_places(options_) ? &table_ : nullptr, options_}),
      operations_({graph_, symmetry_, sites_, fibers_, threads_, scheduler_, follower_, events_,
                   thread_runner_, trace_, ending_}),
      program_objects_({graph_, consistency_, sites_, arena_, objects_, wait_lists_, fibers_,
                        threads_, loops_, trace_, limits_, comparison_, operations_, options_}),
      allocations_({arena_, objects_, fibers_, threads_, loops_, histories_, trace_, limits_,
                    comparison_, operations_, program_objects_, ending_, options_}) {
  if (looks_at_places(options_)) orders_ = &table_;
  // An exchange that is made weak is one that may fail, also where the bound says that none does.
  for (const order_change& c : options_.changes)
    if (c.which == order_change::part::strength)
      options_.spurious_failures = std::max(options_.spurious_failures, 1U);
  arena_.reserve(options_.memory_size);
  options_.max_events = std::min<std::size_t>(options_.max_events, most_events);
}

explorer::~explorer() = default;

std::uint64_t explorer::run_number() {
  // A front end that asks keeps something of its own that does not outlive a run.
  if (resuming_.given_up().empty()) {
    const engine_scope scope;
    resuming_.give_up("the front end asks for the number of the run");
  }
  return runs_;
}

}  // namespace fencepost::verify
