#include "explore/exploration.hpp"

#include <utility>

#include "explore/budgets.hpp"

namespace fencepost::verify {

void exploration::discard_choices(std::size_t count) {
  choices_.resize(count);
  if (count == 0) ++beginnings_;
}

bool exploration::backtrack() {
  for (;;) {
    if (is_over()) return false;
    if (revisit_is_over()) {
      undo_revisit();
      continue;
    }
    if (change_youngest() == step::run) return true;
  }
}

bool exploration::take_next_source(event_id load) {
  const event& e = graph_.at(load);
  if (e.kind != event_kind::load || e.fields() != 1 || racing_ != 0) return false;
  if (is_over() || revisit_is_over()) return false;
  const choice& c = choices_.back();
  return c.event == load && c.kind == choice::sources && change_youngest() == step::run;
}

// On step::exhausted, the choice has been removed.
exploration::step exploration::change_youngest() {
  const step s = change(choices_.back());
  if (s == step::exhausted) choices_.pop_back();
  return s;
}

// Returns step::run if a run follows. On step::again, a revisit has pushed a choice, and `c` is
// dangling.
exploration::step exploration::change(choice& c) {
  if (c.done < c.total) ++c.done;
  ++c.changes;
  const event_id changed = c.event;
  const step s = advance(c);
  if (s != step::run) return s;
  changed_.count(graph_.where(changed));
  look_for_race();
  for_each_changed([&](event_id id) { load_buffering_.look(id); });
  return s;
}

// Calls `f` for the events in the next run's prefix that have changed: the one whose choice changed
// and, if that is a revisited read, the write that revisited it.
template <class F>
void exploration::for_each_changed(F&& f) const {
  for (std::size_t i = choices_.size(); i-- > 0;) {
    f(choices_[i].event);
    if (!choices_[i].revisited()) return;
  }
}

void exploration::look_for_race() {
  racing_ = 0;
  if (options_.races_are_outcomes) return;
  for_each_changed([&](event_id id) {
    event_id other = 0;
    if (graph_.at(id).fields() != 0 && consistency_.races(id, other)) racing_ = id;
  });
}

void exploration::restart() {
  racing_ = 0;
  changed_.begin();
  load_buffering_.begin();
  while (frames_used_ > 0) undo_revisit();
  graph_.cut(0);
  choices_.clear();
  last_.clear();
  way_.clear();
  fixed_ = on_way_ = 0;
}

// A revisit pushes a choice: `c` is dangling when these return step::again.
exploration::step exploration::advance(choice& c) {
  graph_.cut(c.trail_length);
  switch (c.kind) {
    case choice::sources:
    case choice::given_source:
    case choice::second_sources: return advance_sources(c);
    case choice::positions: return advance_positions(c);
    case choice::revisiting_positions: return advance_revisiting_positions(c);
    case choice::displacing: return std::exchange(c.tried, true) ? step::exhausted : step::run;
    case choice::alternatives: return advance_alternatives(c);
  }
  return step::exhausted;
}

exploration::step exploration::advance_alternatives(choice& c) {
  const event& e = graph_.at(c.event);
  const value next = e.read + 1;
  graph_.set_alternative(c.event, 0);
  if (next >= e.operand || !affordable(graph_, options_, e.charge)) return step::exhausted;
  graph_.set_alternative(c.event, next);
  if (!symmetry_.out_of_order(c.event)) return step::run;
  graph_.set_alternative(c.event, 0);  // every greater one is out of order, too
  return step::exhausted;
}

// Links a write, which is not linked, at its next position or pair of positions. Returns false if
// there is none.
bool exploration::next_position(choice& c) {
  const event_id id = c.event;
  const event& e = graph_.at(id);
  for (;;) {
    if (e.fields() == 1) {
      if (--c.position[0] < c.low[0]) return false;
    } else if (--c.position[1] < c.low[1]) {
      c.position[1] = c.high[1];
      if (--c.position[0] < c.low[0]) return false;
    }
    bool possible = true;
    for (unsigned k = 0; k < e.fields(); ++k)
      possible = possible && graph_.may_follow(id, k, c.position[k]);
    if (!possible) continue;
    for (unsigned k = 0; k < e.fields(); ++k)
      graph_.link_write(id, k, static_cast<unsigned>(c.position[k]) + 1);
    if (!consistency_.torn_write(id)) return true;
    graph_.unlink_write(id);
  }
}

exploration::step exploration::advance_positions(choice& c) {
  graph_.unlink_write(c.event);
  if (c.stage != choice::revisiting) {
    while (next_position(c)) {
      if (!symmetry_.out_of_order(c.event) && consistency_.acyclic(c.event)) return step::run;
      graph_.unlink_write(c.event);
    }
    c.stage = choice::revisiting;
  }
  return next_revisit(c) ? step::again : step::exhausted;
}

bool exploration::unchanged_since(const choice_name& c, std::size_t trail_index) const noexcept {
  for (std::size_t n = frames_used_; n-- > 0 && frames_[n]->choices >= c.choices;)
    if (frames_[n]->reader < trail_index) return false;
  return true;
}

}  // namespace fencepost::verify
