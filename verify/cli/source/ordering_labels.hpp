// Ordering labels: the comment at each atomic access and fence names it, and states its order, its
// partners and the reason.
//
//   // [put] release, with [steal.back], [other.hpp/pop.back]: the thief then sees the item.
//   // [own_back] relaxed, alone: only the owner stores to it.
//   // [steal.take] seq_cst, relaxed on failure, with [full]: ...
//   // [a], [b] relaxed, alone: the next two operations, in the order of the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "source/members.hpp"
#include "source/source_scan.hpp"

namespace fencepost::cli {

struct order_label {
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  std::string name;  // "steal.take"
  std::uint32_t line = 0;
  std::vector<std::string> orders;    // "seq_cst", and the order on failure if it is given
  std::vector<std::string> partners;  // "put", "other.hpp/pop.back"; empty: alone
  std::string reason;
  std::size_t operation = none;  // the one that it names
  bool malformed = false;        // the sentence is wrong: orders and partners are not known
};

struct label_finding {
  std::string path;
  std::uint32_t line = 0;
  std::string message;  // what is wrong, and what to do
};

struct labelled_source {
  std::string path;
  std::string name;  // without folder: "chase_lev.hpp"
  std::vector<source_operation> operations;
  std::vector<order_label> labels;        // in the order of the text
  std::vector<bare_member> bare_members;  // that no checker watches
  std::vector<label_finding> findings;    // sentences that cannot be understood

  const order_label* label_of(std::size_t operation) const noexcept;
  const order_label* find(std::string_view label) const noexcept;
};

}  // namespace fencepost::cli
