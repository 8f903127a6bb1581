#include "execute/fibers.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "execute/front_end_state.hpp"
#include "execute/memory.hpp"
#include "execute/thread_pointer.hpp"
#include "fencepost/verify/replay.hpp"

#if defined(_LIBCPP_VERSION)
// libc++abi defines it, as the C++ ABI requires, but does not declare it.
namespace __cxxabiv1 {
struct __cxa_eh_globals;
extern "C" __cxa_eh_globals* __cxa_get_globals();
}  // namespace __cxxabiv1
#endif

namespace fencepost::verify {

namespace context = boost::context::detail;

constinit thread_local bool thread_pointer::is_swapped = false;

void fibers::adopt_os_thread() noexcept {
  exceptions_ = reinterpret_cast<exception_state*>(abi::__cxa_get_globals());
  in_body_ = &allocation_hook::in_body;
  swaps_thread_pointers_ = thread_pointer::is_swapped;
}

void fibers::reserve(unsigned thread, std::size_t stack_size) {
  fiber& f = all_[thread];
  if (f.cleared != nullptr) return;
  f.stack.reserve(stack_size, thread);
  const front_end_state* const front_end = front_end_state::current;
  if (front_end != nullptr && front_end->runs_on_stacks()) f.stack.make_executable();
  f.cleared = static_cast<const char*>(f.stack.top());
}

void fibers::fill_stack(unsigned thread, unsigned char byte) noexcept {
  all_[thread].stack.fill(byte);
}

// Otherwise bytes of an earlier run would be in frames that have not been fully written.
void fibers::clear_stack(unsigned thread) noexcept {
  const fiber& f = all_[thread];
  unpoison(f.stack.bottom(), f.stack.size());
  clear_below(f, f.stack.top());
}

// A little further down, for frames that are a little deeper.
void fibers::clear_frames_from_now_on() noexcept {
  constexpr std::ptrdiff_t further = 256;
  fiber& f = all_[running_];
  f.cleared = f.live - std::min(further, f.live - f.stack.bottom());
}

void fibers::start(unsigned thread) {
  fiber& f = all_[thread];
  unpoison(f.stack.bottom(), f.stack.size());  // the frames of the fiber that was abandoned here
  unpoison(f.stack.whole(), fiber_stack::engine_size);
  f.context = context::make_fcontext(f.stack.top(), f.stack.size(), &fibers::enter);
  f.engine = context::make_fcontext(f.stack.engine_top(), fiber_stack::engine_size, &fibers::serve);
  f.live = static_cast<const char*>(f.context);
  f.is_apart = false;
  f.exceptions = {};
  f.thread_pointer = nullptr;
  f.resumed = ++resumptions_;
}

void fibers::enter(context::transfer_t from) {
  auto* self = static_cast<fibers*>(from.data);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &self->home_stack_, &self->home_size_);
#endif
  self->home_ = from.fctx;
  self->program_(self->self_);
}

void fibers::resume(unsigned thread) {
  fiber& f = all_[thread];
  running_ = thread;
  f.resumed = ++resumptions_;
  const exception_state saved = *exceptions_;
  *exceptions_ = f.exceptions;
  char* const own = swaps_thread_pointers_ ? thread_pointer::get() : nullptr;
  if (own != nullptr && f.thread_pointer != nullptr) thread_pointer::set(f.thread_pointer);
#ifdef FENCEPOST_ASAN
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, f.stack.whole(), f.stack.whole_size());
#endif
  const context::transfer_t back = context::jump_fcontext(f.context, this);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
  f.context = back.fctx;
  if (own != nullptr) {
    f.thread_pointer = thread_pointer::get();
    thread_pointer::set(own);
  }
  *in_body_ = false;
  f.exceptions = *exceptions_;
  *exceptions_ = saved;
}

void fibers::yield() {
  const bool in_body = *in_body_;
  *in_body_ = false;
#ifdef FENCEPOST_ASAN
  __sanitizer_start_switch_fiber(&all_[running_].fake_stack, home_stack_, home_size_);
#endif
  const context::transfer_t back = context::jump_fcontext(home_, nullptr);
#ifdef FENCEPOST_ASAN
  __sanitizer_finish_switch_fiber(all_[running_].fake_stack, &home_stack_, &home_size_);
#endif
  home_ = back.fctx;
  *in_body_ = in_body;
}

void fibers::run_apart(void (*work)(void*), void* argument) {
  job j{this, work, argument};
  const bool in_body = std::exchange(*in_body_, false);
  for (;;) {
    const context::transfer_t back = context::jump_fcontext(all_[running_].engine, &j);
    all_[running_].engine = back.fctx;
    if (back.data == nullptr) break;
    violation_here();
  }
  *in_body_ = in_body;
}

void fibers::serve(context::transfer_t from) {
  for (;;) {
    const job& j = *static_cast<const job*>(from.data);
    fiber& f = j.self->all_[j.self->running_];
    f.live = static_cast<const char*>(from.fctx);
    const void* const named = std::exchange(j.self->compared_from_, nullptr);
    f.compared = named == nullptr ? f.live : static_cast<const char*>(named);
    f.is_apart = true;
    j.work(j.argument);
    f.is_apart = false;
    from = context::jump_fcontext(const_cast<char*>(f.live), nullptr);
  }
}

void fibers::show_violation(unsigned thread) {
  running_ = thread;
  fiber& f = all_[thread];
  if (!f.is_apart) {
    violation_here();
    return;
  }
  f.live = static_cast<const char*>(context::jump_fcontext(const_cast<char*>(f.live), this).fctx);
}

bool fibers::on_a_stack(const void* p) const noexcept {
  return std::any_of(std::begin(all_), std::end(all_),
                     [&](const fiber& f) { return f.stack.contains(p); });
}

}  // namespace fencepost::verify
