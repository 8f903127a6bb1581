// The arrows of a trace: from what a worker was running when a task of its deque was stolen, to
// what the thief then ran.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_map>
#include <vector>

#include "fencepost/runtime/worker_trace.hpp"

namespace fencepost::detail {

inline bool is_moment(const trace_event& event) {
  return event.kind == trace_kind::steal || event.kind == trace_kind::wake;
}

// A thread's events in the order of their beginnings, an enclosing event before those that it
// encloses, although it is recorded after them.
using ordered_events = std::vector<const trace_event*>;
inline ordered_events in_order(const std::vector<trace_event>& events) {
  ordered_events order;
  order.reserve(events.size());
  for (auto event = events.rbegin(); event != events.rend(); ++event) order.push_back(&*event);
  std::stable_sort(order.begin(), order.end(), [](const trace_event* a, const trace_event* b) {
    return a->begin != b->begin ? a->begin < b->begin : a->end > b->end;
  });
  return order;
}

class trace_arrows {
 public:
  struct departure {
    std::int64_t at;
    std::uint64_t number;  // identifies the arrow in the whole file
  };

  // `orders`: the events of each thread. Numbers begin after `last`, which becomes the last one.
  trace_arrows(const std::vector<ordered_events>& orders, std::uint64_t& last)
      : from_(orders.size()) {
    std::vector<std::vector<const trace_event*>> thefts(orders.size());
    for (std::size_t thief = 0; thief < orders.size(); ++thief) {
      for (const trace_event* each : orders[thief]) {
        if (each->kind != trace_kind::steal || each->other >= orders.size()) continue;
        if (each->other != thief) thefts[each->other].push_back(each);
      }
    }
    for (std::size_t victim = 0; victim < orders.size(); ++victim) {
      add(victim, orders[victim], thefts[victim], last);
    }
  }

  const std::vector<departure>& from(std::size_t thread) const { return from_[thread]; }
  // The number of the arrow that ends at a theft; 0 if none does.
  std::uint64_t to(const trace_event& steal) const {
    const auto arrow = to_.find(&steal);
    return arrow == to_.end() ? 0 : arrow->second;
  }

 private:
  // Adds an arrow for each theft from this victim, but for those during which it ran nothing that
  // is recorded: viewers need an event at which an arrow begins.
  void add(std::size_t victim, const ordered_events& order, std::vector<const trace_event*>& thefts,
           std::uint64_t& last) {
    std::stable_sort(thefts.begin(), thefts.end(), [](const trace_event* a, const trace_event* b) {
      return a->begin < b->begin;
    });
    auto next = order.begin();
    std::int64_t busy_until = std::numeric_limits<std::int64_t>::min();
    for (const trace_event* theft : thefts) {
      for (; next != order.end() && (*next)->begin <= theft->begin; ++next) {
        if (!is_moment(**next)) busy_until = std::max(busy_until, (*next)->end);
      }
      if (busy_until <= theft->begin) continue;
      to_.emplace(theft, ++last);
      from_[victim].push_back({theft->begin, last});
    }
  }

  std::vector<std::vector<departure>> from_;
  std::unordered_map<const trace_event*, std::uint64_t> to_;
};

}  // namespace fencepost::detail
