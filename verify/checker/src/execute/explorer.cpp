#include "execute/explorer.hpp"

#include <algorithm>
#include <utility>

namespace fencepost::verify {

namespace {

// All threads, those that are named first.
std::vector<unsigned> by_priority(const options& o) {
  std::vector<unsigned> all = o.priorities;
  all.erase(std::remove_if(all.begin(), all.end(), [](unsigned t) { return t >= max_threads; }),
            all.end());
  for (unsigned t = 0; t < max_threads; ++t)
    if (std::find(all.begin(), all.end(), t) == all.end()) all.push_back(t);
  return all;
}

}  // namespace

explorer::explorer(const options& o, std::function<void()> body)
    : options_(o),
      body_(std::move(body)),
      consistency_(graph_, o.model),
      preferred_(by_priority(o)),
      by_priority_{0},
      symmetry_(graph_, o, preferred_),
      exploration_(graph_, consistency_, symmetry_, options_),
      sampler_(graph_, consistency_, options_),
      bound_(graph_, exploration_, sites_, by_priority_, options_),
      objects_(graph_, *this, options_),
      trace_(graph_, objects_, wide_, arena_,
             [this](const void* p) {
               return std::any_of(std::begin(threads_), std::end(threads_),
                                  [&](const model_thread& t) { return t.stack.contains(p); });
             }),
      table_(o.changes) {
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
