// Atomics of 16 bytes, and of sizes that no instruction has, for which compilers call the library
// libatomic. The engine numbers their values, and events hold the numbers.

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>

#include "atomic_requests.hpp"
#include "program_memory.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

__extension__ using wide = unsigned __int128;
static_assert(sizeof(wide) == sizeof(verify::wide_value));

using verify::engine;
using verify::operation;
using verify::value;

wide numbered(value number) {
  const verify::wide_value bytes = engine::current()->numbered(number);
  wide w = 0;
  std::memcpy(&w, &bytes, sizeof w);
  return w;
}

value number_of(wide w) {
  verify::wide_value bytes{};
  std::memcpy(bytes.data(), &w, sizeof w);
  return engine::current()->number_of(bytes);
}

// Computes the new value of a modification, by the engine's numbers for the values.
using computation = value (*)(value old, value operand);

value modify(session& s, volatile void* a, std::size_t size, value operand, int order,
             computation compute, const source_location& where) {
  const operation op = compute == nullptr ? operation::exchange : operation::custom;
  return modify(s, a, size, {op, operand, sizeof(value), compute}, order, where);
}

struct bit_nand {
  wide operator()(wide x, wide y) const { return ~(x & y); }
};

template <class F>
computation computed(F) {
  return [](value old, value operand) { return number_of(F()(numbered(old), numbered(operand))); };
}

void require_size(session& s, std::size_t size, const source_location& where) {
  if (size > sizeof(wide))
    s.reach_limit("atomics of " + std::to_string(size) +
                      " bytes are not modelled: they are implemented by a lock; use a mutex, or at "
                      "most 16 bytes",
                  where);
}

// For libatomic's functions, which get their values as bytes in memory.
value value_at(session& s, const void* p, std::size_t size, const source_location& where) {
  require_size(s, size, where);
  s.read(p, size, where);
  if (size <= sizeof(value)) {
    value v = 0;
    copy_bytes(&v, p, size);
    return v;
  }
  wide w = 0;
  copy_bytes(&w, p, size);
  return number_of(w);
}

void put_value(session& s, void* p, std::size_t size, value v, const source_location& where) {
  s.write(p, size, where);
  const wide w = size <= sizeof(value) ? v : numbered(v);
  copy_bytes(p, &w, size);
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// Before the checker begins, nothing of the program runs.
// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses,cppcoreguidelines-macro-usage,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
// clang calls libatomic's functions for some of these, without announcing that.
#define FENCEPOST_WIDE_MODIFY_AS(name, compute)                                                \
  wide name(volatile wide* a, wide v, int order) {                                             \
    const entered s;                                                                           \
    return numbered(                                                                           \
        modify(*s, a, sizeof v, number_of(v), order, compute, s->place(FENCEPOST_CALL_SITE))); \
  }
#define FENCEPOST_WIDE_MODIFY(name, compute)                                              \
  FENCEPOST_WIDE_MODIFY_AS(__tsan_atomic128_##name, compute)                              \
  wide fencepost_wide_##name(volatile wide*, wide, int) __asm__("__atomic_" #name "_16"); \
  FENCEPOST_WIDE_MODIFY_AS(fencepost_wide_##name, compute)

extern "C" {

#define FENCEPOST_WIDE_LOAD(name)                                                     \
  wide name(const volatile wide* a, int order) {                                      \
    const entered s;                                                                  \
    return numbered(load(*s, a, sizeof(wide), order, s->place(FENCEPOST_CALL_SITE))); \
  }
#define FENCEPOST_WIDE_STORE(name)                                              \
  void name(volatile wide* a, wide v, int order) {                              \
    const entered s;                                                            \
    store(*s, a, sizeof v, number_of(v), order, s->place(FENCEPOST_CALL_SITE)); \
  }
FENCEPOST_WIDE_LOAD(__tsan_atomic128_load)
FENCEPOST_WIDE_STORE(__tsan_atomic128_store)
wide fencepost_wide_load(const volatile wide*, int) __asm__("__atomic_load_16");
void fencepost_wide_store(volatile wide*, wide, int) __asm__("__atomic_store_16");
FENCEPOST_WIDE_LOAD(fencepost_wide_load)
FENCEPOST_WIDE_STORE(fencepost_wide_store)

FENCEPOST_WIDE_MODIFY(exchange, nullptr)
FENCEPOST_WIDE_MODIFY(fetch_add, computed(std::plus<wide>()))
FENCEPOST_WIDE_MODIFY(fetch_sub, computed(std::minus<wide>()))
FENCEPOST_WIDE_MODIFY(fetch_and, computed(std::bit_and<wide>()))
FENCEPOST_WIDE_MODIFY(fetch_or, computed(std::bit_or<wide>()))
FENCEPOST_WIDE_MODIFY(fetch_xor, computed(std::bit_xor<wide>()))
FENCEPOST_WIDE_MODIFY(fetch_nand, computed(bit_nand()))

#define FENCEPOST_WIDE_EXCHANGE(name, weak)                                                \
  int name(volatile wide* a, wide* expected, wide v, int success, int failure) {           \
    const entered s;                                                                       \
    const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);                \
    const auto wanted = value_at(*s, expected, sizeof v, where);                           \
    const auto done =                                                                      \
        exchange_if(*s, a, sizeof v, wanted, number_of(v), weak, success, failure, where); \
    if (!done.success) put_value(*s, expected, sizeof v, done.old, where);                 \
    return done.success;                                                                   \
  }
FENCEPOST_WIDE_EXCHANGE(__tsan_atomic128_compare_exchange_strong, false)
FENCEPOST_WIDE_EXCHANGE(__tsan_atomic128_compare_exchange_weak, true)
int fencepost_wide_exchange_if(volatile wide*, wide*, wide, int,
                               int) __asm__("__atomic_compare_exchange_16");
FENCEPOST_WIDE_EXCHANGE(fencepost_wide_exchange_if,
                        std::exchange(s->of_compare_exchange().may_fail, false))

wide __tsan_atomic128_compare_exchange_val(volatile wide* a, wide expected, wide v, int success,
                                           int failure) {
  const entered s;
  return numbered(exchange_by_value(*s, a, sizeof v, number_of(expected), number_of(v), success,
                                    failure, s->place(FENCEPOST_CALL_SITE)));
}

// The functions of libatomic.
void fencepost_atomic_load(std::size_t size, const void* a, void* to, int order) noexcept
    __asm__("__atomic_load");
void fencepost_atomic_load(std::size_t size, const void* a, void* to, int order) noexcept {
  const entered s;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  require_size(*s, size, where);
  put_value(*s, to, size, load(*s, a, size, order, where), where);
}

void fencepost_atomic_store(std::size_t size, void* a, const void* from, int order) noexcept
    __asm__("__atomic_store");
void fencepost_atomic_store(std::size_t size, void* a, const void* from, int order) noexcept {
  const entered s;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  store(*s, a, size, value_at(*s, from, size, where), order, where);
}

void fencepost_atomic_exchange(std::size_t size, void* a, const void* from, void* to,
                               int order) noexcept __asm__("__atomic_exchange");
void fencepost_atomic_exchange(std::size_t size, void* a, const void* from, void* to,
                               int order) noexcept {
  const entered s;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto v = value_at(*s, from, size, where);
  put_value(*s, to, size, modify(*s, a, size, v, order, nullptr, where), where);
}

bool fencepost_atomic_compare_exchange(std::size_t size, void* a, void* expected,
                                       const void* desired, int success, int failure) noexcept
    __asm__("__atomic_compare_exchange");
bool fencepost_atomic_compare_exchange(std::size_t size, void* a, void* expected,
                                       const void* desired, int success, int failure) noexcept {
  const entered s;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto wanted = value_at(*s, expected, size, where);
  const auto v = value_at(*s, desired, size, where);
  const bool weak = std::exchange(s->of_compare_exchange().may_fail, false);
  const auto done = exchange_if(*s, a, size, wanted, v, weak, success, failure, where);
  if (!done.success) put_value(*s, expected, size, done.old, where);
  return done.success;
}

bool fencepost_atomic_is_lock_free(std::size_t size, const volatile void*) noexcept
    __asm__("__atomic_is_lock_free");
bool fencepost_atomic_is_lock_free(std::size_t size, const volatile void*) noexcept {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses,cppcoreguidelines-macro-usage,readability-identifier-naming,readability-inconsistent-declaration-parameter-name)
