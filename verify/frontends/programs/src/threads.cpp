// Threads of POSIX, on which those of C and C++ are built.

#include <pthread.h>
#include <cstdint>

#include "c_library.hpp"
#include "departure.hpp"
#include "posix_objects.hpp"
#include "program_memory.hpp"
#include "session.hpp"
#include "threads.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;

constexpr pthread_t first_handle = 0x1000;

pthread_t handle_of(unsigned thread) { return first_handle + thread; }

void call(thread_start& what) {
  what.result =
      what.c_function == nullptr
          ? what.function(what.argument)
          : reinterpret_cast<void*>(static_cast<std::intptr_t>(what.c_function(what.argument)));
}

void run_thread(void* start) {
  auto what = *static_cast<const thread_start*>(start);
  if (const entered s; s) {
    s->begin_thread(__builtin_frame_address(0));
    s->library().let_pass_until(what.time);
  }
  const departure d =
      run_until_it_leaves([](void* w) { call(*static_cast<thread_start*>(w)); }, &what);
  end_thread();
  destroy_specific();
  const entered s;
  s->take_up_writes();
  require_no_locks(*s);
  s->threads().end_here().result = d.returned ? what.result : d.with;
  s->end_storage();
}

}  // namespace

// A thread may end while it holds mutexes of POSIX or C, but not of C++.
void require_no_locks(session& s) {
  const auto any = [](const void*) { return true; };
  if (const source_location* const where = s.locks().standard_held_here(any))
    engine::current()->fail(violation::misuse,
                            "a thread ends while it holds the mutex or lock that it has locked "
                            "here",
                            *where);
}

unsigned thread_of(pthread_t handle, const source_location& where) {
  const pthread_t n = handle - first_handle;
  if (n >= verify::max_threads)
    engine::current()->fail(violation::misuse, "not a handle of a thread", where);
  return static_cast<unsigned>(n);
}

pthread_t create_thread(session& s, const thread_start& what, const source_location& where) {
  s.take_up_writes();
  thread_start& start = s.threads().next_start();
  start = what;
  start.time = s.library().time();
  return handle_of(s.checker().create(run_thread, &start, where));
}

void* join_thread(session& s, pthread_t thread, const source_location& where) {
  s.take_up_writes();
  engine& e = s.checker();
  const unsigned id = thread_of(thread, where);
  thread_end& end = s.threads().end_of(id);
  if (end.state != thread_end::joinable)
    e.fail(violation::misuse, "join() of a thread that was joined or detached before", where);
  if (id == e.this_thread()) e.fail(violation::liveness, "join() of the thread itself", where);
  end.state = thread_end::joined;
  e.join(id, where);
  s.library().let_pass_until(s.library().time_of(id));
  return end.result;
}

void detach_thread(session& s, pthread_t thread, const source_location& where) {
  thread_end& end = s.threads().end_of(thread_of(thread, where));
  if (end.state != thread_end::joinable)
    engine::current()->fail(violation::misuse,
                            "detach() of a thread that was joined or detached before", where);
  end.state = thread_end::detached;
  s.note_change(where);
}

pthread_t this_thread() { return handle_of(running_thread::number()); }

}  // namespace fencepost::programs

using namespace fencepost::programs;
// The C library names its parameters with reserved names.
// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*function)(void*),
                   void* argument) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_create)(thread, attributes, function, argument);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  int detached = PTHREAD_CREATE_JOINABLE;  // other attributes make no difference here
  if (attributes != nullptr) {
    read_attributes(*s, attributes, FENCEPOST_CALL_SITE);
    pthread_attr_getdetachstate(attributes, &detached);
  }
  const pthread_t made = create_thread(*s, {.function = function, .argument = argument}, where);
  if (detached == PTHREAD_CREATE_DETACHED) detach_thread(*s, made, where);
  write_value(*s, thread, made, where);
  return 0;
}

int pthread_join(pthread_t thread, void** result) {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_join)(thread, result);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  void* const returned = join_thread(*s, thread, where);
  if (result == nullptr) return 0;
  write_value(*s, result, returned, where);
  return 0;
}

int pthread_detach(pthread_t thread) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_detach)(thread);
  detach_thread(*s, thread, s->place(FENCEPOST_CALL_SITE));
  return 0;
}

// More would make no difference.
unsigned _ZNSt6thread20hardware_concurrencyEv() noexcept {
  const entered s;
  return s ? 2 : FENCEPOST_BEHIND(_ZNSt6thread20hardware_concurrencyEv)();
}

pthread_t pthread_self() noexcept {
  const entered s;
  return s ? this_thread() : FENCEPOST_BEHIND(pthread_self)();
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
