// Who explores what: the search tree in parts that follow one another, from its beginning to its
// end. All of it is explored when what is closed is one part again, that goes from the one to the
// other: that nothing is missing is not counted, but shown. A ledger may also be of one part only.
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

  // Nothing is explored, and nobody explores.
  explicit ledger(part whole = {});
  // Throws std::invalid_argument unless they follow one another, up to `end`.
  ledger(const std::vector<kept>&, choice_path end);

  // The first part that nobody explores; from now on somebody does. None: there is none.
  std::optional<part> take();
  // The one that begins there. None: it is not left any more.
  std::optional<part> take(const beginning&);
  // Whoever explores the part that begins there gives away what comes last in it. False: there is
  // no such part, or that is no end of it.
  bool divide(const beginning&, const part& given);
  // The part that begins there was explored, as far as the result says. False: there is no such
  // part any more, for something to the left of it ends the exploration.
  bool close(const beginning&, part_result);
  // Whoever explored it is gone, and what was found with it.
  void reopen(const beginning&);
  // What became of a part that nobody has explored. Throws std::invalid_argument if this is none.
  void put(const ledger& explored);

  [[nodiscard]] const beginning& from() const { return parts_.begin()->first; }
  [[nodiscard]] const choice_path& end() const noexcept { return end_; }
  // What is being explored is left.
  [[nodiscard]] std::vector<kept> all() const;
  [[nodiscard]] std::vector<part> left() const;
  [[nodiscard]] bool has(const beginning& b) const { return parts_.contains(b); }
  // All is explored, or all that comes before what ends the exploration.
  [[nodiscard]] bool complete() const;
  // Of all that is closed; `how` and `at` say what ended it, if it is complete.
  [[nodiscard]] part_result total() const;
  // The first violation that is known, though there may be others before it.
  [[nodiscard]] const part_result* violation() const;
  // Complete: what was learned, as one process would have learned it, so that all is to be explored
  // again. That a location is contended may show only in all parts together.
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
