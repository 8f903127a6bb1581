// Names of threads: the name that was given to a thread last is an atomic object outside of the
// program's memory, which orders nothing.

#include <pthread.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "c_library.hpp"
#include "program_memory.hpp"
#include "session.hpp"
#include "threads.hpp"
#include "watched_memory.hpp"

namespace fencepost::programs {
namespace {

using verify::engine;
using verify::order;
using verify::word;

constexpr std::size_t longest_name = 15;

// A mark follows the longest name, so that only the name of a thread that was given none is zero.
using name_bytes = char[sizeof(verify::wide_value)];
static_assert(sizeof(name_bytes) == longest_name + 1);

verify::location name_of(session& s, unsigned thread, const source_location& where) {
  return engine::current()->of_static(&s.threads().end_of(thread), sizeof(verify::value), 0, where);
}

// True if the program may ask for names. Otherwise no order of events depends on them.
bool can_be_asked_for(const session& s) {
  const auto& imports = s.program().imports();
  return std::binary_search(imports.begin(), imports.end(), "pthread_getname_np");
}

void put_name(session& s, unsigned thread, const std::string& name, const source_location& where) {
  if (!can_be_asked_for(s)) return;
  s.take_up_writes();
  verify::wide_value v = {};
  auto& bytes = reinterpret_cast<name_bytes&>(v);
  name.copy(bytes, longest_name);
  bytes[longest_name] = 1;
  engine& e = *engine::current();
  e.store(word(name_of(s, thread, where)), e.number_of(v), order::relaxed, where);
}

// A thread starts with the name that its creator had then.
std::string first_name(session& s, const source_location& where) {
  for (unsigned thread = 0; thread <= s.threads().created(); ++thread)
    if (engine::current()->known(name_of(s, thread, where)) != 0)
      s.reach_limit(
          "the name of a thread that may have inherited it from another one is not modelled",
          where);
  return std::string(program_invocation_short_name).substr(0, longest_name);
}

std::string take_name(session& s, unsigned thread, const source_location& where) {
  s.take_up_writes();
  engine& e = *engine::current();
  const verify::value v = e.load(word(name_of(s, thread, where)), order::relaxed, where);
  if (v == 0) return first_name(s, where);
  const verify::wide_value all = e.numbered(v);
  const auto& bytes = reinterpret_cast<const name_bytes&>(all);
  return std::string(bytes, strnlen(bytes, longest_name));
}

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// The C library names its parameters with reserved names.
// NOLINTBEGIN(readability-inconsistent-declaration-parameter-name)
extern "C" {

int pthread_setname_np(pthread_t thread, const char* name) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_setname_np)(thread, name);
  const std::size_t length = length_of(name);
  s->read_for_program(name, length + 1, FENCEPOST_CALL_SITE);
  if (length > longest_name) return ERANGE;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  put_name(*s, thread_of(thread, where), name, where);
  return 0;
}

int pthread_getname_np(pthread_t thread, char* to, std::size_t size) noexcept {
  const entered s;
  if (!s) return FENCEPOST_BEHIND(pthread_getname_np)(thread, to, size);
  if (size <= longest_name) return ERANGE;
  const fencepost::source_location where = s->place(FENCEPOST_CALL_SITE);
  const std::string name = take_name(*s, thread_of(thread, where), where);
  s->write(to, name.size() + 1, where);
  copy_bytes(to, name.c_str(), name.size() + 1);
  return 0;
}

}  // extern "C"
// NOLINTEND(readability-inconsistent-declaration-parameter-name)
