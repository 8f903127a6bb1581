// A program with tests of gtest/gtest.h, and no main() of its own. Some of the tests claim what is
// wrong.
#include <gtest/gtest.h>

#include <atomic>
#include <ostream>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

namespace {

struct letter {
  int text = 0;
  std::atomic<bool> sent{false};
};

struct price {
  int cents;
  bool operator==(const price& other) const { return cents == other.cents; }
  friend std::ostream& operator<<(std::ostream& to, const price& p) {
    return to << p.cents << " cents";
  }
};

class letters : public testing::Test {
 protected:
  static void SetUpTestSuite() { ++set_up; }
  void SetUp() override { l.text = 1; }
  void send(std::memory_order how) {
    std::thread sender([this, how] {
      l.text = 2;
      l.sent.store(true, how);
    });
    if (l.sent.load(std::memory_order_acquire)) EXPECT_EQ(l.text, 2) << "as sent";
    sender.join();
  }
  letter l;
  static int set_up;
};
int letters::set_up = 0;

TEST_F(letters, are_read_as_sent) {
  ASSERT_EQ(set_up, 1);
  EXPECT_EQ(l.text, 1);
  send(std::memory_order_release);
}

TEST_F(letters, are_read_too_early) { send(std::memory_order_relaxed); }

TEST(counts, are_added_up) {
  std::atomic<int> n{0};
  std::thread other([&] { n += 2; });
  n += 3;
  other.join();
  ASSERT_EQ(n, 5);
}

TEST(counts, are_lost) {
  std::atomic<int> n{0};
  std::thread other([&] { n = n + 2; });
  n = n + 3;
  other.join();
  SCOPED_TRACE(testing::Message() << "two threads, " << 2 + 3);
  EXPECT_EQ(n, 5) << "lost: " << price{5 - n} << std::endl;  // counts: lost
}

TEST(counts, are_compared_in_a_race) {
  int n = 0;
  std::thread other([&] { n = 0; });
  EXPECT_EQ(n, 0);  // counts: race
  other.join();
}

TEST(assertions, hold) {
  EXPECT_TRUE(price{1} == price{1});
  EXPECT_FALSE(testing::AssertionFailure() << "not evaluated as text");
  EXPECT_NE(std::string("a"), "b");
  EXPECT_LT(1, 2L);
  EXPECT_GE(2.5, 2);
  EXPECT_STREQ("abc", std::string("abc").c_str());
  EXPECT_STRCASEEQ("aBc", "AbC");
  EXPECT_STRNE("a", nullptr);
  EXPECT_FLOAT_EQ(0.1F + 0.2F, 0.3F);
  EXPECT_DOUBLE_EQ(0.1 + 0.2, 0.3);
  EXPECT_NEAR(1.0, 1.05, 0.1);
  EXPECT_THROW(throw std::out_of_range("text"), std::logic_error);
  EXPECT_NO_THROW(std::string("fine"));
  EXPECT_ANY_THROW(throw 1);
  EXPECT_PRED2([](int a, int b) { return a < b; }, 1, 2);
  EXPECT_EQ((std::pair{1, std::string("x")}), (std::pair{1, std::string("x")}));
  EXPECT_NO_FATAL_FAILURE(SUCCEED() << "text");
  if (testing::Test::HasFailure())
    FAIL() << "nothing has failed";
  else
    SUCCEED();
  EXPECT_EQ(testing::PrintToString(std::vector<int>{1, 2}), "{ 1, 2 }");
  EXPECT_EQ(testing::PrintToString(std::tuple{true, 'a', "b"}), "(true, 'a' (97), \"b\")");
}

TEST(assertions, throw_the_wrong_thing) { EXPECT_THROW(throw 1, std::logic_error); }
TEST(assertions, throw_nothing) { EXPECT_ANY_THROW(static_cast<void>(0)); }
TEST(assertions, throw_something) { EXPECT_NO_THROW(throw std::logic_error("why")); }
TEST(assertions, compare_containers) {
  EXPECT_EQ((std::vector<int>{1, 2}), (std::vector<int>{1, 3}));
}
TEST(assertions, compare_texts) {
  const std::string text(49, 'x');
  EXPECT_EQ(text, "y") << text + ", which is another one";
}
TEST(assertions, compare_numbers) { EXPECT_DOUBLE_EQ(0.1, 0.1000001); }
TEST(assertions, fail) { FAIL() << "as told"; }
TEST(assertions, leave_an_exception) { throw std::logic_error("nobody catches it"); }

TEST(skips, itself) {
  GTEST_SKIP() << "without a reason";
  FAIL();
}

struct skipped_early : testing::Test {
  void SetUp() override { GTEST_SKIP(); }
};
TEST_F(skipped_early, before_it_begins) { FAIL(); }

TEST(DISABLED_tests, are_not_run) { FAIL(); }

template <class T>
struct numbers : testing::Test {
  T zero{};
};
using types = testing::Types<int, bool>;
TYPED_TEST_SUITE(numbers, types);
TYPED_TEST(numbers, are_zero_at_first) {
  EXPECT_EQ(this->zero, TypeParam());
  EXPECT_LT(sizeof(TypeParam), 4U);
}

class squares : public testing::TestWithParam<std::tuple<int, bool>> {};
TEST_P(squares, are_small) {
  const int n = std::get<0>(GetParam());
  EXPECT_LT(n * n + (std::get<1>(GetParam()) ? 1 : 0), 5);
}
INSTANTIATE_TEST_SUITE_P(all, squares, testing::Combine(testing::Range(1, 3), testing::Bool()));
INSTANTIATE_TEST_SUITE_P(named, squares, testing::Values(std::tuple{0, false}),
                         [](const auto& info) { return "n" + std::to_string(info.index); });

}  // namespace
