// The standard exceptions that have a text: the accesses to the program's memory by their
// constructors and assignments.

#include <stdexcept>
#include <string>

#include "library_calls.hpp"

namespace fencepost::programs {
namespace {

// Reads the string up to its end, not up to its capacity.
struct reads_string : nothing {
  static void before(const accesses& reading, const accesses&, const argument* string) {
    const auto* const s = reinterpret_cast<const std::string*>(*string);
    if (!reading.owns(s)) return;
    reading(s, sizeof(std::string));
    const void* const text = s->data();
    if (text < s || text >= s + 1) reading(text, s->size() + 1);
  }
};

}  // namespace
}  // namespace fencepost::programs

using namespace fencepost::programs;

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)

#define FENCEPOST_TEXT(name)                                                                     \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C1EPKc, nothing, reads_text)                               \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C2EPKc, nothing, reads_text)                               \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C1ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, \
                         nothing, reads_string)                                                  \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C2ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE, \
                         nothing, reads_string)
FENCEPOST_TEXT(11logic_error)
FENCEPOST_TEXT(12domain_error)
FENCEPOST_TEXT(16invalid_argument)
FENCEPOST_TEXT(12length_error)
FENCEPOST_TEXT(12out_of_range)
FENCEPOST_TEXT(13runtime_error)
FENCEPOST_TEXT(11range_error)
FENCEPOST_TEXT(14overflow_error)
FENCEPOST_TEXT(15underflow_error)
#undef FENCEPOST_TEXT

// Exceptions derived from these two are copied by the functions of their base.
#define FENCEPOST_COPIES(name, type)                                       \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C1ERKS_, nothing, reads<type>)       \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C2ERKS_, nothing, reads<type>)       \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C1EOS_, nothing, changes<type>)      \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##C2EOS_, nothing, changes<type>)      \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##aSERKS_, changes<type>, reads<type>) \
  FENCEPOST_LIBRARY_CALL(_ZNSt##name##aSEOS_, changes<type>, changes<type>)
FENCEPOST_COPIES(11logic_error, std::logic_error)
FENCEPOST_COPIES(13runtime_error, std::runtime_error)
#undef FENCEPOST_COPIES
// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)
