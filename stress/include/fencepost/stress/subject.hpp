// A scenario on stress_atomics with its type erased, as the runner takes it.
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
  void (*begin)(void* at);                   // constructs the scenario, and calls before()
  void (*thread)(void* at, unsigned index);  // calls thread()
  void (*end)(void* at);                     // calls after(), and destroys the scenario
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

// Returns the kit's scenarios in the order of its list. Link with fencepost_stress_scenarios.
std::vector<subject> subjects();

}  // namespace fencepost::stress
