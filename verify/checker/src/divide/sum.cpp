#include "divide/sum.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "explore/changed_places.hpp"
#include "explore/load_buffering.hpp"

namespace fencepost::verify {

namespace {

void add(rechecked& sum, const rechecked& more) {
  sum.graphs += more.graphs;
  sum.confirmed += more.confirmed;
  sum.rejected += more.rejected;
  for (const auto& [why, times] : more.not_held) sum.not_held[why] += times;
  if (sum.why.empty()) {
    sum.why = more.why;
    sum.graph = more.graph;
  }
}

auto order_of(const access_place& p) {
  return std::tuple(std::string_view(p.where.file), p.where.line, p.where.column, p.asked.what,
                    p.asked.success, p.asked.failure, p.asked.weak);
}

}  // namespace

void add(result& sum, const result& more) {
  sum.executions += more.executions;
  sum.blocked += more.blocked;
  sum.cut += more.cut;
  sum.violations += more.violations;
  sum.digest += more.digest;
  for (const auto& [outcome, times] : more.outcomes) sum.outcomes[outcome] += times;
  for (const access_place& p : more.places) {
    const auto at = std::lower_bound(
        sum.places.begin(), sum.places.end(), p,
        [](const access_place& a, const access_place& b) { return order_of(a) < order_of(b); });
    if (at == sum.places.end() || order_of(*at) != order_of(p)) sum.places.insert(at, p);
  }
  if (more.recheck) {
    if (!sum.recheck) sum.recheck.emplace();
    add(*sum.recheck, *more.recheck);
  }
  sum.race = sum.race || more.race;
  sum.threads = std::max(sum.threads, more.threads);
  sum.symmetric = std::max(sum.symmetric, more.symmetric);
  if (sum.from_beginning.empty()) sum.from_beginning = more.from_beginning;
  add(sum.changed, more.changed);
  add(sum.load_buffering, more.load_buffering);
  sum.events = std::max(sum.events, more.events);
  sum.atomics = std::max(sum.atomics, more.atomics);
  sum.plain = std::max(sum.plain, more.plain);
}

}  // namespace fencepost::verify
