// Prints values, for the messages of assertions that fail.
#ifndef FENCEPOST_GTEST_PRINTERS_H
#define FENCEPOST_GTEST_PRINTERS_H

#pragma GCC system_header

#include <cstddef>
#include <iterator>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

extern "C" {
// The checker's stream for this thread, which is emptied; and the text that was streamed to it.
std::ostream* __fencepost_message() noexcept;
const char* __fencepost_message_text(std::size_t* size) noexcept;
}

namespace testing {
namespace fencepost {

template <class T, class = void>
struct has_print_to : std::false_type {};
template <class T>
struct has_print_to<T, std::void_t<decltype(PrintTo(std::declval<const T&>(),
                                                    static_cast<std::ostream*>(nullptr)))>>
    : std::true_type {};

template <class T, class = void>
struct is_streamed : std::false_type {};
template <class T>
struct is_streamed<
    T, std::void_t<decltype(std::declval<std::ostream&>() << std::declval<const T&>())>>
    : std::true_type {};

template <class T, class = void>
struct is_range : std::false_type {};
template <class T>
struct is_range<T, std::void_t<decltype(std::begin(std::declval<const T&>())),
                               decltype(std::end(std::declval<const T&>()))>> : std::true_type {};

template <class T>
struct is_optional : std::false_type {};
template <class T>
struct is_optional<std::optional<T>> : std::true_type {};

template <class T>
struct is_tuple : std::false_type {};
template <class... T>
struct is_tuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct is_tuple<std::pair<A, B>> : std::true_type {};

template <class T>
void print(const T& v, std::ostream& to);

inline void print_text(std::string_view text, std::ostream& to) {
  to << '"';
  for (const char c : text) to << c;
  to << '"';
}

template <class T>
void print_all(const T& all, std::ostream& to) {
  to << '{';
  const char* between = " ";
  for (const auto& one : all) {
    to << between;
    print(one, to);
    between = ", ";
  }
  to << " }";
}

template <class T, std::size_t... I>
void print_members(const T& all, std::ostream& to, std::index_sequence<I...>) {
  to << '(';
  ((to << (I == 0 ? "" : ", "), print(std::get<I>(all), to)), ...);
  to << ')';
}

template <class T>
void print(const T& v, std::ostream& to) {
  using plain = std::decay_t<T>;
  if constexpr (has_print_to<T>::value) {
    PrintTo(v, &to);
  } else if constexpr (std::is_same_v<T, bool>) {
    to << (v ? "true" : "false");
  } else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                       std::is_same_v<T, unsigned char>) {
    if (v >= ' ' && v < 127) to << '\'' << static_cast<char>(v) << "' ";
    to << '(' << static_cast<int>(v) << ')';
  } else if constexpr (std::is_same_v<T, std::nullptr_t>) {
    to << "nullptr";
  } else if constexpr (std::is_same_v<plain, char*> || std::is_same_v<plain, const char*>) {
    const char* const text = v;
    if (text == nullptr)
      to << "nullptr";
    else
      print_text(text, to);
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    print_text(v, to);
  } else if constexpr (is_range<T>::value) {
    print_all(v, to);
  } else if constexpr (std::is_pointer_v<T>) {
    if (v == nullptr)
      to << "nullptr";
    else
      to << reinterpret_cast<const void*>(v);
  } else if constexpr (is_optional<T>::value) {
    if (v)
      print(*v, to);
    else
      to << "nullopt";
  } else if constexpr (is_tuple<T>::value) {
    print_members(v, to, std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (is_streamed<T>::value) {
    to << v;
  } else if constexpr (std::is_enum_v<T>) {
    to << static_cast<long long>(v);
  } else {
    to << "an object of " << sizeof v << " bytes";
  }
}

template <class T>
void stream(const T& value, std::ostream& to) {
  if constexpr (std::is_same_v<T, bool> ||
                (std::is_pointer_v<T> && !std::is_convertible_v<T, const char*>))
    print(value, to);
  else
    to << value;
}

// Returns what was written to __fencepost_message().
inline std::string message_text() {
  std::size_t size = 0;
  const char* const text = __fencepost_message_text(&size);
  return std::string(text, size);
}

}  // namespace fencepost

template <class T>
std::string PrintToString(const T& value) {
  fencepost::print(value, *__fencepost_message());
  return fencepost::message_text();
}

// A text that is streamed.
class Message {
 public:
  Message() = default;
  template <class T>
  Message& operator<<(const T& value) {
    fencepost::stream(value, *__fencepost_message());
    text_ += fencepost::message_text();
    return *this;
  }
  Message& operator<<(std::ostream& (*manipulator)(std::ostream&)) {
    manipulator(*__fencepost_message());
    text_ += fencepost::message_text();
    return *this;
  }
  std::string GetString() const { return text_; }

 private:
  std::string text_;
};
inline std::ostream& operator<<(std::ostream& to, const Message& m) { return to << m.GetString(); }

}  // namespace testing

#endif
