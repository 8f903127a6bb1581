// Functions of string streams and their buffers in the C++ library.

#include "stream_parts.hpp"

using namespace fencepost::programs;

namespace {

// The base class part of a buffer, before the derived object exists or after it has ended.
struct bare_buffer {
  char bytes[sizeof(std::streambuf)];
};
// An object of the library that, when it is destroyed, gives a buffer the pointers of the one that
// was moved to it.
struct moved_pointers {
  std::stringbuf* to;
  std::streamoff read[3], written[3];
};

}  // namespace

template <>
struct fencepost::programs::parts<moved_pointers> {
  static void tell(const moved_pointers* m, const accesses& access) {
    access(m, sizeof *m);
    access(m->to, sizeof(std::stringbuf));
  }
};

// NOLINTBEGIN(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming,cppcoreguidelines-macro-usage)

// Buffers. Members of their base class are called as well.
#define FENCEPOST_BUFFER(name, ...)                                         \
  FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEE##name, \
                         changes<std::streambuf> __VA_OPT__(, ) __VA_ARGS__)
FENCEPOST_BUFFER(5sgetcEv)
FENCEPOST_BUFFER(5sputcEc)
FENCEPOST_BUFFER(6sbumpcEv)
FENCEPOST_BUFFER(6snextcEv)
FENCEPOST_BUFFER(7sungetcEv)
FENCEPOST_BUFFER(9sputbackcEc)
FENCEPOST_BUFFER(8in_availEv)
FENCEPOST_BUFFER(7pubsyncEv)
FENCEPOST_BUFFER(10pubseekposESt4fposI11__mbstate_tESt13_Ios_Openmode)
FENCEPOST_BUFFER(10pubseekoffElSt12_Ios_SeekdirSt13_Ios_Openmode)
FENCEPOST_BUFFER(4syncEv)
FENCEPOST_BUFFER(5uflowEv)
FENCEPOST_BUFFER(9showmanycEv)
FENCEPOST_BUFFER(5sputnEPKcl, reads_bytes)
FENCEPOST_BUFFER(6xsputnEPKcl, reads_bytes)
#undef FENCEPOST_BUFFER
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEE8pubimbueERKSt6locale,
                       makes<std::locale>, changes<std::streambuf>, reads<std::locale>)
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEEC2Ev, makes<bare_buffer>)
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEEC2ERKS2_, makes<bare_buffer>,
                       reads<bare_buffer>)
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEE4swapERS2_, changes<bare_buffer>,
                       changes<bare_buffer>)
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEED2Ev, destroys<bare_buffer>)
FENCEPOST_LIBRARY_CALL(_ZNSt15basic_streambufIcSt11char_traitsIcEEaSERKS2_, changes<bare_buffer>,
                       reads<bare_buffer>)
#define FENCEPOST_BUFFER(name, ...)                                                      \
  FENCEPOST_LIBRARY_CALL(_ZNSt7__cxx1115basic_stringbufIcSt11char_traitsIcESaIcEE##name, \
                         __VA_ARGS__)
FENCEPOST_BUFFER(8overflowEi, changes<std::stringbuf>)
FENCEPOST_BUFFER(9underflowEv, changes<std::stringbuf>)
FENCEPOST_BUFFER(9pbackfailEi, changes<std::stringbuf>)
FENCEPOST_BUFFER(9showmanycEv, changes<std::stringbuf>)
FENCEPOST_BUFFER(7seekoffElSt12_Ios_SeekdirSt13_Ios_Openmode, changes<std::stringbuf>)
FENCEPOST_BUFFER(7seekposESt4fposI11__mbstate_tESt13_Ios_Openmode, changes<std::stringbuf>)
FENCEPOST_BUFFER(7_M_syncEPcmm, changes<std::stringbuf>)
FENCEPOST_BUFFER(D0Ev, destroys<std::stringbuf>)
FENCEPOST_BUFFER(D1Ev, destroys<std::stringbuf>)
FENCEPOST_BUFFER(D2Ev, destroys<std::stringbuf>)
FENCEPOST_BUFFER(C1Ev, makes<std::stringbuf>)
FENCEPOST_BUFFER(C1ESt13_Ios_Openmode, makes<std::stringbuf>)
FENCEPOST_BUFFER(C1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<std::stringbuf>,
                 reads<std::string>)
FENCEPOST_BUFFER(C1EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<std::stringbuf>,
                 changes<std::string>)
FENCEPOST_BUFFER(C2Ev, makes<std::stringbuf>)
FENCEPOST_BUFFER(C2ESt13_Ios_Openmode, makes<std::stringbuf>)
FENCEPOST_BUFFER(C2ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<std::stringbuf>,
                 reads<std::string>)
FENCEPOST_BUFFER(C2EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<std::stringbuf>,
                 changes<std::string>)
FENCEPOST_BUFFER(8_M_pbumpEPcS5_l, changes<std::stringbuf>)
FENCEPOST_BUFFER(15_M_update_egptrEv, changes<std::stringbuf>)
FENCEPOST_BUFFER(17_M_stringbuf_initESt13_Ios_Openmode, changes<std::stringbuf>)
FENCEPOST_BUFFER(4swapERS4_, changes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(aSEOS4_, changes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(C1EOS4_, makes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(C1EOS4_ONS4_14__xfer_bufptrsE, makes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(C2EOS4_, makes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(C2EOS4_ONS4_14__xfer_bufptrsE, makes<std::stringbuf>, changes<std::stringbuf>)
FENCEPOST_BUFFER(14__xfer_bufptrsC1ERKS4_PS4_, makes<moved_pointers>, reads<std::stringbuf>)
FENCEPOST_BUFFER(14__xfer_bufptrsC2ERKS4_PS4_, makes<moved_pointers>, reads<std::stringbuf>)
FENCEPOST_BUFFER(14__xfer_bufptrsD1Ev, changes<moved_pointers>)
FENCEPOST_BUFFER(14__xfer_bufptrsD2Ev, changes<moved_pointers>)
#undef FENCEPOST_BUFFER

// Functions for the text, which a buffer and its stream both have.
#define FENCEPOST_TEXT(owner, type)                                                               \
  FENCEPOST_LIBRARY_RESULT(std::string, _ZNKSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE3strEv,  \
                           reads<type>)                                                           \
  FENCEPOST_LIBRARY_RESULT(std::string, _ZNKRSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE3strEv, \
                           reads<type>)                                                           \
  FENCEPOST_LIBRARY_RESULT(std::string, _ZNOSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE3strEv,  \
                           changes<type>)                                                         \
  FENCEPOST_LIBRARY_CALL(_ZNKSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE4viewEv, reads<type>)   \
  FENCEPOST_LIBRARY_CALL(                                                                         \
      _ZNSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE3strERKNS_12basic_stringIcS2_S3_EE,         \
      changes<type>, reads<std::string>)                                                          \
  FENCEPOST_LIBRARY_CALL(                                                                         \
      _ZNSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE3strEONS_12basic_stringIcS2_S3_EE,          \
      changes<type>, changes<std::string>)
FENCEPOST_TEXT(15basic_stringbuf, std::stringbuf)

// A stream begins with the base class as which its accesses are reported. A constructor for a part
// of another object leaves out the common base, and takes a pointer before its other arguments.
#define FENCEPOST_STREAM_OF(function, owner, name, ...)                                  \
  FENCEPOST_LIBRARY_CALL(function##NSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE##name, \
                         __VA_ARGS__)
#define FENCEPOST_STRING_STREAM(owner, type, base)                                                \
  FENCEPOST_TEXT(owner, base)                                                                     \
  FENCEPOST_LIBRARY_CALL(_ZNKSt7__cxx11##owner##IcSt11char_traitsIcESaIcEE5rdbufEv, reads<void*>) \
  FENCEPOST_STREAM_OF(_Z, owner, C1Ev, makes<type>)                                               \
  FENCEPOST_STREAM_OF(_Z, owner, C1ESt13_Ios_Openmode, makes<type>)                               \
  FENCEPOST_STREAM_OF(_Z, owner, C1ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<type>,  \
                      reads<std::string>)                                                         \
  FENCEPOST_STREAM_OF(_Z, owner, C1EONS_12basic_stringIcS2_S3_EESt13_Ios_Openmode, makes<type>,   \
                      changes<std::string>)                                                       \
  FENCEPOST_STREAM_OF(_Z, owner, C1EOS4_, makes<type>, changes<base>)                             \
  FENCEPOST_STREAM_OF(_Z, owner, C2Ev, makes<part_of<type>>)                                      \
  FENCEPOST_STREAM_OF(_Z, owner, C2ESt13_Ios_Openmode, makes<part_of<type>>)                      \
  FENCEPOST_STREAM_OF(_Z, owner, C2ERKNS_12basic_stringIcS2_S3_EESt13_Ios_Openmode,               \
                      makes<part_of<type>>, nothing, reads<std::string>)                          \
  FENCEPOST_STREAM_OF(_Z, owner, C2EOS4_, makes<part_of<type>>, nothing, changes<base>)           \
  FENCEPOST_STREAM_OF(_Z, owner, aSEOS4_, changes<base>, changes<base>)                           \
  FENCEPOST_STREAM_OF(_Z, owner, 4swapERS4_, changes<base>, changes<base>)                        \
  FENCEPOST_STREAM_OF(_Z, owner, D0Ev, destroys<base>)                                            \
  FENCEPOST_STREAM_OF(_Z, owner, D1Ev, destroys<base>)                                            \
  FENCEPOST_STREAM_OF(_Z, owner, D2Ev, destroys<base>)                                            \
  FENCEPOST_STREAM_OF(_ZTv0_n24_, owner, D0Ev, destroys<std::ios>)                                \
  FENCEPOST_STREAM_OF(_ZTv0_n24_, owner, D1Ev, destroys<std::ios>)
FENCEPOST_STRING_STREAM(19basic_ostringstream, std::ostringstream, std::ostream)
FENCEPOST_STRING_STREAM(19basic_istringstream, std::istringstream, std::istream)
FENCEPOST_STRING_STREAM(18basic_stringstream, std::stringstream, std::istream)
FENCEPOST_STREAM_OF(_ZThn16_, 18basic_stringstream, D0Ev, destroys<std::ostream>)
FENCEPOST_STREAM_OF(_ZThn16_, 18basic_stringstream, D1Ev, destroys<std::ostream>)

// NOLINTEND(bugprone-reserved-identifier,bugprone-macro-parentheses,readability-identifier-naming,cppcoreguidelines-macro-usage)
