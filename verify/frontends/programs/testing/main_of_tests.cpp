// The main() of programs that have tests of gtest/gtest.h and no main() of their own.
extern "C" int __fencepost_main_of_tests(int argc, char** argv);  // NOLINT: of gtest/gtest.h

int main(int argc, char** argv) { return __fencepost_main_of_tests(argc, argv); }
