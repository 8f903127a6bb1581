// EXPECT_ and ASSERT_, which are the same: a failure ends the execution as a violation.
#ifndef FENCEPOST_GTEST_ASSERTIONS_H
#define FENCEPOST_GTEST_ASSERTIONS_H

#pragma GCC system_header

#include <gtest/fencepost_parameters.h>
#include <gtest/fencepost_printers.h>

#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

extern "C" {
[[noreturn]] void __fencepost_fail_test(const char* text, const char* file, unsigned line,
                                        const char* function) noexcept;
void __fencepost_skip_test(const char* text) noexcept;
// From now on, what this thread does is not part of the execution.
void __fencepost_describe_failure() noexcept;
// The scopes of SCOPED_TRACE() in this thread, with the text of __fencepost_message().
void __fencepost_begin_trace(const char* file, unsigned line) noexcept;
void __fencepost_end_trace() noexcept;
}

namespace testing {

class AssertionResult {
 public:
  FENCEPOST_UNSEEN_ AssertionResult(const AssertionResult& other)
      : success_(other.success_),
        text_(other.text_ == nullptr ? nullptr : new std::string(*other.text_)) {}
  AssertionResult& operator=(AssertionResult other) {
    success_ = other.success_;
    std::swap(text_, other.text_);
    return *this;
  }
  // From a value that converts to bool in a condition.
  template <class T, std::enable_if_t<!std::is_convertible_v<const T&, AssertionResult>, int> = 0>
  explicit AssertionResult(const T& success) : success_(success ? true : false) {}

  FENCEPOST_UNSEEN_ ~AssertionResult() {
    if (text_ != nullptr) delete text_;
  }

  FENCEPOST_UNSEEN_ operator bool() const { return success_; }
  FENCEPOST_UNSEEN_ AssertionResult operator!() const {
    AssertionResult other(*this);
    other.success_ = !success_;
    return other;
  }
  template <class T>
  AssertionResult& operator<<(const T& value) {
    if (text_ == nullptr) text_ = new std::string;
    *text_ += (Message() << value).GetString();
    return *this;
  }
  std::string message() const { return text_ == nullptr ? std::string() : *text_; }
  const char* failure_message() const { return text_ == nullptr ? "" : text_->c_str(); }

 private:
  bool success_;
  std::string* text_ = nullptr;
};

inline AssertionResult AssertionSuccess() { return AssertionResult(true); }
inline AssertionResult AssertionFailure() { return AssertionResult(false); }
inline AssertionResult AssertionFailure(const Message& m) { return AssertionFailure() << m; }

// For functions that a test calls.
class ScopedTrace {
 public:
  template <class T>
  ScopedTrace(const char* file, int line, const T& text) {
    fencepost::stream(text, *__fencepost_message());
    __fencepost_begin_trace(file, static_cast<unsigned>(line));
  }
  ScopedTrace(const ScopedTrace&) = delete;
  ScopedTrace& operator=(const ScopedTrace&) = delete;
  ~ScopedTrace() { __fencepost_end_trace(); }
};

namespace fencepost {

// An assertion that fails, and what is streamed to it.
class failure {
 public:
  failure(const char* file, unsigned line, const char* function, const char* assertion,
          const AssertionResult& why)
      : file_(file), line_(line), function_(function) {
    __fencepost_describe_failure();
    text_ = assertion;
    if (const std::string text = why.message(); !text.empty()) text_ += ": " + text;
  }
  [[noreturn]] void operator=(const Message& m) const {
    std::string text = text_;
    if (const std::string more = m.GetString(); !more.empty()) text += ": " + more;
    __fencepost_fail_test(text.c_str(), file_, line_, function_);
  }

 private:
  const char* file_;
  unsigned line_;
  const char* function_;
  std::string text_;
};

// Evaluated before what is streamed to it.
inline Message failure_message() {
  __fencepost_describe_failure();
  return Message();
}

struct skipped {
  FENCEPOST_UNSEEN_ void operator=(const Message& m) const { __fencepost_skip_test(m.GetString().c_str()); }
};

// For SUCCEED(): what is streamed is evaluated, and ignored.
struct ignored {
  template <class T>
  const ignored& operator<<(const T&) const {
    return *this;
  }
};

template <class T>
std::string shown(const char* expression, const T& value) {
  const std::string text = PrintToString(value);
  return text == expression ? std::string() : std::string(expression) + " is " + text;
}

template <class A, class B>
AssertionResult compared(bool holds, const char* a_text, const char* b_text, const A& a,
                         const B& b) {
  if (holds) return AssertionSuccess();
  __fencepost_describe_failure();
  const std::string first = shown(a_text, a), second = shown(b_text, b);
  return AssertionFailure() << first + (first.empty() || second.empty() ? "" : " and ") + second;
}

#define FENCEPOST_COMPARE_(name, op)                                                        \
  template <class A, class B>                                                               \
  AssertionResult name(const char* a_text, const char* b_text, const A& a, const B& b) {    \
    return compared(static_cast<bool>(a op b), a_text, b_text, a, b);                       \
  }
FENCEPOST_COMPARE_(eq, ==)
FENCEPOST_COMPARE_(ne, !=)
FENCEPOST_COMPARE_(lt, <)
FENCEPOST_COMPARE_(le, <=)
FENCEPOST_COMPARE_(gt, >)
FENCEPOST_COMPARE_(ge, >=)
#undef FENCEPOST_COMPARE_

inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline bool same_text(const char* a, const char* b, bool with_case) {
  if (a == nullptr || b == nullptr) return a == b;
  if (with_case) return std::strcmp(a, b) == 0;
  while (*a != '\0' && lower(*a) == lower(*b)) ++a, ++b;
  return lower(*a) == lower(*b);
}

inline AssertionResult text_eq(const char* a_text, const char* b_text, const char* a,
                               const char* b, bool with_case, bool equal) {
  return compared(same_text(a, b, with_case) == equal, a_text, b_text, a, b);
}

// At most four representable numbers apart.
template <class Float, class Bits>
AssertionResult float_eq(const char* a_text, const char* b_text, Float a, Float b) {
  const auto place = [](Float f) {
    Bits bits;
    std::memcpy(&bits, &f, sizeof bits);
    const Bits sign = Bits{1} << (sizeof bits * 8 - 1);
    return (bits & sign) != 0 ? ~bits + 1 : sign | bits;
  };
  const Bits p = place(a), q = place(b);
  return compared(a == a && b == b && (p > q ? p - q : q - p) <= 4, a_text, b_text, a, b);
}

inline AssertionResult near(const char* a_text, const char* b_text, double a, double b,
                            double most) {
  const double apart = a > b ? a - b : b - a;
  return compared(apart <= most, a_text, b_text, a, b);
}

template <class F, class... T>
AssertionResult predicate(const char* name, F&& holds, const T&... values) {
  if (holds(values...)) return AssertionSuccess();
  __fencepost_describe_failure();
  const char* between = "";
  AssertionResult r = AssertionFailure();
  r << name << '(';
  ((r << between << PrintToString(values), between = ", "), ...);
  return r << ") is false";
}

template <class F>
AssertionResult throws_nothing(F&& statement) {
  try {
    statement();
  } catch (const std::exception& e) {
    return AssertionFailure() << "it throws: " << e.what();
  } catch (...) {
    return AssertionFailure() << "it throws";
  }
  return AssertionSuccess();
}

template <class F>
AssertionResult throws_anything(F&& statement) {
  try {
    statement();
  } catch (...) {
    return AssertionSuccess();
  }
  return AssertionFailure() << "it throws nothing";
}

template <class E, class F>
AssertionResult throws(F&& statement) {
  try {
    statement();
  } catch (E) {
    return AssertionSuccess();
  } catch (...) {
    return AssertionFailure() << "it throws something else";
  }
  return AssertionFailure() << "it throws nothing";
}

}  // namespace fencepost
}  // namespace testing

#include <gtest/fencepost_assertion_macros.h>

#endif
