// The memory orders that a program asks for, place by place in its source, and how a check may
// replace them: the basis of `fencepost necessity` and --weaken.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/source_location.hpp"

namespace fencepost::verify {

// The memory orders, and below them `plain`: an access that is not atomic, but whose value is
// explored all the same (a litmus test's *x).
enum class order : std::uint8_t { plain, relaxed, acquire, release, acq_rel, seq_cst };

constexpr std::string_view to_string(order o) noexcept {
  switch (o) {
    case order::plain: return "plain";
    case order::relaxed: return "relaxed";
    case order::acquire: return "acquire";
    case order::release: return "release";
    case order::acq_rel: return "acq_rel";
    case order::seq_cst: return "seq_cst";
  }
  return "?";
}

enum class access : std::uint8_t { load, store, read_modify_write, compare_exchange, fence };

constexpr std::string_view to_string(access a) noexcept {
  switch (a) {
    case access::load: return "load";
    case access::store: return "store";
    case access::read_modify_write: return "read-modify-write";
    case access::compare_exchange: return "compare-exchange";
    case access::fence: return "fence";
  }
  return "?";
}

// An atomic access or a fence, as written in the program.
struct asked_for {
  access what = access::load;
  order success = order::seq_cst;
  order failure = order::relaxed;  // compare-exchange
  bool weak = false;               // compare-exchange

  friend constexpr bool operator==(const asked_for&, const asked_for&) = default;
};

// An access or a fence, and where it is. One place may ask for several things, since the order may
// be an argument.
struct access_place {
  source_location where;
  asked_for asked;
};

// True if C++ allows the order for the operation. A fence may be relaxed, and then does nothing.
constexpr bool is_allowed(access what, order o) noexcept {
  switch (what) {
    case access::load: return o != order::plain && o != order::release && o != order::acq_rel;
    case access::store: return o != order::plain && o != order::acquire && o != order::acq_rel;
    default: return o != order::plain;
  }
}

// Gives the accesses at one place another order, or makes its strong compare-exchange a weak one.
struct order_change {
  enum class part : std::uint8_t { order, failure, strength };

  std::string file;  // a path, or the end of one: "deque/chase_lev.hpp"; "*": every place
  std::uint32_t line = 0;
  std::uint32_t column = 0;  // as the compiler counts it; 0: all accesses of the line
  part which = part::order;
  order to = order::relaxed;  // of a fence: relaxed removes it

  // For a place that has a name in the source: "deque/chase_lev.hpp:steal.take". It is then what
  // comes after `after`, up to line and column, since compilers differ in where they see a call.
  std::string name = {};
  struct position {  // A place in a file.
    std::uint32_t line = 0, column = 0;
  } after = {};

  [[nodiscard]] bool concerns(const source_location& where) const noexcept;
  // True if the access has what is to be changed, and may have the new order.
  [[nodiscard]] bool fits(const asked_for&) const noexcept;
  [[nodiscard]] asked_for applied_to(asked_for) const noexcept;
};

// "deque/chase_lev.hpp:193=relaxed", "...:193:15=failure:relaxed", "=weak", "=removed" (a fence);
// "*=seq_cst" changes every place where that is allowed. Throws std::invalid_argument, which says
// what is wrong.
order_change order_change_from(std::string_view text);
// The same for a place that is known: of `text`, only what comes after the '=' is read.
order_change order_change_at(order_change place, std::string_view text);
// Makes every access sequentially consistent.
std::vector<order_change> all_sequentially_consistent();
// The change as it is written, with the name of the place if it has one.
std::string to_text(const order_change&);

}  // namespace fencepost::verify
