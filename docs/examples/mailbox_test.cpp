// The test of README.md. It fails on purpose: the release is missing.
//
//   mailbox_test [--svg]
//
// --svg prints the counterexample as a picture instead: docs/mailbox.svg.
#include <gtest/gtest.h>

#include <cstddef>
#include <iostream>
#include <string>
#include <string_view>

#include "fencepost/verify/drawing.hpp"
// [mailbox]
#include "fencepost/verify/gtest.hpp"

using namespace fencepost;

const auto mailbox = [] {
  checked_atomics::plain<int> letter{0};
  checked_atomics::atomic<bool> full{false};
  verify::run_threads(2, [&](unsigned thread) {
    if (thread == 0) {
      letter.set(42);
      full.store(true, std::memory_order_relaxed);  // fine on x86
    } else if (full.load(std::memory_order_acquire)) {
      require(letter.get() == 42, "the letter is there");
    }
  });
};

TEST(mailbox, the_letter_arrives) { EXPECT_VERIFIED(mailbox); }
// [mailbox]

// Cropped to the lanes of the two threads: main only starts them. The page explains the colours.
std::string picture() {
  std::string svg = to_svg(*verify::check({}, mailbox).violation, {});
  const std::size_t from = svg.find("width=\"1220\"");
  const std::size_t to = svg.find(" role=", from);
  return svg.replace(from, to - from, R"(width="776" height="412" viewBox="440 10 776 412")");
}

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--svg") {
    std::cout << picture() << '\n';
    return 0;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
