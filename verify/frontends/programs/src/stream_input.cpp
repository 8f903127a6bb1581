// Functions of std::istream.

#include <cstring>

#include "stream_parts.hpp"

using namespace fencepost::programs;

namespace {

// Writes a text up to its end, if there was room for one.
struct fills_text : nothing {
  static void after(const accesses& writing, const argument* text) {
    const auto* const t = reinterpret_cast<const char*>(text[0]);
    if (static_cast<std::ptrdiff_t>(text[1]) > 0) writing(t, std::strlen(t) + 1);
  }
};
// Writes as many bytes as the stream, which is the previous argument, has extracted.
struct fills_bytes : nothing {
  static void after(const accesses& writing, const argument* bytes) {
    const auto* const from = reinterpret_cast<const std::istream*>(bytes[-1]);
    writing(reinterpret_cast<const void*>(bytes[0]), static_cast<std::size_t>(from->gcount()));
  }
};

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)

FENCEPOST_LIBRARY_CALL(_ZNSirsERb, changes<std::istream>, makes<bool>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERs, changes<std::istream>, makes<short>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERt, changes<std::istream>, makes<unsigned short>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERi, changes<std::istream>, makes<int>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERj, changes<std::istream>, makes<unsigned>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERl, changes<std::istream>, makes<long>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERm, changes<std::istream>, makes<unsigned long>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERx, changes<std::istream>, makes<long long>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERy, changes<std::istream>, makes<unsigned long long>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERf, changes<std::istream>, makes<float>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERd, changes<std::istream>, makes<double>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERe, changes<std::istream>, makes<long double>)
FENCEPOST_LIBRARY_CALL(_ZNSirsERPv, changes<std::istream>, makes<void*>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIbEERSiRT_, changes<std::istream>, makes<bool>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractItEERSiRT_, changes<std::istream>, makes<unsigned short>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIjEERSiRT_, changes<std::istream>, makes<unsigned>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIlEERSiRT_, changes<std::istream>, makes<long>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractImEERSiRT_, changes<std::istream>, makes<unsigned long>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIxEERSiRT_, changes<std::istream>, makes<long long>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIyEERSiRT_, changes<std::istream>,
                       makes<unsigned long long>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIfEERSiRT_, changes<std::istream>, makes<float>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIdEERSiRT_, changes<std::istream>, makes<double>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIeEERSiRT_, changes<std::istream>, makes<long double>)
FENCEPOST_LIBRARY_CALL(_ZNSi10_M_extractIPvEERSiRT_, changes<std::istream>, makes<void*>)
FENCEPOST_LIBRARY_CALL(_ZNSi3getEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi6ignoreEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi6ignoreEl, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi6ignoreEli, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi4peekEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi7putbackEc, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi5ungetEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi4syncEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi5tellgEv, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi5seekgESt4fposI11__mbstate_tE, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi5seekgElSt12_Ios_Seekdir, changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNKSi6gcountEv, reads<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZNSi3getERc, changes<std::istream>, makes<char>)
FENCEPOST_LIBRARY_CALL(_ZNSi3getEPcl, changes<std::istream>, fills_text)
FENCEPOST_LIBRARY_CALL(_ZNSi3getEPclc, changes<std::istream>, fills_text)
FENCEPOST_LIBRARY_CALL(_ZNSi7getlineEPcl, changes<std::istream>, fills_text)
FENCEPOST_LIBRARY_CALL(_ZNSi7getlineEPclc, changes<std::istream>, fills_text)
FENCEPOST_LIBRARY_CALL(_ZNSi4readEPcl, changes<std::istream>, fills_bytes)
FENCEPOST_LIBRARY_CALL(_ZSt17__istream_extractRSiPcl, changes<std::istream>, fills_text)
FENCEPOST_LIBRARY_CALL(_ZSt2wsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_,
                       changes<std::istream>)
FENCEPOST_LIBRARY_CALL(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_RS3_,
                       changes<std::istream>, makes<char>)
FENCEPOST_LIBRARY_CALL(_ZStrsIcSt11char_traitsIcEERSt13basic_istreamIT_T0_ES6_St5_Setw,
                       changes<std::istream>)
FENCEPOST_LIBRARY_CALL(
    _ZStrsIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    changes<std::istream>, changes<std::string>)
FENCEPOST_LIBRARY_CALL(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EE,
    changes<std::istream>, changes<std::string>)
FENCEPOST_LIBRARY_CALL(
    _ZSt7getlineIcSt11char_traitsIcESaIcEERSt13basic_istreamIT_T0_ES7_RNSt7__cxx1112basic_stringIS4_S5_T1_EES4_,
    changes<std::istream>, changes<std::string>)
FENCEPOST_LIBRARY_CALL(_ZNKSi6sentrycvbEv, reads<bool>)
FENCEPOST_LIBRARY_CALL(_ZNSi6sentryC1ERSib, makes<std::istream::sentry>, changes<std::istream>)

// NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming,cppcoreguidelines-macro-usage)
