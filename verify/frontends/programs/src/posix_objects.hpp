// The lives of mutexes, condition variables, locks and semaphores: their first four bytes are an
// atomic cell, which begins a lifetime of its own when they are destroyed.
#pragma once

#include <cstddef>

#include "fencepost/verify/engine.hpp"
#include "program_memory.hpp"
#include "session.hpp"

namespace fencepost::programs {

// The first word of one that is used: it is neither destroyed nor memory to which nothing was
// written. `what`: "a mutex".
verify::location word_of(session&, const volatile void* object, const char* what,
                         const source_location&);

// Its initialization is a write; nobody may hold it.
void initialize(session&, void* object, std::size_t size, const char* what, const source_location&);

// All that others have done with it happens before. Until it is initialized, or written to, it is
// no object.
void destroy(session&, void* object, std::size_t size, const source_location&);

// What an object is initialized with, if anything.
template <class Attributes>
void read_attributes(session& s, const Attributes* attributes, const call_site& c) {
  if (attributes == nullptr) return;
  require_memory(attributes);
  s.read_for_program(attributes, sizeof *attributes, c);
}

}  // namespace fencepost::programs
