// Which parts of the search tree are open, taken or closed. They follow one another, from the
// beginning of the tree to its end. All of it is explored when the closed parts have joined into
// one that goes from the beginning to the end: that nothing is missing is not counted, but shown. A
// ledger may also be of one part only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "execute/part_result.hpp"
#include "explore/part.hpp"
#include "explore/search_path.hpp"

namespace fencepost::verify {

class ledger {
 public:
  using beginning = std::optional<choice_path>;

  // A part as it is kept: explored, with what was found, or left.
  struct kept {
    part where;
    std::optional<part_result> found;
  };

  // Nothing is explored or being explored.
  explicit ledger(part whole = {});
  // Throws std::invalid_argument unless the parts follow one another, up to `end`.
  ledger(const std::vector<kept>&, choice_path end);

  // Takes the first part that is open; returns nothing if there is none.
  std::optional<part> take();
  // Takes the part that begins there; returns nothing if it is not open any more.
  std::optional<part> take(const beginning&);
  // The process that explores the part beginning there gives away what comes last in it. Returns
  // false if there is no such part, or `given` is not the end of it.
  bool divide(const beginning&, const part& given);
  // The part that begins there was explored, as far as the result says. Returns false if there is
  // no such part any more, because something to the left of it ends the exploration.
  bool close(const beginning&, part_result);
  // Opens the part again: the process that explored it has ended, and what it found is lost.
  void reopen(const beginning&);
  // Replaces an open part by what became of it. Throws std::invalid_argument if there is no such
  // part.
  void put(const ledger& explored);

  [[nodiscard]] const beginning& from() const { return parts_.begin()->first; }
  [[nodiscard]] const choice_path& end() const noexcept { return end_; }
  // Parts that are being explored count as left.
  [[nodiscard]] std::vector<kept> all() const;
  [[nodiscard]] std::vector<part> left() const;
  [[nodiscard]] bool has(const beginning& b) const { return parts_.contains(b); }
  // True if all is explored, or all that comes before what ends the exploration.
  [[nodiscard]] bool complete() const;
  // The sum of all that is closed; if complete(), `how` and `at` say what ended the exploration.
  [[nodiscard]] part_result total() const;
  // The first violation that is known, or null; there may be others before it, unless complete().
  [[nodiscard]] const part_result* violation() const;
  // If complete(): what was learned, as one process would have learned it, so that all is to be
  // explored again. That a location is contended may show only in all parts together.
  [[nodiscard]] std::optional<lesson> learned() const;

 private:
  enum class state : std::uint8_t { open, taken, closed };
  struct entry {
    choice_path last;
    state at = state::open;
    part_result found;
  };
  struct order {
    bool operator()(const beginning& a, const beginning& b) const {
      return a && b ? ends_before(*a, *b) : b.has_value() && !a;
    }
  };
  using parts = std::map<beginning, entry, order>;

  static part take(parts::value_type&);
  void join(parts::iterator);
  void join(parts::iterator, parts::iterator next);

  parts parts_;
  choice_path end_;
};

}  // namespace fencepost::verify
