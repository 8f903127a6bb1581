// A scenario on stress_atomics, its type forgotten: what the runner takes.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

#include "fencepost/scenario/scenario.hpp"

namespace fencepost::stress {

struct subject {
  scenario about;
  std::size_t size;
  std::size_t alignment;
  void (*begin)(void* at);                   // constructs it there; before()
  void (*thread)(void* at, unsigned index);  // the scenario's own
  void (*end)(void* at);                     // after(); destroys it
};

template <class S>
subject subject_of() {
  return {S::about,
          sizeof(S),
          alignof(S),
          [](void* at) {
            S* const s = ::new (at) S;
            if constexpr (requires { s->before(); }) s->before();
          },
          [](void* at, unsigned index) { static_cast<S*>(at)->thread(index); },
          [](void* at) {
            S* const s = static_cast<S*>(at);
            if constexpr (requires { s->after(); }) s->after();
            s->~S();
          }};
}

// Those of the kit, in the order in which they are listed (fencepost_stress_scenarios).
std::vector<subject> subjects();

}  // namespace fencepost::stress
