// Atomic operations on shared_ptr and weak_ptr, for the header that replaces libstdc++'s
// (std/bits/shared_ptr_atomic.h). Such an object is a pair of pointers, modelled as one atomic
// object of 16 bytes, to which the orders of the program apply.
//
// A lock keeps the pair unchanged from a load until the new owner is counted. It synchronizes
// nothing: it only puts the operations under it in an order. All of them are modifications, and a
// modification reads the last value.

#include <cstring>

#include "atomic_requests.hpp"
#include "fencepost/verify/checked/access.hpp"
#include "fencepost/verify/wait_queue.hpp"
#include "session.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::operation;
using verify::order;
using verify::value;
using verify::word;
using verify::detail::exchange_orders;
using verify::detail::ordered;
using verify::detail::require_load_order;

constexpr std::size_t pair_size = 2 * sizeof(void*);
constexpr std::size_t lock_size = sizeof(int);

value number_of(const void* pair) {
  verify::wide_value bytes{};
  std::memcpy(bytes.data(), pair, pair_size);
  return engine::current()->number_of(bytes);
}

// Reads a variable of the thread that makes the operation.
value value_of(session& s, const void* variable, const source_location& where) {
  s.read(variable, pair_size, where);
  return number_of(variable);
}

void put(session& s, void* variable, value v, const source_location& where) {
  s.write(variable, pair_size, where);
  const verify::wide_value bytes = engine::current()->numbered(v);
  std::memcpy(variable, bytes.data(), pair_size);
}

word pair_at(session& s, const void* pair, const source_location& where) {
  return word(s.atomic(pair, pair_size, where, alignof(void*)));
}

value modify(session& s, const void* pair, operation op, value with, order how,
             const source_location& where) {
  return engine::current()->read_modify_write(pair_at(s, pair, where), op, with, sizeof(value), how,
                                              where, [](value old, value) { return old; });
}

// Reads the last value by a modification without change. So does what follows under the same lock.
value look(session& s, const void* pair, order how, const source_location& where) {
  return modify(s, pair, operation::custom, 0, how, where);
}

value load(session& s, const void* pair, order how, const source_location& where) {
  return engine::current()->load(pair_at(s, pair, where), how, where);
}

order order_of_load(int number, const source_location& where) {
  require_load_order(order_of(number), where);
  return ordered(verify::access::load, order_of(number), where);
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming)
extern "C" {

void __fencepost_lock_pair(const void* pair, int* lock, const char* operation) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const auto at = s->atomic(lock, lock_size, where);
  engine::current()->begin_operation(operation, pair, where);
  engine::current()->await_exchange(at, 0, 1, order::relaxed, fencepost::verify::wait_for::mutex,
                                    where);
}

void __fencepost_unlock_pair(int* lock) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  engine::current()->store(word(s->atomic(lock, lock_size, where)), 0, order::relaxed, where);
}

void __fencepost_load_pair(const void* pair, void* to, int number) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const order how = order_of_load(number, where);
  // A sequentially consistent load is two events, since a modification would be a release as well.
  const bool is_apart = how == order::seq_cst;
  const value seen = look(*s, pair, is_apart ? order::relaxed : how, where);
  put(*s, to, is_apart ? load(*s, pair, how, where) : seen, where);
}

void __fencepost_exchange_pair(void* pair, void* with, int number) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const value v = value_of(*s, with, where);
  const auto how = ordered(fencepost::verify::access::read_modify_write, order_of(number), where);
  put(*s, with, modify(*s, pair, operation::exchange, v, how, where), where);
}

bool __fencepost_exchange_pair_if(void* pair, const void* expected, void* desired, void* seen,
                                  bool weak, int success, int failure) noexcept {
  const entered s;
  if (!s) return false;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const value wanted = value_of(*s, expected, where);
  const value v = value_of(*s, desired, where);
  look(*s, pair, order::relaxed, where);
  const auto how = exchange_orders(weak, order_of(success), order_of(failure), where);
  const auto done = engine::current()->compare_exchange(pair_at(*s, pair, where), wanted, v,
                                                        how.weak, how.success, how.failure, where);
  put(*s, done.success ? desired : seen, done.old, where);
  return done.success;
}

bool __fencepost_is_pair(const void* pair, const void* expected, int number) noexcept {
  const entered s;
  if (!s) return true;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const value wanted = value_of(*s, expected, where);
  return load(*s, pair, order_of_load(number, where), where) == wanted;
}

void __fencepost_wait_while_pair(const void* pair, const void* expected) noexcept {
  const entered s;
  if (!s) return;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const value wanted = value_of(*s, expected, where);
  wait_on(s->atomic(pair, pair_size, where, alignof(void*)), pair, wanted,
          fencepost::verify::detail::sleeper::atomic, false, where);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming)
