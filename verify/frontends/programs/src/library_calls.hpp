// Calls of functions of the C++ library, whose accesses to the program's objects nobody sees. For
// each function it is told what it does with the objects that its arguments point to: as a whole,
// before it begins and after it has ended. What is seen of its accesses in between, by functions
// that it calls, is not told.
//
// It is what the standard lets them access: a member that is not const may write to all of its
// object, so that any other call of another thread is a race with it.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "c_library.hpp"
#include "session.hpp"

namespace fencepost::programs {

using argument = unsigned long;

// What is told of an object at one time: that it is read, or written.
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
  // What is looked at here must be the program's: where there is nothing, the function crashes.
  [[nodiscard]] bool owns(const void* p) const noexcept { return session_.owns(p); }
  // The execution ends there: it is more than is modelled.
  [[noreturn]] void refuse(const char* why) const { session_.reach_limit(why, where_); }

 private:
  kind kind_;
  session& session_;
  const source_location& where_;
};

// The parts of an object of which a function may access any: specialized for objects that have
// parts elsewhere.
template <class T>
struct parts {
  static void tell(const T* object, const accesses& access) { access(object, sizeof *object); }
};

// What a function does with the object that its argument points to.
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
// Memory where it makes an object, or puts a value.
template <class T>
struct makes : nothing {
  static void after(const accesses& writing, const argument* object) {
    writing(reinterpret_cast<const void*>(*object), sizeof(T));
  }
};
// An object that it destroys: afterwards its memory may be gone.
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
// How many is the next argument.
struct reads_bytes : nothing {
  static void before(const accesses& reading, const accesses&, const argument* bytes) {
    reading(reinterpret_cast<const void*>(bytes[0]), bytes[1]);
  }
};

// It may call functions of the program, of which everything is told.
struct calls_the_program : nothing {};

// A call of a function that does this with its arguments, the first ones.
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
  // Also where it throws an exception.
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

// What a function has made for its caller.
template <class T>
[[gnu::noinline]] void tell_of_result(const call_site& c, const in_memory<T>& made) {
  const entered s;
  if (!s || s->is_in_library_call()) return;
  const source_location where = s->place(c);
  accesses(accesses::write, *s, where)(made.bytes, sizeof made.bytes);
}

// Two words, as what is returned in registers has at most.
struct returned {
  argument first, second;
};

// The names of the functions that are defined so: a program may use them. The linker knows where
// they begin and end.
extern const char* const library_calls_begin[] __asm__("__start_fencepost_library_calls");
extern const char* const library_calls_end[] __asm__("__stop_fencepost_library_calls");

}  // namespace fencepost::programs

// Defines the function of the library with this symbol: one that has at most six arguments that are
// whole numbers or pointers, one that is not, `real`, and returns what registers hold.
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
// The same of one with at most five arguments that returns a `type` in memory.
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
