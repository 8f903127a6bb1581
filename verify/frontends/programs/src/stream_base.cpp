// Functions of std::ios and std::ios_base, and those that construct, move and destroy streams.

#include <locale>

#include "stream_parts.hpp"

using namespace fencepost::programs;

namespace {

// The common base of a stream, for a function that changes the stream's buffer as well.
struct whole_stream {};

}  // namespace

template <>
struct fencepost::programs::parts<whole_stream> {
  static void tell(const whole_stream* s, const accesses& access) {
    const auto* const base = reinterpret_cast<const std::ios*>(s);
    parts<std::ios>::tell(base, access);
    if (access.owns(s) || is_standard_stream(s)) parts<std::streambuf>::tell(base->rdbuf(), access);
  }
};

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming,cppcoreguidelines-macro-usage)

// The constructors, moves and destructors of std::ostream, std::istream and std::iostream.
#define FENCEPOST_STREAM(letter, type, base)                                                      \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##C1EPSt15basic_streambufIcSt11char_traitsIcEE, makes<type>) \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##C2EPSt15basic_streambufIcSt11char_traitsIcEE,              \
                         makes<part_of<type>>)                                                    \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##C2Ev, makes<part_of<type>>)                                \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##C2EOS##letter, makes<part_of<type>>, nothing,              \
                         changes<base>)                                                           \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##aSEOS##letter, changes<base>, changes<base>)               \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##4swapERS##letter, changes<base>, changes<base>)            \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##D0Ev, destroys<base>)                                      \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##D1Ev, destroys<base>)                                      \
  FENCEPOST_LIBRARY_CALL(_ZNS##letter##D2Ev, destroys<part_of<type>>)                             \
  FENCEPOST_LIBRARY_CALL(_ZTv0_n24_NS##letter##D0Ev, destroys<std::ios>)                          \
  FENCEPOST_LIBRARY_CALL(_ZTv0_n24_NS##letter##D1Ev, destroys<std::ios>)
FENCEPOST_STREAM(o, std::ostream, std::ostream)
FENCEPOST_STREAM(i, std::istream, std::istream)
FENCEPOST_STREAM(d, std::iostream, std::istream)
FENCEPOST_LIBRARY_CALL(_ZThn16_NSdD0Ev, destroys<std::ostream>)
FENCEPOST_LIBRARY_CALL(_ZThn16_NSdD1Ev, destroys<std::ostream>)

#define FENCEPOST_IOS(name, ...) \
  FENCEPOST_LIBRARY_CALL(_ZNSt9basic_iosIcSt11char_traitsIcEE##name, __VA_ARGS__)
FENCEPOST_IOS(4moveERS2_, changes<std::ios>, changes<std::ios>)
FENCEPOST_IOS(4moveEOS2_, changes<std::ios>, changes<std::ios>)
FENCEPOST_IOS(4swapERS2_, changes<std::ios>, changes<std::ios>)
FENCEPOST_IOS(9set_rdbufEPSt15basic_streambufIcS1_E, changes<std::ios>)
FENCEPOST_IOS(11_M_setstateESt12_Ios_Iostate, changes<std::ios>)
FENCEPOST_IOS(15_M_cache_localeERKSt6locale, changes<std::ios>, reads<std::locale>)
FENCEPOST_IOS(C2EPSt15basic_streambufIcS1_E, makes<std::ios>)
FENCEPOST_IOS(5clearESt12_Ios_Iostate, changes<std::ios>)
FENCEPOST_IOS(8setstateESt12_Ios_Iostate, changes<std::ios>)
FENCEPOST_IOS(4fillEc, changes<std::ios>)
FENCEPOST_IOS(3tieEPSo, changes<std::ios>)
FENCEPOST_IOS(5rdbufEPSt15basic_streambufIcS1_E, changes<std::ios>)
FENCEPOST_IOS(10exceptionsESt12_Ios_Iostate, changes<std::ios>)
FENCEPOST_IOS(7copyfmtERKS2_, changes<std::ios>, reads<std::ios>)
FENCEPOST_IOS(4initEPSt15basic_streambufIcS1_E, makes<std::ios>)
FENCEPOST_IOS(C1EPSt15basic_streambufIcS1_E, makes<std::ios>)
FENCEPOST_IOS(C2Ev, makes<std::ios>)
FENCEPOST_IOS(D0Ev, destroys<std::ios>)
FENCEPOST_IOS(D1Ev, destroys<std::ios>)
FENCEPOST_IOS(D2Ev, destroys<std::ios>)
FENCEPOST_IOS(5imbueERKSt6locale, makes<std::locale>, changes<whole_stream>, reads<std::locale>)
#undef FENCEPOST_IOS

#define FENCEPOST_STATE(name) \
  FENCEPOST_LIBRARY_CALL(_ZNKSt9basic_iosIcSt11char_traitsIcEE##name, reads<std::ios>)
FENCEPOST_STATE(10exceptionsEv)
FENCEPOST_STATE(3badEv)
FENCEPOST_STATE(3eofEv)
FENCEPOST_STATE(3tieEv)
FENCEPOST_STATE(4failEv)
FENCEPOST_STATE(4fillEv)
FENCEPOST_STATE(4goodEv)
FENCEPOST_STATE(5rdbufEv)
FENCEPOST_STATE(5widenEc)
FENCEPOST_STATE(6narrowEcc)
FENCEPOST_STATE(7rdstateEv)
FENCEPOST_STATE(cvbEv)
FENCEPOST_STATE(ntEv)
#undef FENCEPOST_STATE

FENCEPOST_LIBRARY_CALL(_ZNSt8ios_base7_M_moveERS_, changes<std::ios_base>, changes<std::ios_base>)
FENCEPOST_LIBRARY_CALL(_ZNSt8ios_base7_M_swapERS_, changes<std::ios_base>, changes<std::ios_base>)
FENCEPOST_LIBRARY_CALL(_ZNSt8ios_base7_M_initEv, changes<std::ios_base>)
FENCEPOST_LIBRARY_CALL(_ZNSt8ios_baseC2Ev, makes<std::ios_base>)
FENCEPOST_LIBRARY_CALL(_ZNSt8ios_baseD2Ev, destroys<std::ios_base>)
FENCEPOST_LIBRARY_CALL(_ZNSt6localeC1Ev, makes<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZNSt6localeC1ERKS_, makes<std::locale>, reads<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZNSt6localeaSERKS_, changes<std::locale>, reads<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZNSt6localeD1Ev, destroys<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale, reads<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZNKSt6localeeqERKS_, reads<std::locale>, reads<std::locale>)

// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming,cppcoreguidelines-macro-usage)
