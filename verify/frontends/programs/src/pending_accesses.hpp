// Plain accesses to atomic objects, between their hook and the program's access after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "cells.hpp"
#include "fencepost/source_location.hpp"
#include "fencepost/verify/engine.hpp"

namespace fencepost::programs {

// The bytes of a cell that are accessed.
struct cell_part {
  std::uintptr_t begin = 0, end = 0;

  [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
};

// A write that the program is about to make. It becomes an event at the program's next call, with
// the value that memory has then.
struct pending_write {
  const cell* to = nullptr;
  source_location where;
  verify::value value = 0;
  bool is_first = false;  // the first in this lifetime
  cell_part accessed;
  std::optional<verify::value> rest;  // the value of the other bytes, unless memory has it
};

// A read that the program is about to make: memory must hold this value by then.
struct pending_read {
  const cell* from = nullptr;
  verify::value value = 0;
  cell_part accessed;
};

}  // namespace fencepost::programs
