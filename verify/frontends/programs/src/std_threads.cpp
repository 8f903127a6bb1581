// Functions of the C++ library that change a std::thread, or the state that it begins with: these
// accesses are watched. Otherwise the checker would have an older value than memory, where another
// function has an atomic object in the same bytes of a stack.

#include <thread>

#include "c_library.hpp"
#include "session.hpp"

using fencepost::programs::call_site;
using fencepost::programs::entered;

namespace {

// Announces what the library is about to read.
void read(const void* p, std::size_t size, const call_site& caller) {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(caller);
  s->read(p, size, where);
  s->enter_library(where);
}

// Announces what it has written.
void wrote(void* p, std::size_t size, const call_site& caller) {
  const entered s;
  if (!s) return;
  s->leave_library();
  s->write(p, size, s->place(caller));
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

// `state` is a std::unique_ptr of the caller, which is empty afterwards.
void _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE(
    std::thread* thread, void** state, void (*needed)()) {
  const call_site caller = FENCEPOST_CALL_SITE;
  read(state, sizeof *state, caller);
  FENCEPOST_BEHIND(
      _ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE)
  (thread, state, needed);
  wrote(state, sizeof *state, caller);
}

void _ZNSt6thread4joinEv(std::thread* thread) {
  const call_site caller = FENCEPOST_CALL_SITE;
  read(thread, sizeof *thread, caller);
  FENCEPOST_BEHIND(_ZNSt6thread4joinEv)(thread);
  wrote(thread, sizeof *thread, caller);
}

void _ZNSt6thread6detachEv(std::thread* thread) {
  const call_site caller = FENCEPOST_CALL_SITE;
  read(thread, sizeof *thread, caller);
  FENCEPOST_BEHIND(_ZNSt6thread6detachEv)(thread);
  wrote(thread, sizeof *thread, caller);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
