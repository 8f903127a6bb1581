// Programs of a few threads whose operations are drawn.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

// Three threads, up to four operations each, on two locations and a lock. The same seed gives the
// same program.
inline known_program random_program(unsigned seed) {
  struct operation {
    unsigned kind, at, order;
  };
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<std::vector<operation>> code(3);
  for (auto& mine : code) {
    mine.resize(1 + drawn(4));
    for (operation& o : mine) o = {drawn(14), drawn(2), drawn(3)};
  }
  return {"random program " + std::to_string(seed), 0, [code] {
            constexpr std::memory_order loads[] = {relaxed, acquire, seq_cst};
            constexpr std::memory_order stores[] = {relaxed, release, seq_cst};
            constexpr std::memory_order both[] = {relaxed, acq_rel, seq_cst};
            checked::atomic<int> at[2] = {0, 0};
            checked::mutex lock;
            in_threads(3, [&](unsigned t) {
              int value = 10 * static_cast<int>(t);
              for (const operation& o : code[t]) {
                checked::atomic<int>& x = at[o.at];
                ++value;
                switch (o.kind) {
                  case 0:
                  case 1:
                  case 2: x.store(value, stores[o.order]); break;
                  case 3:
                  case 4:
                  case 5: static_cast<void>(x.load(loads[o.order])); break;
                  case 6:
                  case 7:
                  case 8: x.fetch_add(1, both[o.order]); break;
                  case 9: {
                    int expected = 0;
                    x.compare_exchange_strong(expected, value, both[o.order], relaxed);
                    break;
                  }
                  case 10: {
                    int expected = 0;
                    x.compare_exchange_weak(expected, value, both[o.order], relaxed);
                    break;
                  }
                  case 11: checked::fence(seq_cst); break;
                  case 12:
                    // What it does depends on what it reads.
                    if (x.load(loads[o.order]) != 0) at[1 - o.at].store(value, relaxed);
                    break;
                  default: {
                    const std::lock_guard hold(lock);
                    x.store(value, relaxed);
                  }
                }
              }
            });
          }};
}

// Two or three threads that store, load, and wait in loops whose turns have two or three loads.
// They have so much memory that its size decides which states of the program are worth a copy.
inline known_program random_waiting_program(unsigned seed) {
  struct operation {
    enum class kind_t : std::uint8_t { store, load, wait } kind;
    unsigned at, value;
    std::vector<unsigned> looks_at;  // read by a turn, which is the last if this one is not 0:
    unsigned waits_for;
  };
  using kind = operation::kind_t;
  std::mt19937 random(seed);
  const auto drawn = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned locations = 3 + drawn(2);
  std::vector<std::vector<operation>> code(2 + drawn(2));
  for (auto& mine : code) {
    mine.resize(2 + drawn(3));
    for (operation& o : mine) {
      const unsigned k = drawn(10);
      o = {k < 5   ? kind::store
           : k < 7 ? kind::load
                   : kind::wait,
           drawn(locations),
           1 + drawn(2),
           {},
           0};
      o.looks_at.resize(2 + drawn(2));
      for (unsigned& at : o.looks_at) at = drawn(locations);
      o.waits_for = drawn(static_cast<unsigned>(o.looks_at.size()));
    }
  }
  const std::size_t size = 20'000 + std::size_t{1024} * drawn(110);
  options bounds;
  bounds.max_executions = 1000;
  const auto body = [code, locations, size] {
    const auto memory = std::make_unique<char[]>(size);
    std::vector<checked::atomic<int>> at(locations);
    std::vector<int> seen(code.size());
    in_threads(static_cast<unsigned>(code.size()), [&](unsigned t) {
      int all = 0;
      for (const operation& o : code[t]) {
        if (o.kind == kind::store) at[o.at].store(static_cast<int>(o.value), relaxed);
        if (o.kind == kind::load) all = 3 * all + at[o.at].load(relaxed);
        while (o.kind == kind::wait) {
          int values[3] = {};
          for (std::size_t i = 0; i < o.looks_at.size(); ++i)
            values[i] = at[o.looks_at[i]].load(relaxed);
          if (values[o.waits_for] == 0) continue;
          for (const int value : values) all = 3 * all + value;
          break;
        }
      }
      seen[t] = all;
    });
    for (const int each : seen) outcome(each);
  };
  return {"random waiting program " + std::to_string(seed), 0, body, bounds};
}

}  // namespace fencepost::verify::testing
