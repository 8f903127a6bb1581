#include "posix_objects.hpp"

#include <cstdint>
#include <string>

namespace fencepost::programs {

using verify::engine;
using verify::value;

namespace {

// A value that the word of a live object never has.
constexpr value destroyed = 0xdead'0b1e;

constexpr std::size_t word_size = sizeof(std::uint32_t);

}  // namespace

verify::location word_of(session& s, const volatile void* object, const char* what,
                         const source_location& where) {
  const verify::location at = s.atomic(object, word_size, where);
  const value known = engine::current()->known(at);
  const char* const when = known == destroyed            ? " after it was destroyed"
                           : known == session::unwritten ? " before it was initialized"
                                                         : nullptr;
  if (when != nullptr)
    engine::current()->fail(violation::misuse, std::string(what) + " is used" + when, where);
  return at;
}

void initialize(session& s, void* object, std::size_t size, const char* what,
                const source_location& where) {
  if (s.locks().contains(object))
    engine::current()->fail(violation::misuse,
                            std::string(what) + " is initialized while it is locked", where);
  s.write(object, size, where);
}

void destroy(session& s, void* object, std::size_t size, const source_location& where) {
  s.write(static_cast<char*>(object) + word_size, size - word_size, where);
  s.end_object(object, word_size, destroyed, where);
}

}  // namespace fencepost::programs
