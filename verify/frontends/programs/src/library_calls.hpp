// Calls of functions of the C++ library whose accesses to the program's objects are not
// instrumented. For each function it is declared what it does with the objects that its arguments
// point to. These accesses are reported for the whole objects, before the function begins and after
// it has ended. Those that are observed in between, in functions that it calls, are not reported.
//
// What is declared is what the standard allows: a member that is not const may write to the whole
// object, so any concurrent call of another thread races with it.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {

using argument = unsigned long;

// Reports reads of objects, or writes to them.
class accesses {
 public:
  enum kind { read, write };
  accesses(kind k, session& s, const source_location& where) noexcept
      : kind_(k), session_(s), where_(where) {}

  void operator()(const void* p, std::size_t size) const {
    if (size == 0 || !session_.owns(p) || session_.program().is_constant(p)) return;
    if (kind_ == read)
      session_.read(p, size, where_);
    else
      session_.write(p, size, where_);
  }
  // The runtime may read an object only if this is true. If there is no memory at the address, the
  // library's function crashes.
  [[nodiscard]] bool owns(const void* p) const noexcept { return session_.owns(p); }
  // Ends the execution, because the call is not modelled.
  [[noreturn]] void refuse(const char* why) const { session_.reach_limit(why, where_); }

 private:
  kind kind_;
  session& session_;
  const source_location& where_;
};

// The parts of an object that a function may access. Specialized for objects with parts elsewhere.
template <class T>
struct parts {
  static void tell(const T* object, const accesses& access) { access(object, sizeof *object); }
};

// What a function does with the object that an argument points to.
struct nothing {
  static void before(const accesses&, const accesses&, const argument*) {}
  static void after(const accesses&, const argument*) {}
};
template <class T>
struct reads : nothing {
  static void before(const accesses& reading, const accesses&, const argument* object) {
    parts<T>::tell(reinterpret_cast<const T*>(*object), reading);
  }
};
template <class T>
struct changes : reads<T> {
  static void after(const accesses& writing, const argument* object) {
    parts<T>::tell(reinterpret_cast<const T*>(*object), writing);
  }
};
// It constructs an object there, or stores a value.
template <class T>
struct makes : nothing {
  static void after(const accesses& writing, const argument* object) {
    writing(reinterpret_cast<const void*>(*object), sizeof(T));
  }
};
// It destroys the object, whose memory may not exist afterwards.
template <class T>
struct destroys : nothing {
  static void before(const accesses& reading, const accesses& writing, const argument* object) {
    parts<T>::tell(reinterpret_cast<const T*>(*object), reading);
    parts<T>::tell(reinterpret_cast<const T*>(*object), writing);
  }
};
struct reads_text : nothing {
  static void before(const accesses& reading, const accesses&, const argument* text) {
    const auto* const t = reinterpret_cast<const char*>(*text);
    if (reading.owns(t)) reading(t, std::strlen(t) + 1);
  }
};
// It reads as many bytes as the next argument says.
struct reads_bytes : nothing {
  static void before(const accesses& reading, const accesses&, const argument* bytes) {
    reading(reinterpret_cast<const void*>(bytes[0]), bytes[1]);
  }
};

// The function may call functions of the program, whose accesses are all reported.
struct calls_the_program : nothing {};

// A call of a function that does What with its first arguments.
template <class... What>
class library_call {
 public:
  [[gnu::noinline]] library_call(const call_site& c, const argument* arguments)
      : arguments_(arguments) {
    const entered s;
    if (!s || s->is_in_library_call()) return;
    where_ = s->place(c);
    const accesses reading(accesses::read, *s, where_), writing(accesses::write, *s, where_);
    each([&]<class W>(const argument* at) { W::before(reading, writing, at); });
    if (!(std::is_same_v<What, calls_the_program> || ...)) s->begin_library_call();
    is_told_ = true;
  }
  // Runs even if the function throws an exception.
  [[gnu::noinline]] ~library_call() {
    if (!is_told_) return;
    const entered s;
    s->end_library_call();
    const accesses writing(accesses::write, *s, where_);
    each([&]<class W>(const argument* at) { W::after(writing, at); });
  }
  library_call(const library_call&) = delete;
  library_call& operator=(const library_call&) = delete;

 private:
  void each(auto f) const {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (f.template operator()<What>(arguments_ + I), ...);
    }
    (std::index_sequence_for<What...>());
  }

  const argument* arguments_;
  source_location where_;
  bool is_told_ = false;
};

// Reports a write to the object that a function has returned.
template <class T>
[[gnu::noinline]] void tell_of_result(const call_site& c, const in_memory<T>& made) {
  const entered s;
  if (!s || s->is_in_library_call()) return;
  const source_location where = s->place(c);
  accesses(accesses::write, *s, where)(made.bytes, sizeof made.bytes);
}

// Two words: the most that is returned in registers.
struct returned {
  argument first, second;
};

// The names of the functions that are defined by these macros, which a program may use. The linker
// defines where they begin and end.
extern const char* const library_calls_begin[] __asm__("__start_fencepost_library_calls");
extern const char* const library_calls_end[] __asm__("__stop_fencepost_library_calls");

}  // namespace fencepost::programs

// Defines the library's function with this symbol. It must have at most six arguments that are
// integers or pointers and one, `real`, that is neither, and must return its result in registers.
// NOLINTBEGIN(cppcoreguidelines-macro-usage): define functions by their names
#define FENCEPOST_LIBRARY_NAME(symbol)                                                            \
  [[gnu::section("fencepost_library_calls"), gnu::used]] static const char* const name_##symbol = \
      #symbol;
#define FENCEPOST_LIBRARY_CALL_WITH(real, symbol, ...)                                   \
  FENCEPOST_LIBRARY_NAME(symbol)                                                         \
  extern "C" fencepost::programs::returned symbol(                                       \
      fencepost::programs::argument a, fencepost::programs::argument b,                  \
      fencepost::programs::argument c, fencepost::programs::argument d,                  \
      fencepost::programs::argument e, fencepost::programs::argument f, real x) {        \
    const fencepost::programs::argument all[] = {a, b, c, d, e, f};                      \
    const fencepost::programs::library_call<__VA_ARGS__> call(FENCEPOST_CALL_SITE, all); \
    return FENCEPOST_BEHIND(symbol)(a, b, c, d, e, f, x);                                \
  }
#define FENCEPOST_LIBRARY_CALL(symbol, ...) FENCEPOST_LIBRARY_CALL_WITH(double, symbol, __VA_ARGS__)
// The same for a function with at most five arguments that returns a `type` in memory.
#define FENCEPOST_LIBRARY_RESULT(type, symbol, ...)                                                \
  FENCEPOST_LIBRARY_NAME(symbol)                                                                   \
  fencepost::programs::in_memory<type> makes_##symbol(                                             \
      fencepost::programs::argument, fencepost::programs::argument, fencepost::programs::argument, \
      fencepost::programs::argument, fencepost::programs::argument) __asm__(#symbol);              \
  fencepost::programs::in_memory<type> makes_##symbol(                                             \
      fencepost::programs::argument a, fencepost::programs::argument b,                            \
      fencepost::programs::argument c, fencepost::programs::argument d,                            \
      fencepost::programs::argument e) {                                                           \
    const fencepost::programs::call_site site = FENCEPOST_CALL_SITE;                               \
    const fencepost::programs::argument all[] = {a, b, c, d, e};                                   \
    fencepost::programs::in_memory<type> result = [&] {                                            \
      const fencepost::programs::library_call<__VA_ARGS__> call(site, all);                        \
      return FENCEPOST_BEHIND_AS(makes_##symbol, #symbol)(a, b, c, d, e);                          \
    }();                                                                                           \
    fencepost::programs::tell_of_result(site, result);                                             \
    return result;                                                                                 \
  }
// NOLINTEND(cppcoreguidelines-macro-usage)
