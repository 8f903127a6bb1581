// Tests: what they derive from, and how those that the filter matches are run.
#ifndef FENCEPOST_GTEST_RUNS_H
#define FENCEPOST_GTEST_RUNS_H

#pragma GCC system_header

#include <gtest/fencepost_parameters.h>

#include <cstddef>
#include <string>

extern "C" {
// Removes the flags of GoogleTest from the arguments.
void __fencepost_take_test_flags(int* argc, char** argv) noexcept;
// True if the test is to be run. Null names and negative numbers stand for none.
bool __fencepost_wants_test(const char* prefix, const char* suite, int type, const char* name,
                            int parameter, const char* parameter_name) noexcept;
bool __fencepost_test_is_skipped() noexcept;
// Requires that the suite, which is set up now, has not been set up before.
void __fencepost_begin_suite(const void* tag, const char* name) noexcept;
// Requires that at least one test was run.
void __fencepost_end_tests() noexcept;
}

namespace testing {

namespace fencepost {
struct access;
}

class Test {
 public:
  virtual ~Test() = default;
  static void SetUpTestSuite() {}
  static void TearDownTestSuite() {}
  static void SetUpTestCase() {}
  static void TearDownTestCase() {}
  // A failure ends the execution, so a caller has not failed.
  static bool HasFatalFailure() { return false; }
  static bool HasNonfatalFailure() { return false; }
  static bool HasFailure() { return false; }
  static bool IsSkipped() { return __fencepost_test_is_skipped(); }
  template <class T>
  static void RecordProperty(const std::string&, const T&) {}

 protected:
  Test() = default;
  virtual void SetUp() {}
  virtual void TearDown() {}

 private:
  friend struct fencepost::access;
  virtual void TestBody() = 0;
};

template <class T>
class TestWithParam : public Test, public WithParamInterface<T> {};

template <class... T>
struct Types;

namespace fencepost {

using run_function = void();

extern "C" {
extern run_function* const __start_fencepost_tests[] __attribute__((weak, visibility("hidden")));
extern run_function* const __stop_fencepost_tests[] __attribute__((weak, visibility("hidden")));
extern const instance* const __start_fencepost_instances[] __attribute__((weak, visibility("hidden")));
extern const instance* const __stop_fencepost_instances[] __attribute__((weak, visibility("hidden")));
}

struct access {
  FENCEPOST_UNSEEN_ static void run(Test* t) {
    t->SetUp();
    if (!__fencepost_test_is_skipped()) t->TestBody();
    t->TearDown();
    delete t;
  }
};

// The suite of the previous test, with its tear-down if it has one.
struct suite {
  const void* tag = nullptr;
  void (*tear_down)() = nullptr;
};
inline suite current_suite;

FENCEPOST_UNSEEN_ inline void end_suite() {
  if (current_suite.tear_down != nullptr) current_suite.tear_down();
  current_suite = {};
}

// The functions of a suite, which may be protected. Both of GoogleTest's names are called.
template <class Fixture>
struct functions_of : Fixture {
  FENCEPOST_UNSEEN_ static bool are_there() {
    return &functions_of::SetUpTestSuite != &Test::SetUpTestSuite ||
           &functions_of::TearDownTestSuite != &Test::TearDownTestSuite ||
           &functions_of::SetUpTestCase != &Test::SetUpTestCase ||
           &functions_of::TearDownTestCase != &Test::TearDownTestCase;
  }
  FENCEPOST_UNSEEN_ static void set_up() {
    functions_of::SetUpTestCase();
    functions_of::SetUpTestSuite();
  }
  FENCEPOST_UNSEEN_ static void tear_down() {
    functions_of::TearDownTestSuite();
    functions_of::TearDownTestCase();
  }
};

template <class Fixture>
FENCEPOST_UNSEEN_ void begin_suite(const char* name) {
  if (current_suite.tag == &tag<Fixture>) return;
  end_suite();
  current_suite.tag = &tag<Fixture>;
  if (!functions_of<Fixture>::are_there()) return;
  __fencepost_begin_suite(&tag<Fixture>, name);
  functions_of<Fixture>::set_up();
  current_suite.tear_down = &functions_of<Fixture>::tear_down;
}

template <class T>
FENCEPOST_UNSEEN_ void run_wanted() {
  begin_suite<typename T::fencepost_fixture>(T::fencepost_suite);
  access::run(new T);
}

template <class T>
FENCEPOST_UNSEEN_ void run_one() {
  if (__fencepost_wants_test(nullptr, T::fencepost_suite, -1, T::fencepost_name, -1, nullptr))
    run_wanted<T>();
}

template <class T>
FENCEPOST_UNSEEN_ void run_with_parameters() {
  using type = typename T::ParamType;
  const instance* const* entry = __start_fencepost_instances;
  for (; entry != __stop_fencepost_instances; ++entry) {
    const instance* const i = *entry;
    if (i->suite != &tag<typename T::fencepost_fixture>) continue;
    parameters<type> all;
    i->fill(&all);
    int number = 0;
    for (const parameter<type>& one : all) {
      WithParamInterface<type>::fencepost_parameter() = &one.value;
      if (__fencepost_wants_test(i->prefix, T::fencepost_suite, -1, T::fencepost_name, number++,
                                 one.name.empty() ? nullptr : one.name.c_str()))
        run_wanted<T>();
    }
  }
}

template <template <class> class T, class Types>
struct typed;
template <template <class> class T, class... Each>
struct typed<T, Types<Each...>> {
  template <class One>
  FENCEPOST_UNSEEN_ static void run(int number) {
    if (__fencepost_wants_test(nullptr, T<One>::fencepost_suite, number, T<One>::fencepost_name,
                               -1, nullptr))
      run_wanted<T<One>>();
  }
  FENCEPOST_UNSEEN_ static void run_all() {
    int number = 0;
    (run<Each>(number++), ...);
  }
};

template <template <class> class T, class Types>
FENCEPOST_UNSEEN_ void run_typed() {
  typed<T, Types>::run_all();
}

template <class T>
struct as_types {
  using type = Types<T>;
};
template <class... T>
struct as_types<Types<T...>> {
  using type = Types<T...>;
};

FENCEPOST_UNSEEN_ inline void run_all() {
  for (run_function* const* one = __start_fencepost_tests; one != __stop_fencepost_tests; ++one)
    (*one)();
  end_suite();
  __fencepost_end_tests();
}

}  // namespace fencepost
}  // namespace testing

#endif
