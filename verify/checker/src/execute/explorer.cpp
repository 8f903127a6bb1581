#include "execute/explorer.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

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
      fibers_([](void* self) { static_cast<explorer*>(self)->run_thread(); }, this),
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
                {reinterpret_cast<const char*>(this), sizeof *this}) {
  if (options_.list_places || !options_.changes.empty()) orders_ = &table_;
  // An exchange that is made weak is one that may fail, also where the bound says that none does.
  for (const order_change& c : options_.changes)
    if (c.which == order_change::part::strength)
      options_.spurious_failures = std::max(options_.spurious_failures, 1U);
  arena_.reserve(options_.memory_size);
  options_.max_events = std::min<std::size_t>(options_.max_events, most_events);
}

explorer::~explorer() = default;

}  // namespace fencepost::verify
