// GoogleTest for programs that `fencepost check` explores: each assertion that fails is a violation
// with its line. This header replaces the library, whose files, processes and locks are not
// modelled. A program that uses a macro which is missing here does not compile.
#ifndef FENCEPOST_GTEST_H
#define FENCEPOST_GTEST_H

#pragma GCC system_header

#if __cplusplus < 201703L
#error "fencepost: tests of GoogleTest need -std=c++17 or later"
#endif

#pragma push_macro("no_sanitize")
#undef no_sanitize  // FENCEPOST_UNSEEN_ uses the attribute of this name

#include <gtest/fencepost_assertions.h>
#include <gtest/fencepost_parameters.h>
#include <gtest/fencepost_runs.h>
#include <gtest/gtest_prod.h>

#include <cstddef>
#include <string>
#include <tuple>

namespace testing {

FENCEPOST_UNSEEN_ inline void InitGoogleTest(int* argc, char** argv) { __fencepost_take_test_flags(argc, argv); }
inline void InitGoogleTest() {}

struct PrintToStringParamName {
  template <class T>
  std::string operator()(const TestParamInfo<T>& of) const {
    return PrintToString(of.param);
  }
};

// The types of a TYPED_TEST_SUITE().
template <class... T>
struct Types {};

}  // namespace testing

[[nodiscard]] inline int RUN_ALL_TESTS() {
  ::testing::fencepost::run_all();
  return 0;
}

// For programs without a main() of their own.
extern "C" __attribute__((used)) FENCEPOST_UNSEEN_ inline int __fencepost_main_of_tests(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}

#define GTEST_TEST_CLASS_NAME_(suite, name) suite##_##name##_Test

// Constants register the tests, so that an execution does nothing for tests that it does not run.
#define FENCEPOST_TEST_ENTRY_(symbol, function)                                                    \
  __attribute__((section("fencepost_tests"), used, no_reorder)) static ::testing::fencepost::run_function* const \
      symbol##_entry = &function;

#define FENCEPOST_TEST_CLASS_(suite, name, ...)                                 \
 public:                                                                        \
  using fencepost_fixture = __VA_ARGS__;                                        \
  static constexpr const char *fencepost_suite = #suite, *fencepost_name = #name; \
                                                                                \
 private:                                                                       \
  void TestBody() override;

#define FENCEPOST_TEST_(suite, name, fixture, run)                                           \
  class GTEST_TEST_CLASS_NAME_(suite, name) : public fixture{FENCEPOST_TEST_CLASS_(          \
                                                  suite, name, fixture)};                    \
  FENCEPOST_TEST_ENTRY_(suite##_##name,                                                      \
                        ::testing::fencepost::run<GTEST_TEST_CLASS_NAME_(suite, name)>) \
  void GTEST_TEST_CLASS_NAME_(suite, name)::TestBody()

#define TEST(suite, name) FENCEPOST_TEST_(suite, name, ::testing::Test, run_one)
#define TEST_F(suite, name) FENCEPOST_TEST_(suite, name, suite, run_one)
#define GTEST_TEST(suite, name) TEST(suite, name)
#define GTEST_TEST_F(suite, name) TEST_F(suite, name)

// Runs with each value of each INSTANTIATE_TEST_SUITE_P().
#define TEST_P(suite, name) FENCEPOST_TEST_(suite, name, suite, run_with_parameters)
#define INSTANTIATE_TEST_SUITE_P(prefix, suite, ...)                                        \
  static void fencepost_fill_##prefix##_##suite(void* to) {                                 \
    ::testing::fencepost::fill<suite::ParamType>(to, __VA_ARGS__);                          \
  }                                                                                         \
  static const ::testing::fencepost::instance fencepost_instance_##prefix##_##suite{          \
      #prefix, &::testing::fencepost::tag<suite>, &fencepost_fill_##prefix##_##suite};      \
  __attribute__((section("fencepost_instances"), used, no_reorder)) static const ::testing::fencepost:: \
      instance* const fencepost_instance_entry_##prefix##_##suite =                         \
          &fencepost_instance_##prefix##_##suite;
#define INSTANTIATE_TEST_CASE_P(...) INSTANTIATE_TEST_SUITE_P(__VA_ARGS__)
// A suite that is not instantiated is not run, and no report claims that it was.
#define GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(suite) static_assert(true)

// Runs with each of the types.
#define TYPED_TEST_SUITE(suite, types, ...) \
  using fencepost_types_##suite = ::testing::fencepost::as_types<types>::type
#define TYPED_TEST_CASE(...) TYPED_TEST_SUITE(__VA_ARGS__)
#define TYPED_TEST(suite, name)                                                           \
  template <class FencepostType>                                                          \
  class GTEST_TEST_CLASS_NAME_(suite, name) : public suite<FencepostType> {               \
    using TestFixture = suite<FencepostType>;                                             \
    using TypeParam = FencepostType;                                                      \
    FENCEPOST_TEST_CLASS_(suite, name, suite<FencepostType>)                              \
  };                                                                                      \
  FENCEPOST_TEST_ENTRY_(suite##_##name,                                                   \
                        (::testing::fencepost::run_typed<                                 \
                            GTEST_TEST_CLASS_NAME_(suite, name), fencepost_types_##suite>)) \
  template <class FencepostType>                                                          \
  void GTEST_TEST_CLASS_NAME_(suite, name)<FencepostType>::TestBody()

// A use of something that cannot be checked does not compile.
#define FENCEPOST_REFUSED_(what, why) static_assert(sizeof(char) == 0, "fencepost: " what why)
#define FENCEPOST_NO_DEATH_(what) \
  FENCEPOST_REFUSED_(what, ": death tests start processes, which are not modelled")
#define EXPECT_DEATH(...) FENCEPOST_NO_DEATH_("EXPECT_DEATH")
#define ASSERT_DEATH(...) FENCEPOST_NO_DEATH_("ASSERT_DEATH")
#define EXPECT_EXIT(...) FENCEPOST_NO_DEATH_("EXPECT_EXIT")
#define ASSERT_EXIT(...) FENCEPOST_NO_DEATH_("ASSERT_EXIT")
#define EXPECT_DEBUG_DEATH(...) FENCEPOST_NO_DEATH_("EXPECT_DEBUG_DEATH")
#define ASSERT_DEBUG_DEATH(...) FENCEPOST_NO_DEATH_("ASSERT_DEBUG_DEATH")
#define EXPECT_DEATH_IF_SUPPORTED(...) FENCEPOST_NO_DEATH_("EXPECT_DEATH_IF_SUPPORTED")
#define ASSERT_DEATH_IF_SUPPORTED(...) FENCEPOST_NO_DEATH_("ASSERT_DEATH_IF_SUPPORTED")
#define FENCEPOST_NO_MOCKS_(what) \
  FENCEPOST_REFUSED_(what, " is GoogleMock's, which is not modelled: use EXPECT_EQ and EXPECT_TRUE")
#define EXPECT_THAT(...) FENCEPOST_NO_MOCKS_("EXPECT_THAT")
#define ASSERT_THAT(...) FENCEPOST_NO_MOCKS_("ASSERT_THAT")
#define EXPECT_CALL(...) FENCEPOST_NO_MOCKS_("EXPECT_CALL")
#define MOCK_METHOD(...) FENCEPOST_NO_MOCKS_("MOCK_METHOD")
#define TYPED_TEST_SUITE_P(...) \
  FENCEPOST_REFUSED_("TYPED_TEST_SUITE_P", " is not supported: use TYPED_TEST_SUITE")
// A failure ends the execution, so it cannot be expected.
#define EXPECT_FATAL_FAILURE(...) \
  FENCEPOST_REFUSED_("EXPECT_FATAL_FAILURE", ": a failure is a violation")
#define EXPECT_NONFATAL_FAILURE(...) \
  FENCEPOST_REFUSED_("EXPECT_NONFATAL_FAILURE", ": a failure is a violation")

#pragma pop_macro("no_sanitize")

#endif
