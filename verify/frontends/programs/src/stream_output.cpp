// Functions of std::ostream. Those that call functions of the program, such as those for
// manipulators, do nothing else, so nothing is reported for them.

#include "stream_parts.hpp"

using namespace fencepost::programs;

template <>
struct fencepost::programs::parts<std::ostream::sentry> {
  static void tell(const std::ostream::sentry* s, const accesses& access) {
    access(s, sizeof *s);
    // It consists of a bool and a pointer to the stream.
    parts<std::ostream>::tell(reinterpret_cast<const std::ostream* const*>(s)[1], access);
  }
};

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)

#define FENCEPOST_PUTS(...) FENCEPOST_LIBRARY_CALL(__VA_ARGS__, changes<std::ostream>)
FENCEPOST_PUTS(_ZNSolsEb)
FENCEPOST_PUTS(_ZNSolsEs)
FENCEPOST_PUTS(_ZNSolsEt)
FENCEPOST_PUTS(_ZNSolsEi)
FENCEPOST_PUTS(_ZNSolsEj)
FENCEPOST_PUTS(_ZNSolsEl)
FENCEPOST_PUTS(_ZNSolsEm)
FENCEPOST_PUTS(_ZNSolsEx)
FENCEPOST_PUTS(_ZNSolsEy)
FENCEPOST_PUTS(_ZNSolsEf)
FENCEPOST_PUTS(_ZNSolsEd)
FENCEPOST_PUTS(_ZNSolsEPKv)
FENCEPOST_PUTS(_ZNSolsEDn)
FENCEPOST_LIBRARY_CALL_WITH(long double, _ZNSolsEe, changes<std::ostream>)
FENCEPOST_PUTS(_ZNSo9_M_insertIbEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertIlEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertImEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertIxEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertIyEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertIdEERSoT_)
FENCEPOST_PUTS(_ZNSo9_M_insertIPKvEERSoT_)
FENCEPOST_LIBRARY_CALL_WITH(long double, _ZNSo9_M_insertIeEERSoT_, changes<std::ostream>)
FENCEPOST_PUTS(_ZNSo3putEc)
FENCEPOST_PUTS(_ZNSo5flushEv)
FENCEPOST_PUTS(_ZNSo5tellpEv)
FENCEPOST_PUTS(_ZNSo5seekpESt4fposI11__mbstate_tE)
FENCEPOST_PUTS(_ZNSo5seekpElSt12_Ios_Seekdir)
FENCEPOST_PUTS(_ZSt4endlIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
FENCEPOST_PUTS(_ZSt4endsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
FENCEPOST_PUTS(_ZSt5flushIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_)
FENCEPOST_PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_a)
FENCEPOST_PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_c)
FENCEPOST_PUTS(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_h)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St5_Setw)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_SetfillIS3_E)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St13_Setprecision)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St8_Setbase)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St12_Setiosflags)
FENCEPOST_PUTS(_ZStlsIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_St14_Resetiosflags)
#undef FENCEPOST_PUTS
FENCEPOST_LIBRARY_CALL(_ZNSolsEPSt15basic_streambufIcSt11char_traitsIcEE, changes<std::ostream>,
                       changes<std::streambuf>)
FENCEPOST_LIBRARY_CALL(_ZNSo5writeEPKcl, changes<std::ostream>, reads_bytes)
FENCEPOST_LIBRARY_CALL(
    _ZSt16__ostream_insertIcSt11char_traitsIcEERSt13basic_ostreamIT_T0_ES6_PKS3_l,
    changes<std::ostream>, reads_bytes)
FENCEPOST_LIBRARY_CALL(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKa,
                       changes<std::ostream>, reads_text)
FENCEPOST_LIBRARY_CALL(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc,
                       changes<std::ostream>, reads_text)
FENCEPOST_LIBRARY_CALL(_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKh,
                       changes<std::ostream>, reads_text)
FENCEPOST_LIBRARY_CALL(
    _ZStlsIcSt11char_traitsIcESaIcEERSt13basic_ostreamIT_T0_ES7_RKNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    changes<std::ostream>, reads<std::string>)
FENCEPOST_LIBRARY_CALL(_ZStlsIdcSt11char_traitsIcEERSt13basic_ostreamIT0_T1_ES6_RKSt7complexIT_E,
                       changes<std::ostream>, reads<double[2]>)
FENCEPOST_LIBRARY_CALL(_ZNSo6sentryC1ERSo, makes<std::ostream::sentry>, changes<std::ostream>)
FENCEPOST_LIBRARY_CALL(_ZNSo6sentryD1Ev, changes<std::ostream::sentry>)
FENCEPOST_LIBRARY_CALL(_ZNSo6sentryD2Ev, changes<std::ostream::sentry>)
FENCEPOST_LIBRARY_CALL(_ZNKSo6sentrycvbEv, reads<bool>)

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)
