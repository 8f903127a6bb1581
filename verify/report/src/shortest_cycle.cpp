#include "shortest_cycle.hpp"

#include <algorithm>
#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

namespace fencepost::verify {
namespace {

// Program order, the creation of threads and the wait for their end.
constexpr relation in_order = relation::synchronizes_with;

std::pair<std::size_t, std::ptrdiff_t> weight(const std::vector<edge>& cycle) {
  return {cycle.size(), std::count_if(cycle.begin(), cycle.end(),
                                      [](const edge& e) { return e.kind == relation::from_read; })};
}

// Finds the path with the fewest edges other than in_order, and returns these edges.
std::optional<std::vector<edge>> path(const std::vector<std::vector<edge>>& next, std::size_t from,
                                      std::size_t to) {
  std::vector<std::size_t> distance(next.size(), ~std::size_t{0});
  std::vector<edge> via(next.size());
  std::deque<std::size_t> open{from};
  distance[from] = 0;
  while (!open.empty()) {
    const std::size_t at = open.front();
    open.pop_front();
    for (const edge& e : next[at]) {
      const std::size_t length = distance[at] + (e.kind == in_order ? 0 : 1);
      if (length >= distance[e.to]) continue;
      distance[e.to] = length;
      via[e.to] = e;
      if (e.kind == in_order) {
        open.push_front(e.to);
      } else {
        open.push_back(e.to);
      }
    }
  }
  if (distance[to] == ~std::size_t{0}) return {};
  std::vector<edge> all;
  for (std::size_t at = to; at != from; at = via[at].from) {
    if (via[at].kind != in_order) all.insert(all.begin(), via[at]);
  }
  return all;
}

}  // namespace

std::vector<edge> shortest_cycle(const counterexample& c) {
  std::vector<std::vector<edge>> next(c.steps.size());
  std::vector<std::size_t> last(c.threads + 1, c.steps.size());
  for (std::size_t i = 0; i < c.steps.size(); ++i) {
    const unsigned t = c.steps[i].thread;
    if (last.size() <= t) last.resize(t + std::size_t{1}, c.steps.size());
    if (last[t] != c.steps.size()) next[last[t]].push_back({in_order, last[t], i, {}});
    last[t] = i;
  }
  for (const edge& e : c.edges) {
    const auto is_thread = [&](std::size_t i) {
      return c.steps[i].kind == step_kind::create_thread ||
             c.steps[i].kind == step_kind::join_thread;
    };
    if (e.kind != in_order || is_thread(e.from) || is_thread(e.to)) next[e.from].push_back(e);
  }
  std::vector<edge> best;
  const auto look_at = [&](const edge& first) {
    std::optional<std::vector<edge>> rest = path(next, first.to, first.from);
    if (!rest) return;
    rest->insert(rest->begin(), first);
    if (best.empty() || weight(*rest) < weight(best)) best = std::move(*rest);
  };
  for (const edge& e : c.edges) {
    if (e.kind == relation::from_read) look_at(e);
  }
  // A cycle without a read that is out of date is rare, so it is tried last.
  for (const edge& e : c.edges) {
    if (best.empty() && e.kind == relation::modification_order) look_at(e);
  }
  return best;
}

}  // namespace fencepost::verify
