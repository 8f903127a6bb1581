// What instrumented code calls: the hooks of -fsanitize=thread, for atomic accesses and fences.

#include <cstdint>

#include "atomic_requests.hpp"
#include "fencepost/verify/checked/access.hpp"
#include "hook_entry.hpp"
#include "program_memory.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::operation;
using verify::value;

template <class T>
T load(session& s, const volatile T* a, int order, const source_location& where) {
#if defined(__aarch64__)
  // g++ loads the whole guard of a local static; only its first byte says that it is initialized.
  if (sizeof(T) == sizeof(std::uint64_t) && s.is_guard(a))
    return static_cast<T>(load(s, a, 1, order, where));
#endif
  return static_cast<T>(load(s, a, sizeof(T), order, where));
}

template <class T>
void store(session& s, volatile T* a, T v, int order, const source_location& where) {
  store(s, a, sizeof(T), v, order, where);
}

template <class T>
value nand(value a, value b) {
  return static_cast<T>(~(a & b));
}

template <class T>
T modify(session& s, volatile T* a, operation op, T operand, int order,
         const source_location& where) {
  const modification m{op, static_cast<value>(operand), sizeof(T),
                       op == operation::custom ? &nand<T> : nullptr};
  return static_cast<T>(modify(s, a, sizeof(T), m, order, where));
}

// The expected value is read before the exchange, and written if it fails.
template <class T>
bool exchange_expected(session& s, volatile T* a, T* expected, T desired, bool weak, int success,
                       int failure, const source_location& where) {
  const T wanted = read_value(s, expected, where);
  const verify::exchanged done =
      exchange_if(s, a, sizeof(T), wanted, desired, weak, success, failure, where);
  if (!done.success) write_value(s, expected, static_cast<T>(done.old), where);
  return done.success;
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;
using fencepost::verify::operation;

// Before the checker begins, the hooks make the access itself. Hooks that read are entered through
// hook_entry.hpp.
// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses,cppcoreguidelines-macro-usage,readability-identifier-naming)
#define FENCEPOST_READING(type, name, arguments)                               \
  FENCEPOST_ENTRY("__tsan_atomic" #name, "fencepost_atomic" #name, arguments); \
  [[gnu::used, gnu::visibility("hidden")]] type fencepost_atomic##name

#define FENCEPOST_MODIFY(bits, type, name, op, real)                                \
  FENCEPOST_READING(type, bits##_##name, 3)(volatile type * a, type v, int order) { \
    if (const entered s; s)                                                         \
      return modify<type>(*s, a, op, v, order, s->place(FENCEPOST_ENTRY_SITE(3)));  \
    return real(a, v, __ATOMIC_SEQ_CST);                                            \
  }

#define FENCEPOST_EXCHANGE_IF(bits, type, name, weak)                                              \
  FENCEPOST_READING(int, bits##_##name, 5)                                                         \
  (volatile type * a, type * expected, type v, int success, int failure) {                         \
    if (const entered s; s)                                                                        \
      return exchange_expected<type>(*s, a, expected, v, weak, success, failure,                   \
                                     s->place(FENCEPOST_ENTRY_SITE(5)));                           \
    return __atomic_compare_exchange_n(a, expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
  }

#define FENCEPOST_ATOMIC(bits, type)                                                            \
  FENCEPOST_READING(type, bits##_load, 2)(const volatile type* a, int order) {                  \
    if (const entered s; s) return load<type>(*s, a, order, s->place(FENCEPOST_ENTRY_SITE(2))); \
    return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                                \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile type* a, type v, int order) {                       \
    if (const entered s; s)                                                                     \
      store<type>(*s, a, v, order, s->place(FENCEPOST_CALL_SITE));                              \
    else                                                                                        \
      __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                 \
  }                                                                                             \
  FENCEPOST_MODIFY(bits, type, exchange, operation::exchange, __atomic_exchange_n)              \
  FENCEPOST_MODIFY(bits, type, fetch_add, operation::add, __atomic_fetch_add)                   \
  FENCEPOST_MODIFY(bits, type, fetch_sub, operation::subtract, __atomic_fetch_sub)              \
  FENCEPOST_MODIFY(bits, type, fetch_and, operation::bit_and, __atomic_fetch_and)               \
  FENCEPOST_MODIFY(bits, type, fetch_or, operation::bit_or, __atomic_fetch_or)                  \
  FENCEPOST_MODIFY(bits, type, fetch_xor, operation::bit_xor, __atomic_fetch_xor)               \
  FENCEPOST_MODIFY(bits, type, fetch_nand, operation::custom, __atomic_fetch_nand)              \
  FENCEPOST_EXCHANGE_IF(bits, type, compare_exchange_strong, false)                             \
  FENCEPOST_EXCHANGE_IF(bits, type, compare_exchange_weak, true)                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* a, type expected, type v,      \
                                                  int success, int failure) {                   \
    if (const entered s; s)                                                                     \
      return static_cast<type>(exchange_by_value(*s, a, sizeof(type), expected, v, success,     \
                                                 failure, s->place(FENCEPOST_CALL_SITE)));      \
    __atomic_compare_exchange_n(a, &expected, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    return expected;                                                                            \
  }

extern "C" {

FENCEPOST_ATOMIC(8, std::uint8_t)
FENCEPOST_ATOMIC(16, std::uint16_t)
FENCEPOST_ATOMIC(32, std::uint32_t)
FENCEPOST_ATOMIC(64, std::uint64_t)

void __tsan_atomic_thread_fence(int order) {
  const entered s;
  if (!s) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return;
  }
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  s->take_up_writes();
  const std::memory_order asked = order_of(order);
  if (asked == std::memory_order_relaxed) return;
  const auto done =
      fencepost::verify::detail::ordered(fencepost::verify::access::fence, asked, where);
  if (done != fencepost::verify::order::relaxed)
    fencepost::verify::engine::current()->fence(done, where);
}

// Concerns the compiler alone.
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses,cppcoreguidelines-macro-usage,readability-identifier-naming)
