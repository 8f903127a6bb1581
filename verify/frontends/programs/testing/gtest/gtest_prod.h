// Friends of classes under test.
#ifndef FENCEPOST_GTEST_PROD_H
#define FENCEPOST_GTEST_PROD_H
#define FRIEND_TEST(suite, name) friend class suite##_##name##_Test
#endif
