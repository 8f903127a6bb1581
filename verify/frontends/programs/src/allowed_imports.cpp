#include "allowed_imports.hpp"

#include <algorithm>

#include "library_calls.hpp"

namespace fencepost::programs {

namespace {

// The functions that the runtime replaces; and functions that do not wait, depend on no other
// thread and no clock, and leave nothing behind that the program could observe in the next
// execution.
constexpr std::string_view names[] = {
    // of every program
    "_ITM_deregisterTMCloneTable", "_ITM_registerTMCloneTable", "__cxa_finalize", "__gmon_start__",
    "__libc_single_threaded", "__libc_start_main", "__stack_chk_fail", "_ZSt7nothrow",
    // of programs compiled with -fPIC: the linker replaces the calls (unseen_instructions.cpp)
    "__tls_get_addr",
    // of the runtime
    "__assert_fail", "_ZSt21__glibcxx_assert_failPKciS0_S0_", "__atomic_compare_exchange",
    "__atomic_exchange", "__atomic_is_lock_free", "__atomic_load", "__atomic_store",
    "__atomic_compare_exchange_16", "__atomic_exchange_16", "__atomic_fetch_add_16",
    "__atomic_fetch_and_16", "__atomic_fetch_nand_16", "__atomic_fetch_or_16",
    "__atomic_fetch_sub_16", "__atomic_fetch_xor_16", "__atomic_load_16", "__atomic_store_16",
    "__cxa_atexit", "__cxa_thread_atexit", "__cxa_guard_abort", "__cxa_guard_acquire",
    "__cxa_guard_release", "abort", "aligned_alloc", "calloc", "exit", "fencepost_outcome", "free",
    "malloc", "memalign", "memcmp", "memcpy", "memmove", "memset", "posix_memalign",
    "pthread_cond_broadcast", "pthread_cond_destroy", "pthread_cond_init", "pthread_cond_signal",
    "pthread_cond_wait", "pthread_create", "pthread_detach", "pthread_join",
    "pthread_mutex_destroy", "pthread_mutex_init", "pthread_mutex_lock", "pthread_mutex_trylock",
    "pthread_mutex_unlock", "pthread_self", "realloc", "sched_yield", "strcat", "strcmp", "strcpy",
    "strlen", "strncmp", "strchr", "strrchr", "wcslen", "wmemchr", "wmemcmp", "wmemcpy", "wmemmove",
    "wmemset", "strstr", "memchr", "sprintf", "snprintf", "vsprintf", "vsnprintf", "syscall",
    "__errno_location", "pthread_once", "nanosleep", "clock_gettime", "gettimeofday", "clock",
    "time", "timespec_get", "_ZNSt6chrono3_V212steady_clock3nowEv",
    "_ZNSt6chrono3_V212system_clock3nowEv", "_ZNSt6thread20hardware_concurrencyEv", "pthread_equal",
    "pthread_rwlock_init", "pthread_rwlock_destroy", "pthread_rwlock_rdlock",
    "pthread_rwlock_tryrdlock", "pthread_rwlock_wrlock", "pthread_rwlock_trywrlock",
    "pthread_rwlock_unlock", "pthread_spin_destroy", "pthread_spin_init", "pthread_spin_lock",
    "pthread_spin_trylock", "pthread_spin_unlock", "sem_init", "sem_destroy", "sem_wait",
    "sem_trywait", "sem_post", "pthread_cond_clockwait", "pthread_cond_timedwait",
    "pthread_mutex_clocklock", "pthread_mutex_timedlock", "sleep", "usleep", "__VERIFIER_assume",
    "pthread_barrier_init", "pthread_barrier_wait", "pthread_barrier_destroy", "pthread_exit",
    "pthread_key_create", "pthread_key_delete", "pthread_getspecific", "pthread_setspecific",
    "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock", "pthread_rwlock_clockrdlock",
    "pthread_rwlock_clockwrlock",
    "_ZSt25notify_all_at_thread_exitRSt18condition_variableSt11unique_lockISt5mutexE",
    "sem_timedwait", "sem_clockwait", "sem_getvalue",
    // of C
    "thrd_exit", "tss_create", "tss_delete", "tss_get", "tss_set", "call_once", "cnd_broadcast",
    "cnd_destroy", "cnd_init", "cnd_signal", "cnd_wait", "mtx_destroy", "mtx_init", "mtx_lock",
    "mtx_trylock", "mtx_unlock", "mtx_timedlock", "cnd_timedwait", "thrd_create", "thrd_current",
    "thrd_detach", "thrd_equal", "thrd_join", "thrd_sleep", "thrd_yield",
    // attributes: those of a mutex are read when it is used; of the others, only the clock and the
    // detach state make a difference here
    "pthread_attr_init", "pthread_attr_destroy", "pthread_attr_setdetachstate",
    "pthread_attr_getdetachstate", "pthread_attr_setstacksize", "pthread_attr_getstacksize",
    "pthread_attr_setguardsize", "pthread_attr_getguardsize", "pthread_attr_setscope",
    "pthread_attr_getscope", "pthread_attr_setinheritsched", "pthread_attr_getinheritsched",
    "pthread_attr_setschedpolicy", "pthread_attr_getschedpolicy", "pthread_attr_setschedparam",
    "pthread_attr_getschedparam", "pthread_mutexattr_init", "pthread_mutexattr_destroy",
    "pthread_mutexattr_settype", "pthread_mutexattr_gettype", "pthread_mutexattr_setprotocol",
    "pthread_mutexattr_getprotocol", "pthread_mutexattr_setpshared", "pthread_mutexattr_getpshared",
    "pthread_mutexattr_setrobust", "pthread_mutexattr_getrobust", "pthread_condattr_init",
    "pthread_condattr_destroy", "pthread_condattr_setclock", "pthread_condattr_getclock",
    "pthread_condattr_setpshared", "pthread_condattr_getpshared", "pthread_rwlockattr_init",
    "pthread_rwlockattr_destroy", "pthread_rwlockattr_setpshared", "pthread_rwlockattr_getpshared",
    "pthread_rwlockattr_setkind_np", "pthread_rwlockattr_getkind_np", "pthread_barrierattr_init",
    "pthread_barrierattr_destroy", "pthread_barrierattr_setpshared",
    "pthread_barrierattr_getpshared",
    // output of the program
    "fflush", "fprintf", "perror", "strerror", "fputc", "fputs", "fwrite", "printf", "putc",
    "putchar", "puts", "stderr", "stdout", "vfprintf", "vprintf", "dprintf", "vdprintf", "fileno",
    "ferror", "feof", "clearerr", "putc_unlocked", "fputc_unlocked", "putchar_unlocked", "write",
    "setvbuf", "setbuf", "setlinebuf", "warn", "warnx", "vwarn", "vwarnx", "err", "errx", "verr",
    "verrx",
    // texts and bytes
    "asprintf", "vasprintf", "stpcpy", "stpncpy", "strncat", "mempcpy", "memccpy", "bcopy", "bzero",
    "explicit_bzero", "bcmp", "strspn", "strcspn", "strpbrk", "strsep", "strtok", "strtok_r",
    "strcasecmp", "strncasecmp", "strcasestr", "strcoll", "strchrnul", "index", "rindex",
    "rawmemchr", "memrchr", "memmem", "reallocarray", "sscanf", "vsscanf", "__isoc99_sscanf",
    "__isoc99_vsscanf", "__isoc23_sscanf", "__isoc23_vsscanf",
    // arguments and numbers
    "atof", "atoi", "atol", "atoll", "strnlen", "strncpy", "strtod", "strtof", "strtol", "strtold",
    "strtoll", "strtoul", "strtoull", "__isoc23_strtol", "__isoc23_strtoll", "__isoc23_strtoul",
    "__isoc23_strtoull", "strtoimax", "strtoumax", "__isoc23_strtoimax", "__isoc23_strtoumax",
    "strdup", "strndup", "_ZSt10from_charsPKcS0_RfSt12chars_format",
    "_ZSt10from_charsPKcS0_RdSt12chars_format", "_ZSt10from_charsPKcS0_ReSt12chars_format",
    "_ZSt8to_charsPcS_e", "_ZSt8to_charsPcS_eSt12chars_format",
    "_ZSt8to_charsPcS_eSt12chars_formati", "_ZSt8to_charsPcS_f", "_ZSt8to_charsPcS_d",
    "_ZSt8to_charsPcS_fSt12chars_format", "_ZSt8to_charsPcS_dSt12chars_format",
    "_ZSt8to_charsPcS_fSt12chars_formati", "_ZSt8to_charsPcS_dSt12chars_formati",
    // the rounding mode: functions that would change it are refused
    "fegetround", "fegetexcept",
    // std::hash<long double>
    "_ZNKSt4hashIeEclEe",
    // options
    "getopt", "getopt_long", "getopt_long_only", "optarg", "optind", "opterr", "optopt",
    // functions that call functions of the program
    "qsort", "bsearch",
    // whose results are the same in every execution
    "getenv", "secure_getenv", "getpid", "gettid", "sysconf", "get_nprocs", "get_nprocs_conf",
    "pthread_setname_np", "pthread_getname_np", "pthread_setcancelstate", "pthread_setcanceltype",
    "pthread_testcancel", "difftime", "isatty", "getuid", "geteuid", "getgid", "getegid",
    "getpagesize", "pthread_setaffinity_np", "sched_setaffinity", "__sched_cpucount",
    "pthread_setschedparam", "pthread_setschedprio", "sched_get_priority_max",
    "sched_get_priority_min", "clock_getres", "clock_nanosleep", "strerror_r", "__xpg_strerror_r",
    "frexp", "frexpf", "frexpl", "modf", "modff", "modfl", "remquo", "sincos", "rand", "srand",
    "random", "srandom", "rand_r",
    // functions of their arguments alone
    "div", "ldiv", "lldiv", "imaxdiv", "imaxabs", "ffs", "ffsl", "ffsll", "isascii", "toascii",
    "htonl", "htons", "ntohl", "ntohs", "acosf", "acosl", "acoshf", "asinf", "asinl", "asinhf",
    "atanf", "atanl", "atan2l", "atanhf", "cabs", "cabsf", "cbrtf", "cbrtl", "ceill", "copysignf",
    "copysignl", "cosl", "coshf", "erfc", "erff", "erfcf", "exp10", "expl", "exp2l", "expm1f",
    "fabsl", "fdimf", "finite", "floorl", "fmal", "fmaxl", "fminl", "fmodl", "hypotl", "ilogb",
    "ilogbf", "isinf", "isnan", "ldexpf", "ldexpl", "llrintf", "llroundf", "logl", "log10l",
    "log1pf", "log2l", "logbf", "lrintf", "lrintl", "lroundl", "nearbyintf", "nexttoward", "powl",
    "remainderf", "rintf", "rintl", "roundeven", "roundl", "scalbln", "scalbn", "scalbnf", "sinl",
    "sinhf", "sqrtl", "tanhf", "tanl", "truncl", "abs", "acos", "asin", "atan", "atan2", "cbrt",
    "ceil", "ceilf", "cos", "cosf", "exp", "exp2", "expf", "fabs", "fabsf", "floor", "floorf",
    "fma", "fmax", "fmaxf", "fmin", "fminf", "fmod", "hypot", "labs", "llabs", "log", "log10",
    "log2", "logf", "lround", "pow", "powf", "round", "roundf", "sin", "sinf", "sqrt", "sqrtf",
    "tan", "tolower", "toupper", "trunc", "acosh", "asinh", "atan2f", "atanh", "copysign", "cosh",
    "erf", "exp2f", "expm1", "fdim", "fmaf", "fmodf", "hypotf", "ldexp", "llrint", "llround",
    "log10f", "log1p", "log2f", "lrint", "lroundf", "lgamma", "logb", "nearbyint", "nextafter",
    "nextafterf", "remainder", "rint", "sinh", "tanf", "tanh", "tgamma", "truncf", "__popcountdi2",
    "__paritydi2", "__parityti2", "__popcountti2", "acoshl", "asinhl", "atanhl", "coshl", "erfcl",
    "erfl", "exp10f", "exp10l", "expm1l", "fdiml", "finitef", "finitel", "ilogbl", "llrintl",
    "llroundl", "log1pl", "logbl", "nearbyintl", "nextafterl", "nexttowardf", "nexttowardl",
    "remainderl", "roundevenf", "roundevenl", "scalblnf", "scalblnl", "scalbnl", "sinhl", "tanhl",
    "tgammaf", "tgammal", "lgammaf", "lgammal", "__fpclassify", "__fpclassifyf", "__fpclassifyl",
    "__signbit", "__signbitf", "__signbitl", "j0", "j0f", "j1", "j1f", "jn", "jnf", "y0", "y0f",
    "y1", "y1f", "yn", "ynf",
    // of complex numbers
    "cabsl", "cacos", "cacosf", "cacosl", "cacosh", "cacoshf", "cacoshl", "carg", "cargf", "cargl",
    "casin", "casinf", "casinl", "casinh", "casinhf", "casinhl", "catan", "catanf", "catanl",
    "catanh", "catanhf", "catanhl", "ccos", "ccosf", "ccosl", "ccosh", "ccoshf", "ccoshl", "cexp",
    "cexpf", "cexpl", "cimag", "cimagf", "cimagl", "clog", "clogf", "clogl", "clog10", "clog10f",
    "clog10l", "conj", "conjf", "conjl", "cpow", "cpowf", "cpowl", "cproj", "cprojf", "cprojl",
    "creal", "crealf", "creall", "csin", "csinf", "csinl", "csinh", "csinhf", "csinhl", "csqrt",
    "csqrtf", "csqrtl", "ctan", "ctanf", "ctanl", "ctanh", "ctanhf", "ctanhl",
    // arithmetic that the processor lacks, in the compiler's library
    "__divti3", "__modti3", "__udivti3", "__umodti3", "__divmodti4", "__udivmodti4", "__absvdi2",
    "__absvsi2", "__absvti2", "__addvdi3", "__addvsi3", "__addvti3", "__mulvdi3", "__mulvsi3",
    "__mulvti3", "__negvdi2", "__negvsi2", "__negvti2", "__subvdi3", "__subvsi3", "__subvti3",
    "__powidf2", "__powisf2", "__powixf2", "__powitf2", "__muldc3", "__mulsc3", "__mulxc3",
    "__multc3", "__mulhc3", "__divdc3", "__divsc3", "__divxc3", "__divtc3", "__divhc3", "__fixhfti",
    "__fixsfti", "__fixdfti", "__fixxfti", "__fixtfti", "__fixunshfti", "__fixunssfti",
    "__fixunsdfti", "__fixunsxfti", "__fixunstfti", "__floattihf", "__floattisf", "__floattidf",
    "__floattixf", "__floattitf", "__floatuntihf", "__floatuntisf", "__floatuntidf",
    "__floatuntixf", "__floatuntitf", "__fixtfsi", "__fixtfdi", "__fixunstfsi", "__fixunstfdi",
    "__floatsitf", "__floatditf", "__floatunsitf", "__floatunditf", "__addtf3", "__subtf3",
    "__multf3", "__divtf3", "__negtf2", "__eqtf2", "__netf2", "__lttf2", "__letf2", "__gttf2",
    "__getf2", "__unordtf2", "__eqhf2", "__nehf2", "__extendhfsf2", "__extendhfdf2",
    "__extendhfxf2", "__extendhftf2", "__extendsftf2", "__extenddftf2", "__extendxftf2",
    "__truncsfhf2", "__truncdfhf2", "__truncxfhf2", "__trunctfhf2", "__trunctfsf2", "__trunctfdf2",
    "__trunctfxf2",
    // of their arguments and the locale, which is "C"
    "__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc", "isalnum", "isalpha", "isblank",
    "iscntrl", "isdigit", "isgraph", "islower", "isprint", "ispunct", "isspace", "isupper",
    "isxdigit",
    // exceptions
    "_Unwind_Resume", "__cxa_allocate_exception", "__cxa_bad_cast", "__cxa_bad_typeid",
    "__cxa_begin_catch", "__cxa_end_catch", "__cxa_free_exception", "__cxa_pure_virtual",
    "__cxa_rethrow", "__cxa_throw", "__cxa_throw_bad_array_new_length", "__dynamic_cast",
    "__gcc_personality_v0", "__gxx_personality_v0", "_ZSt9terminatev", "_ZSt18uncaught_exceptionv",
    "_ZSt19uncaught_exceptionsv", "__cxa_current_exception_type", "__cxa_get_exception_ptr",
    "__cxa_init_primary_exception", "_ZSt17current_exceptionv",
    "_ZSt17rethrow_exceptionNSt15__exception_ptr13exception_ptrE",
    // futures
    "_ZSt15future_categoryv", "_ZTINSt13__future_base12_Result_baseE",
    "_ZNSt3_V215system_categoryEv", "_ZNSt3_V216generic_categoryEv",
    "_ZNKSt10error_code23default_error_conditionEv",
    // streams: functions that call functions of the program, and names that optimized code uses
    "_ZNSolsEPFRSoS_E", "_ZNSolsEPFRSt8ios_baseS0_E",
    "_ZNSolsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E", "_ZNSirsEPFRSiS_E",
    "_ZNSirsEPFRSt8ios_baseS0_E", "_ZNSirsEPFRSt9basic_iosIcSt11char_traitsIcEES3_E", "_ZSt4cerr",
    "_ZSt4clog", "_ZSt4cout", "_ZNKSt5ctypeIcE13_M_widen_initEv",
    "_ZNKSt5ctypeIcE14_M_narrow_initEv", "_ZNSt8ios_base4InitC1Ev", "_ZNSt8ios_base4InitD1Ev",
    "_ZNSt6locale7classicEv", "_ZTISi", "_ZTISo", "_ZTTSi", "_ZTTSo", "_ZTVSi", "_ZTVSo",
    "_ZTVSt15basic_streambufIcSt11char_traitsIcEE", "_ZTVSt9basic_iosIcSt11char_traitsIcEE",
    "_ZTINSt8ios_base7failureB5cxx11E",
    // memory resources
    "_ZNSt3pmr19new_delete_resourceEv", "_ZNSt3pmr20get_default_resourceEv",
    "_ZNSt3pmr20null_memory_resourceEv", "_ZTINSt3pmr15memory_resourceE",
    "_ZTINSt3pmr25monotonic_buffer_resourceE", "_ZTVNSt3pmr15memory_resourceE",
    "_ZTVNSt3pmr25monotonic_buffer_resourceE",
    // threads
    "_ZNSt6thread15_M_start_threadESt10unique_ptrINS_6_StateESt14default_deleteIS1_EEPFvvE",
    "_ZNSt6thread4joinEv", "_ZNSt6thread6_StateD2Ev", "_ZNSt6thread6detachEv",
    "_ZTINSt6thread6_StateE", "_ZTVNSt6thread6_StateE",
    // C, with exceptions: calls a function of the program
    "__pthread_cleanup_routine"};

constexpr std::string_view beginnings[] = {
    "__tsan_", "__fencepost_",
    // of ThreadSanitizer (annotations.cpp)
    "Annotate", "WTFAnnotate", "RunningOnValgrind",
    // functions that initialize a thread_local variable of another file
    "_ZTH",
    // operator new and delete
    "_Zna", "_Znw", "_ZdlPv", "_ZdaPv",
    // virtual tables and names of types of the language
    "_ZTIN10__cxxabiv1", "_ZTVN10__cxxabiv1",
    // exceptions and errors of the standard library
    "_ZNSt15__exception_ptr13exception_ptr", "_ZNKSt15__exception_ptr13exception_ptr",
    "_ZNSt13__future_base12_Result_base", "_ZNSt3_V214error_category", "_ZNKSt3_V214error_category",
    "_ZTINSt3_V214error_category",
    // std::string
    "_ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE",
    "_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE", "_ZNSaIcE", "_ZNSaIwE",
    // std::placeholders::_1 and the others, which have no members
    "_ZNSt12placeholders2",
    // containers
    "_ZNKSt8__detail20_Prime_rehash_policy", "_ZNSt8__detail15_List_node_base",
    "_ZSt18_Rb_tree_decrement", "_ZSt18_Rb_tree_increment", "_ZSt28_Rb_tree_rebalance_for_erase",
    "_ZSt29_Rb_tree_insert_and_rebalance", "_ZSt11_Hash_bytes",
    // string streams; not the typeinfo of their buffer, which classes derived from it use
    "_ZTINSt7__cxx1118basic_stringstreamIcSt11", "_ZTINSt7__cxx1119basic_istringstreamIcSt11",
    "_ZTINSt7__cxx1119basic_ostringstreamIcSt11", "_ZTTNSt7__cxx1118basic_stringstreamIcSt11",
    "_ZTTNSt7__cxx1119basic_istringstreamIcSt11", "_ZTTNSt7__cxx1119basic_ostringstreamIcSt11",
    "_ZTVNSt7__cxx1115basic_stringbufIcSt11", "_ZTVNSt7__cxx1118basic_stringstreamIcSt11",
    "_ZTVNSt7__cxx1119basic_istringstreamIcSt11", "_ZTVNSt7__cxx1119basic_ostringstreamIcSt11",
    // condition variables
    "_ZNSt18condition_variableC", "_ZNSt18condition_variableD",
    "_ZNSt18condition_variable10notify_", "_ZNSt18condition_variable4waitE"};

// True for a member, the virtual table or the typeinfo of a standard exception: they share nothing.
bool is_of_exception(std::string_view name) {
  constexpr std::string_view kinds[] = {"_ZN", "_ZNK", "_ZTI", "_ZTV"};
  constexpr std::string_view classes[] = {"St9exception",         "St13bad_exception",
                                          "St16nested_exception", "St11logic_error",
                                          "St12domain_error",     "St16invalid_argument",
                                          "St12length_error",     "St12out_of_range",
                                          "St13runtime_error",    "St11range_error",
                                          "St14overflow_error",   "St15underflow_error",
                                          "St12system_error",     "St12future_error",
                                          "St9bad_alloc",         "St20bad_array_new_length",
                                          "St8bad_cast",          "St10bad_typeid",
                                          "St12bad_weak_ptr",     "St17bad_function_call"};
  return std::any_of(std::begin(kinds), std::end(kinds), [&](std::string_view kind) {
    return name.starts_with(kind) &&
           std::any_of(std::begin(classes), std::end(classes),
                       [&](std::string_view c) { return name.substr(kind.size()).starts_with(c); });
  });
}

// True for std::__throw_bad_alloc() and the like: the digits are the length of the name.
bool throws(std::string_view name) {
  if (!name.starts_with("_ZSt")) return false;
  name.remove_prefix(4);
  const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
  name.remove_prefix(digits);
  return digits != 0 && name.starts_with("__throw_");
}

// True for names such as "typeinfo for int", where a letter stands for the type.
bool is_type_of_the_language(std::string_view name) {
  return name.starts_with("_ZTI") && (name.size() == 5 || (name.size() == 6 && name[4] == 'P') ||
                                      (name.size() == 7 && name.substr(4, 2) == "PK"));
}

// True for std::ios::ate and the like: constants that are not defined in headers.
bool is_constant_of_streams(std::string_view name) {
  constexpr std::string_view owner = "_ZNSt8ios_base";
  return name.starts_with(owner) && name.ends_with('E') &&
         name.find_first_not_of("0123456789abcdefghijklmnopqrstuvwxyz", owner.size()) ==
             name.size() - 1;
}

}  // namespace

bool may_import(std::string_view name) {
  if (std::find(library_calls_begin, library_calls_end, name) != library_calls_end) return true;
  if (std::find(std::begin(names), std::end(names), name) != std::end(names)) return true;
  if (std::any_of(std::begin(beginnings), std::end(beginnings),
                  [&](std::string_view b) { return name.starts_with(b); }))
    return true;
  return throws(name) || is_of_exception(name) || is_constant_of_streams(name) ||
         is_type_of_the_language(name);
}

bool may_link(std::string_view library) {
  constexpr std::string_view known[] = {"libfencepost_program.so",
                                        "libatomic.so",
                                        "libstdc++.so",
                                        "libgcc_s.so",
                                        "libm.so",
                                        "libc.so",
                                        "libpthread.so",
                                        "ld-linux"};
  return std::any_of(std::begin(known), std::end(known),
                     [&](std::string_view k) { return library.starts_with(k); });
}

}  // namespace fencepost::programs
