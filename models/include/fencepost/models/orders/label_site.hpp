// The place of a labelled operation of the library in the source: a row of the generated
// label_sites.hpp.
#pragma once

#include <atomic>
#include <cstdint>
#include <string_view>
#include <utility>

#include "fencepost/source_location.hpp"

namespace fencepost::models {

enum class operation : std::uint8_t {
  load,
  store,
  exchange,
  compare_exchange,
  fetch_add,
  fetch_sub,
  fetch_or,
  fence,
  other,
};

struct label_site {
  struct position {
    std::uint32_t line = 0, column = 0;
  };

  std::string_view file;  // "fencepost/sync/sleep.hpp"
  std::string_view label;
  operation what;
  std::memory_order order, failure;  // as written
  bool weak;                         // of a compare-exchange
  position previous;  // of the preceding operation: compilers differ in the column of a call
  position end;

  // Compares lines first: for real threads they are constants, which saves comparing the names.
  constexpr bool is_at(const source_location& where) const noexcept {
    if (where.line > end.line || where.line < previous.line) return false;
    if (where.column == 0) {
      if (where.line != end.line) return false;
    } else if (const std::pair at(where.line, where.column);
               at > std::pair(end.line, end.column) ||
               at <= std::pair(previous.line, previous.column)) {
      return false;
    }
    return std::string_view(where.file).ends_with(file);
  }
};

}  // namespace fencepost::models
