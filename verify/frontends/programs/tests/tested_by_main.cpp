// Tests of gtest/gtest.h that main() runs.
#include <gtest/gtest.h>

#include <string_view>

static int prepared = 0;

// If all tests ran at once, it would be set up twice, unlike with GoogleTest.
struct parts : testing::Test {
  static void SetUpTestSuite() { ++prepared; }
};
TEST_F(parts, are_prepared) { EXPECT_EQ(prepared, 2); }
TEST(others, are_in_between) { EXPECT_GE(prepared, 1); }
TEST_F(parts, are_prepared_again) { EXPECT_EQ(prepared, 2); }

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  ++prepared;
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) != "own") return 7;
  return RUN_ALL_TESTS();
}
