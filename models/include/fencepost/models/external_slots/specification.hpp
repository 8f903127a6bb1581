// The sequential specification of a table of submissions: external_slots.
//
// Submitting and taking are two steps each: a submission reserves room and then shows its record; a
// worker takes a record and then gives back the room. In between, the table may be full and have
// nothing to take. A worker that finds nothing has looked at one slot after the other, with relaxed
// loads: none of the records that it knew of when it began is left, but others may be. That is a
// matter of happens-before, which no order of steps expresses: it is a step only at the end, where
// everything is known (look, found_none).
//
// `full` may be reported at any time: the count is relaxed, so a submitter may read an old count,
// or a new one while it still reads old slots.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linear_order.hpp"

namespace fencepost::models {

struct submissions {
  static constexpr std::string_view name = "a table of submissions";

  enum class action : std::uint8_t { reserve, show, take, give_back, look, found_none, any };
  struct operation {
    action what;
    unsigned number = 0;  // show, take: the record; look, found_none: the name of the look
  };
  enum class answer : std::uint8_t { done, full, none, yes, no };
  using result = answer;
  struct seen_records {
    unsigned look;
    std::vector<unsigned> records;
    friend auto operator<=>(const seen_records&, const seen_records&) = default;
  };

  unsigned slots = 0;
  unsigned reserved = 0;
  std::vector<unsigned> records = {};  // in order of their numbers
  std::vector<seen_records> looks = {};

  std::vector<possibility<submissions>> apply(const operation& o) const {
    submissions after = *this;
    const auto at = std::ranges::find(after.records, o.number);
    const bool there = at != after.records.end();
    switch (o.what) {
      case action::reserve:
        if (reserved == slots) return {{answer::full, after}};
        ++after.reserved;
        return {{answer::done, after}, {answer::full, *this}};
      case action::show:
        after.records.insert(std::ranges::lower_bound(after.records, o.number), o.number);
        return {{answer::done, after}};
      case action::take:
        if (!there) return {};
        after.records.erase(at);
        return {{answer::done, after}};
      case action::give_back: --after.reserved; return {{answer::done, after}};
      case action::look: after.looks.push_back({o.number, records}); return {{answer::done, after}};
      case action::found_none: return after.none_is_left(o.number);
      case action::any: return {{reserved > 0 ? answer::yes : answer::no, after}};
    }
    return {};
  }

  static std::string text(const operation& o, const result* r) {
    constexpr std::string_view names[] = {"reserve", "show",  "take", "give_back",
                                          "look",    "found", "any"};
    std::string call{names[static_cast<unsigned>(o.what)]};
    const bool of_record = o.what == action::show || o.what == action::take;
    call += of_record ? "(" + std::to_string(o.number) + ")" : "()";
    if (r == nullptr || *r == answer::done) return call;
    constexpr std::string_view answers[] = {"", "full", "none", "yes", "no"};
    return call + " -> " + std::string(answers[static_cast<unsigned>(*r)]);
  }

  friend auto operator<=>(const submissions&, const submissions&) = default;

 private:
  // Ends the look of this name; it is possible only if none of the records that it knew is left.
  std::vector<possibility<submissions>> none_is_left(unsigned look) {
    const auto at = std::ranges::find(looks, look, &seen_records::look);
    if (at == looks.end()) return {};
    const bool left = std::ranges::any_of(at->records, [this](unsigned record) {
      return std::ranges::find(records, record) != records.end();
    });
    if (left) return {};
    looks.erase(at);
    return {{answer::none, *this}};
  }
};

}  // namespace fencepost::models
