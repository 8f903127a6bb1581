#include "instead.hpp"

#include <algorithm>
#include <iterator>

namespace fencepost::programs {

namespace {

struct hint {
  std::string_view name;  // or a prefix of names
  std::string_view instead;
};

constexpr std::string_view no_kernel =
    "a condition variable or a semaphore: what waits in the kernel is not modelled";
constexpr std::string_view no_files = "arguments of the program: files are not modelled";
constexpr std::string_view no_paths = "std::string for names of files: files are not modelled";
constexpr std::string_view no_processes = "threads: other processes are not modelled";
constexpr std::string_view no_signals = "a thread that does what the handler does";
constexpr std::string_view no_chance = "fixed numbers: executions may differ by the schedule alone";
constexpr std::string_view no_environment =
    "a variable of the program: the environment stays as it is";
constexpr std::string_view no_rounding =
    "the rounding that programs begin with: floating-point environments are not modelled";
constexpr std::string_view no_streams =
    "std::string with std::to_string() and std::stoi(): of streams, most of string streams is "
    "modelled, and output by std::cout, std::cerr and std::clog";
constexpr std::string_view no_buffers =
    "std::ostringstream, or std::cout itself: stream buffers of the program's own, such as that of "
    "std::osyncstream, are not modelled";
constexpr std::string_view no_handlers = "no handler: none is ever called here";
constexpr std::string_view no_dates =
    "numbers of seconds: calendars and time zones are not modelled";
constexpr std::string_view no_expressions =
    "members of std::string and std::string_view: std::regex is not modelled";
constexpr std::string_view no_locales = "the locale of C: no other is modelled";
constexpr std::string_view no_facets =
    "std::to_string() and the like: facets of locales are not modelled";
constexpr std::string_view no_resources =
    "std::pmr::monotonic_buffer_resource, unsynchronized_pool_resource or new_delete_resource()";
constexpr std::string_view no_pages =
    "malloc() or aligned_alloc(): pages of the system are not modelled";
constexpr std::string_view no_loading = "the sources of the library, among those of the program";
constexpr std::string_view no_buffered_cleanup =
    "fencepost cc -fexceptions, with which pthread_cleanup_push() needs no such function";
constexpr hint whole_names[] = {
    {"mmap", no_pages},
    {"mmap64", no_pages},
    {"munmap", no_pages},
    {"mprotect", no_pages},
    {"madvise", no_pages},
    {"dlopen", no_loading},
    {"dlsym", no_loading},
    {"dlclose", no_loading},
    {"__pthread_register_cancel", no_buffered_cleanup},
    {"__pthread_unregister_cancel", no_buffered_cleanup},
    {"__pthread_unwind_next", no_buffered_cleanup},
    {"__sigsetjmp_cancel", no_buffered_cleanup},
    {"pthread_timedjoin_np", "pthread_join()"},
    {"pthread_tryjoin_np", "pthread_join(), or a flag that the thread sets last"},
    {"sem_open", "sem_init()"},
    {"setjmp", "return, or an exception"},
    {"_setjmp", "return, or an exception"},
    {"__sigsetjmp", "return, or an exception"},
    {"longjmp", "return, or an exception"},
    {"_exit", "return, in main()"},
    {"_Exit", "return, in main()"},
    {"quick_exit", "return, in main()"},
    {"at_quick_exit", "the destructor of a static object"},
    {"setenv", no_environment},
    {"unsetenv", no_environment},
    {"putenv", no_environment},
    {"clearenv", no_environment},
    {"qsort_r", "qsort()"},
    {"fesetround", no_rounding},
    {"fesetenv", no_rounding},
    {"fetestexcept", no_rounding},
    {"feclearexcept", no_rounding},
    {"feraiseexcept", no_rounding},
    {"feholdexcept", no_rounding},
    {"feenableexcept", no_rounding},
    {"prctl", "pthread_setname_np(), for the name of a thread"},
    {"sigemptyset", no_signals},
    {"sigaddset", no_signals},
    {"gmtime", no_dates},
    {"gmtime_r", no_dates},
    {"localtime", no_dates},
    {"localtime_r", no_dates},
    {"mktime", no_dates},
    {"strftime", no_dates},
    {"_ZSt15set_new_handlerPFvvE", no_handlers},
    {"_ZSt15get_new_handlerv", no_handlers},
    {"_ZSt13set_terminatePFvvE", no_handlers},
    {"_ZSt13get_terminatev", no_handlers},
    {"fork", no_processes},
    {"vfork", no_processes},
    {"wait", no_processes},
    {"waitpid", no_processes},
    {"system", no_processes},
    {"popen", no_processes},
    {"select", no_kernel},
    {"pselect", no_kernel},
    {"poll", no_kernel},
    {"ppoll", no_kernel},
    {"pause", no_kernel},
    {"sigwait", no_kernel},
    {"eventfd", no_kernel},
    {"pipe", no_kernel},
    {"signal", no_signals},
    {"__sysv_signal", no_signals},
    {"sigaction", no_signals},
    {"raise", no_signals},
    {"kill", no_signals},
    {"pthread_kill", no_signals},
    {"alarm", no_signals},
    {"getrandom", no_chance},
    {"open", no_files},
    {"open64", no_files},
    {"fopen", no_files},
    {"fopen64", no_files},
    {"fgets", no_files},
    {"scanf", no_files},
    {"fscanf", no_files},
    {"getline", no_files},
    {"_ZSt3cin", no_files},
};

constexpr hint prefixes[] = {
    {"pthread_cancel", "an atomic flag that the thread looks at"},
    {"epoll_", no_kernel},
    {"exec", no_processes},
    {"posix_spawn", no_processes},
    {"_ZNSt13random_device", no_chance},
    {"_ZNSt7__cxx1115basic_stringbuf", no_streams},
    {"_ZNSt7__cxx1118basic_stringstream", no_streams},
    {"_ZNSt7__cxx1119basic_", no_streams},
    {"_ZNKSt7__cxx1115basic_stringbuf", no_streams},
    {"_ZNKSt7__cxx1118basic_stringstream", no_streams},
    {"_ZNKSt7__cxx1119basic_", no_streams},
    {"_ZNSt15basic_streambuf", no_buffers},
    {"_ZNKSt15basic_streambuf", no_buffers},
    {"_ZNSt13basic_ostream", no_streams},
    {"_ZNSt13basic_istream", no_streams},
    {"_ZNSo", no_streams},
    {"_ZNSi", no_streams},
    {"_ZNSd", no_streams},
    {"_ZNKSt9basic_ios", no_streams},
    {"_ZNSt9basic_ios", no_streams},
    {"_ZNSt8ios_base", no_streams},
    {"_ZTISt15basic_streambuf", no_buffers},
    {"_ZTINSt7__cxx1115basic_stringbuf", no_streams},
    {"_ZTVSt13basic_", no_streams},
    {"_ZNSt6locale", no_locales},
    {"_ZNKSt6locale", no_locales},
    {"_ZNSt3pmr", no_resources},
    {"_ZNKSt3pmr", no_resources},
    {"_ZTVNSt3pmr", no_resources},
    {"_ZTINSt3pmr", no_resources},
    {"_ZNSt14basic_ifstream", no_files},
    {"_ZNSt14basic_ofstream", no_files},
    {"_ZNSt13basic_filebuf", no_files},
    {"_ZNSt13basic_fstream", no_files},
    {"_ZNSt10filesystem", no_paths},
    {"_ZNKSt10filesystem", no_paths},
    {"_ZTINSt10filesystem", no_paths},
    {"_ZNSt11regex_error", no_expressions},
    {"_ZTISt11regex_error", no_expressions},
    {"_ZTVSt11regex_error", no_expressions},
    {"_ZNKSt7__cxx117collate", no_expressions},
    {"_ZSt9use_facetINSt7__cxx117collate", no_expressions},
    {"_ZSt9use_facet", no_facets},
};

}  // namespace

std::string_view instead_of(std::string_view name) noexcept {
  const auto whole = std::find_if(std::begin(whole_names), std::end(whole_names),
                                  [&](const hint& h) { return h.name == name; });
  if (whole != std::end(whole_names)) return whole->instead;
  const auto begins = std::find_if(std::begin(prefixes), std::end(prefixes),
                                   [&](const hint& h) { return name.starts_with(h.name); });
  return begins == std::end(prefixes) ? std::string_view() : begins->instead;
}

}  // namespace fencepost::programs
