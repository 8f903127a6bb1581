// Programs of a few threads whose operations are drawn.
#pragma once

#include <cstdint>
#include <random>

#include "known_programs.hpp"
#include "programs.hpp"

namespace fencepost::verify::testing {

// Three threads, up to four operations each, on two locations and a lock. The same for the same
// seed.
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

}  // namespace fencepost::verify::testing
