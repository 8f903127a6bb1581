// Bodies with load buffering whose operations must be linearizable.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fencepost/scenario/linearizability.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

// Two cells. An operation reads a cell, or writes 1 to it.
struct cells {
  static constexpr std::string_view name = "cells";
  struct operation {
    bool writes;
    unsigned at;
  };
  using result = int;
  std::array<int, 2> values{};

  std::vector<possibility<cells>> apply(operation o) const {
    cells next = *this;
    if (o.writes) next.values[o.at] = 1;
    return {{o.writes ? 0 : values[o.at], next}};
  }
  static std::string text(operation o, const result* r) {
    return std::string(o.writes ? "write(" : "read(") + std::to_string(o.at) + ")" +
           (r == nullptr ? "" : " -> " + std::to_string(*r));
  }
  friend auto operator<=>(const cells&, const cells&) = default;
};

// The third thread reads after the second one has written if it acquires what the second one
// releases, through the first one, which has read from the future. Wrong then; correct otherwise.
inline void read_by_way_of_another_thread(std::memory_order writes) {
  checked::atomic<int> a{0}, b{0}, cell{0};
  history<cells> operations{3};
  run_threads(3, [&](unsigned index) {
    if (index == 0) {
      a.fetch_add(1, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      operations.run(index, {true, 0}, [&] {
        cell.store(1, relaxed);
        return 0;
      });
      if (b.load(relaxed) == 1) a.store(1, writes);
    } else if (a.load(acquire) == 2) {
      operations.run(index, {false, 0}, [] { return 0; });
    }
  });
  require_linearizable(operations);
}

// As above, but the first thread reads one half of a word from the future, and the other half from
// the third thread, whose release sequence its exchange continues.
inline void read_by_way_of_a_word(std::memory_order writes) {
  checked::halves a{0, 0};
  checked::atomic<int> b{0}, cell{0};
  history<cells> operations{4};
  run_threads(4, [&](unsigned index) {
    if (index == 0) {
      std::uint64_t seen = 2ULL << 32U | 1U;
      a.compare_exchange_strong(seen, 3, relaxed, relaxed);
      b.store(1, relaxed);
    } else if (index == 1) {
      if (b.load(relaxed) == 1) a.store_low(1, relaxed);
    } else if (index == 2) {
      operations.run(index, {true, 0}, [&] {
        cell.store(1, relaxed);
        return 0;
      });
      a.store_high(2, writes);
    } else if (a.load(acquire) == 3) {
      operations.run(index, {false, 0}, [] { return 0; });
    }
  });
  require_linearizable(operations);
}

// Each thread reads the cell that the other one writes afterwards. Wrong if both read 1; correct
// if the order of the writes keeps them behind the reads.
inline void read_two_cells(std::memory_order writes) {
  checked::atomic<int> cell[2] = {0, 0};
  history<cells> operations{2};
  run_threads(2, [&](unsigned index) {
    const unsigned other = 1 - index;
    operations.run(index, {false, other}, [&] { return cell[other].load(relaxed); });
    operations.run(index, {true, index}, [&] {
      cell[index].store(1, writes);
      return 0;
    });
  });
  require_linearizable(operations);
}

}  // namespace fencepost::verify::testing
