// The lifetimes of mutexes, condition variables, locks and semaphores. Their first four bytes are
// an atomic cell, which begins a new lifetime when they are destroyed.
#pragma once

#include <cstddef>

#include "fencepost/verify/engine.hpp"
#include "program_memory.hpp"
#include "session.hpp"

namespace fencepost::programs {

// Returns the first word of an object that is used, which must be neither destroyed nor memory to
// which nothing was written. `what` is, for instance, "a mutex".
verify::location word_of(session&, const volatile void* object, const char* what,
                         const source_location&);

// Initializes an object, which is a write to it. No thread may hold it.
void initialize(session&, void* object, std::size_t size, const char* what, const source_location&);

// Destroys an object: every use of it by other threads must happen before. Until it is initialized
// or written to, it cannot be used.
void destroy(session&, void* object, std::size_t size, const source_location&);

// Reads the attributes with which an object is initialized, if any.
template <class Attributes>
void read_attributes(session& s, const Attributes* attributes, const call_site& c) {
  if (attributes == nullptr) return;
  require_memory(attributes);
  s.read_for_program(attributes, sizeof *attributes, c);
}

}  // namespace fencepost::programs
