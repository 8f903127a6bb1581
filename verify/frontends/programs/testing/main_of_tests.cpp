// The main() of programs that have tests of gtest/gtest.h and no main() of their own.
extern "C" int __fencepost_main_of_tests(int argc, char** argv);  // NOLINT: of gtest/gtest.h

// As in std/fencepost_calls.h: nothing is to be watched here.
[[gnu::used]] static const char __fencepost_has_compiled = 1;  // NOLINT

int main(int argc, char** argv) { return __fencepost_main_of_tests(argc, argv); }
