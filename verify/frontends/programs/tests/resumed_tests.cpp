// Tests whose executions resume at a choice in the first test, after an execution has run them all.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace {

void choose_among_many() {
  std::atomic<int> counter{0};
  std::thread writes([&] {
    for (int i = 0; i < 3; ++i) counter.fetch_add(1, std::memory_order_acq_rel);
  });
  for (int i = 0; i < 3; ++i) ASSERT_LE(counter.load(std::memory_order_acquire), 3);
  writes.join();
}

template <int>
class suite : public testing::Test {
 protected:
  static void SetUpTestSuite() {}
};
using first_suite = suite<1>;
using second_suite = suite<2>;

TEST_F(first_suite, chooses) { choose_among_many(); }
TEST_F(second_suite, chooses) { choose_among_many(); }

}  // namespace
