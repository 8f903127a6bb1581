#include "explore/sampler.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "explore/budgets.hpp"

namespace fencepost::verify {

std::uint64_t sampler::random(std::uint64_t below) {  // splitmix64
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (z ^ (z >> 31U)) % below;
}

void sampler::restart() {
  drawn_ = 1;
  begin();
}

bool sampler::next() {
  if (drawn_ == options_.samples) return false;
  ++drawn_;
  return true;
}

void sampler::begin() {
  graph_.cut(0);
  random_ = options_.seed;
  random_ = random(~std::uint64_t{0}) ^ drawn_ * 0xd1342543de82ef95U;
  constexpr unsigned eighths[] = {0, 4, 7};
  prefers_same_ = eighths[random(3)];
  prefers_latest_ = eighths[random(3)];
}

std::optional<unsigned> sampler::pick(const std::array<unsigned, max_threads>& odds,
                                      unsigned last) {
  unsigned sum = 0;
  for (const unsigned o : odds) sum += o;
  if (sum == 0) return {};
  if (last != max_threads && odds[last] != 0 && random(8) < prefers_same_) return last;
  auto left = static_cast<unsigned>(random(sum));
  unsigned t = 0;
  while (left >= odds[t]) left -= odds[t++];
  return t;
}

// Leaves the graph as it is.
bool sampler::draw_source(unsigned thread, const event& e, source_location where) {
  const std::size_t before = graph_.trail().size();
  const event_id id = graph_.append(thread, e, where);
  std::optional<event_id> source;
  if (draw_sources(id)) source = graph_.at(id).rf[0];
  graph_.cut(before);
  sources_[thread] = source;
  return source.has_value();
}

void sampler::add(event_id id) {
  switch (graph_.at(id).kind) {
    case event_kind::load:
    case event_kind::rmw: draw_sources(id); break;
    case event_kind::store: draw_positions(id); break;
    case event_kind::choose: draw_alternative(id); break;
    default: consistency_.update_views(id);
  }
}

namespace {

// The numbers 0 … n-1 without those already drawn. There may be many, of which few are ever drawn.
class undrawn {
 public:
  explicit undrawn(std::uint64_t n) : size_(n) {}
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t operator[](std::uint64_t at) const {
    const auto moved = moved_.find(at);
    return moved == moved_.end() ? at : moved->second;
  }
  // The last number takes its slot.
  void remove(std::uint64_t at) {
    const std::uint64_t last = (*this)[--size_];
    if (at != size_) moved_[at] = last;
  }

 private:
  std::uint64_t size_;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

}  // namespace

// Returns false if there is none: the event waits for a value, and cannot have it.
bool sampler::draw_sources(event_id id) {
  const event& e = graph_.at(id);
  unsigned low[2] = {};
  std::uint64_t number[2] = {1, 1};
  for (unsigned k = 0; k < e.fields(); ++k) {
    if (k == 1) graph_.push_entry(id, 1);
    graph_.link_read(id, k);
    low[k] = consistency_.lowest(id, k);
    number[k] = graph_.history(e.loc[k]).mo.size() - low[k];
  }
  if (const auto given = std::exchange(sources_[thread_of(id)], std::nullopt))
    return take_sources(id, graph_.mo_position(*given, e.loc[0]), 0, false);
  const auto position = [&](unsigned k, std::uint64_t nth) {
    return low[k] + static_cast<unsigned>(nth);
  };
  const bool prefers = random(8) < prefers_latest_;
  if ((reads_latest_ || prefers) &&
      take_sources(id, position(0, number[0] - 1), position(1, number[1] - 1), false))
    return true;
  const std::uint64_t pairs = number[0] * number[1];
  undrawn left(pairs * (e.weak ? 2U : 1U));
  while (left.size() != 0) {
    const std::uint64_t at = random(left.size());
    const std::uint64_t i = left[at] % pairs;
    const bool spurious = left[at] >= pairs;
    if (take_sources(id, position(0, i % number[0]), position(1, i / number[0]), spurious))
      return true;
    left.remove(at);
  }
  return false;
}

// Gives the event these sources, if that is consistent.
bool sampler::take_sources(event_id id, unsigned low, unsigned high, bool spurious) {
  const event& e = graph_.at(id);
  const unsigned positions[2] = {low, high};
  for (unsigned k = 0; k < e.fields(); ++k)
    graph_.set_source(id, k, graph_.history(e.loc[k]).mo[positions[k]]);
  if (consistency_.torn_read(id)) return false;
  consistency_.update_views(id);
  if (e.awaits && e.read != e.expected) return false;
  if (spurious) return take_failure(id);
  if (consistency_.outdated(id)) return false;
  bool youngest = true;
  for (unsigned k = 0; k < e.fields(); ++k) youngest = youngest && graph_.reads_latest(id, k);
  if (!youngest && !consistency_.acyclic(id)) return false;
  if (!e.succeeds()) return true;
  for (unsigned k = 0; k < e.fields(); ++k)
    if (graph_.rmw_after(e.rf[k], e.loc[k], id) != 0) return false;
  graph_.link_rmw(id);
  if (e.fields() == 1 || (!consistency_.torn_write(id) && consistency_.acyclic(id))) return true;
  graph_.unlink_write(id);
  return false;
}

bool sampler::take_failure(event_id id) {
  const event& e = graph_.at(id);
  if (!e.succeeds() || !may_fail_spuriously(graph_, options_)) return false;
  graph_.set_spurious(id, true);
  consistency_.update_views(id);
  const bool consistent = !consistency_.outdated(id) && consistency_.acyclic(id);
  graph_.set_spurious(id, consistent);
  return consistent;
}

void sampler::draw_positions(event_id id) {
  const event& e = graph_.at(id);
  unsigned low[2] = {};
  std::uint64_t number[2] = {1, 1};
  for (unsigned k = 0; k < e.fields(); ++k) {
    low[k] = consistency_.lowest(id, k);
    number[k] = graph_.history(e.loc[k]).mo.size() - low[k];
  }
  consistency_.update_views(id);
  undrawn left(number[0] * number[1]);
  const bool prefers = random(8) < prefers_latest_;
  for (;;) {
    const std::uint64_t at = prefers ? left.size() - 1 : random(left.size());
    const std::uint64_t drawn = left[at];
    const unsigned behind[2] = {low[0] + static_cast<unsigned>(drawn % number[0]),
                                low[1] + static_cast<unsigned>(drawn / number[0])};
    bool possible = true;
    for (unsigned k = 0; k < e.fields(); ++k)
      possible = possible && graph_.may_follow(id, k, static_cast<std::int32_t>(behind[k]));
    if (possible) {
      for (unsigned k = 0; k < e.fields(); ++k) graph_.link_write(id, k, behind[k] + 1);
      const bool last = drawn + 1 == number[0] * number[1];
      if (last || (!consistency_.torn_write(id) && consistency_.acyclic(id))) return;
      graph_.unlink_write(id);
    }
    left.remove(at);
  }
}

void sampler::draw_alternative(event_id id) {
  const event& e = graph_.at(id);
  if (affordable(graph_, options_, e.charge))
    graph_.set_alternative(id, random(std::max<value>(e.operand, 1)));
  consistency_.update_views(id);
}

}  // namespace fencepost::verify
