// std::exception_ptr. The C++ library counts references where the checker cannot observe it. Here
// the count is an atomic object, so that everything that threads do with a shared exception happens
// before its destruction.
//
// The count begins when the program first gets a pointer to the exception. Until then, only the
// thread that threw it can access it.

#include <cxxabi.h>
#include <unwind.h>

#include <cstdint>
#include <cstring>
#include <exception>

#include "c_library.hpp"
#include "exception_layout.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::operation;
using verify::order;
using verify::word;

void release(void* object, const call_site&);

void clean_up(_Unwind_Reason_Code, _Unwind_Exception* u) { release(u + 1, FENCEPOST_CALL_SITE); }

verify::location count_of(session& s, void* object, const source_location& where) {
  counted& c = of_object(object);
  if (c.rest.unwind.exception_cleanup != &clean_up) {
    c.rest.unwind.exception_cleanup = &clean_up;
    s.write(&c.count, sizeof c.count, where);
  }
  return s.atomic(&c.count, sizeof c.count, where);
}

int change(session& s, void* object, operation what, const source_location& where) {
  const word at(count_of(s, object, where));
  const auto before = static_cast<int>(
      engine::current()->read_modify_write(at, what, 1, sizeof(int), order::acq_rel, where));
  of_object(object).count = what == operation::add ? before + 1 : before - 1;
  return before;
}

void release(void* object, const call_site& site) {
  {
    const entered s;
    if (s && change(*s, object, operation::subtract, s->place(site)) != 1) return;
  }
  const header& h = of_object(object).rest;
  if (h.destructor != nullptr) h.destructor(object);
  abi::__cxa_free_exception(object);
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

static void clean_up_after_pointer(_Unwind_Reason_Code, _Unwind_Exception* u) {
  header& h = of_unwind(u);
  void* const object = h.object;
  c_library<void (*)(void*)>("__cxa_free_dependent_exception")(&h);
  release(object, FENCEPOST_CALL_SITE);
}

// std::exception_ptr::_M_addref() and _M_release(), and std::rethrow_exception(). Each gets a
// pointer to the exception_ptr.
void _ZNSt15__exception_ptr13exception_ptr9_M_addrefEv(void** pointer) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(_ZNSt15__exception_ptr13exception_ptr9_M_addrefEv)(pointer);
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->read(pointer, sizeof *pointer, where);
  if (*pointer != nullptr) change(*s, *pointer, operation::add, where);
}

void _ZNSt15__exception_ptr13exception_ptr10_M_releaseEv(void** pointer) noexcept {
  void* object = nullptr;
  {
    const entered s;
    if (!s) return FENCEPOST_BEHIND(_ZNSt15__exception_ptr13exception_ptr10_M_releaseEv)(pointer);
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
    s->read(pointer, sizeof *pointer, where);
    object = *pointer;
  }
  if (object != nullptr) release(object, FENCEPOST_CALL_SITE);
}

void _ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE(void** pointer) {
  {
    const entered s;
    if (!s) FENCEPOST_BEHIND(_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE)(pointer);
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
    s->read(pointer, sizeof *pointer, where);
    change(*s, *pointer, operation::add, where);
  }
  auto* const h =
      static_cast<header*>(c_library<void* (*)()>("__cxa_allocate_dependent_exception")());
  h->object = *pointer;
  h->terminate_handler = std::get_terminate();
  h->unwind.exception_class = gnu_class | once_more;
  h->unwind.exception_cleanup = &clean_up_after_pointer;
  ++reinterpret_cast<globals*>(abi::__cxa_get_globals())->uncaught;
  _Unwind_RaiseException(&h->unwind);
  // _Unwind_RaiseException() returns only if there is no handler.
  abi::__cxa_begin_catch(&h->unwind);
  std::terminate();
}

}  // extern "C"

// std::current_exception()
static in_memory<void*> caught_here(session& s, const call_site& site) {
  header* const h = reinterpret_cast<globals*>(abi::__cxa_get_globals())->caught;
  void* const object = h == nullptr || !is_of_cpp(h->unwind) ? nullptr : thrown_object(*h);
  if (object != nullptr) change(s, object, operation::add, s.place(site));
  in_memory<void*> result;
  std::memcpy(result.bytes, &object, sizeof object);
  return result;
}
in_memory<void*> fencepost_current_exception() noexcept __asm__("_ZSt17current_exceptionv");
in_memory<void*> fencepost_current_exception() noexcept {
  if (const entered s; s) return caught_here(*s, FENCEPOST_CALL_SITE);
  return FENCEPOST_BEHIND_AS(fencepost_current_exception, "_ZSt17current_exceptionv")();
}
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
