// A memory order of the library that a scenario changes: the operation by its label, then the
// order, written as for `fencepost verify --weaken`.
//
//   "worker_sleep.hpp:register=relaxed"
//   "worker_sleep.hpp:post=failure:relaxed" a compare-exchange's order on failure
//   "core_latch.hpp:move=weak"              a strong compare-exchange becomes a weak one
//   "event_count.hpp:enter.fence=removed"   a fence
//
// A change that changes nothing, or names no operation, does not compile.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "fencepost/models/orders/label_sites.hpp"
#include "fencepost/source_location.hpp"

namespace fencepost::models {

struct order_change {
  enum class part_t : std::uint8_t { order, failure, strength, presence };

  std::size_t site = 0;  // in label_sites
  part_t part = part_t::order;
  std::memory_order to = std::memory_order_relaxed;

  template <std::size_t Size>
  constexpr order_change(const char (&text)[Size])  // implicit: it is a template argument
      : order_change(read({text, Size - 1})) {}

  // Throws the reason as a literal: in a constant expression, compilers show it in their error.
  static constexpr order_change read(std::string_view text) {
    const std::size_t equals = text.rfind('=');
    if (equals == text.npos) throw "an order change is written FILE:LABEL=ORDER";
    order_change c;
    c.site = find(text.substr(0, equals));
    c.read_order(text.substr(equals + 1));
    c.check();
    return c;
  }

  constexpr const label_site& place() const { return label_sites[site]; }

 private:
  constexpr order_change() = default;

  static constexpr bool is_file(std::string_view path, std::string_view name) {
    return path.ends_with(name) &&
           (path.size() == name.size() || path[path.size() - name.size() - 1] == '/');
  }

  static constexpr std::size_t find(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == text.npos) throw "an order change is written FILE:LABEL=ORDER";
    std::size_t found = std::size(label_sites);
    for (std::size_t i = 0; i < std::size(label_sites); ++i) {
      const label_site& s = label_sites[i];
      if (s.label != text.substr(colon + 1) || !is_file(s.file, text.substr(0, colon))) continue;
      if (found != std::size(label_sites)) throw "several files have this label: name the folder";
      found = i;
    }
    if (found == std::size(label_sites))
      throw "no operation has this label: `fencepost labels` lists them";
    return found;
  }

  constexpr void read_order(std::string_view text) {
    if (text == "removed") {
      part = part_t::presence;
    } else if (text == "weak") {
      part = part_t::strength;
    } else {
      constexpr std::string_view failure = "failure:";
      if (text.starts_with(failure)) {
        part = part_t::failure;
        text.remove_prefix(failure.size());
      }
      to = order_named(text);
    }
  }

  static constexpr std::memory_order order_named(std::string_view text) {
    if (text == "relaxed") return std::memory_order_relaxed;
    if (text == "acquire") return std::memory_order_acquire;
    if (text == "release") return std::memory_order_release;
    if (text == "acq_rel") return std::memory_order_acq_rel;
    if (text == "seq_cst") return std::memory_order_seq_cst;
    throw "this is no memory order";
  }

  constexpr void check() const {
    const label_site& s = place();
    const bool exchanges = s.what == operation::compare_exchange;
    const bool releases = to == std::memory_order_release || to == std::memory_order_acq_rel;
    const bool acquires = to == std::memory_order_acquire || to == std::memory_order_acq_rel;
    if (s.what == operation::other) throw "this operation cannot have another order";
    switch (part) {
      case part_t::order:
        if (to == s.order) throw "the operation has this order already";
        if (s.what == operation::load && releases) throw "a load has no such order";
        if (s.what == operation::store && acquires) throw "a store has no such order";
        if (s.what == operation::fence && to == std::memory_order_relaxed)
          throw "a relaxed fence is none: write =removed";
        return;
      case part_t::failure:
        if (!exchanges) throw "only a compare-exchange has an order on failure";
        if (to == s.failure) throw "the operation has this order on failure already";
        if (releases) throw "a failed compare-exchange is a load, which has no such order";
        return;
      case part_t::strength:
        if (!exchanges || s.weak) throw "only a strong compare-exchange becomes a weak one";
        return;
      case part_t::presence:
        if (s.what != operation::fence) throw "only a fence can be removed";
        return;
    }
  }
};

}  // namespace fencepost::models
