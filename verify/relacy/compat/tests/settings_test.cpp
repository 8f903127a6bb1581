// The macros that can be defined before the include.
#define RL_FORCE_SEQ_CST
#define FENCEPOST_RELACY_KEEP_C
#include "testing.hpp"

#if defined(malloc) || defined(HANDLE) || defined(pthread_t)
#error "FENCEPOST_RELACY_KEEP_C leaves these names alone"
#endif

namespace fencepost::relacy_testing {
namespace {

// With the orders that are written here, both could be 0.
struct store_buffering : rl::test_suite<store_buffering, 2> {
  rl::atomic<int> x{0}, y{0};
  int seen[2] = {};
  void thread(unsigned index) {
    (index == 0 ? x : y).store(1, rl::memory_order_relaxed);
    seen[index] = (index == 0 ? y : x).load(rl::mo_relaxed, $);
  }
  void after() { RL_ASSERT(seen[0] + seen[1] > 0); }
};
TEST(relacy_settings, all_orders_are_the_strongest) {
  EXPECT_TRUE(has_declared_result<store_buffering>());
}

struct handles : rl::test_suite<handles, 1> {
  void thread(unsigned) {
    const rl::rl_HANDLE set = rl::rl_CreateEvent(nullptr, 0, 1, nullptr, $);
    RL_ASSERT(rl::rl_WaitForSingleObject(set, 0, $) == rl::rl_WAIT_OBJECT_0);
    rl::rl_CloseHandle(set, $);
  }
};
TEST(relacy_settings, the_functions_have_names_of_their_own) {
  EXPECT_TRUE(has_declared_result<handles>());
}

}  // namespace
}  // namespace fencepost::relacy_testing
