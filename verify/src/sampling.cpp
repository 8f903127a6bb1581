// Executions with random choices: which thread goes on, what a read reads, where a write stands.
//
// An execution is built forward only: there is nothing to revisit. That reaches every consistent
// graph. Take its events in an order that extends program order and reads-from, which have no
// cycle: all that came first is closed under both, so it is itself a consistent graph, in which the
// next event has the source or the place that it has in the end. No choice leads into a dead end
// either: what reads and writes last in modification order is consistent.
//
// The odds are far from equal: a graph is reached in as many ways as its events can be ordered, and
// even choices at each step hardly ever make a long run of one thread, or one of the latest values.
// So how much an execution prefers these is drawn first.

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "explorer.hpp"

namespace fencepost::verify {

std::uint64_t explorer::random(std::uint64_t below) {  // splitmix64
  std::uint64_t z = random_ += 0x9e3779b97f4a7c15U;
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return (z ^ (z >> 31U)) % below;
}

bool explorer::next_sample() {
  if (drawn_ == options_.samples) return false;
  ++drawn_;
  return true;
}

namespace {

// The numbers 0 … n-1 less those that were drawn. There may be many, and few are ever drawn.
class undrawn {
 public:
  explicit undrawn(std::uint64_t n) : size_(n) {}
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t operator[](std::uint64_t at) const {
    const auto moved = moved_.find(at);
    return moved == moved_.end() ? at : moved->second;
  }
  // The last one takes the place.
  void remove(std::uint64_t at) {
    const std::uint64_t last = (*this)[--size_];
    if (at != size_) moved_[at] = last;
  }

 private:
  std::uint64_t size_;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

}  // namespace

// Depends on nothing but the seed and the number.
void explorer::begin_sample() {
  graph_.cut(0);
  random_ = options_.seed;
  random_ = random(~std::uint64_t{0}) ^ drawn_ * 0xd1342543de82ef95U;
  constexpr unsigned eighths[] = {0, 4, 7};
  prefers_same_ = eighths[random(3)];
  prefers_latest_ = eighths[random(3)];
}

// A thread that may go on. One that is at a waiting loop less often: as long as what it waits for
// has not come, its turn leads nowhere.
unsigned explorer::pick_at_random() {
  constexpr unsigned likely = 8;
  draws_latest_ = false;
  unsigned weights[max_threads] = {};
  unsigned sum = 0;
  for (unsigned t = 0; t < created_; ++t) {
    const model_thread& m = threads_[t];
    if (m.at == state::parked && m.turns.parked_at != graph_.trail.size()) weights[t] = 1;
    if (m.at == state::frontier && may_go_on(t)) {
      const bool waits = std::any_of(sites_.begin(), sites_.end(),
                                     [&](const site& s) { return s.waits && s.where == m.where; });
      weights[t] = waits ? 1 : likely;
    }
    sum += weights[t];
  }
  if (sum != 0) {
    if (owner_ != max_threads && weights[owner_] != 0 && random(8) < prefers_same_) return owner_;
    auto left = static_cast<unsigned>(random(sum));
    unsigned t = 0;
    while (left >= weights[t]) left -= weights[t++];
    return t;
  }
  return pick_parked();
}

bool explorer::may_go_on(unsigned thread) {
  model_thread& m = threads_[thread];
  const event& e = *m.wants;
  if (!e.awaits) return runnable(e);
  const auto& mo = graph_.places[e.loc[0]].mo;
  if (std::none_of(mo.begin(), mo.end(),
                   [&](event_id w) { return graph_.written(w, e.loc[0]) == e.expected; }))
    return false;
  const std::optional<event_id> source = drawn_source(thread, e, m.where);
  m.given = source.has_value();
  if (source) m.source = *source;
  return m.given;
}

// What the read would read, if the thread made it now; the graph stays as it is.
std::optional<event_id> explorer::drawn_source(unsigned thread, const event& e,
                                               source_location where) {
  const engine_scope scope;
  const std::size_t before = graph_.trail.size();
  const event_id id = graph_.append(thread, e, where);
  std::optional<event_id> source;
  if (draw_sources(id)) source = graph_.at(id).rf[0];
  graph_.cut(before);
  return source;
}

// False if there is none: the event waits for a value, and cannot have it.
bool explorer::draw_sources(event_id id) {
  event& e = graph_.at(id);
  unsigned low[2] = {};
  std::uint64_t number[2] = {1, 1};
  for (unsigned k = 0; k < e.fields(); ++k) {
    if (k == 1) graph_.push_entry(id, 1);
    place& p = graph_.places[e.loc[k]];
    if (e.success == order::plain) p.plain_access = true;
    graph_.link_read(id, k);
    low[k] = model_.lowest(id, k);
    number[k] = p.mo.size() - low[k];
  }
  model_thread& m = threads_[thread_of(id)];
  if (std::exchange(m.given, false))
    return take_sources(id, graph_.mo_position(m.source, e.loc[0]), 0, false);
  const auto position = [&](unsigned k, std::uint64_t nth) {
    return low[k] + static_cast<unsigned>(nth);
  };
  const bool prefers = random(8) < prefers_latest_;
  if ((draws_latest_ || prefers) &&
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
bool explorer::take_sources(event_id id, unsigned low, unsigned high, bool spurious) {
  event& e = graph_.at(id);
  const unsigned positions[2] = {low, high};
  for (unsigned k = 0; k < e.fields(); ++k) e.rf[k] = graph_.places[e.loc[k]].mo[positions[k]];
  if (torn(id)) return false;
  model_.settle(id);
  if (e.awaits && e.read != e.expected) return false;
  if (spurious) {
    if (!e.succeeds() || graph_.spurious >= options_.spurious_failures) return false;
    e.spurious = true;
    model_.settle(id);
    e.spurious = !model_.outdated(id) && model_.acyclic();
    if (e.spurious) ++graph_.spurious;
    return e.spurious;
  }
  if (model_.outdated(id)) return false;
  bool youngest = true;
  for (unsigned k = 0; k < e.fields(); ++k) youngest = youngest && latest(id, k);
  if (!youngest && !model_.acyclic(id)) return false;
  if (!e.succeeds()) return true;
  for (unsigned k = 0; k < e.fields(); ++k)
    if (graph_.rmw_after(e.rf[k], e.loc[k], id) != 0) return false;
  graph_.link_rmw(id);
  if (e.fields() == 1 || (!model_.torn_write(id) && model_.acyclic())) return true;
  graph_.unlink_write(id);
  return false;
}

void explorer::draw_places(event_id id) {
  event& e = graph_.at(id);
  unsigned low[2] = {};
  std::uint64_t number[2] = {1, 1};
  for (unsigned k = 0; k < e.fields(); ++k) {
    place& p = graph_.places[e.loc[k]];
    if (e.success == order::plain) p.plain_access = true;
    low[k] = model_.lowest(id, k);
    number[k] = p.mo.size() - low[k];
  }
  model_.settle(id);
  undrawn left(number[0] * number[1]);
  const bool prefers = random(8) < prefers_latest_;
  for (;;) {
    const std::uint64_t at = prefers ? left.size() - 1 : random(left.size());
    const std::uint64_t drawn = left[at];
    const unsigned behind[2] = {low[0] + static_cast<unsigned>(drawn % number[0]),
                                low[1] + static_cast<unsigned>(drawn / number[0])};
    bool possible = true;
    for (unsigned k = 0; k < e.fields(); ++k)
      possible = possible && may_stand(id, k, static_cast<std::int32_t>(behind[k]));
    if (possible) {
      for (unsigned k = 0; k < e.fields(); ++k) graph_.link_write(id, k, behind[k] + 1);
      const bool last = drawn + 1 == number[0] * number[1];
      if (last || ((e.fields() == 1 || !model_.torn_write(id)) && model_.acyclic(id))) return;
      graph_.unlink_write(id);
    }
    left.remove(at);
  }
}

void explorer::draw_alternative(event_id id) {
  event& e = graph_.at(id);
  if (affordable(e.charge)) e.read = random(std::max<value>(e.operand, 1));
  graph_.spend(e, 1);
  model_.settle(id);
}

}  // namespace fencepost::verify
