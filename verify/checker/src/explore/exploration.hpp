// The search: visits every consistent execution graph exactly once.
//
// The algorithm is TruSt (Kokologiannakis, Marmanis, Gladstein, Vafeiadis: "Truly stateless,
// optimal dynamic partial order reduction", POPL 2022). A run executes the program along the graph
// as far as it goes, then adds events, each reading and writing last in modification order. Then
// the youngest choice is changed: another source of a read, another position of a write, or a write
// that an earlier read is made to read from (a revisit: what came after that read, and is not
// needed for the write, is deleted; allowed only if all of it had been added maximally, so that
// each graph has one history). Memory is linear in the depth.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "explore/changed_places.hpp"
#include "explore/dead_ends.hpp"
#include "explore/load_buffering.hpp"
#include "explore/part.hpp"
#include "explore/symmetry.hpp"
#include "fencepost/verify/result.hpp"
#include "graph/graph.hpp"
#include "model/consistency.hpp"

namespace fencepost::verify {

class exploration {
 public:
  exploration(graph& g, consistency& c, symmetry& s, const options& o)
      : graph_(g), consistency_(c), symmetry_(s), options_(o), load_buffering_(g, o) {}

  // Completes an event that has been appended: it reads and writes last in modification order, and
  // the alternatives become a choice. With `to_try`, a load of a loop that waits reads its next
  // older source that was not tried yet, if there is one.
  void add(event_id, dead_ends* to_try = nullptr);
  // Changes the youngest choice. Returns false if there is none left in this part.
  bool backtrack();
  // The same as backtrack(), if that gives this load its next source; nothing may have been added
  // since the youngest choice changed. Otherwise returns false, and no choice has changed.
  bool take_next_source(event_id load);
  // Discards the graph and all choices; the part is the whole tree.
  void restart();

  // Begins a part. The caller makes runs, and calls approach() after each, until that returns
  // `there`: the next run then follows backtrack(). No way leads to a part from the beginning of
  // the tree, and its first run belongs to it.
  void begin(const part&);
  enum class way : std::uint8_t { run, there, lost };  // lost: the program has no such choices
  way approach();
  // The choices that led to the current run.
  [[nodiscard]] choice_path path() const;
  // Divides what is left of the part: keeps what comes first, most likely the smaller piece, and
  // returns the rest. Returns nothing if there is hardly anything to divide.
  std::optional<part> give_away();

  // An event that races since the youngest choice changed: with its new source, it is no longer
  // ordered after an access that it was ordered after when it was added. 0: there is none.
  [[nodiscard]] event_id racing() const noexcept { return racing_; }

  // What has changed since the exploration, or the part, began.
  [[nodiscard]] const changed_places& changed() const noexcept { return changed_; }
  [[nodiscard]] const std::vector<load_buffering_race>& load_buffering_races() const noexcept {
    return load_buffering_.found();
  }
  [[nodiscard]] std::size_t choices() const noexcept { return choices_.size(); }
  // Names the youngest choice as long as it exists; no other choice has the same name. 0 choices:
  // there was none; the name then holds until events that precede the first choice are cut off.
  struct choice_name {
    std::size_t choices = 0;  // this one included
    std::uint64_t number = 0;
  };
  [[nodiscard]] choice_name youngest() const noexcept {
    return {choices_.size(), choices_.empty() ? beginnings_ : choices_.back().name};
  }
  [[nodiscard]] bool has(const choice_name& c) const noexcept {
    if (c.choices == 0) return c.number == beginnings_;
    return c.choices <= choices_.size() && choices_[c.choices - 1].name == c.number;
  }
  // True if the trail, up to this entry, is still what it was when the choice was added. Requires
  // has().
  [[nodiscard]] bool unchanged_since(const choice_name&, std::size_t trail_index) const noexcept;
  // Discards the choices above `count`; the caller has cut off their events.
  void discard_choices(std::size_t count);

  // True if this part of the event was added maximally: if it reads or writes last in modification
  // order among what was there before it and what a revisiting write needs (`prefix`).
  [[nodiscard]] bool maximal(const entry&, const clock& prefix) const;

 private:
  struct choice {
    enum kind_t : std::uint8_t {
      sources,         // of a read that was added
      given_source,    // of a read that was revisited
      second_sources,  // of the second field of a read whose first one was revisited
      positions,       // of a write that was added
      revisiting_positions,
      displacing,  // of a read-modify-write that has taken the place of a waiter
      alternatives,
    };
    enum stage_t : std::uint8_t { next_source, revisiting, failing };
    static constexpr std::size_t unbegun = ~std::size_t{0};
    std::size_t trail_length = 0;  // the event's own entries included
    std::size_t cursor = unbegun;  // revisits: the trail entries below are still to be tried
    event_id event = 0;
    event_id reader = 0;                     // revisiting_positions: the read of the event
    std::int32_t high[2] = {}, low[2] = {};  // range of modification-order positions
    std::int32_t position[2] = {};           // the current ones; count down
    std::int32_t next_high = 0;              // whole-word reads: next position of the second field
    kind_t kind = sources;
    stage_t stage = next_source;
    std::uint8_t field = 0;  // revisiting_positions: the field of the read
    bool tried = false;      // the given source; otherwise, waiting for a second field
    std::uint32_t changes = 0;
    std::uint64_t passed = 0;           // a bit for each older source to skip: see dead_ends
    std::uint64_t done = 0, total = 0;  // changes made, and in all, roughly: see give_away()
    std::uint64_t name = 0;             // see choice_name

    [[nodiscard]] bool revisited() const noexcept {
      return kind == given_source || kind == second_sources;
    }
    [[nodiscard]] bool passes(std::int32_t p) const noexcept {
      const std::int32_t nth = high[0] - 1 - p;
      return nth >= 0 && nth < dead_ends::most && (passed >> nth & 1U) != 0;
    }
    // The number of positions in the range of a field.
    [[nodiscard]] std::uint64_t number(unsigned k) const noexcept {
      return static_cast<std::uint64_t>(high[k] - low[k]) + 1;
    }
  };
  struct frame {  // a revisit
    std::size_t choices;
    std::size_t reader;  // where the revisited read is on the trail
    graph::deletion deleted;
  };
  enum class step : std::uint8_t { run, again, exhausted };

  // new_events.cpp
  void add_read(event_id, dead_ends*);
  bool try_older(choice&, dead_ends&);
  void add_write(event_id);
  void remember(choice&);

  step change_youngest();
  step change(choice&);
  template <class F>
  void for_each_changed(F&&) const;
  void look_for_race();
  step advance(choice&);
  step advance_alternatives(choice&);
  step advance_positions(choice&);
  bool next_position(choice&);
  void update_views(event_id id) {
    consistency_.update_views(id);
    symmetry_.depend(id);
  }

  // sources.cpp
  step advance_sources(choice&);
  bool next_sources(choice&);
  bool take_source(choice&);
  bool fail_spuriously(choice&);
  void reattach(const choice&);
  [[nodiscard]] bool is_consistent(const choice&);
  [[nodiscard]] bool acyclic(const choice&);

  // revisits.cpp
  bool next_revisit(choice&);
  bool revisit(event_id writer, std::size_t target);
  bool revisit_with_store(event_id writer, event_id reader, unsigned field);
  bool revisit_with_rmw(event_id writer, event_id reader, unsigned field);
  [[nodiscard]] bool displaces(event_id writer, const entry& target) const;
  bool displace(event_id writer, std::size_t target, frame&);
  void choose_sources_of_revisited(event_id reader, unsigned field);
  step advance_revisiting_positions(choice&);
  frame& new_frame();
  void undo_revisit();
  // True if no choice is left of those that the last revisit led to.
  [[nodiscard]] bool revisit_is_over() const noexcept {
    return frames_used_ > 0 && choices_.size() == frames_[frames_used_ - 1]->choices;
  }

  // part.cpp
  void drop_choices(std::size_t from);
  void keep_within_part();
  [[nodiscard]] bool is_over();

  graph& graph_;
  consistency& consistency_;
  symmetry& symmetry_;
  const options& options_;
  std::vector<choice> choices_;
  std::vector<std::unique_ptr<frame>> frames_;
  std::size_t frames_used_ = 0;
  std::uint64_t choices_made_ = 0;
  std::uint64_t beginnings_ = 0;  // how often discard_choices(0) was called
  event_id racing_ = 0;
  changed_places changed_;
  load_buffering load_buffering_;

  choice_path last_;        // of the part
  std::size_t fixed_ = 0;   // so many choices stay as they are: those of last_
  choice_path way_;         // to the part
  std::size_t on_way_ = 0;  // so many of its choices have been made
};

}  // namespace fencepost::verify
