// The assertions themselves.
#ifndef FENCEPOST_GTEST_ASSERTION_MACROS_H
#define FENCEPOST_GTEST_ASSERTION_MACROS_H

#pragma GCC system_header

#define FENCEPOST_FAILED_(text, why) \
  ::testing::fencepost::failure(__FILE__, __LINE__, __func__, text, why) = \
      ::testing::fencepost::failure_message()

// One statement, even under an if without braces, to which a message may be streamed.
#define FENCEPOST_CHECK_(text, ...)                                     \
  switch (0)                                                            \
  case 0:                                                               \
  default:                                                              \
    if (const ::testing::AssertionResult fencepost_result{__VA_ARGS__}) \
      ;                                                                 \
    else                                                                \
      FENCEPOST_FAILED_(text, fencepost_result)

#define FENCEPOST_TRUE_(name, c) FENCEPOST_CHECK_(name "(" #c ")", ::testing::AssertionResult(c))
#define FENCEPOST_FALSE_(name, c) FENCEPOST_CHECK_(name "(" #c ")", !::testing::AssertionResult(c))
#define EXPECT_TRUE(c) FENCEPOST_TRUE_("EXPECT_TRUE", c)
#define ASSERT_TRUE(c) FENCEPOST_TRUE_("ASSERT_TRUE", c)
#define EXPECT_FALSE(c) FENCEPOST_FALSE_("EXPECT_FALSE", c)
#define ASSERT_FALSE(c) FENCEPOST_FALSE_("ASSERT_FALSE", c)
#define GTEST_EXPECT_TRUE(c) EXPECT_TRUE(c)
#define GTEST_ASSERT_TRUE(c) ASSERT_TRUE(c)
#define GTEST_EXPECT_FALSE(c) EXPECT_FALSE(c)
#define GTEST_ASSERT_FALSE(c) ASSERT_FALSE(c)

#define FENCEPOST_TWO_(name, function, a, b) \
  FENCEPOST_CHECK_(name "(" #a ", " #b ")", ::testing::fencepost::function(#a, #b, a, b))
#define EXPECT_EQ(a, b) FENCEPOST_TWO_("EXPECT_EQ", eq, a, b)
#define ASSERT_EQ(a, b) FENCEPOST_TWO_("ASSERT_EQ", eq, a, b)
#define EXPECT_NE(a, b) FENCEPOST_TWO_("EXPECT_NE", ne, a, b)
#define ASSERT_NE(a, b) FENCEPOST_TWO_("ASSERT_NE", ne, a, b)
#define EXPECT_LT(a, b) FENCEPOST_TWO_("EXPECT_LT", lt, a, b)
#define ASSERT_LT(a, b) FENCEPOST_TWO_("ASSERT_LT", lt, a, b)
#define EXPECT_LE(a, b) FENCEPOST_TWO_("EXPECT_LE", le, a, b)
#define ASSERT_LE(a, b) FENCEPOST_TWO_("ASSERT_LE", le, a, b)
#define EXPECT_GT(a, b) FENCEPOST_TWO_("EXPECT_GT", gt, a, b)
#define ASSERT_GT(a, b) FENCEPOST_TWO_("ASSERT_GT", gt, a, b)
#define EXPECT_GE(a, b) FENCEPOST_TWO_("EXPECT_GE", ge, a, b)
#define ASSERT_GE(a, b) FENCEPOST_TWO_("ASSERT_GE", ge, a, b)

#define FENCEPOST_TEXT_(name, a, b, with_case, equal) \
  FENCEPOST_CHECK_(name "(" #a ", " #b ")",           \
                   ::testing::fencepost::text_eq(#a, #b, a, b, with_case, equal))
#define EXPECT_STREQ(a, b) FENCEPOST_TEXT_("EXPECT_STREQ", a, b, true, true)
#define ASSERT_STREQ(a, b) FENCEPOST_TEXT_("ASSERT_STREQ", a, b, true, true)
#define EXPECT_STRNE(a, b) FENCEPOST_TEXT_("EXPECT_STRNE", a, b, true, false)
#define ASSERT_STRNE(a, b) FENCEPOST_TEXT_("ASSERT_STRNE", a, b, true, false)
#define EXPECT_STRCASEEQ(a, b) FENCEPOST_TEXT_("EXPECT_STRCASEEQ", a, b, false, true)
#define ASSERT_STRCASEEQ(a, b) FENCEPOST_TEXT_("ASSERT_STRCASEEQ", a, b, false, true)
#define EXPECT_STRCASENE(a, b) FENCEPOST_TEXT_("EXPECT_STRCASENE", a, b, false, false)
#define ASSERT_STRCASENE(a, b) FENCEPOST_TEXT_("ASSERT_STRCASENE", a, b, false, false)

#define FENCEPOST_FLOAT_(name, a, b, ...) \
  FENCEPOST_CHECK_(name "(" #a ", " #b ")", ::testing::fencepost::float_eq<__VA_ARGS__>(#a, #b, a, b))
#define EXPECT_FLOAT_EQ(a, b) FENCEPOST_FLOAT_("EXPECT_FLOAT_EQ", a, b, float, unsigned)
#define ASSERT_FLOAT_EQ(a, b) FENCEPOST_FLOAT_("ASSERT_FLOAT_EQ", a, b, float, unsigned)
#define EXPECT_DOUBLE_EQ(a, b) FENCEPOST_FLOAT_("EXPECT_DOUBLE_EQ", a, b, double, unsigned long)
#define ASSERT_DOUBLE_EQ(a, b) FENCEPOST_FLOAT_("ASSERT_DOUBLE_EQ", a, b, double, unsigned long)
#define FENCEPOST_NEAR_(name, a, b, most)                   \
  FENCEPOST_CHECK_(name "(" #a ", " #b ", " #most ")", \
                   ::testing::fencepost::near(#a, #b, a, b, most))
#define EXPECT_NEAR(a, b, most) FENCEPOST_NEAR_("EXPECT_NEAR", a, b, most)
#define ASSERT_NEAR(a, b, most) FENCEPOST_NEAR_("ASSERT_NEAR", a, b, most)

#define FENCEPOST_PREDICATE_(name, p, ...)               \
  FENCEPOST_CHECK_(name "(" #p ", " #__VA_ARGS__ ")", \
                   ::testing::fencepost::predicate(#p, p, __VA_ARGS__))
#define EXPECT_PRED1(p, ...) FENCEPOST_PREDICATE_("EXPECT_PRED1", p, __VA_ARGS__)
#define ASSERT_PRED1(p, ...) FENCEPOST_PREDICATE_("ASSERT_PRED1", p, __VA_ARGS__)
#define EXPECT_PRED2(p, ...) FENCEPOST_PREDICATE_("EXPECT_PRED2", p, __VA_ARGS__)
#define ASSERT_PRED2(p, ...) FENCEPOST_PREDICATE_("ASSERT_PRED2", p, __VA_ARGS__)
#define EXPECT_PRED3(p, ...) FENCEPOST_PREDICATE_("EXPECT_PRED3", p, __VA_ARGS__)
#define ASSERT_PRED3(p, ...) FENCEPOST_PREDICATE_("ASSERT_PRED3", p, __VA_ARGS__)
#define EXPECT_PRED_FORMAT1(p, a) FENCEPOST_CHECK_("EXPECT_PRED_FORMAT1(" #p ", " #a ")", p(#a, a))
#define ASSERT_PRED_FORMAT1(p, a) FENCEPOST_CHECK_("ASSERT_PRED_FORMAT1(" #p ", " #a ")", p(#a, a))
#define EXPECT_PRED_FORMAT2(p, a, b) \
  FENCEPOST_CHECK_("EXPECT_PRED_FORMAT2(" #p ", " #a ", " #b ")", p(#a, #b, a, b))
#define ASSERT_PRED_FORMAT2(p, a, b) \
  FENCEPOST_CHECK_("ASSERT_PRED_FORMAT2(" #p ", " #a ", " #b ")", p(#a, #b, a, b))

#define FENCEPOST_THROWS_(name, statement, type)                          \
  FENCEPOST_CHECK_(name "(" #statement ", " #type ")",                    \
                   ::testing::fencepost::throws<const type&>([&] { statement; }))
#define EXPECT_THROW(statement, type) FENCEPOST_THROWS_("EXPECT_THROW", statement, type)
#define ASSERT_THROW(statement, type) FENCEPOST_THROWS_("ASSERT_THROW", statement, type)
#define FENCEPOST_STATEMENT_(name, function, statement) \
  FENCEPOST_CHECK_(name "(" #statement ")", ::testing::fencepost::function([&] { statement; }))
#define EXPECT_NO_THROW(s) FENCEPOST_STATEMENT_("EXPECT_NO_THROW", throws_nothing, s)
#define ASSERT_NO_THROW(s) FENCEPOST_STATEMENT_("ASSERT_NO_THROW", throws_nothing, s)
#define EXPECT_ANY_THROW(s) FENCEPOST_STATEMENT_("EXPECT_ANY_THROW", throws_anything, s)
#define ASSERT_ANY_THROW(s) FENCEPOST_STATEMENT_("ASSERT_ANY_THROW", throws_anything, s)

// A failure in the statement ends the execution by itself.
#define FENCEPOST_RUN_(statement) \
  switch (0)                      \
  case 0:                         \
  default:                        \
    if ([&] { statement; }(), true) ::testing::fencepost::ignored()
#define EXPECT_NO_FATAL_FAILURE(statement) FENCEPOST_RUN_(statement)
#define ASSERT_NO_FATAL_FAILURE(statement) FENCEPOST_RUN_(statement)

#define SUCCEED() ::testing::fencepost::ignored()
#define GTEST_SUCCEED() SUCCEED()
#define ADD_FAILURE() FENCEPOST_FAILED_("ADD_FAILURE()", ::testing::AssertionResult(false))
#define FAIL() FENCEPOST_FAILED_("FAIL()", ::testing::AssertionResult(false))
#define GTEST_FAIL() FENCEPOST_FAILED_("GTEST_FAIL()", ::testing::AssertionResult(false))
#define ADD_FAILURE_AT(file, line)                                                \
  ::testing::fencepost::failure(file, static_cast<unsigned>(line), __func__, "ADD_FAILURE_AT()",   \
                                ::testing::AssertionResult(false)) =                          \
      ::testing::fencepost::failure_message()
#define GTEST_SKIP() return ::testing::fencepost::skipped() = ::testing::Message()

#define FENCEPOST_JOINED_(a, b) a##b
#define FENCEPOST_JOIN_(a, b) FENCEPOST_JOINED_(a, b)
#define SCOPED_TRACE(...)                                                            \
  const ::testing::ScopedTrace FENCEPOST_JOIN_(fencepost_trace_, __LINE__)(__FILE__, __LINE__, \
                                                                           (__VA_ARGS__))

#endif
